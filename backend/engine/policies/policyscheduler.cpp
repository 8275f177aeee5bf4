#include "backend/engine/policies/policyscheduler.h"

#include "backend/core/limits.h"
#include "backend/engine/auditlog.h"
#include "backend/engine/text.h"
#include "backend/store/eventstore.h"

#include <QLoggingCategory>

namespace engine {

using core::Milliseconds;
using core::Result;
using core::Task;
using recovery::HeldState;

namespace {
Q_LOGGING_CATEGORY(logPolicies, "redrive.engine.policies")

constexpr int followedAtOnce = 200; // takes about 10 ms
constexpr int forgottenAtOnce = 2000;
constexpr Milliseconds breath{50}; // between two rounds: a busy store wakes the scheduler all the time
constexpr Milliseconds longestSleep{60000}; // so that a clock that was set is noticed
constexpr Milliseconds proofTick{2000}; // how often retries are looked at that are not settled
constexpr Milliseconds soughtEvery{30000}; // messages that an operation let go without a change
constexpr Milliseconds putOffFor{60000}; // another retry has the message, or its queue is missing
constexpr Milliseconds troublePause{10000}; // the connection does not answer, or does not allow it
constexpr Milliseconds showPause{1000};
constexpr qsizetype enoughToTell = 100; // of fewer messages a share says nothing: the attempts bound the policy anyway
} // namespace

PolicyScheduler::PolicyScheduler(ConnectionContext surroundings, ConnectionService &connections, RetryService &retries)
    : m_around(std::move(surroundings))
    , m_connections(connections)
    , m_retries(retries)
    , m_timers(m_around.dependencies.clock)
    , m_follower(m_book, m_around.dependencies.clock, m_around.dependencies.random,
                 [this](core::ConnectionId connection, const QString &destination) {
                     return longestDelay(connection, destination);
                 })
    , m_outcomes(m_around, connections)
{
}

void PolicyScheduler::wake()
{
    if (!m_isLoaded || !m_book.isEmpty())
        m_timers.wake();
}

void PolicyScheduler::rulesChanged()
{
    m_isLoaded = false;
    m_hasOrphans = true;
    m_waits.clear();
    changed();
    m_timers.wake();
}

void PolicyScheduler::changed()
{
    ++m_revision;
    m_changedAt = m_around.dependencies.clock.steady();
    m_around.changed();
}

// Once for each change: a view that came right after another one did not count anew.
void PolicyScheduler::askForView()
{
    if (m_asked == m_revision || m_around.dependencies.clock.steady() - m_changedAt < showPause)
        return;
    m_asked = m_revision;
    if (m_shown != m_revision)
        m_around.changed();
}

QString PolicyScheduler::waits(core::AssignmentId assignment) const
{
    for (auto wait = m_waits.cbegin(); wait != m_waits.cend(); ++wait) {
        if (wait.key().first == assignment)
            return wait->why;
    }
    return {};
}

Task<> PolicyScheduler::run()
{
    if (m_around.dependencies.starter != api::Starter::Program)
        co_return;
    while (!m_timers.isCancelled()) {
        const Result<> done = co_await round();
        if (!done && done.error().kind != core::ErrorKind::Cancelled) {
            m_isLoaded = false; // what is in memory may be newer than the store
            qCWarning(logPolicies) << "the policies wait:" << done.error().message;
        }
        const Result<Milliseconds> next = done ? untilNext() : Result<Milliseconds>(troublePause);
        const Result<> breathed = co_await m_timers.sleep(breath);
        if (!breathed)
            break;
        const Milliseconds rest = next.value_or(troublePause) - breath;
        const Result<> slept = rest > Milliseconds{0} ? co_await m_timers.sleepOrWake(rest) : Result<>();
        if (!slept)
            break;
        askForView();
    }
}

Result<> PolicyScheduler::loadBook()
{
    if (m_isLoaded)
        return {};
    TRY(m_around.dependencies.store.read([this](store::Session &session) { return m_book.load(session); }));
    m_isLoaded = true;
    return {};
}

// One transaction with decisions. If it fails, the limits in memory are read again.
Result<> PolicyScheduler::decideIn(const Work &work)
{
    bool hasEvents = false;
    m_follower.begin();
    const Result<> done = m_around.dependencies.store.transact([&](store::Session &session) -> Result<> {
        TRY(work(session));
        TRY(hasEvents, m_follower.end(session));
        return {};
    });
    if (!done)
        m_isLoaded = false;
    if (done && hasEvents)
        m_around.auditLog.written();
    changed();
    return done;
}

Task<Result<>> PolicyScheduler::round()
{
    CO_TRY(co_await followChanges());
    CO_TRY(co_await forgetOrphans());
    const PolicyOutcomes::Decide decide = [this](const Work &work) { return decideIn(work); };
    const PolicyOutcomes::Pause stop = [this](const QString &policy, const QString &why) { return pause(policy, why); };
    CO_TRY(const bool settled, m_outcomes.settle(m_follower, decide, stop));
    if (m_book.isEmpty())
        co_return Result<>{};
    const core::SteadyTime now = m_around.dependencies.clock.steady();
    if (settled || !m_sought || now - *m_sought >= soughtEvery) {
        m_sought = now;
        CO_TRY(co_await findLetGo());
    }
    co_return co_await issueDue();
}

// To the end, also when the rules change meanwhile: nothing is issued by an old one.
Task<Result<>> PolicyScheduler::followChanges()
{
    while (true) {
        CO_TRY(loadBook());
        if (m_book.isEmpty())
            co_return Result<>{};
        CO_TRY(const bool more, followSome());
        if (!more && m_isLoaded)
            co_return Result<>{};
        CO_TRY(co_await m_timers.sleep(Milliseconds{0}));
    }
}

// True: there are more changes.
Result<bool> PolicyScheduler::followSome()
{
    store::PolicyCandidates found;
    qint64 followed = 0;
    TRY(m_around.dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(followed, session.policies().followed());
        TRY(const qint64 newest, session.changeNumber());
        if (newest == followed)
            return {};
        TRY(found, session.policies().changedSince(followed, followedAtOnce));
        if (!found.more)
            found.until = newest; // numbers that belong to no message
        return {};
    }));
    if (found.until <= followed)
        return false;
    TRY(decideIn([&](store::Session &session) -> Result<> {
        for (const store::PolicyCandidate &candidate : std::as_const(found.messages))
            TRY(m_follower.follow(session, candidate));
        return session.policies().setFollowed(found.until);
    }));
    return found.more;
}

