#pragma once

#include "backend/engine/auditlog.h"
#include "backend/engine/connectionservice.h"
#include "backend/engine/groupservice.h"
#include "backend/engine/housekeeper.h"
#include "backend/engine/messageservice.h"
#include "backend/engine/moveservice.h"
#include "backend/engine/redirectservice.h"
#include "backend/engine/retryservice.h"
#include "backend/engine/snapshotbuilder.h"
#include "backend/engine/snapshotpublisher.h"
#include "backend/engine/textindexer.h"
#include "backend/engine/throughputrecorder.h"

#include <QObject>

namespace engine {

// The engine of one store: all that runs on the engine's thread, put together. Commands reach it through a Port; what they
// start runs in its command scope. start() is the recovery: nothing needs to have been closed tidily.
class Engine final : public QObject
{
    Q_OBJECT

public:
    explicit Engine(EngineDependencies dependencies, QObject *parent = nullptr);
    // stop() must have ended.
    ~Engine() override;

    // Puts every connection to work, from the event loop on.
    void start();
    // Ends everything under way with Cancelled and waits for it. Once.
    [[nodiscard]] core::Task<> stop();

    [[nodiscard]] SnapshotPublisher &publisher() { return m_publisher; }
    [[nodiscard]] ConnectionService &connections() { return m_connections; }
    [[nodiscard]] RetryService &retries() { return m_retries; }
    [[nodiscard]] MessageService &messages() { return m_messages; }
    [[nodiscard]] RedirectService &redirects() { return m_redirects; }
    [[nodiscard]] Housekeeper &housekeeper() { return m_housekeeper; }
    [[nodiscard]] GroupService &groups() { return m_groups; }
    [[nodiscard]] MoveService &moves() { return m_moves; }
    // Runs a command; stop() awaits it. Once that has begun, commands are dropped.
    void run(std::function<core::Task<>()> command);
    // Things changed that snapshots show.
    void touch();

private:
    void writeSample(core::OperationId operation, const api::RunSample &sample);
    [[nodiscard]] ConnectionContext surroundings();

    EngineDependencies m_dependencies;
    TextIndexer m_indexer;
    AuditLog m_auditLog;
    ThroughputRecorder m_recorder;
    ConnectionService m_connections;
    RetryService m_retries;
    MessageService m_messages;
    RedirectService m_redirects;
    Housekeeper m_housekeeper;
    GroupService m_groups;
    MoveService m_moves;
    SnapshotBuilder m_snapshotter;
    SnapshotPublisher m_publisher;
    TaskScope m_commands;
    bool m_stopping = false;
};

} // namespace engine
