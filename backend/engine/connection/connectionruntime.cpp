#include "backend/engine/connection/connectionruntime.h"

#include "backend/broker/brokertraits.h"
#include "backend/core/limits.h"
#include "backend/engine/connection/refusingbroker.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/planning/planrules.h"
#include "backend/engine/snapshot/throughputrecorder.h"
#include "backend/engine/text.h"
#include "backend/intake/intakepreconditions.h"
#include "backend/records/address/connectionurl.h"
#include "backend/records/rules/pollinterval.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/retryguardstore.h"
#include "backend/store/retry/retryoperationstore.h"

namespace engine {

namespace {

constexpr core::Milliseconds firstBackoff{1000};
constexpr int recentOperations = 50;
constexpr core::Milliseconds depthAfterEnd{60000};
constexpr core::Milliseconds routesPatience{5000}; // of a person who waits for a plan
// So that sends are answered: an interrupted send leaves its messages in doubt.
constexpr core::Milliseconds graceAtEnd{2000};
// So that nothing of ours stays on a broker that answers: a program often ends with its only retry.
constexpr core::Milliseconds tidyingAtEnd{5000};

core::Task<> turnOf(core::Clock &clock)
{
    const core::Pending<bool> turn;
    clock.after(core::Milliseconds{0}, [turn] { turn.resolve(true); });
    co_await turn;
}

} // namespace

ConnectionRuntime::ConnectionRuntime(ConnectionContext context, records::Connection connection,
                                     std::shared_ptr<broker::Broker> broker, std::optional<core::Error> noSecret,
                                     bool reopened)
    : m_context(std::move(context))
    , m_connection(std::move(connection))
    , m_broker(std::move(broker))
    , m_state(*m_broker, m_context.dependencies.clock)
    , m_noSecret(std::move(noSecret))
    , m_isBarred(dynamic_cast<const RefusingBroker *>(m_broker.get()) != nullptr)
    , m_timers(m_context.dependencies.clock)
    , m_followTimers(m_context.dependencies.clock)
    , m_backoff(firstBackoff, core::limits::backoffCap)
    , m_taker(m_context.dependencies, m_connection, m_state, m_context.changed)
    , m_processor(m_connection,
                  {m_context.dependencies.store, m_state, m_context.dependencies.clock, m_context.dependencies.random,
                   m_context.recorder, [this] { return takeArrivals(); }, m_context.dependencies.session,
                   core::limits::batchMembers, [this](core::Error error) { return withoutSecret(std::move(error)); },
                   !reopened, [this](const store::Returns &returns) { return observe(returns); }})
    , m_quiet(m_context.dependencies, m_context.auditLog, m_connection,
              [this](const store::Returns &returns) { return watched(returns); })
{
    m_broker->setOnSilence([this](const core::Error &error) {
        m_health.silent(error);
        m_context.changed();
        m_silence.tell(error);
    });
    m_broker->setOnBreaker([this] { breakerChanged(); });
}

ConnectionRuntime::~ConnectionRuntime()
{
    m_broker->setOnSilence({});
    m_broker->setOnBreaker({});
    m_context.dependencies.clock.cancel(m_grace);
}

void ConnectionRuntime::start()
{
    m_started = true;
    m_begun = m_context.dependencies.clock.now();
    m_scope.spawn([this] { return watch(); });
    m_scope.spawn([this] { return followLoop(); });
    m_processor.start();
}

void ConnectionRuntime::beginStop()
{
    m_timers.cancelAll();
    m_followTimers.cancelAll();
    m_taker.stop();
    m_processor.stop();
    core::Milliseconds grace{0};
    if (m_processor.isTidying())
        grace = tidyingAtEnd;
    else if (m_processor.isSending())
        grace = graceAtEnd;
    if (m_grace == 0)
        m_grace = m_context.dependencies.clock.after(grace, [this] { m_broker->cancelAll(); });
}

core::Task<> ConnectionRuntime::stop()
{
    beginStop();
    if (m_started)
        co_await m_processor.ended();
    m_context.dependencies.clock.cancel(m_grace);
    // The broker (while cancelling) or the intake may have resumed this coroutine and still be on the stack: one turn
    // of the event loop lets them return before they are called again or destroyed.
    co_await turnOf(m_context.dependencies.clock);
    m_broker->cancelAll();
    co_await m_scope.drained();
    co_await turnOf(m_context.dependencies.clock);
}

core::Task<> ConnectionRuntime::watch()
{
    while (!m_timers.isCancelled()) {
        const core::Result<> asked = co_await ask();
        static_cast<void>(asked); // the health shows an error
        const core::Milliseconds requested = m_notBefore - m_context.dependencies.clock.steady();
        if (requested.count() > 0) {
            const core::Result<> waited = co_await m_timers.sleep(requested);
            if (!waited)
                break;
            m_wait -= std::min(m_wait, requested);
        }
        const core::Result<> slept = co_await m_timers.sleepOrWake(m_wait);
        if (!slept)
            break;
    }
}

// Runs beside watch(), so that a long intake does not delay the listings.
core::Task<> ConnectionRuntime::followLoop()
{
    while (!m_followTimers.isCancelled()) {
        const core::Result<> listed = co_await m_followTimers.sleepOrWake(core::limits::idleTick);
        if (!listed)
            break;
        const bool mayCall = m_context.dependencies.clock.steady() >= m_notBefore;
        if (!m_recovered && mayCall) {
            const core::Result<> recovered = co_await m_taker.recover();
            m_recovered = recovered.has_value();
        }
        if (!m_recovered)
            continue;
        watchReturns();
        const core::SteadyTime began = m_context.dependencies.clock.steady();
        if (mayCall) {
            const core::Result<records::IntakeCounts> taken = co_await m_taker.takeSubscribed(listing());
            wakeForAnswers(taken); // an error: the queue shows why it waits
            if (m_taker.isUnfinished())
                m_followTimers.wake();
        }
        countCameBack();
        for (const QString &queue : m_known &&mayCall ? m_taker.seen() : QStringList())
            m_seenWhole.insert(queue, began);
        if (!m_known)
            m_quiet.interrupted(); // the listing is out of date
        else if (m_quiet.watched(m_taker.seen(), queues()))
            m_context.changed();
    }
}

core::Task<core::Result<records::IntakeCounts>> ConnectionRuntime::intake(QString queue, std::optional<qint64> limit,
                                                                          QString who, core::LongWorkPtr work)
{
    if (!m_known || !m_recovered)
        CO_TRY(co_await refresh());
    if (!m_recovered) {
        CO_TRY(co_await m_taker.recover());
        m_recovered = true;
    }
    const QStringList queues = queue.isEmpty() ? failureQueues() : QStringList{spelled(queue)};
    const records::IntakeCounts before = m_taker.claimRecovered(queues);
    if (limit)
        limit = std::max<qint64>(0, *limit - before.taken);
    if (work)
        work->done = before.taken;
    core::Result<records::IntakeCounts> counts = co_await m_taker.take(queues, limit, who, std::move(work));
    countCameBack();
    wakeForAnswers(counts);
    m_timers.wake(); // message counts changed
    if (counts)
        *counts += before;
    co_return counts;
}

core::Task<core::Result<records::BrowseCounts>> ConnectionRuntime::browse(QString queue, int limit, QString who,
                                                                          bool acceptsDelivery)
{
    const std::function<core::Task<core::Result<records::BrowseCounts>>()> question = [=, this] {
        return lookInto(queue, limit, who, acceptsDelivery);
    };
    core::Result<records::BrowseCounts> counts = co_await m_silence.answerOf(m_scope, question);
    co_return counts;
}

core::Task<core::Result<broker::MoveOffer>> ConnectionRuntime::moveOffer(QString queue)
{
    if (m_isBarred && m_noSecret)
        co_return core::fail(core::ErrorKind::Unauthorized, m_noSecret->message);
    if (mover() == nullptr) {
        co_return core::fail(core::ErrorKind::Refused,
                             Text::tr("The broker of %1 cannot move whole queues. Take the messages and retry them.")
                                 .arg(m_connection.name));
    }
    const std::function<core::Task<core::Result<broker::MoveOffer>>()> question = [=, this] {
        return mover()->moveOffer(queue);
    };
    const core::Result<broker::MoveOffer> offer = co_await m_silence.answerOf(m_scope, question);
    if (!offer)
        co_return core::fail(withoutSecret(offer.error()));
    co_return *offer;
}

core::Task<core::Result<broker::Routes>> ConnectionRuntime::routesOf(QString exchange, QStringList keys)
{
    const core::Error noAnswer{
        core::ErrorKind::Transient, Text::tr("%1 does not answer.").arg(m_connection.name), {}, {}};
    if (exchanges() == nullptr || m_broker->breaker().state != records::CircuitBreaker::State::Closed)
        co_return core::fail(noAnswer);
    const core::Pending<core::Result<broker::Routes>> answer;
    m_scope.spawn([=, this]() -> core::Task<> {
        core::Result<broker::Routes> routes = co_await exchanges()->routesOf(exchange, keys);
        answer.resolve(std::move(routes));
    });
    m_scope.spawn([=, this]() -> core::Task<> {
        const core::Result<> waited = co_await m_timers.sleep(routesPatience);
        Q_UNUSED(waited) // stopping ends the wait, too
        answer.resolve(core::fail(noAnswer));
    });
    core::Result<broker::Routes> first = co_await answer;
    co_return first;
}

core::Task<core::Result<records::BrowseCounts>> ConnectionRuntime::lookInto(QString queue, int limit, QString who,
                                                                            bool acceptsDelivery)
{
    if (!m_known)
        CO_TRY(co_await ask());
    CO_TRY(m_taker.know());
    QStringList queues(spelled(queue));
    if (queue.isEmpty())
        queues = queuesToBrowse();
    const core::Result<records::BrowseCounts> counts =
        co_await m_taker.browse(std::move(queues), limit, std::move(who), acceptsDelivery);
    m_context.auditLog.written(); // browsing writes its own entries
    co_return counts;
}

// Subscribed queues are left out, because their messages are taken. If all are subscribed, the refusal says so.
QStringList ConnectionRuntime::queuesToBrowse() const
{
    const QStringList all = failureQueues();
    QStringList left = all;
    left.removeIf([this](const QString &queue) { return isSubscribed(queue); });
    return left.isEmpty() ? all : left;
}

core::Result<> ConnectionRuntime::subscribe(const QString &queue, bool subscribe)
{
    const core::Result<> kept = m_taker.subscribe(queue, subscribe);
    if (kept && subscribe)
        m_timers.wake();
    return kept;
}

core::Result<QStringList> ConnectionRuntime::subscribed()
{
    TRY(m_taker.know());
    return m_taker.subscribed();
}

void ConnectionRuntime::unsubscribe(const QStringList &queues)
{
    for (const QString &one : queues) {
        if (isSubscribed(one))
            static_cast<void>(m_taker.subscribe(one, false));
    }
}

// A step of a ramp may have its evidence now.
void ConnectionRuntime::wakeForAnswers(const core::Result<records::IntakeCounts> &taken)
{
    if (taken && taken->confirmed > 0)
        m_processor.wake();
}

// The store counts the messages that came back per operation; the chart also needs to know when.
void ConnectionRuntime::countCameBack()
{
    m_context.auditLog.written(); // intake writes its own entries, together with the messages
    const auto operations =
        m_context.dependencies.store.read<QList<records::RetryOperation>>([this](store::Session &session) {
            return session.retryOperations().listed(m_connection.id, recentOperations);
        });
    if (!operations)
        return;
    for (const records::RetryOperation &operation : *operations) {
        // Messages that came back before this run are in the chart already.
        const qint64 before = operation.requested < m_begun ? operation.counts.cameBack : 0;
        const qint64 known = m_cameBack.value(operation.id, before);
        if (operation.counts.cameBack > known)
            m_context.recorder.cameBack(operation.id, operation.counts.cameBack - known);
        m_cameBack.insert(operation.id, operation.counts.cameBack);
    }
}

// Message counts of the destinations of each operation, for its chart: while it runs and a little longer, to show
// whether the consumers keep up.
void ConnectionRuntime::sampleDepths()
{
    const QList<core::OperationId> aiming = m_context.recorder.aiming();
    for (const core::OperationId id : aiming) {
        const auto operation = m_context.dependencies.store.read<records::RetryOperation>(
            [id](store::Session &session) { return session.retryOperations().load(id); });
        if (!operation || operation->connection != m_connection.id
            || operation->state == records::OperationState::Paused)
            continue;
        std::optional<qint64> depth;
        const QSet<QString> destinations = m_context.recorder.destinations(id);
        for (const QString &name : destinations) {
            const broker::QueueInfo *queue = findQueue(m_connection.kind, queues(), name);
            if (queue != nullptr && queue->depth)
                depth = depth.value_or(0) + *queue->depth;
        }
        if (depth)
            m_context.recorder.depth(id, *depth);
        if (operation->finished && m_state.asOf() - *operation->finished > depthAfterEnd)
            m_context.recorder.forgetDestinations(id);
    }
}

core::Task<core::Result<>> ConnectionRuntime::refresh()
{
    const std::function<core::Task<core::Result<>>()> question = [this] { return ask(); };
    const core::Result<> asked = co_await m_silence.answerOf(m_scope, question);
    co_return asked;
}

core::Task<core::Result<>> ConnectionRuntime::ask()
{
    ++m_asking;
    const core::Result<> listed = co_await list();
    --m_asking;
    co_return listed;
}

core::Task<core::Result<>> ConnectionRuntime::list()
{
    const core::SteadyTime begun = m_context.dependencies.clock.steady();
    if (m_isBarred) {
        const core::Error missing = co_await lookForSecret();
        failed(missing);
        co_return core::fail(missing);
    }
    // An account without the right to take may have got it meanwhile.
    if (!capabilities().canTake)
        m_state.rightsMayHaveChanged();
    const core::Result<> probed = co_await m_state.probe();
    if (!probed) {
        const core::Error error = withoutSecret(probed.error());
        failed(error);
        co_return core::fail(error);
    }
    const core::Result<broker::Listing> listed = co_await m_state.list();
    if (!listed) {
        const core::Error error = withoutSecret(listed.error());
        failed(error);
        co_return core::fail(error);
    }
    const bool isBack = !std::exchange(m_known, true);
    m_wait = m_context.dependencies.pollInterval.value_or(records::pollInterval(m_connection));
    m_backoff.reset();
    if (m_health.state() != api::Health::Connected && m_health.state() != api::Health::Slow)
        m_context.auditLog.note({}, Text::tr("Connected"), m_connection.name, capabilities().product);
    m_health.succeeded(m_context.dependencies.clock.steady() - begun);
    sampleDepths();
    m_context.changed();
    m_followTimers.wake();
    if (isBack)
        m_processor.wake();
    co_return core::Result<>{};
}

void ConnectionRuntime::secretMayBeThere()
{
    if (m_isBarred)
        m_timers.wake();
}

// Reopens the connection when the secret was found, or when it became certain that there is none.
core::Task<core::Error> ConnectionRuntime::lookForSecret()
{
    const core::Result<QString> secret = co_await m_context.dependencies.secrets.read(m_connection.name);
    const bool isNone = !secret && secret.error().kind == core::ErrorKind::NotFound;
    const bool isNews = secret || (isNone && m_noSecret && m_noSecret->kind != core::ErrorKind::NotFound);
    if (isNews && m_context.reopen) {
        m_context.reopen(m_connection.id, false);
        co_return core::Error{
            core::ErrorKind::Transient, Text::tr("Redrive has just read the secret and connects again."), {}, {}};
    }
    if (!secret && secret.error().kind != core::ErrorKind::Cancelled)
        m_noSecret = secret.error();
    co_return core::Error{core::ErrorKind::Unauthorized, m_noSecret ? m_noSecret->message : QString(), {}, {}};
}

core::Error ConnectionRuntime::withoutSecret(core::Error error) const
{
    if (error.kind == core::ErrorKind::Unauthorized && m_noSecret)
        error.message = m_noSecret->message;
    return error;
}

void ConnectionRuntime::failed(const core::Error &error)
{
    if (error.kind == core::ErrorKind::Cancelled)
        return;
    const core::Milliseconds wait = m_backoff.next(m_context.dependencies.random, error.retryAfter);
    m_wait = std::max(wait, firstBackoff);
    const core::Clock &clock = m_context.dependencies.clock;
    // While calls are held back, the wait is Redrive's own, and a first success ends it.
    const bool isOurs = m_broker->breaker().state != records::CircuitBreaker::State::Closed;
    m_notBefore = clock.steady() + (isOurs ? core::Milliseconds{0} : error.retryAfter);
    // The error may come with changed rights: ask for them again.
    m_state.rightsMayHaveChanged();
    m_known = false;
    if (error.kind == core::ErrorKind::Unauthorized && m_noSecret && !m_isBarred && m_context.reopen)
        m_context.reopen(m_connection.id, true); // no second try: repeated refused logins could lock the account
    const bool isNews = m_health.failed(error, clock.now(), clock.now() + m_wait);
    if (isNews && !m_isBarred) // a barred connection was never connected, and the reason is noted already
        m_context.auditLog.note({}, Text::tr("Connection lost"), m_connection.name, error.message,
                                records::Severity::Problem);
    m_context.changed();
}

// A first success may come from any call: the queues are then listed at once.
void ConnectionRuntime::breakerChanged()
{
    const bool isAnswered = m_broker->breaker().failures == 0;
    if (isAnswered && m_asking == 0 && !m_known)
        m_timers.wake();
    m_context.changed();
}

// The next call that Redrive makes by itself is its listing of the queues, unless a retry or an intake comes first.
records::CircuitBreaker ConnectionRuntime::breaker() const
{
    records::CircuitBreaker breaker = m_broker->breaker();
    if (breaker.nextTry)
        breaker.nextTry = std::max(*breaker.nextTry, m_health.nextTry().value_or(*breaker.nextTry));
    return breaker;
}

QString ConnectionRuntime::spelled(const QString &queue) const
{
    const broker::QueueInfo *listed = findQueue(m_connection.kind, queues(), queue);
    return listed == nullptr ? queue : listed->name;
}

QStringList ConnectionRuntime::failureQueues() const
{
    QStringList names;
    for (const QString &name : m_connection.errorQueues) {
        if (const QString own = spelled(name); !names.contains(own))
            names << own;
    }
    const QSet<QString> named(names.cbegin(), names.cend());
    for (const broker::QueueInfo &queue : queues()) {
        const bool fails = queue.role == broker::QueueRole::ErrorQueue || queue.role == broker::QueueRole::DeadLetter;
        if (fails && !named.contains(queue.name))
            names << queue.name;
    }
    return names;
}

PlanBasis ConnectionRuntime::planBasis() const
{
    PlanBasis basis{m_connection, capabilities(), listing(), m_known, m_health.text(), failureQueues()};
    if (const auto *load = dynamic_cast<const broker::BrokerLoad *>(m_broker.get()))
        basis.loadObstacle = load->loadObstacle();
    return basis;
}

api::ConnectionView ConnectionRuntime::view() const
{
    api::ConnectionView view;
    view.connection = m_connection;
    view.breaker = breaker();
    view.breakerWords = breakerText(view.breaker);
    const KnownHealth known = worstOf(m_health, view.breaker, m_broker->failingShare());
    view.health = known.state;
    view.words = known.text;
    view.product = capabilities().product;
    view.handOver = capabilities().handOver;
    view.guarantee = capabilities().guarantee;
    view.missing = capabilities().missing;
    view.secretNotKept = m_secretNotKept;
    view.canTake = capabilities().canTake;
    view.offersSteps = capabilities().offersSteps;
    view.canBrowse = capabilities().canBrowse && m_connection.rights.testFlag(records::Right::See);
    view.movesQueues = mover() != nullptr;
    if (!capabilities().canTake && !capabilities().product.isEmpty())
        view.cannotTakeReason = capabilities().missing.isEmpty()
                                    ? Text::tr("This broker account cannot take messages.")
                                    : Text::tr("This account cannot take messages. Missing or limited: %1.")
                                          .arg(capabilities().missing.join(u"; "));
    return view;
}

// ---- the queues in which messages of its retries come back ----

// Keeps taking from the queues that the messages of a retry came from, while the retry must see what comes back and for
// the requested time after its end.
void ConnectionRuntime::watchReturns()
{
    const core::Result<> read = m_context.dependencies.store.read([this](store::Session &session) -> core::Result<> {
        TRY(const store::Returns returns, session.retryGuards().returns(m_connection.id, {}));
        TRY(const store::Returns ended,
            session.evidence().stillWatched(m_connection.id, m_context.dependencies.clock.now()));
        QStringList queues = watched(returns);
        const QStringList still = watched(ended);
        for (const QString &queue : still) {
            if (!queues.contains(queue))
                queues.append(queue);
        }
        m_taker.need(queues);
        return {};
    });
    static_cast<void>(read); // the previous queues stay; the store reports its error
}

static bool speaksForWork(const records::QueueFacts &facts)
{
    return std::any_of(facts.cbegin(), facts.cend(),
                       [](const records::QueueFact &fact) { return records::speaksAgainst(fact.kind); });
}

// Adds the queues in which the dead letters of the destinations end. One that nobody named is only watched: nothing is
// taken from it, and as long as it holds messages, nobody knows what came back.
QStringList ConnectionRuntime::watched(const store::Returns &returns) const
{
    QStringList queues = returns.sources;
    for (const broker::QueueInfo &queue : m_state.listing().queues) {
        const bool isEnd = queue.role == broker::QueueRole::ErrorQueue || queue.role == broker::QueueRole::DeadLetter
                           || (queue.role == broker::QueueRole::Candidate && !speaksForWork(queue.facts));
        const QStringList ends = isEnd ? records::failuresOf(queue.facts) : QStringList();
        const bool theirs = std::any_of(ends.cbegin(), ends.cend(),
                                        [&returns](const QString &name) { return returns.aims.contains(name); });
        if (theirs && !queues.contains(queue.name))
            queues.append(queue.name);
    }
    return queues;
}

// Why nobody would see that a message came back in this queue; empty: it would be seen.
QString ConnectionRuntime::whyUnseen(const QString &name) const
{
    const broker::QueueInfo *queue = findQueue(m_connection.kind, queues(), name);
    if (queue == nullptr)
        return Text::tr("The queue %1 is not on the broker's list.").arg(name);
    if (!queue->refusal.isEmpty())
        return queue->refusal;
    if (queue->depth != 0 && !failureQueues().contains(queue->name))
        return Text::tr("Messages that come back would not be seen: %1")
            .arg(intake::notAnErrorQueue(m_connection, queue->name));
    return m_taker.waitingReason(name);
}

retry::QueueObservation ConnectionRuntime::observe(const store::Returns &returns) const
{
    retry::QueueObservation seen{queues(), m_state.listedAt(), {}};
    if (!m_known) {
        seen.blind = Text::tr("%1 does not answer.").arg(m_connection.name);
        return seen;
    }
    const QStringList queues = watched(returns);
    for (const QString &name : queues) {
        seen.blind = whyUnseen(name);
        if (!seen.blind.isEmpty())
            break;
    }
    return seen;
}

bool ConnectionRuntime::hasSeenReturns(const store::Returns &returns, core::SteadyTime until) const
{
    const retry::QueueObservation seen = observe(returns);
    if (!seen.blind.isEmpty())
        return false;
    const QStringList queues = watched(returns);
    const auto isSeen = [&](const QString &name) { return m_seenWhole.value(name, until) > until; };
    const auto isUnattended = [&seen](const QString &name) {
        const broker::QueueInfo *const queue = seen.find(name);
        return queue != nullptr && queue->consumers == 0 && queue->depth != 0;
    };
    return std::all_of(queues.cbegin(), queues.cend(), isSeen)
           && std::none_of(returns.aims.cbegin(), returns.aims.cend(), isUnattended);
}

// Runs before open intents of a crash are sent again: a message whose stamp is found in any error queue was sent. All
// error queues are checked, subscribed or not, because a message may come back in one that was never taken from. A
// queue that cannot be taken from is skipped, so that it blocks nothing.
core::Task<core::Result<>> ConnectionRuntime::takeArrivals()
{
    CO_TRY(co_await m_taker.recover());
    m_recovered = true;
    if (!m_known)
        CO_TRY(co_await ask());
    core::Result<> all;
    const QStringList queues = failureQueues();
    for (const QString &name : queues) {
        const broker::QueueInfo *queue = findQueue(m_connection.kind, m_state.listing().queues, name);
        const bool isEmpty = queue != nullptr && queue->depthIsExact && queue->depth == 0;
        if (queue == nullptr || !queue->refusal.isEmpty() || isEmpty)
            continue;
        const core::Result<> taken = co_await arrivalsOf(name);
        if (!taken && all)
            all = taken;
    }
    countCameBack();
    co_return all;
}

core::Task<core::Result<>> ConnectionRuntime::arrivalsOf(QString queue)
{
    QStringList one(queue);
    const core::Result<records::IntakeCounts> counts = co_await m_taker.take(std::move(one), std::nullopt);
    if (counts || counts.error().kind == core::ErrorKind::Refused || counts.error().kind == core::ErrorKind::NotFound)
        co_return {};
    if (counts.error().kind != core::ErrorKind::Corrupt)
        co_return core::fail(counts.error());
    // The broker answers, so messages in the queue are unreadable. Skip it; waiting for them would never end.
    const core::Result<> asked = co_await ask();
    if (!asked)
        co_return core::fail(counts.error());
    m_context.auditLog.note({}, Text::tr("Unanswered sends settled without a complete check"),
                            m_connection.name + QStringLiteral(" / ") + queue, counts.error().message,
                            records::Severity::Warning);
    co_return {};
}

} // namespace engine
