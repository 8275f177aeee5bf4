#include "backend/engine/engine.h"

#include "backend/api/requests/queries.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/commands/conventionservice.h"
#include "backend/engine/commands/groupservice.h"
#include "backend/engine/commands/messageservice.h"
#include "backend/engine/commands/moveservice.h"
#include "backend/engine/commands/pauseallservice.h"
#include "backend/engine/commands/pipelineservice.h"
#include "backend/engine/commands/redirectservice.h"
#include "backend/engine/commands/rehearsalservice.h"
#include "backend/engine/commands/retryservice.h"
#include "backend/engine/commands/transferservice.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/dispatch/permissions.h"
#include "backend/engine/dispatch/worktickets.h"
#include "backend/engine/policies/policyservice.h"
#include "backend/engine/snapshot/snapshotbuilder.h"
#include "backend/engine/snapshot/snapshotpublisher.h"
#include "backend/engine/snapshot/throughputrecorder.h"
#include "backend/engine/text.h"
#include "backend/engine/upkeep/housekeeper.h"
#include "backend/engine/upkeep/textindexer.h"
#include "backend/records/activitywords.h"
#include "backend/store/samplestore.h"

#include <QLoggingCategory>

namespace engine {

namespace {
Q_LOGGING_CATEGORY(logEngine, "redrive.engine")
} // namespace

// Everything of the engine, in the order in which it is made. Each gets what it needs of those before it.
struct Engine::Parts
{
    Parts(EngineDependencies from, Engine &engine);

    [[nodiscard]] ConnectionContext context();
    void writeSample(core::OperationId operation, const records::RunSample &sample);

    Engine &engine;
    EngineDependencies dependencies;
    TextIndexer indexer;
    AuditLog auditLog;
    Permissions permissions;
    WorkTickets works;
    ThroughputRecorder recorder;
    ConnectionService connections;
    RetryService retries;
    PauseAllService pausing;
    MessageService messages;
    RedirectService redirects;
    Housekeeper housekeeper;
    GroupService groups;
    MoveService moves;
    PolicyService policies;
    PipelineService pipelines;
    RehearsalService rehearsals;
    ConventionService conventions;
    TransferService transfers;
    SnapshotBuilder snapshotter;
    SnapshotPublisher publisher;
};

Engine::Parts::Parts(EngineDependencies from, Engine &owner)
    : engine(owner)
    , dependencies(std::move(from))
    , indexer(dependencies.store, dependencies.clock, [&owner] { owner.touch(); })
    , auditLog(dependencies.store, dependencies.clock)
    , permissions(dependencies)
    , recorder(
          dependencies.clock,
          [this](core::OperationId operation, const records::RunSample &sample) { writeSample(operation, sample); },
          [&owner] { owner.touch(); })
    , connections(context())
    , retries(context(), connections)
    , pausing(context(), connections)
    , messages(context(), connections)
    , redirects(context(), connections)
    , housekeeper(dependencies, auditLog, [&owner] { owner.touch(); })
    , groups(context(), connections)
    , moves(context(), connections)
    , policies(context(), connections, retries, pausing)
    , pipelines(context(), connections)
    , rehearsals(context(), connections)
    , conventions(context())
    , transfers(context(), connections)
    , snapshotter(dependencies, auditLog, recorder, connections, pausing, policies)
    , publisher(dependencies.clock, [this](quint64 sequence) { return snapshotter.make(sequence); })
{
    auditLog.onChange([&owner] { owner.touch(); });
}

ConnectionContext Engine::Parts::context()
{
    return {dependencies, auditLog, recorder, [this] { engine.touch(); },
            [this](core::ConnectionId id, bool refused) {
                engine.run([this, id, refused] { return connections.reopen(id, refused); });
            }};
}

void Engine::Parts::writeSample(core::OperationId operation, const records::RunSample &sample)
{
    const core::Result<> written =
        dependencies.store.transact([&](store::Session &session) { return session.samples().add(operation, sample); });
    if (!written)
        qCWarning(logEngine) << "a chart sample is lost:" << written.error().message;
}

Engine::Engine(EngineDependencies dependencies, QObject *parent)
    : QObject(parent)
    , m_parts(std::make_unique<Parts>(std::move(dependencies), *this))
{
}

Engine::~Engine() = default;

void Engine::start()
{
    m_parts->auditLog.note({}, records::engineStarted(), m_parts->dependencies.storePath,
                           m_parts->dependencies.session);
    const core::Result<> recovered = m_parts->pausing.recover();
    if (!recovered) {
        m_parts->snapshotter.setStarted(recovered);
        return;
    }
    run([this]() -> core::Task<> {
        const core::Result<> opened = co_await m_parts->connections.openAll();
        m_parts->snapshotter.setStarted(opened);
        touch();
    });
    run([this] { return m_parts->housekeeper.run(); });
    run([this] { return m_parts->policies.scheduler().run(); });
}

void Engine::carryOut(const api::RequestPtr &request, const QString &who)
{
    const CommandTable::Entry *const command = CommandTable::all().find(request->rules().name);
    if (command != nullptr)
        CommandTable::carryOut(*command, *this, request, who);
    else
        request->fail({core::ErrorKind::Refused, Text::tr("This is not a command of the engine."), {}, {}});
}

void Engine::run(std::function<core::Task<>()> command)
{
    if (!m_stopping)
        m_commands.spawn(std::move(command));
}

void Engine::touch()
{
    m_parts->publisher.touch();
    m_parts->indexer.wake();
    m_parts->policies.scheduler().wake();
}

core::Task<> Engine::stop()
{
    m_stopping = true;
    m_parts->housekeeper.stop();
    m_parts->indexer.stop();
    m_parts->policies.scheduler().stop();
    m_parts->retries.cancelAll();
    m_parts->messages.cancelAll();
    m_parts->pipelines.cancelAll();
    m_parts->rehearsals.cancelAll();
    m_parts->conventions.cancelAll();
    m_parts->connections.cancelAll();
    co_await m_commands.drained();
    co_await m_parts->connections.stopAll();
    m_parts->auditLog.note({}, records::engineStopped(), m_parts->dependencies.storePath,
                           m_parts->dependencies.session);
    m_parts->publisher.flush();
}

SnapshotPublisher &Engine::publisher()
{
    return m_parts->publisher;
}

ConnectionService &Engine::connections()
{
    return m_parts->connections;
}

RetryService &Engine::retries()
{
    return m_parts->retries;
}

PauseAllService &Engine::pausing()
{
    return m_parts->pausing;
}

MessageService &Engine::messages()
{
    return m_parts->messages;
}

RedirectService &Engine::redirects()
{
    return m_parts->redirects;
}

Housekeeper &Engine::housekeeper()
{
    return m_parts->housekeeper;
}

GroupService &Engine::groups()
{
    return m_parts->groups;
}

MoveService &Engine::moves()
{
    return m_parts->moves;
}

PolicyService &Engine::policies()
{
    return m_parts->policies;
}

PipelineService &Engine::pipelines()
{
    return m_parts->pipelines;
}

RehearsalService &Engine::rehearsals()
{
    return m_parts->rehearsals;
}

ConventionService &Engine::conventions()
{
    return m_parts->conventions;
}

TransferService &Engine::transfers()
{
    return m_parts->transfers;
}

WorkTickets &Engine::works()
{
    return m_parts->works;
}

const Permissions &Engine::permissions() const
{
    return m_parts->permissions;
}

AuditLog &Engine::auditLog()
{
    return m_parts->auditLog;
}

} // namespace engine

#include "moc_engine.cpp"
