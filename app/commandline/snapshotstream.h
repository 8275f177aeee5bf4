#pragma once

#include "backend/api/client.h"
#include "backend/core/async.h"
#include "backend/core/time/timers.h"

#include <functional>

namespace commandline {

// The snapshots of the engine, in order, for a command that waits for a condition. Used on the thread of the command.
class SnapshotStream final
{
public:
    static constexpr core::Milliseconds timeout{15000}; // opening a big store takes seconds
    static constexpr core::Milliseconds moment{1000}; // several publishing intervals of the engine

    SnapshotStream(api::EngineClient &client, core::Clock &clock);
    ~SnapshotStream();
    SnapshotStream(const SnapshotStream &) = delete;
    SnapshotStream &operator=(const SnapshotStream &) = delete;

    // Waits until the engine has started and returns its newest snapshot. Transient: no snapshot came within `timeout`.
    // StoreFailed: the store refuses writes. Cancelled: stop() was called.
    [[nodiscard]] core::Task<core::Result<api::SnapshotPtr>> ready();
    // Waits for a snapshot with a higher sequence; returns the last one when none comes within `moment`.
    [[nodiscard]] core::Task<core::Result<api::SnapshotPtr>> newer(quint64 sequence);
    // Waits for the next snapshot without a time limit; Cancelled after stop().
    [[nodiscard]] core::Task<core::Result<api::SnapshotPtr>> next();
    // Ends every wait with Cancelled.
    void stop();
    // Ends every wait, and every later one, with this error, because no more snapshots will come.
    void lose(core::Error error);
    // The error of a wait that ends because the program was interrupted.
    [[nodiscard]] static core::Error interrupted();

    [[nodiscard]] api::SnapshotPtr last() const { return m_last; }
    // Sets the function that is called with every snapshot, for the progress line.
    void watch(std::function<void(const api::Snapshot &)> watcher) { m_watcher = std::move(watcher); }

private:
    void take(api::SnapshotPtr snapshot);
    [[nodiscard]] core::Error endedError() const;
    core::Task<core::Result<>> rest(core::Milliseconds longest); // until the next snapshot, at most this long

    api::EngineClient &m_client;
    core::Timers m_timers;
    api::SnapshotPtr m_last;
    std::function<void(const api::Snapshot &)> m_watcher;
    // Set while next() waits.
    std::optional<core::Pending<bool>> m_arrival;
    bool m_stopped = false;
    std::optional<core::Error> m_lost;
    bool m_resting = false; // because Timers keeps a wake-up that comes without a sleeper
};

} // namespace commandline
