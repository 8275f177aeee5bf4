#pragma once

#include "backend/core/clock.h"

namespace http {

// Stops calls to a host that does not answer. After `threshold` failures in a row it holds back all calls for `pause`.
// Then it lets one call through as a probe: if the call succeeds, all calls may go again; if it fails, the next pause
// begins. One thread: that of the clock, which must outlive it.
class CircuitBreaker final
{
public:
    struct Settings
    {
        int threshold = 8;
        core::Milliseconds pause{10000};
    };

    CircuitBreaker(core::Clock &clock, Settings settings);

    // True if a call may go. The caller then reports its end with one of the three functions below.
    [[nodiscard]] bool tryEnter();
    void succeeded();
    void failed();
    void abandoned(); // the call ended and says nothing about the host

    // How long calls are still held back; 0 if they may go.
    [[nodiscard]] core::Milliseconds openFor() const;
    [[nodiscard]] int failures() const { return m_failures; } // in a row

private:
    core::Clock &m_clock;
    Settings m_settings;
    int m_failures = 0;
    bool m_probing = false;
    core::SteadyTime m_openUntil{};
};

} // namespace http
