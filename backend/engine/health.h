#pragma once

#include "backend/api/snapshot.h"
#include "backend/core/result.h"

#include <optional>

namespace engine {

// The health of one connection and its text. It has no clock: the caller passes wall-clock time for "since", which
// people read, and steady time for the next try.
class ConnectionHealth final
{
public:
    // A listing of queues succeeded and took this long.
    void succeeded(core::Milliseconds took);
    // Returns true when the state changed.
    bool failed(const core::Error &error, core::TimePoint now, core::SteadyTime nextTry);

    [[nodiscard]] api::Health state() const { return m_state; }
    // The broker has not answered yet; `error` says why it still waits.
    void silent(const core::Error &error);

    // "unreachable since 02:11 UTC, next try in 20 s: connection refused"; empty: no trouble.
    [[nodiscard]] QString text(core::SteadyTime now) const;

private:
    api::Health m_state = api::Health::Unknown;
    std::optional<core::TimePoint> m_since;
    core::SteadyTime m_nextTry{};
    QString m_reason;
};

} // namespace engine
