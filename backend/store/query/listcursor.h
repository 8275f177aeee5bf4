#pragma once

#include "backend/core/ids.h"

#include <QVariant>

#include <optional>

namespace store {

// Where a list continues: the sort key and the id of the last row of the previous page.
struct ListCursor
{
    QVariant key; // a whole number or a text; invalid where the order is the id alone
    core::MessageId id;
};

[[nodiscard]] QString toText(const ListCursor &cursor);
// Nothing: the text is not a valid cursor.
[[nodiscard]] std::optional<ListCursor> listCursorFrom(const QString &text);

} // namespace store
