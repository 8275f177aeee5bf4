#pragma once

#include "backend/core/result.h"
#include "backend/records/messages/filter.h"

#include <optional>

namespace store {

class Database;

// How many messages a filter names, from the counts that GroupCounters keeps with each change of a message: the cost is a
// row for each queue of a group, however many messages there are. Exact. For filters that name only connections, queues,
// statuses, groups of one classifier (a message is in one of them at most), and messages to leave out. Nothing: no count
// is kept for this filter. Any thread that may read the database.
[[nodiscard]] core::Result<std::optional<qint64>> keptCount(Database &database, const records::MessageFilter &filter);

} // namespace store
