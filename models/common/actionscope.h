#pragma once

#include "backend/records/messages/filter.h"
#include "models/common/formatters.h"

#include <QString>

namespace models {

// The messages that the next action applies to: the selection on the visible page. Every action button shows it.
struct ActionScope
{
    records::MessageFilter filter;
    qint64 count = 0; // messages
    int groups = 0; // number of selected groups; 0: single messages are selected
    QString words; // "2 groups", "everything in this filter except 3"; empty when the count says it all
    core::ConnectionId connection; // the connection of all these messages; invalid: there are several
    qint64 asOfChange = 0; // the change number of the store at which the list was read

    [[nodiscard]] bool isEmpty() const { return count == 0; }
    friend bool operator==(const ActionScope &, const ActionScope &) = default;
};

// True when the list behind the selection can show messages of this status.
[[nodiscard]] inline bool lists(const ActionScope &scope, records::MessageStatus status)
{
    return scope.filter.status.value_or(status) == status;
}

// The text of the scope for a button or menu entry: "2 groups · 14,207", "216".
[[nodiscard]] inline QString scopeText(const ActionScope &scope)
{
    const QString count = formatNumber(scope.count);
    return scope.groups > 0 ? scope.words + QStringLiteral(" · ") + count : count;
}

} // namespace models
