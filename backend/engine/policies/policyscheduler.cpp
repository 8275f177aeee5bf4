#include "backend/engine/policies/policyscheduler.h"

#include "backend/core/limits.h"
#include "backend/core/time/durationtext.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/policies/policyendings.h"
#include "backend/engine/text.h"
#include "backend/records/rules/stoprule.h"
#include "backend/recovery/schedule.h"
#include "backend/store/eventstore.h"
#include "backend/store/policies/heldmessagestore.h"

#include <QLoggingCategory>

#include <map>

namespace engine {

using core::Milliseconds;
using core::Result;
using core::Task;
using recovery::HeldState;

namespace {
Q_LOGGING_CATEGORY(logPolicies, "redrive.engine.policies")

constexpr int followedAtOnce = 200; // takes about 10 ms
constexpr int detachedAtOnce = 2000;
constexpr Milliseconds breath{50}; // between two rounds: a busy store wakes the scheduler all the time
constexpr Milliseconds longestSleep{60000}; // so that a clock that was set is noticed
constexpr Milliseconds soughtEvery{30000}; // messages that an operation let go without a change
constexpr Milliseconds showPause{1000};
} // namespace

PolicyScheduler::PolicyScheduler(ConnectionContext context, ConnectionService &connections, RetryService &retries,
                                 const PauseAllService &pausing)
    : m_context(std::move(context))
    , m_connections(connections)
    , m_retries(retries)
    , m_pausing(pausing)
    , m_timers(m_context.dependencies.clock)
    , m_follower(m_book, m_context.dependencies.clock, m_context.dependencies.random,
                 [this](core::ConnectionId connection, const QString &destination) {
                     return longestDelay(connection, destination);
                 })
    , m_outcomes(m_context, connections)
    , m_missing(m_context, retries, m_timers)
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
    m_changedAt = m_context.dependencies.clock.steady();
    m_context.changed();
}

// Once for each change: a view that came right after another one did not count anew.
void PolicyScheduler::askForView()
{
    if (m_asked == m_revision || m_context.dependencies.clock.steady() - m_changedAt < showPause)
        return;
    m_asked = m_revision;
    if (m_shown != m_revision)
        m_context.changed();
}

PolicyOutcomes::Obstacle PolicyScheduler::waits(core::AssignmentId assignment, bool isDue) const
{
    if (!m_trouble.isEmpty())
        return {{}, m_trouble};
    for (const auto &[lane, wait] : m_waits) {
        if (isDue && lane.assignment == assignment && !wait.why.why.isEmpty())
            return wait.why;
    }
    return {{}, m_missing.why(assignment)};
}

