#pragma once

#include "backend/records/messages/filter.h"

#include <QStringList>

namespace engine {

// Names for the ids in a filter.
struct ScopeNames
{
    QString connection;
    QStringList groups; // titles; the first one is used
};

// "1 message", "12 messages": for texts that are stored, independent of a translation's plural forms.
[[nodiscard]] QString messagesText(qint64 count);

// The text in quotation marks, as one line of limited length.
[[nodiscard]] QString quoted(const QString &text);

// Describes a filter for the plan dialog, the operation and the activity log. Parts are joined by ", ":
// "Unresolved messages on shop-prod, in the group “TimeoutException: ...”, from queue “error”". Times are UTC.
// models::operationName takes these sentences apart at the first ", " and at "in the group “".
[[nodiscard]] QString scopeSentence(const records::MessageFilter &filter, const ScopeNames &names);

} // namespace engine
