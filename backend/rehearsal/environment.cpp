#include "backend/rehearsal/environment.h"

#include "backend/api/requests/policies.h"
#include "backend/dialect/dialect.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/rehearsal/bodymask.h"
#include "backend/rehearsal/plainheaders.h"
#include "backend/rehearsal/reportbuilder.h"
#include "backend/rehearsal/text.h"
#include "backend/sandbox/scenariorun.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/retryoperationstore.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace rehearsal {

using core::ErrorKind;
using core::fail;
using core::Result;

namespace {

const QString connectionName = QStringLiteral("rehearsal");
constexpr core::Milliseconds shortestLook{1000};
constexpr core::Milliseconds longestLook{30000}; // while nothing is sent, for the sake of speed
constexpr core::Milliseconds longestAnswer = std::chrono::hours(1); // of a command, in simulated time

records::Connection rehearsalConnection(const engine::RehearsalJob &job, const QString &errorQueue)
{
    records::Connection connection;
    connection.name = connectionName;
    connection.kind = records::BrokerKind::ServiceBus;
    connection.url = QUrl(QStringLiteral("http://key@127.0.0.1/")); // nobody listens there
    connection.environment = records::Environment::Test;
    connection.rights = records::defaultRights | records::Right::Edit | records::Right::Redirect;
    connection.errorQueues = {errorQueue};
    connection.doublesAllowed = job.doublesAllowed;
    return connection;
}

bool hasName(const QStringList &queues, const QString &name)
{
    return queues.contains(name, Qt::CaseInsensitive);
}

} // namespace

Environment::Environment(const EnvironmentDependencies &dependencies, engine::RehearsalJob job,
                         std::shared_ptr<engine::RehearsalControl> control)
    : m_job(std::move(job))
    , m_control(std::move(control))
    , m_dependencies(dependencies)
    , m_simulation(m_job.now, quint64(m_job.begun.seed))
{
}

Environment::~Environment()
{
    stop();
}

Result<api::RehearsalReport> Environment::run()
{
    TRY(open());
    TRY(begin());
    TRY(live());
    const QString parking = m_job.policy && m_job.policy->exhausted.what == recovery::Exhausted::Do::Move
                                ? m_job.policy->exhausted.queue
                                : QString();
    const bool parks = !parking.isEmpty() && !hasName(m_served, parking);
    qint64 onTheWay = m_simulation.messagesIn(m_errorQueue);
    for (const QString &queue : std::as_const(m_served))
        onTheWay += m_simulation.messagesIn(queue);
    const Ending ending{m_job,
                        m_standIn->deliveries(),
                        m_ids,
                        m_preview,
                        m_connection,
                        m_begin,
                        m_simulation.clock().now(),
                        m_isOver,
                        parks ? m_simulation.messagesIn(parking) : 0,
                        onTheWay};
    TRY(api::RehearsalReport report,
        m_store->read<api::RehearsalReport>([&ending](store::Session &session) { return reportOf(session, ending); }));
    report.probing = m_probing.mid(0, api::RehearsalReport::mostRows);
    return report;
}

// ---- the steps of a run ----

// The queues that exist in reality too, as far as that is known: what the plan leaves out there, it leaves out here.
QStringList Environment::places() const
{
    QStringList wanted;
    for (const store::NewMessage &copy : m_job.copies)
        wanted << copy.message.destination.queue;
    for (const records::Redirect &redirect : m_job.standing)
        wanted << redirect.to;
    for (const records::Redirect &redirect : m_job.plan.redirects)
        wanted << redirect.to;
    if (m_job.policy && m_job.policy->exhausted.what == recovery::Exhausted::Do::Move)
        wanted << m_job.policy->exhausted.queue;
    QStringList queues;
    for (const QString &name : std::as_const(wanted)) {
        const bool exists = !m_job.existing || hasName(*m_job.existing, name);
        if (!name.isEmpty() && exists && !hasName(queues, name) && !localbroker::subscriptionPath(name))
            queues << name;
    }
    return queues;
}

Result<> Environment::open()
{
    const QStringList queues = places();
    m_errorQueue = QStringLiteral("error");
    while (hasName(queues, m_errorQueue))
        m_errorQueue += QStringLiteral("-rehearsal");
    const Result<> opened = m_simulation.open({}, sandbox::queuesOfEndpoints(queues + QStringList{m_errorQueue}));
    if (!opened)
        return fail(
            opened.error().kind,
            Text::tr("The rehearsal cannot make queues like those of the messages: %1").arg(opened.error().message));
    m_served = queues;
    const recovery::Exhausted ending = m_job.policy ? m_job.policy->exhausted : recovery::Exhausted();
    const auto isDestination = [&](const store::NewMessage &copy) {
        return copy.message.destination.queue.compare(ending.queue, Qt::CaseInsensitive) == 0;
    };
    if (ending.what == recovery::Exhausted::Do::Move
        && std::none_of(m_job.copies.cbegin(), m_job.copies.cend(), isDestination))
        m_served.removeIf([&](const QString &name) { return name.compare(ending.queue, Qt::CaseInsensitive) == 0; });
    TRY(m_store, m_dependencies.openStore(m_simulation.random()));
    return m_store->transact([this](store::Session &session) { return fill(session); });
}

