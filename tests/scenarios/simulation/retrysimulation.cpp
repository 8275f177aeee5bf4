#include "tests/scenarios/simulation/retrysimulation.h"

#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/support/store/samplemessages.h"

#include <QCryptographicHash>

namespace scenario {

using core::fail;
using core::Result;
using core::Task;
using records::HandOver;
using records::OperationState;
using records::Outcome;
using support::FakeBroker;
using support::FaultyStore;

namespace {

const QString errorQueue = QStringLiteral("error");
broker::Capabilities capabilitiesOf(HandOver handOver)
{
    broker::Capabilities can;
    can.handOver = handOver;
    can.canTake = true;
    can.canBrowse = true;
    can.sendBatch = handOver == HandOver::IntentLog ? 2 : 1;
    can.sendsInFlight = 2;
    return can;
}

} // namespace

RetrySimulation::RetrySimulation(quint64 seed, Settings settings)
    : random(seed)
    , m_settings(settings)
{
    broker = std::make_unique<FakeBroker>(clock, random, capabilitiesOf(settings.handOver));
    line = std::make_unique<support::StrikingBroker>(*broker);
    for (const QString &queue :
         {errorQueue, QStringLiteral("billing"), QStringLiteral("sales"), QStringLiteral("spare")})
        broker->addQueue(queue);
    broker->delivered = [this](const FakeBroker::Delivery &delivery) { onDelivery(delivery); };
    broker->setFaults(settings.faults);
    broker->network = settings.network;
    m_store = std::move(*store::SqliteStore::open(QStringLiteral(":memory:"), random));
    fill();
}

RetrySimulation::~RetrySimulation()
{
    stopEngine();
}

void RetrySimulation::fill()
{
    m_connection = test::sampleConnection(QStringLiteral("simulated"));
    m_connection.rights = records::defaultRights;
    m_connection.errorQueues = {errorQueue};
    m_connection.doublesAllowed = m_settings.doublesAllowed;
    const Result<> filled = m_store->transact([&](store::Session &session) -> Result<> {
        const Result<core::ConnectionId> id = session.connections().add(m_connection);
        if (!id)
            return fail(id.error());
        m_connection.id = *id;
        for (int n = 0; n < m_settings.messages; ++n) {
            store::NewMessage fresh = test::sampleMessage(*id, n);
            records::FailedMessage &message = fresh.message;
            message.queue = errorQueue;
            message.dialect = QStringLiteral("unknown");
            message.cameBack = 0;
            message.flags = {};
            if (n == m_settings.notFaithful)
                message.flags = records::MessageFlag::NotFaithful;
            message.status = records::MessageStatus::Unresolved;
            message.destination = {n % 2 == 0 ? QStringLiteral("billing") : QStringLiteral("sales"),
                                   records::Certainty::Exact, QStringLiteral("test")};
            if (m_settings.missingDestination && n % 5 == 3)
                message.destination.queue = QStringLiteral("nowhere");
            if (m_settings.nowhereToGo > 0 && n % m_settings.nowhereToGo == 0)
                message.destination = {};
            if (m_settings.poison && n == 1)
                broker->poison.insert(message.uniqueId);
            if (n < m_settings.failsAgain)
                m_stillFails.insert(message.uniqueId, 1);
            m_bodies[message.uniqueId].insert(fresh.envelope.body);
            const Result<core::MessageId> added = session.messages().insert(fresh);
            if (!added)
                return fail(added.error());
        }
        return {};
    });
    if (!filled)
        broken(filled.error().message + filled.error().detail);
}

void RetrySimulation::start()
{
    process = std::make_unique<FaultyStore>(*m_store, m_fence++);
    process->decideRead = [this] { return storeFate ? storeFate() : FaultyStore::Fault::None; };
    process->decide = [this](int) {
        if (storeFate)
            return storeFate();
        if (int(random.below(1000)) >= m_settings.storeFaults)
            return FaultyStore::Fault::None;
        constexpr std::array faults{FaultyStore::Fault::Refuse, FaultyStore::Fault::RollBack,
                                    FaultyStore::Fault::DieAfterCommit};
        return faults.at(random.below(faults.size()));
    };
    m_timers = std::make_unique<core::Timers>(clock);
    m_freezer = std::make_unique<retry::SelectionFreezer>(*process, clock, *m_timers);
    brokerState = std::make_unique<broker::BrokerState>(*line, clock);
    m_intake = std::make_unique<intake::Intake>(
        m_connection, *brokerState, *process, clock, random, [] { return 0.5; }, m_settings.batchMembers);
    retry::ProcessorDependencies parts{
        *process,       *brokerState,           clock, random, *this, [this] { return intakeOnce(); },
        random.hexId(), m_settings.batchMembers};
    parts.observe = observe;
    processor = std::make_unique<retry::Processor>(m_connection, std::move(parts));
    note(QStringLiteral("start of session %1").arg(m_fence - 1));
    m_tasks.push_back(follow());
    m_tasks.push_back(freezeRequests());
    processor->start();
    m_seen = -1;
    m_asked = -1;
}

void RetrySimulation::stopEngine()
{
    if (!processor)
        return;
    process->poison();
    processor->stop();
    m_intake->stop();
    m_timers->cancelAll();
    broker->cancelAll();
    if (processor->isRunning())
        qFatal("the processor did not end when everything was cancelled");
    processor.reset();
    m_tasks.clear();
    m_intake.reset();
    m_freezer.reset();
    m_timers.reset();
    m_taking = false;
}

void RetrySimulation::crash()
{
    ++crashes;
    note(QStringLiteral("crash %1").arg(crashes));
    stopEngine();
    start();
}

bool RetrySimulation::step()
{
    if (process && process->isDead())
        crash();
    if (!clock.step()) {
        broken(QStringLiteral("nothing waits any more"));
        return false;
    }
    check();
    return m_problems.isEmpty();
}

void RetrySimulation::linger(int steps)
{
    for (int i = 0; i < steps && clock.step(); ++i)
        check();
}

bool RetrySimulation::runUntil(const std::function<bool()> &done, int steps)
{
    for (int i = 0; i < steps; ++i) {
        if (done())
            return true;
        if (!step())
            return false;
    }
    broken(QStringLiteral("not reached after %1 steps").arg(steps));
    return false;
}

bool RetrySimulation::runToEnd()
{
    const bool over = runUntil([this] { return isOver(); });
    if (over)
        return true;
    for (const records::RetryOperation &operation : operations()) {
        note(QStringLiteral("operation %1 is %2, waiting for: %3")
                 .arg(operation.id.value)
                 .arg(records::toString(operation.state), operation.waitingReason));
    }
    note(QStringLiteral("%1 requests, %2 at consumers, %3 in the error queue, taking %4, left: %5, last intake: %6")
             .arg(m_requests.size())
             .arg(m_underWay)
             .arg(broker->depthOf(errorQueue))
             .arg(m_taking)
             .arg(broker->isQuiet() ? QStringLiteral("nothing") : broker->places().join(u' ') + u'.', m_lastIntake));
    return false;
}

void RetrySimulation::calm()
{
    fillUp(false);
    m_settings.faults = {};
    m_settings.storeFaults = 0;
    broker->setFaults({});
}

bool RetrySimulation::isOver()
{
    if (!m_requests.isEmpty() || m_underWay > 0 || m_taking || broker->depthOf(errorQueue) > 0 || !broker->isQuiet())
        return false;
    if (std::exchange(m_asked, process->transactions()) != process->transactions()) {
        const QList<records::RetryOperation> all = operations();
        m_finished = std::all_of(all.begin(), all.end(), [](const auto &one) { return one.finished.has_value(); });
    }
    return m_finished;
}

void RetrySimulation::request(UserAction action)
{
    m_requests.append(std::move(action));
}

// Where a person expects the message to go: by the plan, else by a standing redirect, else by its own destination.
QString RetrySimulation::goal(const UserAction &action, const records::FailedMessage &message) const
{
    using Of = records::Redirect::Of;
    if (action.kind == records::OperationKind::Release)
        return message.queue;
    const QString said = message.destination.queue;
    for (const Of of : {said.isEmpty() ? Of::Unknown : Of::Queue, Of::Everything}) {
        for (const records::Redirect &redirect : action.redirects) {
            if (redirect.of == of && (of != Of::Queue || redirect.from == said))
                return redirect.to;
        }
    }
    return m_settings.standing.value(said, said);
}

ShownSet RetrySimulation::shown(const UserAction &action)
{
    ShownSet set;
    set.asOfChange = ask<qint64>([](store::Session &session) { return session.changeNumber(); });
    set.limit = action.limit;
    for (const records::FailedMessage &one : messages()) {
        const records::MessageFilter &filter = action.filter;
        const bool in = one.status == records::MessageStatus::Unresolved
                        && (filter.messageType.isEmpty() || filter.messageType == one.messageType)
                        && (filter.messages.isEmpty() || filter.messages.contains(one.id))
                        && !filter.except.contains(one.id) && (!filter.since || one.lastFailed >= *filter.since)
                        && !one.flags.testFlag(records::MessageFlag::PossibleDuplicate)
                        && !one.flags.testFlag(records::MessageFlag::NotFaithful) && !goal(action, one).isEmpty();
        if (in)
            set.destinations.insert(one.id, goal(action, one));
    }
    set.held = held({});
    return set;
}

// Messages that other operations have claimed or will claim.
QSet<core::MessageId> RetrySimulation::held(core::OperationId self)
{
    using records::OperationState;
    QSet<core::MessageId> found;
    for (const records::RetryOperation &operation : operations()) {
        const bool goesOn = operation.state != OperationState::Freezing && operation.state != OperationState::Cancelled;
        for (const store::RetryMember &member : members(operation.id)) {
            const bool waits = member.outcome == Outcome::Pending && goesOn;
            const bool claimed = member.outcome == Outcome::Claimed || member.outcome == Outcome::Staged;
            if (operation.id != self && (waits || claimed))
                found.insert(member.message);
        }
    }
    return found;
}

QList<records::FailedMessage> RetrySimulation::messages()
{
    QList<records::FailedMessage> all;
    const auto slice = ask<store::Slice>(
        [](store::Session &session) { return session.messages().slice(records::MessageFilter{}, {}, 10000); });
    for (const core::MessageId id : slice.ids)
        all.append(message(id));
    return all;
}

// A person who tries again until the plan is accepted.
Task<> RetrySimulation::freezeRequests()
{
    while (true) {
        const bool isCalm = m_settings.network > 0 && m_requests.isEmpty(); // waiting for a bad network takes long
        const core::Milliseconds glance{isCalm ? 250 : 10};
        const Result<> slept = co_await m_timers->sleep(glance);
        if (!slept)
            co_return;
        if (m_requests.isEmpty())
            continue;
        retry::FreezeOrder order;
        order.operation.connection = m_connection.id;
        order.operation.kind = m_requests.first().kind;
        order.filter = m_requests.first().filter;
        order.operation.plan.limit = m_requests.first().limit;
        order.operation.plan.perMinute = m_requests.first().perMinute;
        order.operation.plan.notBefore = m_requests.first().notBefore;
        order.operation.plan.ramp = m_requests.first().ramp;
        order.operation.plan.stopWhen = m_requests.first().stopWhen;
        order.operation.plan.mostWaiting = m_requests.first().mostWaiting;
        order.operation.plan.redirects = m_requests.first().redirects;
        order.operation.plan.edit = mendingEdit(m_requests.first().mend);
        for (auto rule = m_settings.standing.cbegin(); rule != m_settings.standing.cend(); ++rule)
            order.standing.append({records::Redirect::Of::Queue, rule.key(), rule.value()});
        order.operation.scope = QStringLiteral("all");
        order.operation.requested = clock.now();
        order.operation.plan.onUnknown = m_settings.onUnknown;
        order.operation.plan.includeLooped = true;
        m_shown = shown(m_requests.first());
        order.asOfChange = m_shown.asOfChange;
        retry::FreezeOrder shown = order;
        const Result<store::FreezeTally> tally = co_await m_freezer->evaluate(std::move(shown));
        if (!tally)
            continue;
        order.expected = tally->frozen;
        const Result<retry::FrozenSet> accepted = co_await m_freezer->freeze(std::move(order));
        if (!accepted)
            continue;
        note(QStringLiteral("operation %1 is frozen").arg(accepted->operation.value));
        m_requests.removeFirst();
        processor->wake();
    }
}

Task<> RetrySimulation::follow()
{
    bool recovered = false;
    while (true) {
        const Result<> slept = co_await m_timers->sleep(core::Milliseconds{300});
        if (!slept)
            co_return;
        if (m_taking)
            continue;
        m_taking = true;
        if (!recovered) {
            const Result<records::IntakeCounts> done = co_await m_intake->recover();
            recovered = done.has_value();
            if (!done)
                m_lastIntake = done.error().message + done.error().detail;
        }
        if (broker->depthOf(errorQueue) > 0 || broker->holds()) {
            intake::Order order;
            order.queue = errorQueue;
            const Result<records::IntakeCounts> taken = co_await m_intake->take(std::move(order));
            if (!taken)
                m_lastIntake = taken.error().message + taken.error().detail;
            else
                note(QStringLiteral("intake took %1, came back %2").arg(taken->taken).arg(taken->cameBack));
        }
        m_taking = false;
    }
}

Task<Result<>> RetrySimulation::intakeOnce()
{
    while (m_taking) {
        const Result<> slept = co_await m_timers->sleep(core::Milliseconds{50});
        if (!slept)
            co_return slept;
    }
    m_taking = true;
    intake::Order order;
    order.queue = errorQueue;
    const Result<records::IntakeCounts> taken = co_await m_intake->take(std::move(order));
    m_taking = false;
    if (!taken)
        co_return fail(taken.error());
    co_return {};
}

qint64 RetrySimulation::numberOf(const QString &query)
{
    store::Statement row = m_store->database().sql(query);
    const Result<bool> found = row.step();
    if (!found)
        broken(found.error().message + found.error().detail);
    return found && *found ? row.integer(0) : 0;
}

RetrySimulation::Known &RetrySimulation::known()
{
    const qint64 changes = numberOf(QStringLiteral("SELECT total_changes()"));
    if (changes != m_known.changes)
        m_known = {changes};
    return m_known;
}

QList<records::RetryOperation> RetrySimulation::operations()
{
    std::optional<QList<records::RetryOperation>> &all = known().operations;
    if (!all)
        all = ask<QList<records::RetryOperation>>(
            [](store::Session &session) { return session.retryOperations().listed({}, 100); });
    return *all;
}

QList<store::RetryMember> RetrySimulation::members(core::OperationId operation)
{
    auto &all = known().members;
    if (!all.contains(operation))
        all.insert(operation, ask<QList<store::RetryMember>>([&](store::Session &session) {
                       return session.retryBatches().members(operation, {}, 0, 10000);
                   }));
    return all.value(operation);
}

QList<records::RetryBatch> RetrySimulation::batches(core::OperationId operation)
{
    auto &all = known().batches;
    if (!all.contains(operation))
        all.insert(operation, ask<QList<records::RetryBatch>>([&](store::Session &session) {
                       return session.retryBatches().ofOperation(operation);
                   }));
    return all.value(operation);
}

records::FailedMessage RetrySimulation::message(core::MessageId id)
{
    return ask<records::FailedMessage>([&](store::Session &session) { return session.messages().load(id); });
}

void RetrySimulation::broken(const QString &what)
{
    note(QStringLiteral("BROKEN: ") + what);
    m_problems.append(what);
}

void RetrySimulation::note(const QString &what)
{
    m_log.append(QStringLiteral("%1 %2").arg(core::toMs(clock.now()) - 1767323045000).arg(what));
}

QByteArray RetrySimulation::hash() const
{
    return QCryptographicHash::hash(m_log.join(u'\n').toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
}

void RetrySimulation::batchMoved(const retry::BatchProgress &progress)
{
    note(QStringLiteral("batch %1: staged %2, forwarded %3")
             .arg(progress.batch.value)
             .arg(progress.staged)
             .arg(progress.forwarded));
}

void RetrySimulation::operationChanged(core::OperationId operation)
{
    note(QStringLiteral("operation %1 changed").arg(operation.value));
}

void RetrySimulation::staged(core::OperationId operation, qint64 copies)
{
    stagedSeen += copies;
    note(QStringLiteral("operation %1: %2 staged").arg(operation.value).arg(copies));
}

void RetrySimulation::sent(core::OperationId operation, qint64 copies)
{
    sentSeen += copies;
    note(QStringLiteral("operation %1: %2 sent").arg(operation.value).arg(copies));
}

void RetrySimulation::aimed(core::OperationId operation, const QStringList &destinations)
{
    note(QStringLiteral("operation %1 goes to %2").arg(operation.value).arg(destinations.join(u", ")));
}

} // namespace scenario
