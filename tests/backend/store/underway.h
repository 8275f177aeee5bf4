#pragma once

#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/intentstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/stagingstore.h"
#include "backend/store/session.h"
#include "tests/support/must.h"

namespace test {

// A retry of all these messages whose one batch is being forwarded: from a staging place, or by intent log with two sends that
// have no answer.
[[nodiscard]] inline core::OperationId retryUnderWay(store::Session &session, core::ConnectionId connection,
                                                     const QList<core::MessageId> &messages, bool onBroker)
{
    records::RetryOperation operation;
    operation.connection = connection;
    operation.plan.onUnknown = records::OnUnknown::SendAgain;
    const core::OperationId id = must(session.retryOperations().add(operation));
    const store::FreezeRules rules{{}, must(session.changeNumber()), true, {}, {}};
    must(session.frozenSets().freeze(id, messages, rules));
    operation = must(session.retryOperations().load(id));
    operation.state = records::OperationState::Running;
    must(session.retryOperations().update(operation));
    const auto batch = must(session.staging().addBatch(id, QStringLiteral("session"), 1000));
    must(session.staging().claimMembers(batch->id));
    must(session.staging().beginStaging(batch->id));
    const QString place = onBroker ? QStringLiteral("redrive.place") : QString();
    must(session.staging().nameStaging(batch->id, QStringLiteral("staging"), place));
    must(session.staging().beginForwarding(batch->id, QStringLiteral("staging"), int(messages.size())));
    if (!onBroker)
        must(session.intents().writeIntents(batch->id, {1, 2}));
    return id;
}

} // namespace test
