#include "backend/engine/policies/policyscheduler.h"

#include "backend/core/limits.h"
#include "backend/engine/auditlog.h"
#include "backend/engine/planrules.h"
#include "backend/engine/text.h"
#include "backend/store/eventstore.h"
#include "backend/store/evidencestore.h"
#include "backend/store/retrystore.h"

#include <QLoggingCategory>
#include <QScopeGuard>

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
constexpr Milliseconds putOffFor{30000}; // another retry has the message, or its queue is missing
constexpr qsizetype enoughToTell = 100; // of fewer messages a share says nothing: the attempts bound the policy anyway
constexpr Milliseconds troublePause{10000}; // the connection does not answer, or does not allow it
} // namespace

PolicyScheduler::PolicyScheduler(ConnectionContext surroundings, ConnectionService &connections, RetryService &retries)
    : m_around(std::move(surroundings))
    , m_connections(connections)
    , m_retries(retries)
    , m_timers(m_around.dependencies.clock)
    , m_follower(m_book, m_around.dependencies.clock, m_around.dependencies.random)
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
    m_timers.wake();
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
        if (rest > Milliseconds{0}) {
            const Result<> slept = co_await m_timers.sleepOrWake(rest);
            if (!slept)
                break;
        }
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
    return done;
}

Task<Result<>> PolicyScheduler::round()
{
    CO_TRY(loadBook());
    while (m_hasOrphans) {
        CO_TRY(m_hasOrphans, m_around.dependencies.store.transact<bool>([](store::Session &session) {
            return session.policies().forgetOrphans(forgottenAtOnce);
        }));
        CO_TRY(co_await m_timers.sleep(Milliseconds{0}));
    }
    if (m_book.isEmpty())
        co_return Result<>{};
    CO_TRY(co_await followChanges());
    CO_TRY(settleOperations());
    co_return co_await issueDue();
}

Task<Result<>> PolicyScheduler::followChanges()
{
    bool more = true;
    while (more && m_isLoaded) {
        CO_TRY(more, followSome());
        if (more)
            CO_TRY(co_await m_timers.sleep(Milliseconds{0}));
    }
    co_return loadBook();
}

// True: there are more changes.
Result<bool> PolicyScheduler::followSome()
{
    store::PolicyCandidates changed;
    qint64 followed = 0;
    TRY(m_around.dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(followed, session.policies().followed());
        TRY(const qint64 newest, session.changeNumber());
        if (newest == followed)
            return {};
        TRY(changed, session.policies().changedSince(followed, followedAtOnce));
        if (!changed.more)
            changed.until = newest; // numbers that belong to no message
        return {};
    }));
    if (changed.until <= followed)
        return false;
    TRY(decideIn([&](store::Session &session) -> Result<> {
        for (const store::PolicyCandidate &candidate : std::as_const(changed.messages))
            TRY(m_follower.follow(session, candidate));
        return session.policies().setFollowed(changed.until);
    }));
    if (!changed.messages.isEmpty())
        m_around.changed();
    return changed.more;
}

// ---- what became of the retries ----

Result<> PolicyScheduler::settleOperations()
{
    QList<store::PolicyOperation> unsettled;
    QHash<core::OperationId, records::RetryOperation> operations;
    TRY(m_around.dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(unsettled, session.policies().unsettled());
        for (const store::PolicyOperation &one : std::as_const(unsettled)) {
            TRY(const records::RetryOperation operation, session.retries().operation(one.id));
            operations.insert(one.id, operation);
        }
        return {};
    }));
    m_running.clear();
    m_unproved.clear();
    for (const store::PolicyOperation &one : std::as_const(unsettled)) {
        const records::RetryOperation &operation = operations[one.id];
        if (operation.state == records::OperationState::Freezing)
            continue; // a crash left it; its connection discards it
        m_unproved.insert(one.assignment);
        if (!operation.finished)
            m_running.insert({one.assignment, one.connection});
        TRY(settle(one, operation));
    }
    return {};
}

