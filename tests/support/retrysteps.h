// One retry through the store's own steps, without an engine and a broker.
#pragma once

#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/stagingstore.h"
#include "backend/store/store.h"
#include "tests/support/must.h"

namespace test {

// Freezes these messages, claims them and hands them to the broker: they are on their way.
inline core::OperationId retryUnderWay(store::Session &session, core::ConnectionId connection,
                                       const QList<core::MessageId> &messages,
                                       records::OperationKind kind = records::OperationKind::Retry,
                                       const records::Edit &edit = {})
{
    records::RetryOperation operation;
    operation.connection = connection;
    operation.kind = kind;
    operation.plan.edit = edit;
    operation.scope = QStringLiteral("test");
    operation.who = QStringLiteral("somebody");
    operation.requested = core::fromMs(1'800'000'000'000);
    operation.id = must(session.retryOperations().add(operation));
    store::FreezeRules rules;
    rules.asOfChange = must(session.changeNumber());
    rules.includeLooped = true;
    rules.kind = kind;
    const auto frozen = static_cast<int>(must(session.frozenSets().freeze(operation.id, messages, rules)).frozen);
    operation = must(session.retryOperations().load(operation.id));
    operation.state = records::OperationState::Running;
    must(session.retryOperations().update(operation));
    const core::BatchId batch = must(session.staging().addBatch(operation.id, QStringLiteral("session"), frozen))->id;
    must(session.staging().claimMembers(batch));
    must(session.staging().beginStaging(batch));
    const QString stagingId = QStringLiteral("staging-%1").arg(batch.value);
    (void)must(session.staging().nameStaging(batch, stagingId, QStringLiteral("place")));
    must(session.staging().beginForwarding(batch, stagingId, frozen));
    return operation.id;
}

// It has ended, half a minute after it was asked for.
inline void complete(store::Session &session, core::OperationId id)
{
    records::RetryOperation operation = must(session.retryOperations().load(id));
    operation.state = records::OperationState::Completed;
    operation.finished = operation.requested + std::chrono::seconds(30);
    must(session.retryOperations().update(operation));
}

// ... and to its end.
inline core::OperationId retrySent(store::Session &session, core::ConnectionId connection,
                                   const QList<core::MessageId> &messages,
                                   records::OperationKind kind = records::OperationKind::Retry,
                                   const records::Edit &edit = {})
{
    const core::OperationId id = retryUnderWay(session, connection, messages, kind, edit);
    must(session.forwarding().finishForwarding(must(session.retryBatches().ofOperation(id)).constFirst().id, {}));
    complete(session, id);
    return id;
}

} // namespace test
