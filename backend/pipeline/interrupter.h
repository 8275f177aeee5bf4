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

    // Before a change is committed. False: interrupted, and nothing may be committed any more.
    [[nodiscard]] bool startCommit();
    // After interrupt(): something was committed, or may have been. Does not change any more then.
    [[nodiscard]] bool mayHaveCommitted() const;

    // `stop` is called from the thread that interrupts, and never after detach(). It must not block.
    void attach(std::function<void()> stop);
    void detach();

private:
    mutable std::mutex m_mutex;
    std::function<void()> m_stop;
    bool m_isInterrupted = false;
    bool m_mayHaveCommitted = false;
};

} // namespace pipeline
