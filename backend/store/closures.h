// One more way for a claim to end, in a header of its own for those few who must know it.
#pragma once

#include "backend/store/retryrecords.h"

namespace store {

// A backup was restored: whether the message was sent, and what came of it, is not known. A doubt ends with it, too, because
// the message itself carries it from then on. Written as any other; a possible duplicate.
inline constexpr Closure closedByRestore = Closure(int(Closure::Quiet) + 1); // stored as 6

} // namespace store