Result<> PolicyScheduler::settle(const store::PolicyOperation &one, const records::RetryOperation &operation)
{
    // Also when all of it is sent already: the next retry would make it worse.
    if (operation.plan.stopWhen && records::hasTooManyBack(operation))
        TRY(pauseOf(one, Text::tr("%1 of %2 messages of its operation %3 came back.")
                             .arg(operation.counts.cameBack - operation.forgiven)
                             .arg(operation.counts.sent + operation.counts.inDoubt - operation.sentBefore)
                             .arg(one.id.value)));
    if (!operation.finished)
        return {};
    const bool isCancelled = operation.state == records::OperationState::Cancelled;
    if (isCancelled)
        TRY(pauseOf(one, Text::tr("A person cancelled its operation %1.").arg(one.id.value)));
    TRY(const bool proved, isCancelled ? Result<bool>(true) : isProved(operation));
    TRY(const QList<store::PolicyCandidate> left,
        m_around.dependencies.store.read<QList<store::PolicyCandidate>>(
            [&](store::Session &session) { return session.policies().leftBy(one.id, core::limits::batchMembers); }));
    if (left.isEmpty() && !proved)
        return {};
    TRY(decideIn([&](store::Session &session) -> Result<> {
        for (const store::PolicyCandidate &candidate : left)
            TRY(m_follower.follow(session, candidate));
        if (!proved || left.size() == core::limits::batchMembers)
            return {};
        if (operation.counts.sent > operation.counts.cameBack)
            m_follower.succeeded(one.assignment);
        TRY(session.policies().count(one.policy, operation.counts.sent, 0, 0));
        TRY(session.policies().setSettled(one.id));
        // Lists would be full of them. What needs a person stays; past retries are in the history.
        const bool needsPerson = isCancelled || operation.counts.ejected + operation.counts.inDoubt > 0;
        return needsPerson ? Result<>() : session.retries().dismiss(one.id);
    }));
    m_unproved.remove(one.assignment);
    m_around.changed();
    return {};
}

// All came back, or the rest stayed away for the quiet period while it could be seen.
Result<bool> PolicyScheduler::isProved(const records::RetryOperation &operation) const
{
    if (operation.counts.cameBack >= operation.counts.sent)
        return true;
    const Result<std::shared_ptr<ConnectionRuntime>> runtime = m_connections.find(operation.connection);
    if (!runtime)
        return false;
    records::QuietPeriod quiet;
    store::Returns returns;
    TRY(m_around.dependencies.store.read([&](store::Session &session) -> Result<> {
        TRY(quiet, session.evidence().quietPeriod(operation.id));
        TRY(returns, session.evidence().whereBack(operation.id));
        return {};
    }));
    if (m_around.dependencies.clock.now() < *operation.finished + quiet.quiet)
        return false;
    return (*runtime)->seesReturns(returns);
}

Result<> PolicyScheduler::pauseOf(const store::PolicyOperation &one, const QString &why)
{
    const QString who = AuditLog::engineName();
    const PolicyBook::Prepared *const policy = m_book.policy(one.policy);
    if (policy == nullptr || policy->stored.pause)
        return {};
    const core::TimePoint now = m_around.dependencies.clock.now();
    TRY(m_around.dependencies.store.transact([&](store::Session &session) -> Result<> {
        TRY(session.policies().setPause(one.policy, store::PolicyPause{who, now, why}));
        records::Event event;
        event.at = now;
        event.severity = records::Severity::Warning;
        event.who = who;
        event.what = Text::tr("Policy paused");
        event.onWhat = one.policy;
        event.result = why;
        return session.events().append(event);
    }));
    m_around.auditLog.written();
    m_around.changed();
    m_isLoaded = false;
    return loadBook();
}

// ---- what is due ----

Task<Result<>> PolicyScheduler::issueDue()
{
    if (m_retries.isAllPaused())
        co_return Result<>{};
    std::vector<core::AssignmentId> ids;
    for (const auto &[id, assigned] : m_book.assigned())
        ids.push_back(id);
    for (const core::AssignmentId id : ids) {
        CO_TRY(co_await issueFor(id, HeldState::Waiting));
        CO_TRY(co_await issueFor(id, HeldState::Leaving));
    }
    co_return Result<>{};
}

// How many messages may be sent now.
int PolicyScheduler::mayIssue(const PolicyBook::Assigned &assigned)
{
    const core::TimePoint now = m_around.dependencies.clock.now();
    const core::AssignmentId id = assigned.assignment.id;
    const PolicyBook::Prepared *const policy = m_book.policy(assigned.assignment.policy);
    if (policy == nullptr || policy->stored.pause)
        return 0;
    if (const auto wait = m_waits.constFind(id); wait != m_waits.cend() && wait->until > now)
        return 0;
    m_waits.remove(id);
    if (!assigned.limit.isProbing())
        return core::limits::batchMembers;
    // One probe at a time: it has to come back, or to stay away, before the next one.
    if (m_unproved.contains(id))
        return 0;
    if (const Milliseconds wait = assigned.limit.waitAt(now); wait > Milliseconds{0}) {
        waitUntil(id, now + wait, Text::tr("The rate limit lets one message through at a time."));
        return 0;
    }
    return 1;
}