// After following: a message whose assignment is gone may have another one by now.
Task<Result<>> PolicyScheduler::forgetOrphans()
{
    while (m_hasOrphans) {
        CO_TRY(m_hasOrphans, m_around.dependencies.store.transact<bool>([](store::Session &session) {
            return session.policies().forgetOrphans(forgottenAtOnce);
        }));
        CO_TRY(co_await m_timers.sleep(Milliseconds{0}));
    }
    co_return Result<>{};
}

Task<Result<>> PolicyScheduler::findLetGo()
{
    core::MessageId after;
    while (true) {
        CO_TRY(const QList<store::PolicyCandidate> found,
               m_around.dependencies.store.read<QList<store::PolicyCandidate>>(
                   [after](store::Session &session) { return session.policies().letGo(after, followedAtOnce); }));
        if (found.isEmpty())
            co_return Result<>{};
        after = found.last().message.id;
        CO_TRY(decideIn([&](store::Session &session) -> Result<> {
            for (const store::PolicyCandidate &candidate : found)
                TRY(m_follower.follow(session, candidate));
            return {};
        }));
        CO_TRY(co_await m_timers.sleep(Milliseconds{0}));
    }
}

Result<> PolicyScheduler::pause(const QString &policy, const QString &why)
{
    TRY(loadBook());
    const PolicyBook::Prepared *const known = m_book.policy(policy);
    if (known == nullptr || known->stored.pause)
        return {};
    const core::TimePoint now = m_around.dependencies.clock.now();
    TRY(m_around.dependencies.store.transact([&](store::Session &session) -> Result<> {
        TRY(session.policies().setPause(policy, store::PolicyPause{AuditLog::engineName(), now, why}));
        records::Event event;
        event.at = now;
        event.severity = records::Severity::Warning;
        event.who = AuditLog::engineName();
        event.what = Text::tr("Policy paused");
        event.onWhat = policy;
        event.result = why;
        return session.events().append(event);
    }));
    m_around.auditLog.written();
    changed();
    m_isLoaded = false;
    return loadBook();
}

// ---- what is due ----

