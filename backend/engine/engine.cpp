#include "backend/engine/engine.h"

#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/text.h"
#include "backend/store/samplestore.h"

#include <QLoggingCategory>

namespace engine {

namespace {
Q_LOGGING_CATEGORY(logEngine, "redrive.engine")
} // namespace

Engine::Engine(EngineDependencies dependencies, QObject *parent)
    : QObject(parent)
    , m_dependencies(std::move(dependencies))
    , m_indexer(m_dependencies.store, m_dependencies.clock, [this] { touch(); })
    , m_auditLog(m_dependencies.store, m_dependencies.clock)
    , m_permissions(m_dependencies)
    , m_recorder(
          m_dependencies.clock,
          [this](core::OperationId operation, const records::RunSample &sample) { writeSample(operation, sample); },
          [this] { touch(); })
    , m_connections(context())
    , m_retries(context(), m_connections)
    , m_pausing(context(), m_connections)
    , m_messages(context(), m_connections)
    , m_redirects(context(), m_connections)
    , m_housekeeper(m_dependencies, m_auditLog, [this] { touch(); })
    , m_groups(context(), m_connections)
    , m_moves(context(), m_connections)
    , m_policies(context(), m_connections, m_retries, m_pausing)
    , m_pipelines(context(), m_connections)
    , m_rehearsals(context(), m_connections)
    , m_conventions(context())
    , m_transfers(context(), m_connections)
    , m_snapshotter(m_dependencies, m_auditLog, m_recorder, m_connections, m_pausing, m_policies)
    , m_publisher(m_dependencies.clock, [this](quint64 sequence) { return m_snapshotter.make(sequence); })
{
    m_auditLog.onChange([this] { touch(); });
}

Engine::~Engine() = default;

ConnectionContext Engine::context()
{
    return {m_dependencies, m_auditLog, m_recorder, [this] { touch(); },
            [this](core::ConnectionId id, bool refused) {
                run([this, id, refused] { return m_connections.reopen(id, refused); });
            }};
}

void Engine::start()
{
    m_auditLog.note({}, Text::tr("Engine started"), m_dependencies.storePath, m_dependencies.session);
    const core::Result<> recovered = m_pausing.recover();
    if (!recovered) {
        m_snapshotter.setStarted(recovered);
        return;
    }
    run([this]() -> core::Task<> {
        const core::Result<> opened = co_await m_connections.openAll();
        m_snapshotter.setStarted(opened);
        touch();
    });
    run([this] { return m_housekeeper.run(); });
    run([this] { return m_policies.scheduler().run(); });
}

void Engine::carryOut(const api::RequestPtr &request, const QString &who)
{
    const CommandTable::Entry *const command = CommandTable::all().find(request->rules().name);
    if (command != nullptr)
        command->carryOut(*this, request, who);
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
    m_publisher.touch();
    m_indexer.wake();
    m_policies.scheduler().wake();
}

core::Task<> Engine::stop()
{
    m_stopping = true;
    m_housekeeper.stop();
    m_indexer.stop();
    m_policies.scheduler().stop();
    m_retries.cancelAll();
    m_messages.cancelAll();
    m_pipelines.cancelAll();
    m_rehearsals.cancelAll();
    m_conventions.cancelAll();
    m_connections.cancelAll();
    co_await m_commands.drained();
    co_await m_connections.stopAll();
    m_auditLog.note({}, Text::tr("Engine stopped"), m_dependencies.storePath, m_dependencies.session);
    m_publisher.flush();
}

void Engine::writeSample(core::OperationId operation, const records::RunSample &sample)
{
    const core::Result<> written = m_dependencies.store.transact(
        [&](store::Session &session) { return session.samples().add(operation, sample); });
    if (!written)
        qCWarning(logEngine) << "a chart sample is lost:" << written.error().message;
}

} // namespace engine
