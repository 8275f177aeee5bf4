#pragma once

#include "backend/core/time/clock.h"
#include "backend/store/store.h"

#include <stop_token>

namespace store {

struct RestoreCounts
{
    qint64 unknown = 0; // messages whose state becomes unknown
    qint64 ended = 0; // unfinished operations that were ended
};

// Part of the transaction that makes a restored backup a store of its own. Since the backup was made, the original
// store may have sent or settled anything that was open in it. So every operation ends without sending more, no claim
// stays alive, messages that were neither Resolved nor Archived become Unknown, no page of an intake is continued, and
// no queue is subscribed. Browsed-only records stay as they are. Cancelled: stopped; the caller rolls back.
[[nodiscard]] Result<RestoreCounts> makeUnknown(Session &session, core::TimePoint now, const std::stop_token &stop);

} // namespace store
