#pragma once

#include "backend/core/result.h"
#include "backend/records/event.h"

namespace store {

using core::Result;

// The activity log: who did what, when, with which result. Entries are only ever appended; each carries the hash of the
// entry before, so that a later change shows. An entry belongs to the caller's transaction (store.h): it is on the disk
// together with what it reports, or not at all. Engine thread.
class EventStore
{
public:
    EventStore() = default;
    EventStore(const EventStore &) = delete;
    EventStore &operator=(const EventStore &) = delete;
    virtual ~EventStore() = default;

    // The store assigns the sequence number and the hash; the values in `event` are ignored.
    [[nodiscard]] virtual Result<> append(const records::Event &event) = 0;
};

} // namespace store
