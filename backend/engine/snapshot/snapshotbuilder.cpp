#include "backend/engine/snapshot/snapshotbuilder.h"

#include "backend/core/limits.h"
#include "backend/engine/connection/errorqueuechoice.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/text.h"
#include "backend/records/rules/pace.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"

#include <QSet>

namespace engine {

namespace {

constexpr int endedOperationsShown = 50;
constexpr int foreignShown = 10;
constexpr int doneShown = 20; // done batches per operation
constexpr core::Milliseconds diskPause{5000};
constexpr core::Milliseconds lossPause{10000};

} // namespace

SnapshotBuilder::SnapshotBuilder(EngineDependencies &dependencies, const AuditLog &auditLog,
                                 ThroughputRecorder &recorder, const ConnectionService &connections,
                                 const PauseAllService &pausing, PolicyService &policies)
    : m_dependencies(dependencies)
    , m_auditLog(auditLog)
    , m_recorder(recorder)
    , m_connections(connections)
    , m_pausing(pausing)
    , m_policies(policies)
{
}

void SnapshotBuilder::setStarted(const core::Result<> &started)
{
    m_started = true;
    m_trouble = started ? QString() : started.error().message;
}

api::SnapshotPtr SnapshotBuilder::make(quint64 sequence)
{
    auto snapshot = std::make_shared<api::Snapshot>();
    snapshot->sequence = sequence;
    snapshot->at = m_dependencies.clock.now();
    snapshot->session = m_dependencies.session;
    snapshot->storePath = m_dependencies.storePath;
    snapshot->secretsNotKept = m_connections.secretsNotKept();
    const core::Result<> read =
        m_dependencies.store.read([&](store::Session &session) { return readStore(session, *snapshot); });
    addState(*snapshot, read);
    addConnections(*snapshot);
    addDisk(*snapshot);
    snapshot->revisions.messages = snapshot->change;
    snapshot->revisions.operations = m_recorder.revision();
    snapshot->revisions.events = m_auditLog.revision();
    return snapshot;
}

core::Result<> SnapshotBuilder::readStore(store::Session &session, api::Snapshot &snapshot)
{
    TRY(snapshot.change, session.changeNumber());
    TRY(const store::TextProgress text, session.messages().textProgress());
    snapshot.textTotal = text.newest.value;
    snapshot.textRead = std::min(text.reached.value, text.newest.value);
    TRY(readOperations(session, snapshot));
    TRY(readBatches(session, snapshot));
    TRY(readQueueCounts(session, snapshot));
    TRY(readLosses(session, snapshot));
    TRY(readDeliveries(session));
    TRY(readRedirects(session));
    TRY(m_found, session.connections().foundQueues());
    TRY(snapshot.policies, m_policies.views(session, snapshot.change));
    return readQuietRules(session);
}

core::Result<> SnapshotBuilder::readOperations(store::Session &session, api::Snapshot &snapshot)
{
    TRY(QList<records::RetryOperation> shown, session.retryOperations().listed({}, endedOperationsShown));
    // Unfinished operations may be older than the newest fifty.
    TRY(const QList<records::RetryOperation> live, session.retryOperations().unfinished({}));
    for (const records::RetryOperation &operation : live) {
        const auto same = [&operation](const records::RetryOperation &one) { return one.id == operation.id; };
        if (std::none_of(shown.cbegin(), shown.cend(), same))
            shown << operation;
    }
    for (const records::RetryOperation &operation : std::as_const(shown)) {
        if (operation.state == records::OperationState::Freezing)
            continue; // the set is not frozen yet
        const bool isNewest = operation.id == shown.constFirst().id;
        TRY(const api::OperationView view, viewOf(session, operation, isNewest, snapshot));
        snapshot.operations << view;
    }
    TRY(snapshot.inDoubtTotal, session.retryOperations().inDoubtTotal());
    return {};
}

// Also adds its newest done batches, for the last column of the stage board.
core::Result<api::OperationView> SnapshotBuilder::viewOf(store::Session &session,
                                                         const records::RetryOperation &operation, bool isNewest,
                                                         api::Snapshot &snapshot)
{
    api::OperationView view;
    view.operation = operation;
    const bool ended = operation.hasEnded();
    if (!ended) {
        view.messagesPerSecond = records::shownRate(operation.plan, m_recorder.perSecond(operation.id));
        view.timeLeft = records::timeLeft(operation, view.messagesPerSecond);
    }
    TRY(const store::BatchTally batches,
        session.retryBatches().tally(operation.id, !ended || isNewest ? doneShown : 0));
    const int most = records::largestBatch(operation.plan);
    const qint64 toCome = (operation.counts.pending + most - 1) / most;
    view.batchesDone = batches.done;
    view.batchesTotal = int(batches.total + (ended ? 0 : toCome));
    for (const records::RetryBatch &batch : batches.newestDone)
        snapshot.batches << api::BatchView{batch, batch.stagedCount, batch.stagedCount, {}};
    return view;
}

namespace {

// One batch of a connection forwards at a time; staged batches wait for their turn. With the intent log a batch is
// staged when it begins to send.
QString waitsFor(const records::RetryBatch &batch, qint64 staged, const QList<records::RetryBatch> &live)
{
    const qint64 size = batch.size();
    const bool ready = batch.stage == records::BatchStage::Staging && (batch.place.isEmpty() || staged >= size);
    if (!ready)
        return {};
    for (const records::RetryBatch &other : live) {
        if (other.connection != batch.connection || other.stage != records::BatchStage::Forwarding)
            continue;
        if (other.operation == batch.operation)
            return Text::tr("waits for batch %1").arg(other.number);
        return Text::tr("waits for batch %1 of retry %2").arg(other.number).arg(other.operation.value);
    }
    return {};
}

} // namespace

core::Result<> SnapshotBuilder::readBatches(store::Session &session, api::Snapshot &snapshot)
{
    TRY(const QList<records::RetryBatch> live, session.retryBatches().inTurn(core::limits::liveBatchesInSnapshot));
    QSet<core::BatchId> ids;
    for (const records::RetryBatch &batch : live) {
        ids.insert(batch.id);
        api::BatchView view;
        view.batch = batch;
        view.staged = batch.stagedCount;
        view.forwarded = batch.counts.sent + batch.counts.ejected + batch.counts.inDoubt;
        if (const std::optional<retry::BatchProgress> progress = m_recorder.progressOf(batch.id)) {
            view.staged = std::max(view.staged, progress->staged);
            view.forwarded = std::max(view.forwarded, progress->forwarded);
        }
        view.waitingReason = waitsFor(batch, view.staged, live);
        snapshot.batches << view;
    }
    m_recorder.forgetOtherBatches(ids);
    return {};
}

core::Result<> SnapshotBuilder::readQueueCounts(store::Session &session, api::Snapshot &snapshot)
{
    if (m_countedAt != snapshot.change) {
        TRY(const QList<store::QueueCount> counts, session.messages().queueCounts());
        m_held.clear();
        for (const store::QueueCount &count : counts)
            m_held.insert({count.connection, count.queue}, count);
        m_countedAt = snapshot.change;
    }
    for (const store::QueueCount &count : std::as_const(m_held))
        snapshot.unresolvedTotal += count.unresolved;
    return {};
}

// Expiry counts also change with time alone; reading them every lossPause is enough.
core::Result<> SnapshotBuilder::readLosses(store::Session &session, const api::Snapshot &snapshot)
{
    if (m_lossesAt == snapshot.change && snapshot.at - m_lossesRead < lossPause)
        return {};
    TRY(const QList<store::LossCount> counts, session.messages().lossCounts(snapshot.at));
    m_losses.clear();
    for (const store::LossCount &count : counts)
        m_losses.insert({count.connection, count.queue}, count.loss);
    m_lossesAt = snapshot.change;
    m_lossesRead = snapshot.at;
    return {};
}

core::Result<> SnapshotBuilder::readDeliveries(store::Session &session)
{
    TRY(const auto all, session.intakes().allDeliveriesUsed());
    m_deliveries.clear();
    for (const store::IntakeStore::UsedIn &one : all)
        m_deliveries.insert({one.connection, one.queue}, one.used);
    return {};
}

core::Result<> SnapshotBuilder::readRedirects(store::Session &session)
{
    m_redirects.clear();
    for (const std::shared_ptr<ConnectionRuntime> &runtime : m_connections.all()) {
        const core::ConnectionId id = runtime->connection().id;
        TRY(const QList<records::Redirect> standing, session.connections().redirects(id));
        m_redirects.insert(id, standing);
    }
    return {};
}

core::Result<> SnapshotBuilder::readQuietRules(store::Session &session)
{
    TRY(const QList<records::QuietRule> rules, session.evidence().quietRules());
    m_resolvedAfter.clear();
    for (const records::QuietRule &rule : rules)
        m_resolvedAfter.insert(rule.connection, rule.after);
    return {};
}

void SnapshotBuilder::addConnections(api::Snapshot &snapshot) const
{
    for (const std::shared_ptr<ConnectionRuntime> &runtime : m_connections.all()) {
        snapshot.connections << runtime->view();
        snapshot.connections.last().foreignQueues = foreignQueues(*runtime);
        snapshot.connections.last().redirects = m_redirects.value(runtime->connection().id);
        snapshot.connections.last().unanswered = unanswered(*runtime);
        snapshot.connections.last().resolvedAfter = m_resolvedAfter.value(runtime->connection().id);
        addQueues(snapshot, *runtime);
    }
    if (snapshot.queues.size() > core::limits::queuesInSnapshot)
        snapshot.queues.resize(core::limits::queuesInSnapshot);
}

QList<api::CandidateQueue> SnapshotBuilder::unanswered(const ConnectionRuntime &runtime) const
{
    const QStringList found = m_found.value(runtime.connection().id);
    return found.isEmpty() ? QList<api::CandidateQueue>()
                           : unansweredOf(found, runtime.connection(), runtime.listing());
}

QStringList SnapshotBuilder::foreignQueues(const ConnectionRuntime &runtime) const
{
    const QString mine = QStringLiteral("redrive.%1.").arg(m_dependencies.store.storeId());
    QStringList names;
    for (const broker::QueueInfo &queue : runtime.queues()) {
        if (queue.role == broker::QueueRole::Ours && !queue.name.startsWith(mine) && names.size() < foreignShown)
            names << queue.name;
    }
    return names;
}

void SnapshotBuilder::addDisk(api::Snapshot &snapshot)
{
    if (m_diskAsked == core::TimePoint{} || snapshot.at - m_diskAsked >= diskPause) {
        m_diskAsked = snapshot.at;
        const std::optional<DiskSpace> disk = m_dependencies.disk ? m_dependencies.disk() : std::nullopt;
        m_diskFree = disk ? std::optional(disk->free) : std::nullopt;
    }
    snapshot.diskFree = m_diskFree;
}

void SnapshotBuilder::addQueues(api::Snapshot &snapshot, const ConnectionRuntime &runtime) const
{
    const core::ConnectionId connection = runtime.connection().id;
    const QStringList names = runtime.failureQueues();
    const QSet<QString> failing(names.cbegin(), names.cend());
    const PlanBasis basis = runtime.planBasis();
    QSet<QString> listed;
    for (const broker::QueueInfo &queue : runtime.queues()) {
        if (queue.role == broker::QueueRole::Ours)
            continue;
        listed.insert(queue.name);
        api::QueueView view;
        view.connection = connection;
        view.name = queue.name;
        view.holdsFailed = failing.contains(queue.name);
        view.isCandidate = queue.role == broker::QueueRole::Candidate && !view.holdsFailed;
        view.facts = shortened(queue.facts);
        view.origin = queue.origin;
        view.depth = queue.depth;
        view.consumers = queue.consumers;
        view.averageBytes = queue.averageBytes;
        view.asOf = runtime.queuesAsOf();
        const store::QueueCount held = m_held.value({connection, queue.name});
        view.unresolved = held.unresolved;
        view.browsedOnly = held.browsedOnly;
        view.subscribed = runtime.isSubscribed(queue.name);
        view.watched = runtime.isWatched(queue.name);
        view.activity = runtime.activity(queue.name);
        view.refusal = queue.refusal;
        view.noWayBack = cannotPutBack(basis, queue.name);
        view.deliveryLimit = queue.deliveryLimit;
        view.deliveriesUsed = m_deliveries.value({connection, queue.name});
        view.loss = m_losses.value({connection, queue.name});
        view.loss.retention = queue.retention;
        snapshot.queues << view;
    }
    // Queues that are not listed, but have unresolved messages in the store.
    for (const store::QueueCount &held : m_held) {
        if (held.connection != connection || held.unresolved == 0 || listed.contains(held.queue))
            continue;
        api::QueueView view;
        view.connection = connection;
        view.name = held.queue;
        view.holdsFailed = true;
        view.unresolved = held.unresolved;
        view.browsedOnly = held.browsedOnly;
        view.subscribed = runtime.isSubscribed(view.name);
        view.loss = m_losses.value({connection, held.queue});
        snapshot.queues << view;
    }
}

void SnapshotBuilder::addState(api::Snapshot &snapshot, const core::Result<> &read) const
{
    snapshot.engine = m_started ? api::EngineState::Running : api::EngineState::Starting;
    if (m_pausing.isAllPaused()) {
        snapshot.engine = api::EngineState::Paused;
        snapshot.engineText = Text::tr("Everything is paused until somebody resumes it.");
    }
    if (!read || !m_trouble.isEmpty()) {
        snapshot.engine = api::EngineState::StoreRefusesWrites;
        snapshot.engineText = read ? m_trouble : read.error().message;
    }
}

} // namespace engine
