#pragma once

#include "backend/api/snapshot.h"
#include "backend/core/time/clock.h"

#include <functional>
#include <map>

namespace engine {

// Decides when a snapshot is made and who gets it: at most one per limits::snapshotInterval, and for each subscriber
// only after it acknowledged the last one. A slow subscriber skips snapshots and gets the newest. Engine thread.
class SnapshotPublisher final
{
public:
    using Subscriber = quint64;
    using Make = std::function<api::SnapshotPtr(quint64 sequence)>;
    using Deliver = std::function<void(api::SnapshotPtr)>; // must not call acknowledge from inside

    SnapshotPublisher(core::Clock &clock, Make make);
    ~SnapshotPublisher();
    SnapshotPublisher(const SnapshotPublisher &) = delete;
    SnapshotPublisher &operator=(const SnapshotPublisher &) = delete;

    // The first snapshot comes at once, from the event loop.
    Subscriber subscribe(Deliver deliver);
    void unsubscribe(Subscriber subscriber);
    void acknowledge(Subscriber subscriber);

    // Something in the snapshot changed.
    void touch();
    // Publishes changes now; a subscriber with a snapshot in flight gets them when it acknowledges.
    void flush();

private:
    struct Entry
    {
        Deliver deliver;
        bool inFlight = false;
        bool overdue = false; // flushed while it was in flight
        quint64 seen = 0; // the version it got last
    };
    void schedule();
    void publish();

    core::Clock &m_clock;
    Make m_make;
    std::map<Subscriber, Entry> m_subscribers;
    Subscriber m_last = 0;
    quint64 m_version = 1; // grows with touch
    quint64 m_sequence = 0;
    std::optional<core::SteadyTime> m_published;
    core::Clock::Ticket m_ticket = 0;
};

} // namespace engine
