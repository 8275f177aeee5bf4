#pragma once

#include "backend/store/messages/messagestore.h"

namespace store {

class Database;

// MessageStore::slice.
[[nodiscard]] Result<Slice> sliceOf(Database &database, const records::MessageFilter &filter, const SliceEnd &after,
                                    int limit);

} // namespace store
