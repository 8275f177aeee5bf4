#pragma once

#include "backend/records/filter.h"
#include "models/common/formatters.h"

#include <QString>

namespace models {

// What the next action would act on, as chosen on the page in front. Every button that acts names it.
struct ActionScope
{
    records::MessageFilter filter;
    qint64 count = 0; // messages
    int groups = 0; // how many groups were chosen; 0: messages were chosen
    QString words; // "2 groups", "everything in this filter except 3"; empty when the count says it all
    core::ConnectionId connection; // the one they all belong to; none: several
    qint64 asOfChange = 0; // the change number at which the list was read

    [[nodiscard]] bool isEmpty() const { return count == 0; }
    friend bool operator==(const ActionScope &, const ActionScope &) = default;
};

// The list that it was chosen from shows messages of this status.
[[nodiscard]] inline bool lists(const ActionScope &scope, records::MessageStatus status)
{
    return scope.filter.status.value_or(status) == status;
}

// What it acts on, for a button or an entry: "2 groups · 14,207", "216".
[[nodiscard]] inline QString scopeText(const ActionScope &scope)
{
    const QString count = formatNumber(scope.count);
    return scope.groups > 0 ? scope.words + QStringLiteral(" · ") + count : count;
}

} // namespace models
