#pragma once

#include "backend/api/settings.h"
#include "backend/core/timers.h"
#include "backend/engine/enginedependencies.h"

#include <functional>

namespace engine {

class AuditLog;

// What the store does for itself, once a minute: chart samples grow coarse, and what is resolved or archived goes when it was
// kept for as long as people set. In slices between which others get their turn. Nothing goes without an entry in the trail, and
// nothing for an engine that a command brought up: that was started for something else.
class Housekeeper final
{
public:
    static constexpr core::Milliseconds interval{60000};

    Housekeeper(EngineDependencies &dependencies, AuditLog &auditLog, std::function<void()> changed);

    // Until stop; in the engine's command scope.
    [[nodiscard]] core::Task<> run();
    void stop() { m_timers.cancelAll(); }

    [[nodiscard]] core::Result<api::Settings> settings(const api::SettingsCommand &command);

private:
    void rollUpSamples();
    [[nodiscard]] core::Task<core::Result<>> sweep();
    [[nodiscard]] core::Task<core::Result<>> removeExpired();
    [[nodiscard]] core::Result<> announce(store::Session &session, core::TimePoint now, qint64 *due);
    [[nodiscard]] core::Result<> change(store::Session &session, const api::SettingsCommand &command);
    [[nodiscard]] core::Result<api::Settings> read(store::Session &session, const api::SettingsCommand &command);

    EngineDependencies &m_dependencies;
    AuditLog &m_auditLog;
    std::function<void()> m_changed;
    core::Timers m_timers;
};

} // namespace engine
