#include "backend/engine/policies/policyoutcomes.h"

#include "backend/core/limits.h"
#include "backend/engine/text.h"
#include "backend/records/rules/stoprule.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"

namespace engine {

using core::Result;

bool isEnding(const records::RetryOperation &operation)
{
    return operation.kind == records::OperationKind::Release || !operation.plan.redirects.isEmpty();
}

namespace {

QString pauserOf(const records::RetryOperation &operation)
{
    switch (operation.pausedBy) {
    case records::PausedBy::Nobody:
    case records::PausedBy::Person:
        return operation.pausedWho.isEmpty() ? Text::tr("a person") : operation.pausedWho;
    case records::PausedBy::PauseAll:
        return Text::tr("\"Pause all\"");
    case records::PausedBy::StopRule:
        return Text::tr("its stop rule");
    case records::PausedBy::StoreCopy:
        return Text::tr("Redrive, because this store is a copy");
    }
    Q_UNREACHABLE();
}

bool isCancelled(const records::RetryOperation &operation)
{
    return operation.state == records::OperationState::Cancelled;
}

} // namespace

PolicyOutcomes::PolicyOutcomes(ConnectionContext &context, ConnectionService &connections)
    : m_context(context)
    , m_connections(connections)
{
}

PolicyOutcomes::Running PolicyOutcomes::runningOf(const records::RetryOperation &operation)
{
    Running running{operation.id, {}, {}};
    if (operation.state == records::OperationState::Paused)
        running.pause = pauserOf(operation);
    const core::SteadyTime now = m_context.dependencies.clock.steady();
    Silence &silence = m_silent[operation.id];
    if (silence.ended != operation.counts.ended())
        silence = {now, operation.counts.ended(), {}};
    if (!operation.waitingReason.isEmpty())
        silence.why = operation.waitingReason;
    if (now - silence.since >= stuckAfter)
        running.waits = silence.why;
    return running;
}

PolicyOutcomes::Obstacle PolicyOutcomes::obstacleOf(const Running &one)
{
    if (!one.pause.isEmpty())
        return {one.id, Text::tr("They wait for operation %1, which is paused by %2.")
                            .arg(QString::number(one.id.value), one.pause)};
    if (!one.waits.isEmpty())
        return {one.id, Text::tr("They wait for operation %1, which sends nothing: %2")
                            .arg(QString::number(one.id.value), one.waits)};
    return {one.id, Text::tr("They wait for the end of operation %1.").arg(one.id.value)};
}

std::optional<PolicyOutcomes::Obstacle> PolicyOutcomes::obstacle(core::AssignmentId assignment,
                                                                 core::ConnectionId connection) const
{
    const auto found = m_running.find({assignment, connection});
    if (found == m_running.end())
        return std::nullopt;
    const QList<Running> &all = found->second;
    // A person who pauses one retry of a policy does not want the next one.
    const auto paused = std::find_if(all.cbegin(), all.cend(), [](const Running &one) { return !one.pause.isEmpty(); });
    if (paused != all.cend())
        return obstacleOf(*paused);
    const auto moving = std::find_if(all.cbegin(), all.cend(), [](const Running &one) { return one.waits.isEmpty(); });
    if (moving != all.cend())
        return obstacleOf(*moving);
    return all.size() >= mostStuck ? std::optional(obstacleOf(all.first())) : std::nullopt;
}

std::optional<PolicyOutcomes::Obstacle> PolicyOutcomes::stuck(core::AssignmentId assignment) const
{
    for (const auto &[place, all] : m_running) {
        for (const Running &one : all) {
            if (place.first == assignment && !one.waits.isEmpty())
                return obstacleOf(one);
        }
    }
    return std::nullopt;
}

void PolicyOutcomes::begun(core::AssignmentId assignment, core::ConnectionId connection, core::OperationId operation)
{
    m_running[{assignment, connection}].append({operation, {}, {}});
    m_unproved.insert(assignment);
}

Result<bool> PolicyOutcomes::settle(PolicyFollower &follower, const Decide &decide, const Pause &pause)
{
    QList<store::PolicyOperation> unsettled;
    QHash<core::OperationId, records::RetryOperation> operations;
    QList<std::pair<QString, QString>> unreadable; // policy, why
    TRY(m_context.dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(unsettled, session.policies().unsettled());
        for (const store::PolicyOperation &one : std::as_const(unsettled)) {
            if (one.isAtRest && isHeldBack(one))
                continue; // it costs nothing until then
            Result<records::RetryOperation> operation = session.retryOperations().load(one.id);
            if (operation) {
                TRY(const qint64 besides, session.heldMessages().returnsBesides(one.id));
                operation->counts.cameBack += besides;
                operations.insert(one.id, *operation);
            } else if (PolicyFollower::isAboutMessage(operation.error())) { // others can be read
                unreadable.append({one.policy, Text::tr("Its operation %1 cannot be read: %2")
                                                   .arg(QString::number(one.id.value), operation.error().message)});
            } else {
                return core::fail(operation.error());
            }
        }
        return {};
    }));
    for (const auto &[policy, why] : std::as_const(unreadable))
        TRY(pause(policy, why));
    m_running.clear();
    m_unproved.clear();
    bool some = false;
    for (const store::PolicyOperation &one : std::as_const(unsettled)) {
        const auto found = operations.constFind(one.id);
        if (found == operations.cend())
            continue;
        const records::RetryOperation &operation = *found;
        if (operation.state == records::OperationState::Freezing)
            continue; // a crash left it; its connection discards it
        TRY(tellStops(one, operation, pause));
        TRY(const bool settled, settleOne(one, operation, follower, decide));
        some = some || settled;
        if (settled)
            continue;
        if (!isEnding(operation) && !isHeldBack(one))
            m_unproved.insert(one.assignment);
        if (operation.finished)
            m_silent.remove(one.id);
        else
            m_running[{one.assignment, one.connection}].append(runningOf(operation));
    }
    return some;
}

