#pragma once

#include "backend/api/snapshot.h"
#include "backend/core/result.h"

#include <optional>

namespace engine {

// What is known of one connection's health, and how it is said. Pure values; the owner supplies the time: since when on the wall
// clock, which people read, and until when as a duration.
class ConnectionHealth final
{
public:
    // A call to the broker ended well after `took`.
    void succeeded(core::Milliseconds took);
    // Returns true when the state or its words changed.
    bool failed(const core::Error &error, core::TimePoint now, core::SteadyTime nextTry);

    [[nodiscard]] api::Health state() const { return m_state; }
    // It has not answered yet, and here is why one still waits.
    void silent(const core::Error &error);

    // "unreachable since 02:11 UTC, next try in 20 s: connection refused"; empty when fine.
    [[nodiscard]] QString text(core::SteadyTime now) const;

private:
    api::Health m_state = api::Health::Unknown;
    std::optional<core::TimePoint> m_since;
    core::SteadyTime m_nextTry{};
    QString m_reason;
};

} // namespace engine