// A copy has what a retry would send, so that headers of a broker that this one does not have are gone.
Result<> Environment::fill(store::Session &session)
{
    TRY(m_connection, session.connections().add(rehearsalConnection(m_job, m_errorQueue)));
    for (const records::Redirect &redirect : m_job.standing)
        TRY(session.connections().addRedirect(m_connection, redirect));
    for (const store::NewMessage &original : m_job.copies) {
        store::NewMessage copy = original;
        copy.message.connection = m_connection;
        copy.message.queue = m_errorQueue;
        copy.message.status = records::MessageStatus::Unresolved;
        const QStringList applied = std::exchange(copy.message.conventions, {}); // this store has none
        copy.envelope = withPlainHeaders(dialect::stripped(original.message.dialect, original.envelope,
                                                           dialect::conventionsNamed(m_job.conventions, applied)));
        const QString counter = m_job.policy ? m_job.policy->counter : QString();
        const QCborValue *const counted = records::find(original.envelope.headers, counter);
        if (counted != nullptr && !counter.isEmpty())
            records::set(copy.envelope.headers, counter, *counted); // which the policy does not reset
        if (m_job.mask)
            copy.envelope.body = maskedBody(copy.envelope.body);
        copy.message.bodySize = copy.envelope.body.size();
        TRY(const core::MessageId id, session.messages().insert(copy));
        m_ids.append(id);
        if (!hasName(m_served, copy.message.destination.queue))
            m_unplaced.append(id);
    }
    return session.intakes().setSubscribed(m_connection, m_errorQueue, true);
}

Result<> Environment::begin()
{
    m_secrets.give(connectionName, connectionName);
    engine::EngineDependencies dependencies{
        *m_store,
        m_simulation.clock(),
        m_simulation.random(),
        m_secrets,
        [this](const records::Connection &, const QString &) { return m_dependencies.makeBroker(m_simulation); },
        {},
        connectionName,
        m_simulation.random().hexId()};
    dependencies.pollInterval = m_job.pollInterval;
    m_engine = std::make_unique<engine::Engine>(std::move(dependencies));
    m_engine->start();
    TRY(runUntil(
        [this] {
            const auto all = m_engine->connections().all();
            return !all.isEmpty() && all.first()->isKnown();
        },
        longestAnswer));
    m_workers = std::make_unique<sandbox::WorkerGroup>(m_simulation.clock());
    StandIn::Around around{m_simulation.clock(), *m_control, m_errorQueue, nullptr};
    if (m_job.policy)
        around.isDelayed = [this](int copy) { return isDelayed(copy); };
    m_standIn = std::make_unique<StandIn>(m_job, std::move(around));
    m_begin = m_simulation.clock().now();
    TRY(m_job.policy ? beginPolicy() : beginRetry());
    m_broker = m_dependencies.makeBroker(m_simulation);
    m_standIn->start(*m_workers, m_broker, m_served);
    return {};
}

Result<> Environment::beginPolicy()
{
    TRY(carryOut(api::SetPolicy{recovery::toJson(*m_job.policy)}));
    recovery::Scope everything;
    everything.of = recovery::Scope::Of::Rule;
    everything.connection = m_connection;
    everything.rule.queue = QStringLiteral("*");
    TRY(carryOut(api::AssignPolicy{m_job.policy->name, everything, true}));
    return {};
}

Result<> Environment::beginRetry()
{
    api::RetryDraft draft;
    draft.filter.connection = m_connection;
    draft.plan = m_job.plan;
    draft.plan.keepOrder = false; // the embedded broker offers no staging queue
    draft.plan.askEndpoints = false; // stand-ins answer nobody
    draft.plan.brokerShare.reset(); // the embedded broker is another one, and does not tell its load
    TRY(m_preview, carryOut(api::PreviewRetry{draft}));
    if (!m_preview.refusal.isEmpty())
        return fail(m_preview.refusalKind, m_preview.refusal);
    if (m_preview.frozenCount == 0)
        return {};
    api::ConfirmRetry command;
    command.draft = draft;
    command.draft.asOfChange = m_preview.asOfChange;
    command.expectedCount = m_preview.frozenCount;
    TRY(carryOut(command));
    return {};
}

// ---- its life ----

template<api::Request R>
Result<typename R::Answer> Environment::carryOut(R request)
{
    const auto asked = std::make_shared<api::Asked<R>>(std::move(request));
    const auto answer = asked->reply.future();
    m_engine->carryOut(asked, connectionName);
    TRY(runUntil([&answer] { return answer.isFinished(); }, longestAnswer));
    return answer.result();
}

Result<> Environment::runUntil(const std::function<bool()> &done, core::Milliseconds limit)
{
    core::SimulatedClock &clock = m_simulation.clock();
    const core::SteadyTime end = clock.steady() + limit;
    while (!done()) {
        if (m_control->isCancelled)
            return fail(ErrorKind::Cancelled, Text::tr("The rehearsal was cancelled."));
        if (clock.steady() >= end || !clock.step())
            return fail(ErrorKind::Transient, Text::tr("The rehearsal makes no progress."));
        QCoreApplication::sendPostedEvents(); // of objects of this thread
    }
    return {};
}