// Also when all of it is sent already: the next retry would make it worse. Whoever cancels one retry of a policy does not
// want the next one.
Result<> PolicyOutcomes::tellStops(const store::PolicyOperation &one, const records::RetryOperation &operation,
                                   const Pause &pause) const
{
    if (isCancelled(operation) && operation.finished)
        return pause(one.policy, Text::tr("A person cancelled its operation %1.").arg(one.id.value));
    if (!operation.plan.stopWhen || !records::hasTooManyBack(operation))
        return {};
    const records::ReturnCounts counts = records::returnsOf(operation);
    return pause(one.policy, Text::tr("%1 of %2 messages of its operation %3 came back.")
                                 .arg(counts.back)
                                 .arg(counts.sent)
                                 .arg(one.id.value));
}

Result<bool> PolicyOutcomes::settleOne(const store::PolicyOperation &one, const records::RetryOperation &operation,
                                       PolicyFollower &follower, const Decide &decide)
{
    if (!operation.finished)
        return false;
    TRY(const Proof proof, proofOf(one, operation));
    if (proof == Proof::None)
        return false;
    m_ended.remove(one.id);
    TRY(decide([&](store::Session &session) -> Result<> {
        if (proof == Proof::Success && operation.counts.sent > operation.counts.cameBack)
            follower.succeeded(one.assignment);
        if (isEnding(operation))
            TRY(followUnsent(session, operation, follower));
        TRY(session.policies().count(one.policy, isEnding(operation) ? 0 : operation.counts.sent, 0, 0));
        TRY(session.policies().setSettled(one.id));
        // The snapshot would be full of them. What needs a person stays there; the history has all of them.
        const bool needsPerson = isCancelled(operation) || operation.counts.ejected + operation.counts.inDoubt > 0;
        return needsPerson ? Result<>()
                           : session.retryOperations().dismiss(one.id, store::RetryOperationStore::Hidden::FromList);
    }));
    return true;
}

bool PolicyOutcomes::isHeldBack(const store::PolicyOperation &one) const
{
    return one.deliversUntil && *one.deliversUntil > m_context.dependencies.clock.now();
}

// What an ending did not send has yet to go, or cannot.
Result<> PolicyOutcomes::followUnsent(store::Session &session, const records::RetryOperation &operation,
                                      PolicyFollower &follower) const
{
    using records::Outcome;
    for (const Outcome outcome : {Outcome::Ejected, Outcome::Skipped, Outcome::Cancelled}) {
        TRY(const QList<store::RetryMember> members,
            session.retryBatches().members(operation.id, outcome, 0, core::limits::batchMembers));
        for (const store::RetryMember &member : members) {
            TRY(const QList<store::PolicyCandidate> candidates, session.heldMessages().candidates({member.message}));
            for (const store::PolicyCandidate &candidate : candidates)
                TRY(follower.notMoved(session, candidate, member));
        }
    }
    return {};
}

Result<PolicyOutcomes::Proof> PolicyOutcomes::proofOf(const store::PolicyOperation &one,
                                                      const records::RetryOperation &operation)
{
    if (isEnding(operation) && !isCancelled(operation) && operation.counts.inDoubt > 0)
        return Proof::None; // a person may have it sent again
    if (isCancelled(operation) || isEnding(operation) || operation.counts.cameBack >= operation.counts.sent)
        return Proof::Unknown;
    if (isHeldBack(one))
        return Proof::None; // the quiet period begins when the last copy is delivered
    const core::SteadyTime now = m_context.dependencies.clock.steady();
    if (!m_ended.contains(operation.id))
        m_ended.insert(operation.id, now);
    const core::SteadyTime ended = m_ended.value(operation.id);
    if (now - ended > longest)
        return Proof::Unknown;
    const Result<std::shared_ptr<ConnectionRuntime>> runtime = m_connections.find(operation.connection);
    if (!runtime)
        return Proof::None;
    records::QuietPeriod quiet;
    store::Returns returns;
    TRY(m_context.dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(quiet, session.evidence().quietPeriod(operation.id));
        TRY(returns, session.evidence().whereBack(operation.id));
        return {};
    }));
    const core::SteadyTime until = ended + quiet.quiet;
    return now > until && (*runtime)->hasSeenReturns(returns, until) ? Proof::Success : Proof::None;
}

} // namespace engine
