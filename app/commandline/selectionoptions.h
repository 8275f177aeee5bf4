#pragma once

#include "app/commandline/arguments.h"
#include "backend/records/filter.h"

namespace commandline {

// The messages that a command acts on, with any status, from exactly one of --group, --message, --queue, --search and
// --all. Two of them would intersect, but a person who types both expects the union, so that is Rejected.
[[nodiscard]] core::Result<records::MessageFilter> selectedMessages(const Arguments &given, const QString &verb);

} // namespace commandline
