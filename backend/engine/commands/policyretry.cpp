// Retries that a recovery policy begins.
#include "backend/engine/commands/retryservice.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/planning/planpreviewbuilder.h"
#include "backend/engine/text.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"

namespace engine {

using core::Result;
using core::Task;
using records::LeftOut;

namespace {

// Longer than the quiet period of every set (records::FailureLatency), so that its end is seen.
constexpr core::Milliseconds watchBack = records::FailureLatency::longest + std::chrono::minutes(5);

// Why one message is not in a set. Nothing: it could be, so it changed meanwhile.
RetryService::LeftOutMessage reasonFor(core::MessageId message, std::optional<LeftOut> why)
{
    switch (why.value_or(LeftOut::Changed)) {
    case LeftOut::NoDestination:
        return {message, Text::tr("Its destination is unknown, or only the tool of its framework can return it."),
                true};
    case LeftOut::NotFaithful:
        return {message, Text::tr("The HTTP interface of this broker cannot send its headers back unchanged."), true};
    case LeftOut::PossibleDuplicate:
        return {message, Text::tr("It may be a duplicate, so a person must decide first."), true};
    case LeftOut::HeldElsewhere:
        return {message, Text::tr("Another retry has it."), false};
    case LeftOut::Arrived:
    case LeftOut::Changed:
    case LeftOut::BrowsedOnly:
    case LeftOut::Looped: // a policy includes them
    case LeftOut::NoSuchQueue: // held back: RetryService::MissingQueue
    case LeftOut::EditMisfit: // a policy edits nothing
    case LeftOut::BeyondLimit: // and has no limit
        break;
    }
    return {message, Text::tr("It has changed."), false};
}

// The destinations of a set are known when it is weighed, because a redirect may lead elsewhere.
bool canHoldBack(const broker::Broker &broker, const store::FreezeTally &tally, core::Milliseconds delay)
{
    return std::all_of(tally.shares.cbegin(), tally.shares.cend(), [&](const records::FrozenShare &share) {
        return broker.longestDelay(share.destination.queue) >= delay;
    });
}

api::RetryDraft draftOf(const RetryService::PolicyOrder &order)
{
    api::RetryDraft draft;
    draft.kind = order.kind;
    draft.filter.connection = order.connection;
    draft.filter.messages = order.messages;
    draft.plan = order.plan;
    return draft;
}

QList<RetryService::MissingQueue> missingIn(const store::FreezeTally &tally)
{
    QList<RetryService::MissingQueue> missing;
    for (const records::FrozenShare &share : tally.missing)
        missing.append({share.origin(), share.destination.queue});
    return missing;
}

} // namespace

Task<Result<RetryService::PolicyRetry>> RetryService::issue(PolicyOrder order)
{
    const api::RetryDraft draft = draftOf(order);
    CO_TRY(Scope scope, co_await resolveKnown(draft));
    const PlanBasis basis = scope.runtime->planBasis();
    scope.order.operation.plan.onUnknown = onUnknownDefault(basis.connection);
    CO_TRY(checkPlan(basis, order.kind, order.plan, order.messages.size()));
    const core::TimePoint now = m_around.dependencies.clock.now();
    const core::Milliseconds delay =
        std::max<core::Milliseconds>(order.deliversUntil.value_or(now) - now, core::Milliseconds{0});
    if (!order.isEnding) {
        api::ConfirmRetry watched;
        watched.draft = draft;
        watched.watchBack = watchBack;
        CO_TRY(checkWatchBack(basis, watched));
        scope.order.watchBack = watchBack + delay;
    }
    scope.order.operation.policy = order.assignment.policy;
    scope.order.operation.assignment = order.assignment.id;
    scope.order.operation.who = Text::tr("policy %1").arg(order.assignment.policy);

    // What a person changed since these messages became due counts: the set is discarded then.
    scope.order.atEnd = [this, order](store::Session &session, core::OperationId operation) -> Result<> {
        TRY(const store::StoredPolicy policy, session.policies().policy(order.assignment.policy));
        if (policy.pause || policy.version != order.version)
            return core::fail(core::ErrorKind::Conflict, Text::tr("The policy has changed."));
        return session.heldMessages().entered(operation, order.assignment.id, m_around.dependencies.clock.now());
    };
    PolicyRetry issued;
    CO_TRY(const store::FreezeTally expected, co_await m_freezer.evaluate(scope.order));
    issued.mustWait = delay.count() > 0 && !canHoldBack(scope.runtime->broker(), expected, delay);
    if (issued.mustWait)
        co_return issued;
    if (expected.frozen > 0) {
        scope.order.expected = expected.frozen;
        CO_TRY(const retry::FrozenSet frozen, co_await freeze(scope));
        issued.operation = frozen.operation;
        issued.count = frozen.tally.frozen;
        m_around.auditLog.note(scope.order.operation.who, Text::tr("Retry requested"), operationName(frozen.operation),
                               Text::tr("%1 frozen: %2").arg(messagesText(issued.count), scope.order.operation.scope));
        scope.runtime->processor().wake();
        m_around.changed();
    }
    issued.missing = missingIn(expected);
    if (issued.count + expected.leftOut[LeftOut::NoSuchQueue] < order.messages.size()) {
        CO_TRY(issued.leftOut, co_await whyLeftOut(scope.order, order.messages, issued.missing));
    }
    co_return issued;
}

Task<Result<bool>> RetryService::isQueueMissing(PolicyOrder order)
{
    const api::RetryDraft draft = draftOf(order);
    CO_TRY(const Scope scope, co_await resolveKnown(draft));
    CO_TRY(const store::FreezeTally tally, co_await m_freezer.evaluate(scope.order));
    co_return tally.leftOut[LeftOut::NoSuchQueue] > 0;
}

// One by one, because the rules count sets.
Task<Result<QList<RetryService::LeftOutMessage>>> RetryService::whyLeftOut(retry::FreezeOrder order,
                                                                           QList<core::MessageId> messages,
                                                                           QList<MissingQueue> missing)
{
    const bool isRelease = order.operation.kind == records::OperationKind::Release;

    QList<LeftOutMessage> all;
    CO_TRY(QList<store::PolicyCandidate> candidates,
           m_around.dependencies.store.read<QList<store::PolicyCandidate>>(
               [&](store::Session &session) { return session.heldMessages().candidates(messages); }));
    for (const store::PolicyCandidate &candidate : candidates) {
        const bool isDue = candidate.held && recovery::isScheduled(candidate.held->state);
        if (!isDue)
            continue; // it is in the set
        const records::FailedMessage &message = candidate.message;
        const QString named = isRelease ? message.queue : message.destination.queue;
        if (std::any_of(missing.cbegin(), missing.cend(), [&](const MissingQueue &one) { return one.named == named; }))
            continue;
        order.filter.messages = {candidate.message.id};
        CO_TRY(const store::FreezeTally tally, co_await m_freezer.evaluate(order));
        all.append(reasonFor(candidate.message.id, tally.leftOut.first()));
    }
    co_return all;
}

} // namespace engine
