#pragma once

#include "backend/core/async.h"

#include <functional>

namespace engine {

// The running coroutines of one owner. Before it is destroyed, the owner cancels what they wait for and then awaits
// drained(); after that none of them uses the owner any more. One thread.
class TaskScope final
{
public:
    TaskScope() = default;
    TaskScope(const TaskScope &) = delete;
    TaskScope &operator=(const TaskScope &) = delete;

    // Runs `body` now, up to its first wait. The function object lives as long as its coroutine. An exception that
    // leaves it is logged and ends only this coroutine.
    void spawn(std::function<core::Task<>()> body);
    [[nodiscard]] int running() const { return m_running; }

    // Resolves when nothing spawned here runs any more. Call it once.
    [[nodiscard]] core::Pending<bool> drained();

private:
    static core::Task<> run(TaskScope &scope, std::function<core::Task<>()> body);

    int m_running = 0;
    bool m_draining = false;
    core::Pending<bool> m_drained;
};

} // namespace engine
