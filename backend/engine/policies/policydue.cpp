// Starts the retries of policies whose time has come, or says why not.
#include "backend/core/limits.h"
#include "backend/engine/policies/policyscheduler.h"
#include "backend/engine/text.h"
#include "backend/records/rules/stoprule.h"
#include "backend/recovery/schedule.h"
#include "backend/store/policies/heldmessagestore.h"

namespace engine {

using core::Milliseconds;
using core::Result;
using core::Task;
using recovery::HeldState;

namespace {
constexpr Milliseconds putOffFor{60000}; // another retry has the message
constexpr Milliseconds setBackBy{60000}; // a smaller step of the clock makes no message late
} // namespace

// True at start, too: it may have been set back while no engine ran.
bool PolicyScheduler::wasSetBack()
{
    const core::Clock &clock = m_around.dependencies.clock;
    const Milliseconds lead = std::chrono::duration_cast<Milliseconds>(clock.now().time_since_epoch())
                              - std::chrono::duration_cast<Milliseconds>(clock.steady().time_since_epoch());
    const bool isSetBack = !m_lead || lead < *m_lead - setBackBy;
    m_lead = isSetBack ? lead : std::max(lead, *m_lead);
    return isSetBack;
}

Result<> PolicyScheduler::capNextAttempts()
{
    const core::TimePoint now = m_around.dependencies.clock.now();
    int capped = 0;
    const Result<> done = m_around.dependencies.store.transact([&](store::Session &session) -> Result<> {
        for (const auto &[id, assigned] : m_book.assigned()) {
            const recovery::Policy &policy = m_book.policy(assigned.assignment.policy)->stored.policy;
            TRY(const int some, session.heldMessages().capNextAttempts(id, now, [&policy, now](int round) {
                return recovery::longestDelayOf(policy, round, now);
            }));
            capped += some;
        }
        return {};
    });
    if (!done)
        m_lead.reset();
    if (capped > 0)
        changed();
    return done;
}

std::vector<PolicyScheduler::Lane> PolicyScheduler::lanes() const
{
    std::vector<Lane> lanes;
    for (const auto &[id, assigned] : m_book.assigned()) {
        const core::ConnectionId only = assigned.assignment.scope.connection;
        const recovery::Policy &policy = m_book.policy(assigned.assignment.policy)->stored.policy;
        const bool isRelease = policy.exhausted.what == recovery::Exhausted::Do::DeadLetter;
        for (const std::shared_ptr<ConnectionRuntime> &runtime : m_connections.all()) {
            const core::ConnectionId connection = runtime->connection().id;
            if (only.isValid() && only != connection)
                continue;
            lanes.push_back({id, connection, HeldState::Leaving, isRelease});
            lanes.push_back({id, connection, HeldState::Waiting, false});
        }
    }
    return lanes;
}

Task<Result<>> PolicyScheduler::issueDue()
{
    if (m_retries.isAllPaused())
        co_return Result<>{};
    const std::vector<Lane> all = lanes();
    CO_TRY(co_await releaseHeld(all));
    m_missing.forget([&all](const Lane &lane) { return std::find(all.begin(), all.end(), lane) == all.end(); });
    const MissingQueues::Order order = [this](const Lane &lane) {
        return m_book.find(lane.assignment) == nullptr ? std::nullopt : std::optional(orderOf(lane));
    };
    CO_TRY(co_await m_missing.look(order));
    for (const Lane &lane : all)
        CO_TRY(co_await issueFor(lane));
    co_return Result<>{};
}

Task<Result<>> PolicyScheduler::releaseHeld(std::vector<Lane> lanes)
{
    if (m_isReleased)
        co_return Result<>{};
    for (const Lane &lane : lanes)
        CO_TRY(co_await m_missing.releaseAll(lane));
    m_isReleased = true;
    co_return Result<>{};
}

// How many messages may be sent now.
int PolicyScheduler::mayIssue(const Lane &lane)
{
    const PolicyBook::Assigned *const assigned = m_book.find(lane.assignment);
    const PolicyBook::Prepared *const policy =
        assigned == nullptr ? nullptr : m_book.policy(assigned->assignment.policy);
    if (policy == nullptr || policy->stored.pause)
        return 0;
    if (const auto known = m_waits.find(lane);
        known != m_waits.end() && known->second.until > m_around.dependencies.clock.steady())
        return 0;
    m_waits.erase(lane);
    const Result<std::shared_ptr<ConnectionRuntime>> runtime = m_connections.find(lane.connection);
    if (!runtime || !(*runtime)->isKnown()) {
        wait(lane, troublePause,
             {{}, runtime ? Text::tr("%1 does not answer.").arg((*runtime)->connection().name) : QString()});
        return 0;
    }
    if (const auto obstacle = m_outcomes.obstacle(lane.assignment, lane.connection)) {
        wait(lane, proofTick, *obstacle);
        return 0;
    }
    return assigned->limit.isProbing() ? mayProbe(lane) : core::limits::batchMembers;
}

// One probe at a time: it has to come back, or to stay away, before the next one.
int PolicyScheduler::mayProbe(const Lane &lane)
{
    const Milliseconds rest = m_book.find(lane.assignment)->limit.waitAt(m_around.dependencies.clock.now());
    if (rest == Milliseconds{0} && !m_outcomes.isUnproved(lane.assignment))
        return 1;
    const PolicyOutcomes::Obstacle limited{{}, Text::tr("The rate limit lets one message through at a time.")};
    wait(lane, rest > Milliseconds{0} ? rest : proofTick, m_outcomes.stuck(lane.assignment).value_or(limited));
    return 0;
}

RetryService::PolicyOrder PolicyScheduler::orderOf(const Lane &lane) const
{
    const PolicyBook::Assigned &assigned = m_book.assigned().at(lane.assignment);
    const store::StoredPolicy &policy = m_book.policy(assigned.assignment.policy)->stored;
    RetryService::PolicyOrder order;
    order.assignment = assigned.assignment;
    order.version = policy.version;
    order.connection = lane.connection;
    order.plan.includeLooped = true; // the policy itself bounds the attempts
    order.isEnding = lane.state == HeldState::Leaving;
    if (order.isEnding && lane.isRelease)
        order.kind = records::OperationKind::Release;
    else if (order.isEnding)
        order.plan.redirects = {{records::Redirect::Of::Everything, {}, policy.policy.exhausted.queue}};
    return order;
}

// What the broker holds back goes apart: until it is delivered, nobody knows how its operation ended.
void PolicyScheduler::addMessages(RetryService::PolicyOrder &order, const QList<recovery::HeldMessage> &due) const
{
    for (const recovery::HeldMessage &held : due) {
        const bool isHeldBack = held.deliverAt && *held.deliverAt > m_around.dependencies.clock.now();
        if (!order.messages.isEmpty() && isHeldBack != order.deliversUntil.has_value())
            continue;
        order.messages.append(held.message);
        if (isHeldBack)
            order.deliversUntil = std::max(order.deliversUntil.value_or(*held.deliverAt), *held.deliverAt);
    }
}

Task<Result<>> PolicyScheduler::issueFor(Lane lane)
{
    const int most = mayIssue(lane);
    if (most == 0)
        co_return Result<>{};
    CO_TRY(const QList<recovery::HeldMessage> due,
           m_around.dependencies.store.read<QList<recovery::HeldMessage>>([&](store::Session &session) {
               return session.heldMessages().due(lane.assignment, lane.connection, lane.state,
                                                 m_around.dependencies.clock.now(), most);
           }));
    if (due.isEmpty())
        co_return Result<>{};
    RetryService::PolicyOrder order = orderOf(lane);
    addMessages(order, due);
    if (order.deliversUntil && m_book.find(lane.assignment)->limit.isProbing())
        co_return waitInStore(order.messages); // a probe is one whose end is seen soon
    const std::optional<records::StopWhen> stop =
        recovery::stopRuleOf(m_book.policy(order.assignment.policy)->stored.policy);
    if (!order.isEnding && stop && (!stop->percent || records::isEnoughForShare(order.messages.size())))
        order.plan.stopWhen = stop;
    co_return co_await issue(lane, order);
}

Task<Result<>> PolicyScheduler::issue(Lane lane, RetryService::PolicyOrder order)
{
    const Result<RetryService::PolicyRetry> issued = co_await m_retries.issue(order);
    changed();
    if (!issued) {
        if (issued.error().kind == core::ErrorKind::Cancelled || issued.error().kind == core::ErrorKind::StoreFailed)
            co_return core::fail(issued.error());
        // Conflict: a person was faster, and the next round sees it.
        if (issued.error().kind != core::ErrorKind::Conflict)
            wait(lane, troublePause, {{}, issued.error().message});
        co_return Result<>{};
    }
    if (issued->mustWait)
        co_return waitInStore(order.messages);
    if (issued->operation.isValid())
        m_outcomes.begun(lane.assignment, lane.connection, issued->operation);
    for (const RetryService::MissingQueue &missing : issued->missing)
        CO_TRY(co_await m_missing.hold(lane, missing));
    if (!issued->missing.isEmpty())
        changed();
    if (issued->leftOut.isEmpty())
        co_return Result<>{};
    co_return putOff(issued->leftOut);
}

Milliseconds PolicyScheduler::longestDelay(core::ConnectionId connection, const QString &destination) const
{
    const Result<std::shared_ptr<ConnectionRuntime>> runtime = m_connections.find(connection);
    const bool isKnown = runtime && (*runtime)->isKnown();
    return isKnown ? (*runtime)->broker().longestDelay(destination) : Milliseconds{0};
}

// The broker cannot hold these back, as it seemed when they were decided: each is sent when its time has come.
Result<> PolicyScheduler::waitInStore(const QList<core::MessageId> &messages)
{
    TRY(m_around.dependencies.store.transact([&](store::Session &session) -> Result<> {
        TRY(const QList<store::PolicyCandidate> found, session.heldMessages().candidates(messages));
        for (const store::PolicyCandidate &candidate : found) {
            if (!candidate.held || candidate.held->state != HeldState::Waiting || !candidate.held->deliverAt)
                continue;
            recovery::HeldMessage held = *candidate.held;
            held.nextAttempt = std::exchange(held.deliverAt, {});
            TRY(session.heldMessages().hold(held));
        }
        return {};
    }));
    changed();
    return {};
}

// Only messages that still wait: a person may have decided about them meanwhile.
Result<> PolicyScheduler::putOff(const QList<RetryService::LeftOutMessage> &leftOut)
{
    const core::TimePoint now = m_around.dependencies.clock.now();
    return decideIn([&](store::Session &session) -> Result<> {
        for (const RetryService::LeftOutMessage &one : leftOut) {
            TRY(const QList<store::PolicyCandidate> found, session.heldMessages().candidates({one.message}));
            const bool waits =
                !found.isEmpty() && found.first().held && recovery::isScheduled(found.first().held->state);
            if (!waits)
                continue;
            if (one.isForGood) {
                TRY(m_follower.cannotSend(session, found.first(), one.reason));
                continue;
            }
            recovery::HeldMessage held = *found.first().held;
            held.reason = one.reason;
            held.nextAttempt = now + putOffFor;
            TRY(session.heldMessages().hold(held));
        }
        return {};
    });
}

void PolicyScheduler::wait(const Lane &lane, Milliseconds delay, const PolicyOutcomes::Obstacle &why)
{
    m_waits[lane] = {m_around.dependencies.clock.steady() + delay, why};
}

} // namespace engine
