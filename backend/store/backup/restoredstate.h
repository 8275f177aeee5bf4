#pragma once

#include "backend/core/clock.h"
#include "backend/store/store.h"

#include <stop_token>

namespace store {

struct RestoreCounts
{
    qint64 unknown = 0; // messages whose state is unknown from now on
    qint64 ended = 0; // operations that had not ended
};

// Inside the transaction that makes a restored backup a store of its own. Since the backup was made, the store it is of may have
// sent anything that was open in it, and settled anything: so every operation ends and none of their members is sent by it, no
// claim lives on, what was not Resolved or Archived is unknown, no page is read further and no queue is followed. What was only
// looked at stays so: nothing is done with it anyway.
[[nodiscard]] Result<RestoreCounts> makeUnknown(Session &session, core::TimePoint now, const std::stop_token &stop);

} // namespace store
