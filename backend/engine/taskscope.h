#pragma once

#include "backend/core/async.h"

#include <functional>

namespace engine {

// Coroutines that belong to one owner. The owner cancels what they wait for, then awaits drained(): after that none of
// them touches it any more.
class TaskScope final
{
public:
    TaskScope() = default;
    TaskScope(const TaskScope &) = delete;
    TaskScope &operator=(const TaskScope &) = delete;

    // Runs body now, up to its first wait. The function object lives as long as its coroutine. An exception that leaves it is
    // logged and ends it as any other end does.
    void spawn(std::function<core::Task<>()> body);
    [[nodiscard]] int running() const { return m_running; }

    // Ends when nothing spawned here runs any more. Called once, by the owner.
    [[nodiscard]] core::Pending<bool> drained();

private:
    static core::Task<> run(TaskScope &scope, std::function<core::Task<>()> body);

    int m_running = 0;
    bool m_draining = false;
    core::Pending<bool> m_drained;
};

} // namespace engine
