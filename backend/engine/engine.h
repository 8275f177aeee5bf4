#pragma once

#include "backend/engine/connectiondesk.h"
#include "backend/engine/groupdesk.h"
#include "backend/engine/housekeeper.h"
#include "backend/engine/journal.h"
#include "backend/engine/messagedesk.h"
#include "backend/engine/movedesk.h"
#include "backend/engine/publisher.h"
#include "backend/engine/redirectdesk.h"
#include "backend/engine/retrydesk.h"
#include "backend/engine/runrecorder.h"
#include "backend/engine/snapshotter.h"
#include "backend/engine/textindexer.h"

#include <QObject>

namespace engine {

// The engine of one store: all that runs on the engine's thread, put together. Commands reach it through a Port; what they
// start runs in its command scope. start() is the recovery: nothing needs to have been closed tidily.
class Engine final : public QObject
{
    Q_OBJECT

public:
    explicit Engine(World world, QObject *parent = nullptr);
    // stop() must have ended.
    ~Engine() override;

    // Puts every connection to work, from the event loop on.
    void start();
    // Ends everything under way with Cancelled and waits for it. Once.
    [[nodiscard]] core::Task<> stop();

    [[nodiscard]] Publisher &publisher() { return m_publisher; }
    [[nodiscard]] ConnectionDesk &connections() { return m_connections; }
    [[nodiscard]] RetryDesk &retries() { return m_retries; }
    [[nodiscard]] MessageDesk &messages() { return m_messages; }
    [[nodiscard]] RedirectDesk &redirects() { return m_redirects; }
    [[nodiscard]] Housekeeper &housekeeper() { return m_housekeeper; }
    [[nodiscard]] GroupDesk &groups() { return m_groups; }
    [[nodiscard]] MoveDesk &moves() { return m_moves; }
    // Runs a command; stop() awaits it. Once that has begun, commands are dropped.
    void run(std::function<core::Task<>()> command);
    // Things changed that snapshots show.
    void touch();

private:
    void writeSample(core::OperationId operation, const api::RunSample &sample);
    [[nodiscard]] Surroundings surroundings();

    World m_world;
    TextIndexer m_indexer;
    Journal m_journal;
    RunRecorder m_recorder;
    ConnectionDesk m_connections;
    RetryDesk m_retries;
    MessageDesk m_messages;
    RedirectDesk m_redirects;
    Housekeeper m_housekeeper;
    GroupDesk m_groups;
    MoveDesk m_moves;
    Snapshotter m_snapshotter;
    Publisher m_publisher;
    TaskScope m_commands;
    bool m_stopping = false;
};

} // namespace engine
