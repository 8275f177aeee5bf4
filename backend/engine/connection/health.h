#pragma once

#include "backend/api/snapshot.h"
#include "backend/core/result.h"

#include <optional>

namespace engine {

// The health of one connection and its text, with times of the wall clock, because people read them. It has no clock.
class ConnectionHealth final
{
public:
    // A listing of queues succeeded and took this long.
    void succeeded(core::Milliseconds took);
    // Returns true when the state changed.
    bool failed(const core::Error &error, core::TimePoint now, core::TimePoint nextTry);

    [[nodiscard]] api::Health state() const { return m_state; }
    // The broker has not answered yet; `error` says why it still waits.
    void silent(const core::Error &error);

    // "unreachable since 02:11, next try at 02:12:20 UTC: connection refused"; empty: no trouble.
    [[nodiscard]] QString text() const;
    // The same without the next try, where another text names it.
    [[nodiscard]] QString textWithoutNextTry() const;
    // Nothing: the last listing succeeded, or there was none.
    [[nodiscard]] std::optional<core::TimePoint> nextTry() const { return m_since ? m_nextTry : std::nullopt; }

private:
    [[nodiscard]] QString stateText() const; // "unreachable"

    api::Health m_state = api::Health::Unknown;
    std::optional<core::TimePoint> m_since;
    std::optional<core::TimePoint> m_nextTry;
    QString m_reason;
};

struct KnownHealth
{
    api::Health state = api::Health::Unknown;
    QString text;
};

// The worst that is known of a broker. A listing that waits for its answer says nothing yet, but other calls may have
// failed meanwhile. `failingShare`: percentage of the requests of the last minutes.
[[nodiscard]] KnownHealth worstOf(const ConnectionHealth &listed, const records::CircuitBreaker &calls,
                                  int failingShare);

// What Redrive does while it holds calls back, with the time of the next try, and what ends it. Empty: calls go as usual.
[[nodiscard]] QString breakerText(const records::CircuitBreaker &breaker);

} // namespace engine
