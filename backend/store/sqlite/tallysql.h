#pragma once

#include "backend/store/messagestore.h"

namespace store {

class Database;

// MessageStore::tally, for the writing and the read-only side.
[[nodiscard]] Result<Tally> tallyOf(Database &database, const records::MessageFilter &filter, qint64 asOfChange);

[[nodiscard]] Result<QList<QueueCount>> readQueueCounts(Database &database);

} // namespace store