Task<> PolicyScheduler::run()
{
    if (m_context.dependencies.starter != api::Starter::Program)
        co_return;
    const Result<qint64> change =
        m_context.dependencies.store.read<qint64>([](store::Session &session) { return session.changeNumber(); });
    if (change)
        m_follower.beginAfter(*change);
    while (!m_timers.isCancelled()) {
        const Result<> done = co_await round();
        tellTrouble(done);
        if (!done) { // it may fail again and again: no change wakes it earlier
            const Result<> waited = co_await m_timers.sleep(troublePause);
            if (!waited)
                break;
            continue;
        }
        const Result<Milliseconds> next = untilNext();
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

// Once, and not with each round that fails for the same reason. People see it as what the messages wait for.
void PolicyScheduler::tellTrouble(const Result<> &done)
{
    const bool isTrouble = !done && done.error().kind != core::ErrorKind::Cancelled;
    const QString trouble = isTrouble ? done.error().message : QString();
    if (isTrouble)
        m_isLoaded = false; // what is in memory may be newer than the store
    if (trouble == m_trouble)
        return;
    m_trouble = trouble;
    if (isTrouble)
        qCWarning(logPolicies) << "the policies wait:" << trouble;
    changed();
}

Result<> PolicyScheduler::loadBook()
{
    if (m_isLoaded)
        return {};
    TRY(m_context.dependencies.store.read([this](store::Session &session) { return m_book.load(session); }));
    m_isLoaded = true;
    return {};
}

// One transaction with decisions. If it fails, the limits in memory are read again.
Result<> PolicyScheduler::decideIn(const Work &work)
{
    bool hasEvents = false;
    m_follower.begin();
    const Result<> done = m_context.dependencies.store.transact([&](store::Session &session) -> Result<> {
        TRY(work(session));
        TRY(hasEvents, m_follower.end(session));
        return {};
    });
    if (!done)
        m_isLoaded = false;
    if (done && hasEvents)
        m_context.auditLog.written();
    changed();
    return done;
}

Task<Result<>> PolicyScheduler::round()
{
    CO_TRY(co_await followChanges());
    CO_TRY(co_await detachOrphans());
    const PolicyOutcomes::Decide decide = [this](const Work &work) { return decideIn(work); };
    const PolicyOutcomes::Pause stop = [this](const QString &policy, const QString &why) { return pause(policy, why); };
    CO_TRY(const bool settled, m_outcomes.settle(m_follower, decide, stop));
    if (m_book.isEmpty())
        co_return Result<>{};
    if (wasSetBack())
        CO_TRY(capNextAttempts());
    const core::SteadyTime now = m_context.dependencies.clock.steady();
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
    TRY(m_context.dependencies.store.read([&](store::Session &session) -> Result<> {
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
    TRY(followAll(found.messages, found.until));
    return found.more;
}

// Decides about these in one transaction. If that fails because of one of them, it is set aside with the reason, and each of
// the others has a transaction of its own.
Result<> PolicyScheduler::followAll(const QList<store::PolicyCandidate> &all, std::optional<qint64> until)
{
    const auto followed = [until](store::Session &session) {
        return until ? session.heldMessages().setFollowed(*until) : Result<>();
    };
    const Result<> done = decideIn([&](store::Session &session) -> Result<> {
        for (const store::PolicyCandidate &candidate : all)
            TRY(m_follower.follow(session, candidate));
        return followed(session);
    });
    if (done || !PolicyFollower::isAboutMessage(done.error()))
        return done;
    for (const store::PolicyCandidate &candidate : all) {
        TRY(loadBook());
        const Result<> one = decideIn([&](store::Session &session) { return m_follower.follow(session, candidate); });
        if (one)
            continue;
        if (!PolicyFollower::isAboutMessage(one.error()))
            return one;
        TRY(loadBook());
        TRY(decideIn(
            [&](store::Session &session) { return m_follower.setAside(session, candidate, one.error().message); }));
    }
    return m_context.dependencies.store.transact(followed);
}

// After following: a message whose assignment is gone may have another one by now.
Task<Result<>> PolicyScheduler::detachOrphans()
{
    while (m_hasOrphans) {
        CO_TRY(m_hasOrphans, m_context.dependencies.store.transact<bool>([](store::Session &session) {
            return session.heldMessages().detachOrphans(detachedAtOnce);
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
               m_context.dependencies.store.read<QList<store::PolicyCandidate>>(
                   [after](store::Session &session) { return session.heldMessages().letGo(after, followedAtOnce); }));
        if (found.isEmpty())
            co_return Result<>{};
        after = found.last().message.id;
        CO_TRY(followAll(found, {}));
        CO_TRY(co_await m_timers.sleep(Milliseconds{0}));
    }
}

Result<> PolicyScheduler::pause(const QString &policy, const QString &why)
{
    TRY(loadBook());
    const PolicyBook::Prepared *const known = m_book.policy(policy);
    if (known == nullptr || known->stored.pause)
        return {};
    const core::TimePoint now = m_context.dependencies.clock.now();
    TRY(m_context.dependencies.store.transact([&](store::Session &session) -> Result<> {
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
    m_context.auditLog.written();
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
    if (m_pausing.isAllPaused())
        return next;
    if (const std::optional<core::SteadyTime> look = m_missing.next())
        next = std::clamp(*look - m_context.dependencies.clock.steady(), Milliseconds{0}, next);
    const core::TimePoint now = m_context.dependencies.clock.now();
    TRY(m_context.dependencies.store.read([&](store::Session &session) -> Result<> {
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

Task<Result<>> PolicyScheduler::exclude(QList<core::MessageId> messages, bool exclude, QString who, qint64 *changed)
{
    for (qsizetype from = 0; from < messages.size(); from += followedAtOnce) {
        qint64 some = 0;
        CO_TRY(loadBook());
        CO_TRY(decideIn([&](store::Session &session) -> Result<> {
            const QList<core::MessageId> slice = messages.mid(from, followedAtOnce);
            TRY(const QList<store::PolicyCandidate> candidates, session.heldMessages().candidates(slice));
            if (candidates.size() < slice.size())
                return core::fail(core::ErrorKind::NotFound, Text::tr("Not all of these messages are in the store."));
            for (const store::PolicyCandidate &candidate : candidates) {
                TRY(const bool did, m_follower.exclude(session, candidate, exclude, who));
                some += did ? 1 : 0;
            }
            return {};
        }));
        *changed += some;
        CO_TRY(co_await m_timers.sleep(Milliseconds{0}));
    }
    m_timers.wake();
    co_return Result<>{};
}

// ---- the retries of policies whose time has come, and why some do not start ----

namespace {
constexpr Milliseconds putOffFor{60000}; // another retry has the message
constexpr Milliseconds setBackBy{60000}; // a smaller step of the clock makes no message late
} // namespace

// True at start, too: it may have been set back while no engine ran.
bool PolicyScheduler::wasSetBack()
{
    const core::Clock &clock = m_context.dependencies.clock;
    const Milliseconds lead = std::chrono::duration_cast<Milliseconds>(clock.now().time_since_epoch())
                              - std::chrono::duration_cast<Milliseconds>(clock.steady().time_since_epoch());
    const bool isSetBack = !m_lead || lead < *m_lead - setBackBy;
    m_lead = isSetBack ? lead : std::max(lead, *m_lead);
    return isSetBack;
}

Result<> PolicyScheduler::capNextAttempts()
{
    const core::TimePoint now = m_context.dependencies.clock.now();
    int capped = 0;
    const Result<> done = m_context.dependencies.store.transact([&](store::Session &session) -> Result<> {
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
    if (m_pausing.isAllPaused())
        co_return Result<>{};
    const std::vector<Lane> all = lanes();
    CO_TRY(co_await releaseHeld(all));
    m_missing.forget([&all](const Lane &lane) { return std::find(all.begin(), all.end(), lane) == all.end(); });
    const MissingQueues::Order order = [this](const Lane &lane, const QString &queue) {
        if (m_book.find(lane.assignment) == nullptr)
            return std::optional<RetryService::PolicyOrder>();
        return std::optional(orderOf(lane, isClosed(m_connections, lane.connection, queue)));
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
        known != m_waits.end() && known->second.until > m_context.dependencies.clock.steady())
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
    const Milliseconds rest = m_book.find(lane.assignment)->limit.waitAt(m_context.dependencies.clock.now());
    if (rest == Milliseconds{0} && !m_outcomes.isUnproved(lane.assignment))
        return 1;
    const PolicyOutcomes::Obstacle limited{{}, Text::tr("The rate limit lets one message through at a time.")};
    wait(lane, rest > Milliseconds{0} ? rest : proofTick, m_outcomes.stuck(lane.assignment).value_or(limited));
    return 0;
}

RetryService::PolicyOrder PolicyScheduler::orderOf(const Lane &lane, bool hasNoWayBack) const
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
    const bool isElsewhere = lane.isRelease ? hasNoWayBack && !policy.policy.exhausted.queue.isEmpty() : order.isEnding;
    if (order.isEnding && isElsewhere)
        order.plan.redirects = {{records::Redirect::Of::Everything, {}, policy.policy.exhausted.queue}};
    return order;
}

// What cannot be put back goes to the queue that the policy names, in a retry of its own, or is left to a person.
Result<> PolicyScheduler::findWaysBack(const Lane &lane, RetryService::PolicyOrder &order)
{
    TRY(const std::shared_ptr<ConnectionRuntime> runtime, m_connections.find(lane.connection));
    TRY(const WaysBack ways, waysBack(m_context.dependencies.store, runtime->planBasis(), order.messages));
    order.messages = ways.open;
    if (ways.closed.isEmpty())
        return {};
    const RetryService::PolicyOrder elsewhere = orderOf(lane, true);
    if (elsewhere.plan.redirects.isEmpty()) {
        QList<RetryService::LeftOutMessage> stay;
        for (const core::MessageId id : ways.closed)
            stay.append({id, noWayBackText(runtime->connection().name), true});
        return putOff(stay);
    }
    if (ways.open.isEmpty()) {
        order = elsewhere;
        order.messages = ways.closed;
    }
    return {};
}

// What the broker holds back goes apart: until it is delivered, nobody knows how its operation ended.
void PolicyScheduler::addMessages(RetryService::PolicyOrder &order, const QList<recovery::HeldMessage> &due) const
{
    for (const recovery::HeldMessage &held : due) {
        const bool isHeldBack = held.deliverAt && *held.deliverAt > m_context.dependencies.clock.now();
        if (!order.messages.isEmpty() && isHeldBack != order.deliversUntil.has_value())
            continue;
        order.messages.append(held.message);
        if (isHeldBack)
            order.deliversUntil = std::max(order.deliversUntil.value_or(*held.deliverAt), *held.deliverAt);
    }
}

Result<PolicyScheduler::Unseen> PolicyScheduler::judgeUnseen(const Lane &lane, const QList<core::MessageId> &due)
{
    using What = UnseenReturns::Verdict::What;
    Unseen unseen;
    UnseenReturns &returns = m_follower.unseenReturns();
    if (!returns.suspects(lane.assignment))
        return unseen;
    TRY(const QList<store::PolicyCandidate> candidates,
        m_context.dependencies.store.read<QList<store::PolicyCandidate>>(
            [&due](store::Session &session) { return session.heldMessages().candidates(due); }));
    std::map<UnseenReturns::Key, UnseenReturns::Verdict> verdicts;
    for (const store::PolicyCandidate &candidate : candidates) {
        const UnseenReturns::Key key = PolicyFollower::groupOf(candidate, lane.assignment);
        if (!verdicts.contains(key))
            verdicts[key] = returns.judge(key, m_context.dependencies.clock.steady());
        UnseenReturns::Verdict &verdict = verdicts[key];
        if (verdict.what == What::Loop)
            unseen.loop = verdict;
        const bool waits = verdict.what == What::Wait;
        if (waits && (!unseen.waiting || verdict.rest < unseen.waiting->rest))
            unseen.waiting = verdict;
        if (waits || (verdict.most && (*verdict.most)-- <= 0))
            unseen.leftOut.insert(candidate.message.id);
    }
    return unseen;
}

// Keeps the messages of groups that may be retried, as far as anybody knows what became of their last retries.
Result<> PolicyScheduler::leaveOutUnseen(const Lane &lane, QList<recovery::HeldMessage> &due)
{
    QList<core::MessageId> ids;
    for (const recovery::HeldMessage &held : std::as_const(due))
        ids.append(held.message);
    TRY(const Unseen unseen, judgeUnseen(lane, ids)); // a verdict about a loop is given once
    if (unseen.loop) {
        due.clear();
        return pauseLoop(lane, *unseen.loop);
    }
    due.removeIf([&unseen](const recovery::HeldMessage &held) { return unseen.leftOut.contains(held.message); });
    if (!due.isEmpty() || !unseen.waiting)
        return {};
    const QString text = unseen.waiting->isProbed
                             ? Text::tr("Nobody knows what became of the last retries. A few were sent, to see whether "
                                        "they come back as new messages; the others wait for %1.")
                             : Text::tr("Nobody knows what became of the last retries. None is sent for %1, to see "
                                        "whether new failures come without them, too.");
    wait(lane, unseen.waiting->rest, {{}, text.arg(core::durationText(unseen.waiting->rest))});
    return {};
}

Result<> PolicyScheduler::pauseLoop(const Lane &lane, const UnseenReturns::Verdict &loop)
{
    return pause(m_book.find(lane.assignment)->assignment.policy,
                 Text::tr("Nobody knows what became of its last %1 retries, and %2 new messages with the same cause "
                          "came. Then it sent nothing for a while, and none came; it sent %3 more, and as many came "
                          "again. The application seems to publish failed messages again, changed and without the "
                          "headers of Redrive.")
                     .arg(loop.sent)
                     .arg(loop.fresh)
                     .arg(UnseenReturns::probes));
}

Task<Result<>> PolicyScheduler::issueFor(Lane lane)
{
    const int most = mayIssue(lane);
    if (most == 0)
        co_return Result<>{};
    CO_TRY(QList<recovery::HeldMessage> due,
           m_context.dependencies.store.read<QList<recovery::HeldMessage>>([&](store::Session &session) {
               return session.heldMessages().due(lane.assignment, lane.connection, lane.state,
                                                 m_context.dependencies.clock.now(), most);
           }));
    if (due.isEmpty())
        co_return Result<>{};
    CO_TRY(leaveOutUnseen(lane, due)); // asked only when there is something to send
    if (due.isEmpty())
        co_return Result<>{};
    RetryService::PolicyOrder order = orderOf(lane);
    addMessages(order, due);
    if (order.kind == records::OperationKind::Release)
        CO_TRY(findWaysBack(lane, order));
    if (order.messages.isEmpty())
        co_return Result<>{};
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
    TRY(m_context.dependencies.store.transact([&](store::Session &session) -> Result<> {
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
    const core::TimePoint now = m_context.dependencies.clock.now();
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
    m_waits[lane] = {m_context.dependencies.clock.steady() + delay, why};
}

} // namespace engine
