#pragma once

#include "backend/core/result.h"
#include "backend/records/event.h"

namespace store {

using core::Result;

// The audit trail. Append-only.
class EventStore
{
public:
    EventStore() = default;
    EventStore(const EventStore &) = delete;
    EventStore &operator=(const EventStore &) = delete;
    virtual ~EventStore() = default;

    // The sequence number is given by the store.
    [[nodiscard]] virtual Result<> append(const records::Event &event) = 0;
};

} // namespace store
