#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"

#include <vector>

namespace broker::rabbitmq {

// Waits for calls that are independent of each other. They run from the moment they are created. Returns the first
// error in their order, after all have ended.
[[nodiscard]] inline core::Task<core::Result<>> whenAll(std::vector<core::Task<core::Result<>>> calls)
{
    core::Result<> all;
    for (const core::Task<core::Result<>> &call : calls) {
        const core::Result<> done = co_await call;
        if (!done && all)
            all = done;
    }
    co_return all;
}

} // namespace broker::rabbitmq
