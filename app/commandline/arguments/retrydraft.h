#pragma once

#include "app/commandline/context.h"
#include "backend/api/requests/retryplan.h"

namespace commandline {

// The messages and the plan that the options of `retry`, `release` and `rehearse` give; unresolved messages, without
// their connection. Rejected: an option is wrong. `verb` names the command in the error.
[[nodiscard]] core::Result<api::RetryDraft> draftFrom(const Context &context, records::OperationKind kind,
                                                      const QString &verb);

// The queues whose redirects --remember makes standing ones.
[[nodiscard]] QStringList rememberedFrom(const api::RetryDraft &draft);

} // namespace commandline
