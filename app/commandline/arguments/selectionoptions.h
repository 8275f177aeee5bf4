#pragma once

#include "app/commandline/arguments/arguments.h"
#include "backend/records/messages/filter.h"

namespace commandline {

// The messages that a command acts on, with any status, from exactly one of --group, --message, --queue, --search and
// --all. Two of them would intersect, but a person who types both expects the union, so that is Rejected.
[[nodiscard]] core::Result<records::MessageFilter> selectedMessages(const Arguments &given, const QString &verb);

// --status; nothing without it.
[[nodiscard]] core::Result<std::optional<records::MessageStatus>> givenStatus(const Arguments &given);

// --as-of: the change number of the list that the person saw (`change` of messages --json); 0 without it. Rejected
// without named messages, because only these were seen one by one.
[[nodiscard]] core::Result<qint64> seenChange(const Arguments &given, const records::MessageFilter &filter);

} // namespace commandline