Task<Result<>> PolicyScheduler::issueDue()
{
    if (m_retries.isAllPaused())
        co_return Result<>{};
    std::vector<Place> places;
    for (const auto &[id, assigned] : m_book.assigned()) {
        const core::ConnectionId only = assigned.assignment.scope.connection;
        for (const std::shared_ptr<ConnectionRuntime> &runtime : m_connections.all()) {
            if (!only.isValid() || only == runtime->connection().id)
                places.emplace_back(id, runtime->connection().id);
        }
    }
    for (const Place &place : places) {
        CO_TRY(co_await issueFor(place, HeldState::Leaving));
        CO_TRY(co_await issueFor(place, HeldState::Waiting));
    }
    co_return Result<>{};
}

// How many messages may be sent now.
int PolicyScheduler::mayIssue(Place place)
{
    const PolicyBook::Assigned *const assigned = m_book.find(place.first);
    const PolicyBook::Prepared *const policy =
        assigned == nullptr ? nullptr : m_book.policy(assigned->assignment.policy);
    if (policy == nullptr || policy->stored.pause)
        return 0;
    if (const auto known = m_waits.constFind(place);
        known != m_waits.cend() && known->until > m_around.dependencies.clock.steady())
        return 0;
    m_waits.remove(place);
    const Result<std::shared_ptr<ConnectionRuntime>> runtime = m_connections.find(place.second);
    if (!runtime || !(*runtime)->isKnown()) {
        wait(place, troublePause,
             runtime ? Text::tr("%1 does not answer.").arg((*runtime)->connection().name) : QString());
        return 0;
    }
    if (const core::OperationId running = m_outcomes.running(place.first, place.second); running.isValid()) {
        wait(place, proofTick, Text::tr("Operation %1 has not ended.").arg(running.value));
        return 0;
    }
    if (!assigned->limit.isProbing())
        return core::limits::batchMembers;
    // One probe at a time: it has to come back, or to stay away, before the next one.
    const Milliseconds rest = assigned->limit.waitAt(m_around.dependencies.clock.now());
    if (rest == Milliseconds{0} && !m_outcomes.isUnproved(place.first))
        return 1;
    wait(place, rest > Milliseconds{0} ? rest : proofTick,
         Text::tr("The rate limit lets one message through at a time."));
    return 0;
}

Result<RetryService::PolicyOrder> PolicyScheduler::orderOf(Place place, HeldState state, int most)
{
    const PolicyBook::Assigned &assigned = *m_book.find(place.first);
    const store::StoredPolicy &policy = m_book.policy(assigned.assignment.policy)->stored;
    RetryService::PolicyOrder order;
    TRY(const QList<recovery::HeldMessage> due,
        m_around.dependencies.store.read<QList<recovery::HeldMessage>>([&](store::Session &session) {
            return session.policies().due(place.first, place.second, state, m_around.dependencies.clock.now(), most);
        }));
    // What the broker holds back goes apart: until it is delivered, nobody knows how its operation ended.
    for (const recovery::HeldMessage &held : due) {
        const bool isHeldBack = held.deliverAt && *held.deliverAt > m_around.dependencies.clock.now();
        if (!order.messages.isEmpty() && isHeldBack != order.deliversUntil.has_value())
            continue;
        order.messages.append(held.message);
        if (isHeldBack)
            order.deliversUntil = std::max(order.deliversUntil.value_or(*held.deliverAt), *held.deliverAt);
    }
    order.assignment = assigned.assignment;
    order.version = policy.version;
    order.connection = place.second;
    order.plan.includeLooped = true; // the policy itself bounds the attempts
    order.isEnding = state == HeldState::Leaving;
    if (order.isEnding) {
        if (policy.policy.exhausted.what == recovery::Exhausted::Do::DeadLetter)
            order.kind = records::OperationKind::Release;
        else
            order.plan.redirects = {{records::Redirect::Of::Everything, {}, policy.policy.exhausted.queue}};
        return order;
    }
    const std::optional<records::StopWhen> stop = recovery::stopRuleOf(policy.policy);
    if (stop && (!stop->percent || order.messages.size() >= enoughToTell))
        order.plan.stopWhen = stop;
    return order;
}

Task<Result<>> PolicyScheduler::issueFor(Place place, HeldState state)
{
    const int most = mayIssue(place);
    if (most == 0)
        co_return Result<>{};
    CO_TRY(const RetryService::PolicyOrder order, orderOf(place, state, most));
    if (order.messages.isEmpty())
        co_return Result<>{};
    if (order.deliversUntil && m_book.find(place.first)->limit.isProbing())
        co_return waitInStore(order.messages); // a probe is one whose end is seen soon
    co_return co_await issue(order);
}

