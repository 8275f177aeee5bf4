#pragma once

#include "backend/api/client.h"
#include "backend/core/async.h"
#include "backend/core/timers.h"

#include <functional>

namespace commandline {

// The engine's snapshots, one after the other, for a command that waits for something to become true.
class SnapshotStream final
{
public:
    static constexpr core::Milliseconds timeout{15000}; // an engine that opens a big store takes seconds
    static constexpr core::Milliseconds moment{1000}; // some of the engine's publishing intervals

    SnapshotStream(api::EngineClient &client, core::Clock &clock);
    ~SnapshotStream();
    SnapshotStream(const SnapshotStream &) = delete;
    SnapshotStream &operator=(const SnapshotStream &) = delete;

    // The newest snapshot of an engine that is past its start; waits for it. An engine that says nothing for `patience` is
    // a Transient error.
    [[nodiscard]] core::Task<core::Result<api::SnapshotPtr>> ready();
    // One with a higher sequence; after a moment without any, the last one.
    [[nodiscard]] core::Task<core::Result<api::SnapshotPtr>> newer(quint64 sequence);
    // The next one, however long it takes; Cancelled after stop().
    [[nodiscard]] core::Task<core::Result<api::SnapshotPtr>> next();
    // Ends every wait with Cancelled.
    void stop();
    // Ends every wait, and each one that begins later, with this error: nothing more will come.
    void lose(core::Error error);
    // What was waited for when the program was asked to end.
    [[nodiscard]] static core::Error interrupted();

    [[nodiscard]] api::SnapshotPtr last() const { return m_last; }
    // Called with every snapshot as it comes: for the progress line.
    void watch(std::function<void(const api::Snapshot &)> watcher) { m_watcher = std::move(watcher); }

private:
    void take(api::SnapshotPtr snapshot);
    [[nodiscard]] core::Error endedError() const;
    core::Task<core::Result<>> rest(core::Milliseconds longest); // until the next snapshot, or this long

    api::EngineClient &m_client;
    core::Timers m_timers;
    api::SnapshotPtr m_last;
    std::function<void(const api::Snapshot &)> m_watcher;
    // Set while somebody waits for the next snapshot.
    std::optional<core::Pending<bool>> m_arrival;
    bool m_stopped = false;
    std::optional<core::Error> m_lost;
    bool m_resting = false; // Timers remembers a wake that nobody waits for
};

} // namespace commandline
