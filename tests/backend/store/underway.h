#pragma once

#include "backend/store/messagestore.h"
#include "backend/store/retrystore.h"
#include "tests/support/must.h"

namespace test {

// A retry of all these messages whose one batch is being forwarded: from a staging place, or by intent log with two sends that
// have no answer.
[[nodiscard]] inline core::OperationId retryUnderWay(store::Session &session, core::ConnectionId connection,
                                                     const QList<core::MessageId> &messages, bool onBroker)
{
    store::RetryStore &retries = session.retries();
    records::RetryOperation operation;
    operation.connection = connection;
    operation.plan.onUnknown = records::OnUnknown::SendAgain;
    const core::OperationId id = must(retries.addOperation(operation));
    const store::FreezeRules rules{{}, must(session.changeNumber()), true, {}, {}};
    must(retries.freeze(id, messages, rules));
    operation = must(retries.operation(id));
    operation.state = records::OperationState::Running;
    must(retries.updateOperation(operation));
    const auto batch = must(retries.addBatch(id, QStringLiteral("session"), 1000));
    must(retries.claimMembers(batch->id));
    must(retries.beginStaging(batch->id));
    const QString place = onBroker ? QStringLiteral("redrive.place") : QString();
    must(retries.nameStaging(batch->id, QStringLiteral("staging"), place));
    must(retries.beginForwarding(batch->id, QStringLiteral("staging"), int(messages.size())));
    if (!onBroker)
        must(retries.writeIntents(batch->id, {1, 2}));
    return id;
}

} // namespace test