Task<Result<>> PolicyScheduler::issue(RetryService::PolicyOrder order)
{
    const Place place{order.assignment.id, order.connection};
    const Result<RetryService::PolicyRetry> issued = co_await m_retries.issue(order);
    changed();
    if (!issued) {
        if (issued.error().kind == core::ErrorKind::Cancelled || issued.error().kind == core::ErrorKind::StoreFailed)
            co_return core::fail(issued.error());
        // Conflict: a person was faster, and the next round sees it.
        if (issued.error().kind != core::ErrorKind::Conflict)
            wait(place, troublePause, issued.error().message);
        co_return Result<>{};
    }
    if (issued->mustWait)
        co_return waitInStore(order.messages);
    if (issued->operation.isValid())
        m_outcomes.begun(place.first, place.second, issued->operation);
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
        TRY(const QList<store::PolicyCandidate> found, session.policies().candidates(messages));
        for (const store::PolicyCandidate &candidate : found) {
            if (!candidate.held || candidate.held->state != HeldState::Waiting || !candidate.held->deliverAt)
                continue;
            recovery::HeldMessage held = *candidate.held;
            held.nextAttempt = std::exchange(held.deliverAt, {});
            TRY(session.policies().hold(held));
        }
        return {};
    }));
    changed();
    return {};
}

// Only messages that still wait: a person may have decided about them meanwhile.
Result<> PolicyScheduler::putOff(const QList<RetryService::LeftOut> &leftOut)
{
    const core::TimePoint now = m_around.dependencies.clock.now();
    TRY(m_around.dependencies.store.transact([&](store::Session &session) -> Result<> {
        for (const RetryService::LeftOut &one : leftOut) {
            TRY(const QList<store::PolicyCandidate> found, session.policies().candidates({one.message}));
            const bool waits =
                !found.isEmpty() && found.first().held
                && (found.first().held->state == HeldState::Waiting || found.first().held->state == HeldState::Leaving);
            if (!waits)
                continue;
            recovery::HeldMessage held = *found.first().held;
            const bool isOver = one.isForGood || (held.state == HeldState::Leaving && one.isRefused);
            held.reason = one.reason;
            held.nextAttempt = now + putOffFor;
            if (isOver) {
                held.state = HeldState::Exhausted;
                held.nextAttempt.reset();
                held.deliverAt.reset();
            }
            TRY(session.policies().hold(held));
        }
        return {};
    }));
    changed();
    return {};
}

void PolicyScheduler::wait(Place place, Milliseconds delay, const QString &why)
{
    m_waits.insert(place, {m_around.dependencies.clock.steady() + delay, why});
}

Result<Milliseconds> PolicyScheduler::untilNext()
{
    Milliseconds next = longestSleep;
    if (m_outcomes.hasUnproved())
        next = proofTick;
    if (m_asked != m_revision)
        next = std::min(next, showPause);
    if (m_retries.isAllPaused())
        return next;
    const core::TimePoint now = m_around.dependencies.clock.now();
    TRY(m_around.dependencies.store.read([&](store::Session &session) -> Result<> {
        for (const auto &[id, assigned] : m_book.assigned()) {
            const PolicyBook::Prepared *const policy = m_book.policy(assigned.assignment.policy);
            if (policy == nullptr || policy->stored.pause)
                continue;
            TRY(const std::optional<core::TimePoint> due, session.policies().nextDue(id));
            if (due) // what is due already waits for something that wakes this, or is looked at again then
                next = std::min(next, *due > now ? *due - now : proofTick);
        }
        return {};
    }));
    return next;
}

Result<qint64> PolicyScheduler::exclude(const QList<core::MessageId> &messages, bool exclude, const QString &who)
{
    TRY(loadBook());
    qint64 number = 0;
    TRY(decideIn([&](store::Session &session) -> Result<> {
        TRY(const QList<store::PolicyCandidate> candidates, session.policies().candidates(messages));
        for (const store::PolicyCandidate &candidate : candidates) {
            TRY(const bool did, m_follower.exclude(session, candidate, exclude, who));
            number += did ? 1 : 0;
        }
        return {};
    }));
    m_timers.wake();
    return number;
}

} // namespace engine
