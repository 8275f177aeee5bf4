#pragma once

#include "app/commandline/context.h"

namespace commandline {

// Checks that every message, group and queue of this filter exists, on its connection when it has one. NotFound: the
// error names those that do not, because "Nothing to do" would hide a mistyped id.
[[nodiscard]] core::Task<core::Result<>> checkNamed(Context &context, records::MessageFilter filter);

// The NotFound error for ids of messages that do not exist.
[[nodiscard]] core::Error noMessage(const QList<core::MessageId> &ids, const QString &connection = {});

} // namespace commandline
