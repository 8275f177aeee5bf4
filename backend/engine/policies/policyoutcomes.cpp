#include "backend/engine/policies/policyoutcomes.h"

#include "backend/engine/text.h"
#include "backend/store/evidencestore.h"
#include "backend/store/retrystore.h"

namespace engine {

using core::Result;

namespace {

// It sends what a policy has given up to where the policy says, so it is no evidence about the consumers.
bool isEnding(const records::RetryOperation &operation)
{
    return operation.kind == records::OperationKind::Release || !operation.plan.redirects.isEmpty();
}

bool isCancelled(const records::RetryOperation &operation)
{
    return operation.state == records::OperationState::Cancelled;
}

} // namespace

PolicyOutcomes::PolicyOutcomes(ConnectionContext &surroundings, ConnectionService &connections)
    : m_around(surroundings)
    , m_connections(connections)
{
}

core::OperationId PolicyOutcomes::running(core::AssignmentId assignment, core::ConnectionId connection) const
{
    return m_running.value({assignment, connection});
}

void PolicyOutcomes::begun(core::AssignmentId assignment, core::ConnectionId connection, core::OperationId operation)
{
    m_running.insert({assignment, connection}, operation);
    m_unproved.insert(assignment);
}

Result<bool> PolicyOutcomes::settle(PolicyFollower &follower, const Decide &decide, const Pause &pause)
{
    QList<store::PolicyOperation> unsettled;
    QHash<core::OperationId, records::RetryOperation> operations;
    TRY(m_around.dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(unsettled, session.policies().unsettled());
        for (const store::PolicyOperation &one : std::as_const(unsettled)) {
            if (one.isAtRest && isHeldBack(one))
                continue; // it costs nothing until then
            TRY(const records::RetryOperation operation, session.retries().operation(one.id));
            operations.insert(one.id, operation);
        }
        return {};
    }));
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
        if (!operation.finished)
            m_running.insert({one.assignment, one.connection}, one.id);
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
    return pause(one.policy, Text::tr("%1 of %2 messages of its operation %3 came back.")
                                 .arg(operation.counts.cameBack - operation.forgiven)
                                 .arg(operation.counts.sent + operation.counts.inDoubt - operation.sentBefore)
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
        TRY(session.policies().count(one.policy, isEnding(operation) ? 0 : operation.counts.sent, 0, 0));
        TRY(session.policies().setSettled(one.id));
        // Lists would be full of them. What needs a person stays; past retries are in the history.
        const bool needsPerson = isCancelled(operation) || operation.counts.ejected + operation.counts.inDoubt > 0;
        return needsPerson ? Result<>() : session.retries().dismiss(one.id);
    }));
    return true;
}

bool PolicyOutcomes::isHeldBack(const store::PolicyOperation &one) const
{
    return one.deliversUntil && *one.deliversUntil > m_around.dependencies.clock.now();
}

Result<PolicyOutcomes::Proof> PolicyOutcomes::proofOf(const store::PolicyOperation &one,
                                                      const records::RetryOperation &operation)
{
    if (isCancelled(operation) || isEnding(operation) || operation.counts.cameBack >= operation.counts.sent)
        return Proof::Unknown;
    if (isHeldBack(one))
        return Proof::None; // the quiet period begins when the last copy is delivered
    const core::SteadyTime now = m_around.dependencies.clock.steady();
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
    TRY(m_around.dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(quiet, session.evidence().quietPeriod(operation.id));
        TRY(returns, session.evidence().whereBack(operation.id));
        return {};
    }));
    const core::SteadyTime until = ended + quiet.quiet;
    return now > until && (*runtime)->hasSeenReturns(returns, until) ? Proof::Success : Proof::None;
}

} // namespace engine
