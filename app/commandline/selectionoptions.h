#pragma once

#include "app/commandline/arguments.h"
#include "backend/records/filter.h"

namespace commandline {

// The messages that a verb is to act on, of any status: exactly one of --group, --message, --queue, --search and --all. More than
// one would narrow, and a person who types both expects both.
[[nodiscard]] core::Result<records::MessageFilter> selectedMessages(const Arguments &given, const QString &verb);

} // namespace commandline
