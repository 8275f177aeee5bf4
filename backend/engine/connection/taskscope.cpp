#include "backend/engine/connection/taskscope.h"

#include <QLoggingCategory>

#include <exception>

namespace engine {

Q_LOGGING_CATEGORY(logScope, "redrive.engine.tasks")

void TaskScope::spawn(std::function<core::Task<>()> body)
{
    ++m_running;
    run(*this, std::move(body));
}

core::Task<> TaskScope::run(TaskScope &scope, std::function<core::Task<>()> body)
{
    try {
        co_await body();
    } catch (const std::exception &error) { // a bug; it ends only this task
        qCCritical(logScope, "A task ended with an exception: %s", error.what());
    } catch (...) {
        qCCritical(logScope, "A task ended with an exception.");
    }
    --scope.m_running;
    if (scope.m_running == 0 && scope.m_draining) {
        const core::Pending<bool> drained = scope.m_drained; // a copy, because resolving may destroy the scope
        drained.resolve(true);
    }
}

core::Pending<bool> TaskScope::drained()
{
    m_draining = true;
    if (m_running == 0)
        m_drained.resolve(true);
    return m_drained;
}

} // namespace engine
