#pragma once

#include <functional>
#include <mutex>

namespace pipeline {

// Stops what another thread does in a database, which may wait for a lock or for a server that is gone. Any thread.
class Interrupter final
{
public:
    // Stops what is attached, and whatever is attached later.
    void interrupt();
    [[nodiscard]] bool isInterrupted() const;

    // `stop` is called from the thread that interrupts, and never after detach(). It must not block.
    void attach(std::function<void()> stop);
    void detach();

private:
    mutable std::mutex m_mutex;
    std::function<void()> m_stop;
    bool m_isInterrupted = false;
};

} // namespace pipeline
