#include "backend/engine/policies/policyscheduler.h"

#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/text.h"
#include "backend/store/eventstore.h"
#include "backend/store/policies/heldmessagestore.h"

#include <QLoggingCategory>

namespace engine {

using core::Milliseconds;
using core::Result;
using core::Task;

namespace {
Q_LOGGING_CATEGORY(logPolicies, "redrive.engine.policies")

constexpr int followedAtOnce = 200; // takes about 10 ms
constexpr int forgottenAtOnce = 2000;
constexpr Milliseconds breath{50}; // between two rounds: a busy store wakes the scheduler all the time
constexpr Milliseconds longestSleep{60000}; // so that a clock that was set is noticed
constexpr Milliseconds soughtEvery{30000}; // messages that an operation let go without a change
constexpr Milliseconds showPause{1000};
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
    , m_missing(m_around, retries, m_timers)
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

PolicyOutcomes::Obstacle PolicyScheduler::waits(core::AssignmentId assignment, bool isDue) const
{
    for (const auto &[lane, wait] : m_waits) {
        if (isDue && lane.assignment == assignment && !wait.why.why.isEmpty())
            return wait.why;
    }
    return {{}, m_missing.why(assignment)};
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
    if (wasSetBack())
        CO_TRY(capNextAttempts());
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
        TRY(followed, session.heldMessages().followed());
        TRY(const qint64 newest, session.changeNumber());
        if (newest == followed)
            return {};
        TRY(found, session.heldMessages().changedSince(followed, followedAtOnce));
        if (!found.more)
            found.until = newest; // numbers that belong to no message
        return {};
    }));
    if (found.until <= followed)
        return false;
    TRY(decideIn([&](store::Session &session) -> Result<> {
        for (const store::PolicyCandidate &candidate : std::as_const(found.messages))
            TRY(m_follower.follow(session, candidate));
        return session.heldMessages().setFollowed(found.until);
    }));
    return found.more;
}

// After following: a message whose assignment is gone may have another one by now.
Task<Result<>> PolicyScheduler::forgetOrphans()
{
    while (m_hasOrphans) {
        CO_TRY(m_hasOrphans, m_around.dependencies.store.transact<bool>([](store::Session &session) {
            return session.heldMessages().forgetOrphans(forgottenAtOnce);
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
                   [after](store::Session &session) { return session.heldMessages().letGo(after, followedAtOnce); }));
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

Result<Milliseconds> PolicyScheduler::untilNext()
{
    Milliseconds next = longestSleep;
    if (m_outcomes.hasUnproved())
        next = proofTick;
    if (m_asked != m_revision)
        next = std::min(next, showPause);
    if (m_retries.isAllPaused())
        return next;
    if (const std::optional<core::SteadyTime> look = m_missing.next())
        next = std::clamp(*look - m_around.dependencies.clock.steady(), Milliseconds{0}, next);
    const core::TimePoint now = m_around.dependencies.clock.now();
    TRY(m_around.dependencies.store.read([&](store::Session &session) -> Result<> {
        for (const auto &[id, assigned] : m_book.assigned()) {
            const PolicyBook::Prepared *const policy = m_book.policy(assigned.assignment.policy);
            if (policy == nullptr || policy->stored.pause)
                continue;
            TRY(const std::optional<core::TimePoint> due, session.heldMessages().nextDue(id));
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
        TRY(const QList<store::PolicyCandidate> candidates, session.heldMessages().candidates(messages));
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
