#pragma once

#include "backend/core/time/clock.h"

#include "tests/support/network/proxythread.h"

#include <atomic>

namespace support {

// Stands before a server on this machine and passes on what both sides say: requests at once, answers late.
class SlowProxy final
{
public:
    explicit SlowProxy(quint16 server);
    SlowProxy(const SlowProxy &) = delete;
    SlowProxy &operator=(const SlowProxy &) = delete;

    [[nodiscard]] quint16 port() const { return m_port; }
    // Every answer from now on comes so much later.
    void delay(core::Milliseconds time) { m_delay = time.count(); }
    // No answer comes before letGo().
    void prefetch() { m_isHolding = true; }
    void letGo() { m_isHolding = false; }
    [[nodiscard]] int waiting() const { return m_waiting; } // parts of answers that have not been passed on

private:
    class Passer;

    quint16 m_port = 0;
    std::atomic<qint64> m_delay{0};
    std::atomic<bool> m_isHolding{false};
    std::atomic<int> m_waiting{0};
    ProxyThread m_thread; // last: what it runs uses the rest
};

} // namespace support