Task<Result<>> PolicyScheduler::issueFor(core::AssignmentId id, HeldState state)
{
    const PolicyBook::Assigned *const assigned = m_book.find(id);
    const int most = assigned == nullptr ? 0 : mayIssue(*assigned);
    if (most == 0)
        co_return Result<>{};
    const recovery::Assignment assignment = assigned->assignment;
    const recovery::Policy policy = m_book.policy(assignment.policy)->stored.policy;
    CO_TRY(const QList<recovery::HeldMessage> due,
           m_around.dependencies.store.read<QList<recovery::HeldMessage>>([&](store::Session &session) {
               return session.policies().due(id, state, m_around.dependencies.clock.now(), most);
           }));
    QMap<core::ConnectionId, RetryService::PolicyOrder> orders;
    for (const recovery::HeldMessage &held : due) {
        if (m_running.contains({id, held.connection}))
            continue;
        RetryService::PolicyOrder &order = orders[held.connection];
        order.assignment = assignment;
        order.connection = held.connection;
        order.messages.append(held.message);
        order.plan.includeLooped = true; // the policy itself bounds the attempts
        order.isEnding = state == HeldState::Leaving;
        if (!order.isEnding)
            order.plan.stopWhen = recovery::stopRuleOf(policy);
        else if (policy.exhausted.what == recovery::Exhausted::Do::DeadLetter)
            order.kind = records::OperationKind::Release;
        else
            order.plan.redirects = {{records::Redirect::Of::Everything, {}, policy.exhausted.queue}};
    }
    for (RetryService::PolicyOrder &order : orders) {
        if (order.plan.stopWhen && order.plan.stopWhen->percent && order.messages.size() < enoughToTell)
            order.plan.stopWhen.reset();
    }
    for (const RetryService::PolicyOrder &order : std::as_const(orders))
        CO_TRY(co_await issue(order));
    co_return Result<>{};
}

Task<Result<>> PolicyScheduler::issue(RetryService::PolicyOrder order)
{
    const core::AssignmentId id = order.assignment.id;
    const Result<RetryService::PolicyRetry> issued = co_await m_retries.issue(order);
    if (!issued) {
        if (issued.error().kind == core::ErrorKind::Cancelled || issued.error().kind == core::ErrorKind::StoreFailed)
            co_return core::fail(issued.error());
        // Another set of this assignment may go on another connection, so only due messages wait.
        if (issued.error().kind != core::ErrorKind::Conflict)
            waitUntil(id, m_around.dependencies.clock.now() + troublePause, issued.error().message);
        co_return Result<>{};
    }
    if (issued->operation.isValid()) {
        m_running.insert({id, order.connection});
        m_unproved.insert(id);
    }
    if (issued->leftOut.isEmpty())
        co_return Result<>{};
    co_return putOff(issued->leftOut);
}

Result<> PolicyScheduler::putOff(const QList<RetryService::LeftOut> &leftOut)
{
    const core::TimePoint now = m_around.dependencies.clock.now();
    TRY(m_around.dependencies.store.transact([&](store::Session &session) -> Result<> {
        for (const RetryService::LeftOut &one : leftOut) {
            TRY(const QList<store::PolicyCandidate> found, session.policies().candidates({one.message}));
            if (found.isEmpty() || !found.first().held)
                continue;
            recovery::HeldMessage held = *found.first().held;
            held.reason = one.reason;
            held.nextAttempt = now + putOffFor;
            if (one.isForGood) {
                held.state = HeldState::Exhausted;
                held.nextAttempt.reset();
            }
            TRY(session.policies().hold(held));
        }
        return {};
    }));
    m_around.changed();
    return {};
}

void PolicyScheduler::waitUntil(core::AssignmentId id, core::TimePoint at, const QString &why)
{
    m_waits.insert(id, {at, why});
}

Result<Milliseconds> PolicyScheduler::untilNext()
{
    const core::TimePoint now = m_around.dependencies.clock.now();
    core::TimePoint next = now + longestSleep;
    if (!m_unproved.isEmpty())
        next = std::min(next, now + proofTick);
    if (m_retries.isAllPaused())
        return next - now;
    TRY(m_around.dependencies.store.read([&](store::Session &session) -> Result<> {
        for (const auto &[id, assigned] : m_book.assigned()) {
            const PolicyBook::Prepared *const policy = m_book.policy(assigned.assignment.policy);
            if (policy == nullptr || policy->stored.pause)
                continue;
            TRY(const std::optional<core::TimePoint> due, session.policies().nextDue(id));
            if (!due)
                continue;
            core::TimePoint at = *due;
            if (const auto wait = m_waits.constFind(id); wait != m_waits.cend())
                at = std::max(at, wait->until);
            else if (at <= now) // its operation is still running, or its probe is unproved
                at = now + proofTick;
            next = std::min(next, at);
        }
        return {};
    }));
    return std::max(next - now, Milliseconds{0});
}

Result<qint64> PolicyScheduler::exclude(const QList<core::MessageId> &messages, bool exclude, const QString &who)
{
    TRY(loadBook());
    qint64 changed = 0;
    TRY(decideIn([&](store::Session &session) -> Result<> {
        TRY(const QList<store::PolicyCandidate> candidates, session.policies().candidates(messages));
        for (const store::PolicyCandidate &candidate : candidates) {
            TRY(const bool did, m_follower.exclude(session, candidate, exclude, who));
            changed += did ? 1 : 0;
        }
        return {};
    }));
    m_timers.wake();
    return changed;
}

} // namespace engine
