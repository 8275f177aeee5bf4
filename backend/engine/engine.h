#pragma once

#include "backend/api/request.h"
#include "backend/core/async.h"
#include "backend/engine/connection/taskscope.h"
#include "backend/engine/enginedependencies.h"

#include <QObject>

#include <functional>
#include <memory>

namespace engine {

class AuditLog;
class ConnectionService;
class ConventionService;
class GroupService;
class Housekeeper;
class MessageService;
class MoveService;
class PauseAllService;
class Permissions;
class PipelineService;
class PolicyService;
class RedirectService;
class RehearsalService;
class RetryService;
class SnapshotPublisher;
class TransferService;
class WorkTickets;

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

    [[nodiscard]] SnapshotPublisher &publisher();
    [[nodiscard]] ConnectionService &connections();
    [[nodiscard]] RetryService &retries();
    [[nodiscard]] PauseAllService &pausing();
    [[nodiscard]] MessageService &messages();
    [[nodiscard]] RedirectService &redirects();
    [[nodiscard]] Housekeeper &housekeeper();
    [[nodiscard]] GroupService &groups();
    [[nodiscard]] MoveService &moves();
    [[nodiscard]] PolicyService &policies();
    [[nodiscard]] PipelineService &pipelines();
    [[nodiscard]] RehearsalService &rehearsals();
    [[nodiscard]] ConventionService &conventions();
    [[nodiscard]] TransferService &transfers();
    [[nodiscard]] WorkTickets &works();
    [[nodiscard]] const Permissions &permissions() const;
    [[nodiscard]] AuditLog &auditLog();

    // Carries out a command (commandtable.h) and answers it. `who`: the person, for the activity log; empty: the engine
    // itself. Refused: it is no command.
    void carryOut(const api::RequestPtr &request, const QString &who);
    // Runs a coroutine now, up to its first wait. stop() waits for it; after stop() was called, it is dropped.
    void run(std::function<core::Task<>()> command);
    // Something in the snapshot changed.
    void touch();

private:
    struct Parts; // so that who asks one service does not read all of them

    const std::unique_ptr<Parts> m_parts;
    TaskScope m_commands;
    bool m_stopping = false;
};

} // namespace engine
