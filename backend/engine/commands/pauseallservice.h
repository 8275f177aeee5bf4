#pragma once

#include "backend/api/requests/retries.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/dispatch/commandcall.h"

namespace engine {

class CommandTable;

// "Pause all" and "Resume all", each in one transaction. What is paused survives a crash: nothing sends until somebody resumes.
// Engine thread.
class PauseAllService final
{
public:
    PauseAllService(ConnectionContext context, ConnectionService &connections);

    static void addHandlers(CommandTable &table);

    // Call at start, before any connection opens: if all is paused, pauses operations that a crash left running.
    [[nodiscard]] core::Result<> recover();
    [[nodiscard]] bool isAllPaused() const { return m_allPaused; }

private:
    [[nodiscard]] core::Result<api::PauseAllAnswer> pauseAll(const api::PauseAll &command, CommandCall &call);
    [[nodiscard]] core::Result<api::PauseAllAnswer> pauseLive(store::Session &session, const QString &who);
    [[nodiscard]] core::Result<api::PauseAllAnswer> resumePaused(store::Session &session, const QString &who);
    [[nodiscard]] std::shared_ptr<ConnectionRuntime> runtimeOf(core::OperationId id);

    ConnectionContext m_context;
    ConnectionService &m_connections;
    bool m_allPaused = false;
};

} // namespace engine
