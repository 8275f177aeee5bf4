#pragma once

#include "backend/core/result.h"
#include "backend/records/event.h"

namespace store {

using core::Result;

class Database;

// The activity log: who did what, when, with which result. Entries are only ever appended; each carries the hash of the
// entry before, so that a later change shows. An entry belongs to the caller's transaction (store.h): it is on the disk
// together with what it reports, or not at all. Engine thread.
class EventStore final
{
public:
    explicit EventStore(Database &database);
    EventStore(const EventStore &) = delete;
    EventStore &operator=(const EventStore &) = delete;

    // The store assigns the sequence number and the hash; the values in `event` are ignored.
    [[nodiscard]] Result<> append(const records::Event &event);

private:
    Database &m_database;
};

// SHA-256 over the previous hash and the fields of the entry: a changed, removed or inserted entry breaks the chain.
[[nodiscard]] QByteArray eventHash(const QByteArray &before, const records::Event &event);

} // namespace store
