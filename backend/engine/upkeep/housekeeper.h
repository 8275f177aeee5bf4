#pragma once

#include "backend/api/requests/settings.h"
#include "backend/core/time/timers.h"
#include "backend/engine/dispatch/commandcall.h"
#include "backend/engine/enginedependencies.h"

#include <functional>

namespace engine {

class AuditLog;
class CommandTable;

// Maintains the store once a minute: condenses old chart samples, dismisses past retries of policies, and removes resolved and archived messages past their
// retention. It works in short transactions with pauses. The activity log gets an entry before messages are removed; a
// crash in between leaves the rest to the next round. An engine started by a command (api::Starter) removes nothing.
// Engine thread.
class Housekeeper final
{
public:
    static constexpr core::Milliseconds interval{60000};

    Housekeeper(EngineDependencies &dependencies, AuditLog &auditLog, std::function<void()> changed);

    // Runs until stop(), in the engine's command scope.
    [[nodiscard]] core::Task<> run();
    void stop() { m_timers.cancelAll(); }

    static void addHandlers(CommandTable &table);

private:
    // Changes and reads the settings. Rejected: a time out of range. NotFound: no such connection.
    [[nodiscard]] core::Result<api::Settings> settings(const api::ChangeSettings &command, CommandCall &call);
    void rollUpSamples();
    void dismissPast();
    [[nodiscard]] core::Task<core::Result<>> sweep();
    [[nodiscard]] core::Task<core::Result<>> removeExpired();
    [[nodiscard]] core::Result<> announce(store::Session &session, core::TimePoint now, qint64 *due);
    [[nodiscard]] core::Result<> change(store::Session &session, const api::ChangeSettings &command);
    [[nodiscard]] core::Result<api::Settings> read(store::Session &session, const api::ChangeSettings &command);

    EngineDependencies &m_dependencies;
    AuditLog &m_auditLog;
    std::function<void()> m_changed;
    core::Timers m_timers;
};

} // namespace engine
