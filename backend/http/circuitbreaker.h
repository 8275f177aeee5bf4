#pragma once

#include "backend/core/clock.h"

namespace http {

// Stops calls to a host that does not answer: after `threshold` failures in a row it is open for `pause`, then lets one
// call through to look; that call's outcome closes it or opens it again.
class CircuitBreaker final
{
public:
    struct Settings
    {
        int threshold = 8;
        core::Milliseconds pause{10000};
    };

    CircuitBreaker(core::Clock &clock, Settings settings);

    // True: the call may go, and must be followed by one of the three below.
    [[nodiscard]] bool tryEnter();
    void succeeded();
    void failed();
    void abandoned(); // ended without telling anything about the host

    // How long it stays open; 0 when calls may go.
    [[nodiscard]] core::Milliseconds openFor() const;
    [[nodiscard]] int failures() const { return m_failures; }

private:
    core::Clock &m_clock;
    Settings m_settings;
    int m_failures = 0;
    bool m_probing = false;
    core::SteadyTime m_openUntil{};
};

} // namespace http
