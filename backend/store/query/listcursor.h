#pragma once

#include "backend/core/ids.h"

#include <QVariant>

#include <optional>

namespace store {

// Where a list goes on: the sort key and the id of the last row of the page before.
struct ListCursor
{
    QVariant key; // a whole number or text; invalid where the id alone is the order
    core::MessageId id;
};

[[nodiscard]] QString toText(const ListCursor &cursor);
// Nothing for what is no cursor of ours.
[[nodiscard]] std::optional<ListCursor> listCursorFrom(const QString &text);

} // namespace store
