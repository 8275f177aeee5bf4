#pragma once

#include "backend/records/filter.h"

#include <QStringList>

namespace engine {

// The names that a filter knows only by number.
struct ScopeNames
{
    QString connection;
    QStringList groups; // titles, as far as known
};

// "1 message", "12 messages": for the audit trail, which is written without a translator's plural forms.
[[nodiscard]] QString messagesText(qint64 count);

// In quotation marks, as one line of a bounded length.
[[nodiscard]] QString quoted(const QString &text);

// A filter as one sentence with every part of it in force, for the plan dialog, the operation and the audit trail:
// "Unresolved messages on shop-prod, from queue error, in the group \"TimeoutException: ...\"". Times are UTC.
[[nodiscard]] QString scopeSentence(const records::MessageFilter &filter, const ScopeNames &names);

} // namespace engine