// It ends with two looks, because between two steps of the engine nothing may seem to be left.
Result<> Environment::live()
{
    int quietLooks = 0;
    qint64 sent = 0;
    core::Milliseconds pause = shortestLook;
    const core::SteadyTime end = m_simulation.clock().steady() + longest;
    while (quietLooks < 2 && m_simulation.clock().steady() < end) {
        const core::SteadyTime next = m_simulation.clock().steady() + pause;
        TRY(runUntil([&] { return m_simulation.clock().steady() >= next; }, longest));
        m_control->simulatedMs = (m_simulation.clock().now() - m_begin).count();
        TRY(const bool ended, hasEnded());
        quietLooks = ended ? quietLooks + 1 : 0;
        pause = sent == m_control->sent ? std::min(2 * pause, longestLook) : shortestLook;
        sent = m_control->sent;
    }
    m_isOver = quietLooks == 2;
    return {};
}

Result<bool> Environment::hasEnded()
{
    bool ended = true;
    TRY(m_store->read([&](store::Session &session) -> Result<> {
        TRY(const QList<records::RetryOperation> unfinished, session.retryOperations().unfinished(m_connection));
        ended = std::all_of(unfinished.cbegin(), unfinished.cend(), [](const records::RetryOperation &one) {
            return one.pausedBy == records::PausedBy::StopRule;
        });
        if (!m_job.policy)
            return {};
        TRY(const bool policyEnded, policyHasEnded(session));
        ended = ended && policyEnded;
        return {};
    }));
    const bool isEmpty = m_simulation.messagesIn(m_errorQueue) == 0
                         && std::all_of(m_served.cbegin(), m_served.cend(),
                                        [this](const QString &queue) { return m_simulation.messagesIn(queue) == 0; });
    return ended && isEmpty;
}

// Sent messages that nobody has seen again are in retry until the quiet period is over; the stand-in knows better.
Result<bool> Environment::policyHasEnded(store::Session &session)
{
    TRY(const QList<store::StoredAssignment> assignments, session.policies().assignments());
    noteProbing(assignments.first().limit.span);
    TRY(const store::StoredPolicy policy, session.policies().policy(m_job.policy->name));
    if (policy.pause)
        return true;
    TRY(const qint64 followed, session.heldMessages().followed());
    TRY(const qint64 newest, session.changeNumber());
    TRY(const store::HeldCounts counts,
        session.heldMessages().counts(assignments.first().assignment.id, m_simulation.clock().now()));
    if (followed != newest || counts.byState.value(recovery::HeldState::Leaving) > 0)
        return false;
    const qint64 waiting = counts.byState.value(recovery::HeldState::Waiting);
    if (waiting == 0 || waiting > m_unplaced.size())
        return waiting == 0;
    // A policy tries again and again to send what has no queue.
    TRY(const QList<store::PolicyCandidate> unplaced, session.heldMessages().candidates(m_unplaced));
    return waiting == std::count_if(unplaced.cbegin(), unplaced.cend(), [](const store::PolicyCandidate &one) {
               return one.held && one.held->state == recovery::HeldState::Waiting;
           });
}

void Environment::noteProbing(const std::optional<recovery::LimitedSpan> &span)
{
    if (!span)
        return;
    api::RehearsalProbing probing;
    probing.started = span->started - m_begin;
    if (span->ended)
        probing.ended = *span->ended - m_begin;
    probing.failuresBefore = span->failuresBefore;
    probing.failedProbes = span->failedProbes;
    if (!m_probing.isEmpty() && m_probing.last().started == probing.started)
        m_probing.removeLast();
    m_probing.append(probing);
}

bool Environment::isDelayed(int copy)
{
    const Result<QList<store::PolicyCandidate>> found = m_store->read<QList<store::PolicyCandidate>>(
        [&](store::Session &session) { return session.heldMessages().candidates({m_ids.at(copy)}); });
    return found && !found->isEmpty() && found->first().held && found->first().held->isDelayed;
}

// Also when the rehearsal is cancelled: coroutines that wait must end before what they use.
void Environment::stop()
{
    core::SimulatedClock &clock = m_simulation.clock();
    bool stopped = m_workers == nullptr || m_broker == nullptr;
    if (!stopped) {
        m_broker->cancelAll();
        m_workers->stop([&stopped] { stopped = true; });
    }
    while (!stopped && clock.step()) {
    }
    if (!m_engine)
        return;
    bool ended = false;
    const auto end = [](engine::Engine &engine, bool &done) -> core::Task<> {
        co_await engine.stop();
        done = true;
    };
    const core::Task<> ending = end(*m_engine, ended);
    while (!ended && clock.step())
        QCoreApplication::sendPostedEvents();
    if (!ended)
        qFatal("the engine of a rehearsal did not stop");
    m_engine.reset();
}

} // namespace rehearsal
