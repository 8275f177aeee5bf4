#include "models/session/snapshotdiff.h"

#include <algorithm>
#include <tuple>

namespace models {

namespace {

template<typename T>
bool sameList(const QList<T> &a, const QList<T> &b)
{
    return std::equal(a.cbegin(), a.cend(), b.cbegin(), b.cend(), [](const T &x, const T &y) { return same(x, y); });
}

} // namespace

bool same(const api::ConnectionView &a, const api::ConnectionView &b)
{
    const auto key = [](const api::ConnectionView &one) {
        return std::tie(one.connection, one.health, one.words, one.product, one.handOver, one.guarantee, one.missing,
                        one.canTake, one.cannotTakeReason, one.offersSteps, one.canBrowse, one.movesQueues,
                        one.secretNotKept, one.foreignQueues, one.redirects, one.resolvedAfter, one.breakerWords,
                        one.unanswered);
    };
    return key(a) == key(b);
}

bool same(const api::QueueView &a, const api::QueueView &b)
{
    const auto key = [](const api::QueueView &one) {
        return std::tie(one.connection, one.name, one.holdsFailed, one.origin, one.depth, one.consumers, one.asOf,
                        one.unresolved, one.browsedOnly, one.subscribed, one.watched, one.activity, one.refusal,
                        one.noWayBack, one.loss.first, one.loss.soon, one.loss.past, one.loss.dated, one.loss.never,
                        one.loss.retention.known, one.loss.retention.keeps, one.loss.retention.also, one.isCandidate,
                        one.facts, one.deliveryLimit, one.deliveriesUsed);
    };
    return key(a) == key(b);
}

bool same(const api::OperationView &a, const api::OperationView &b)
{
    const auto key = [](const api::OperationView &one) {
        const records::RetryOperation &operation = one.operation;
        return std::tie(operation.id, operation.state, operation.pausedBy, operation.counts, operation.waitingReason,
                        operation.total, operation.started, operation.finished, operation.scope, one.messagesPerSecond,
                        one.timeLeft, one.batchesTotal, one.batchesDone);
    };
    return key(a) == key(b);
}

bool same(const api::BatchView &a, const api::BatchView &b)
{
    const auto key = [](const api::BatchView &one) {
        return std::tie(one.batch.id, one.batch.stage, one.batch.stagingId, one.batch.stagedCount, one.batch.counts,
                        one.batch.session, one.staged, one.forwarded, one.waitingReason);
    };
    return key(a) == key(b);
}

bool same(const api::AssignmentView &a, const api::AssignmentView &b)
{
    const auto key = [](const api::AssignmentView &one) {
        return std::tie(one.id, one.scope, one.words, one.held, one.due, one.atBroker, one.nextDue, one.exhausted,
                        one.probingSince, one.waits);
    };
    return key(a) == key(b);
}

bool same(const api::PolicyView &a, const api::PolicyView &b)
{
    const auto key = [](const api::PolicyView &one) {
        return std::tie(one.name, one.file, one.state, one.pausedWho, one.pausedAt, one.pausedWhy, one.retried,
                        one.cameBack, one.resolved);
    };
    return key(a) == key(b) && sameList(a.assignments, b.assignments);
}

SnapshotDiff compare(const api::Snapshot &before, const api::Snapshot &now)
{
    SnapshotDiff diff;
    diff.engine = before.engine != now.engine || before.engineText != now.engineText || before.session != now.session
                  || before.storePath != now.storePath || before.secretsNotKept != now.secretsNotKept;
    diff.connections = !sameList(before.connections, now.connections);
    diff.queues = !sameList(before.queues, now.queues);
    diff.operations = !sameList(before.operations, now.operations);
    diff.batches = !sameList(before.batches, now.batches);
    diff.policies = !sameList(before.policies, now.policies);
    diff.counters = before.unresolvedTotal != now.unresolvedTotal || before.inDoubtTotal != now.inDoubtTotal;
    diff.messagesRevised = before.revisions.messages != now.revisions.messages;
    diff.operationsRevised = before.revisions.operations != now.revisions.operations;
    diff.eventsRevised = before.revisions.events != now.revisions.events;
    return diff;
}

} // namespace models
