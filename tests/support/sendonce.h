#pragma once

#include "backend/http/retryingclient.h"

namespace support {

// Nothing is held back, and nothing is repeated unless `tries` says so: the tests count.
inline http::RetrySettings sendOnce(int tries = 1)
{
    using core::Milliseconds;
    return {tries, Milliseconds{1}, Milliseconds{1}, 10, 0.25, Milliseconds{60000}, {1000, Milliseconds{1}}};
}

} // namespace support
