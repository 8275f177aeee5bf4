// One retry through the store's own steps, without an engine and a broker.
#pragma once

#include "backend/store/messagestore.h"
#include "backend/store/retrystore.h"
#include "backend/store/store.h"
#include "tests/support/must.h"

namespace test {

// Freezes these messages, claims them and hands them to the broker: they are on their way.
inline core::OperationId retryUnderWay(store::Session &session, core::ConnectionId connection,
                                       const QList<core::MessageId> &messages,
                                       records::OperationKind kind = records::OperationKind::Retry,
                                       const records::Edit &edit = {})
{
    store::RetryStore &retries = session.retries();
    records::RetryOperation operation;
    operation.connection = connection;
    operation.kind = kind;
    operation.plan.edit = edit;
    operation.scope = QStringLiteral("test");
    operation.who = QStringLiteral("somebody");
    operation.requested = core::fromMs(1'800'000'000'000);
    operation.id = must(retries.addOperation(operation));
    store::FreezeRules rules;
    rules.asOfChange = must(session.changeNumber());
    rules.includeLooped = true;
    rules.kind = kind;
    const auto frozen = static_cast<int>(must(retries.freeze(operation.id, messages, rules)).frozen);
    operation = must(retries.operation(operation.id));
    operation.state = records::OperationState::Running;
    must(retries.updateOperation(operation));
    const core::BatchId batch = must(retries.addBatch(operation.id, QStringLiteral("session"), frozen))->id;
    must(retries.claimMembers(batch));
    must(retries.beginStaging(batch));
    const QString stagingId = QStringLiteral("staging-%1").arg(batch.value);
    (void)must(retries.nameStaging(batch, stagingId, QStringLiteral("place")));
    must(retries.beginForwarding(batch, stagingId, frozen));
    return operation.id;
}

// It has ended, half a minute after it was asked for.
inline void complete(store::Session &session, core::OperationId id)
{
    records::RetryOperation operation = must(session.retries().operation(id));
    operation.state = records::OperationState::Completed;
    operation.finished = operation.requested + std::chrono::seconds(30);
    must(session.retries().updateOperation(operation));
}

// ... and to its end.
inline core::OperationId retrySent(store::Session &session, core::ConnectionId connection,
                                   const QList<core::MessageId> &messages,
                                   records::OperationKind kind = records::OperationKind::Retry,
                                   const records::Edit &edit = {})
{
    const core::OperationId id = retryUnderWay(session, connection, messages, kind, edit);
    must(session.retries().finishForwarding(must(session.retries().batches(id)).constFirst().id, {}));
    complete(session, id);
    return id;
}

} // namespace test
