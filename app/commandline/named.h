#pragma once

#include "app/commandline/context.h"

namespace commandline {

// Every message, group and queue of this filter is there, on its connection when it has one. Else NotFound, naming those
// that are not: "nothing was done" must not look like "there was nothing to do".
[[nodiscard]] core::Task<core::Result<>> checkNamed(Context &context, records::MessageFilter filter);

// The error of ids that name no message.
[[nodiscard]] core::Error noMessage(const QList<core::MessageId> &ids, const QString &connection = {});

} // namespace commandline
