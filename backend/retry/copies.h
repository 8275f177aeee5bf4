#pragma once

#include "backend/retry/context/processorcontext.h"

#include <QStringList>

#include <optional>

namespace retry {

struct Copies // one chunk of copies, ready to be sent
{
    QList<broker::Outgoing> outgoing;
    QList<store::MemberReason> unfit; // members without a copy that can be sent
    std::optional<QStringList> counters; // of the policies of the store; nothing: not read yet
};

// Whether the failed message still names a request to confirm it that a retry of this store made. A copy that asks for nothing
// goes without it. ServiceControl needs its own requests, so they stay. Inside a transaction or read; engine thread.
[[nodiscard]] Result<bool> hasStaleRequest(store::Session &session, const records::Envelope &failed);

// Makes the copy of one member from the store (outgoing.h) and adds it, or the reason why there is none. The counters that
// policies name start again in it, but the one of the policy that retries goes on. An error: the store cannot be read. Inside a transaction or read; engine thread.
[[nodiscard]] Result<> addCopy(const ProcessorContext &context, store::Session &session,
                               const records::RetryOperation &operation, const QString &stagingId,
                               const store::RetryMember &member, Copies &copies);

} // namespace retry
