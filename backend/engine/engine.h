#pragma once

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
#include "backend/engine/dispatch/permissions.h"
#include "backend/engine/policies/policyservice.h"
#include "backend/engine/snapshot/snapshotbuilder.h"
#include "backend/engine/snapshot/snapshotpublisher.h"
#include "backend/engine/snapshot/throughputrecorder.h"
#include "backend/engine/upkeep/housekeeper.h"
#include "backend/engine/upkeep/textindexer.h"

#include <QObject>

namespace engine {

// The engine of one store: everything that runs on the engine thread. Other threads reach it through an EngineMailbox;
// their commands run in its command scope. It needs no clean shutdown: start() recovers from a crash.
class Engine final : public QObject
{
    Q_OBJECT

public:
    explicit Engine(EngineDependencies dependencies, QObject *parent = nullptr);
    // Only after stop() has finished.
    ~Engine() override;

    // Opens every connection and continues what an earlier run left unfinished. Returns at once.
    void start();
    // Ends everything in progress with Cancelled and waits for it. Call it once.
    [[nodiscard]] core::Task<> stop();

    [[nodiscard]] SnapshotPublisher &publisher() { return m_publisher; }
    [[nodiscard]] ConnectionService &connections() { return m_connections; }
    [[nodiscard]] RetryService &retries() { return m_retries; }
    [[nodiscard]] PauseAllService &pausing() { return m_pausing; }
    [[nodiscard]] MessageService &messages() { return m_messages; }
    [[nodiscard]] RedirectService &redirects() { return m_redirects; }
    [[nodiscard]] Housekeeper &housekeeper() { return m_housekeeper; }
    [[nodiscard]] GroupService &groups() { return m_groups; }
    [[nodiscard]] MoveService &moves() { return m_moves; }
    [[nodiscard]] PolicyService &policies() { return m_policies; }
    [[nodiscard]] PipelineService &pipelines() { return m_pipelines; }
    [[nodiscard]] RehearsalService &rehearsals() { return m_rehearsals; }
    [[nodiscard]] ConventionService &conventions() { return m_conventions; }
    [[nodiscard]] TransferService &transfers() { return m_transfers; }
    [[nodiscard]] const Permissions &permissions() const { return m_permissions; }
    [[nodiscard]] AuditLog &auditLog() { return m_auditLog; }

    // Carries out a command (commandtable.h) and answers it. `who`: the person, for the activity log; empty: the engine
    // itself. Refused: it is no command.
    void carryOut(const api::RequestPtr &request, const QString &who);
    // Runs a coroutine now, up to its first wait. stop() waits for it; after stop() was called, it is dropped.
    void run(std::function<core::Task<>()> command);
    // Something in the snapshot changed.
    void touch();

private:
    void writeSample(core::OperationId operation, const records::RunSample &sample);
    [[nodiscard]] ConnectionContext context();

    EngineDependencies m_dependencies;
    TextIndexer m_indexer;
    AuditLog m_auditLog;
    Permissions m_permissions;
    ThroughputRecorder m_recorder;
    ConnectionService m_connections;
    RetryService m_retries;
    PauseAllService m_pausing;
    MessageService m_messages;
    RedirectService m_redirects;
    Housekeeper m_housekeeper;
    GroupService m_groups;
    MoveService m_moves;
    PolicyService m_policies;
    PipelineService m_pipelines;
    RehearsalService m_rehearsals;
    ConventionService m_conventions;
    TransferService m_transfers;
    SnapshotBuilder m_snapshotter;
    SnapshotPublisher m_publisher;
    TaskScope m_commands;
    bool m_stopping = false;
};

} // namespace engine
