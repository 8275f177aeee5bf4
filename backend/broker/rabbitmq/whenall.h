#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"

#include <vector>

namespace broker::rabbitmq {

// For calls that do not need each other's outcome. They run from the moment they are made; this ends when all have ended, with
// the first error in their order.
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
