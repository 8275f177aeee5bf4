#pragma once

#include "backend/http/retryingclient.h"

namespace support {

// Nothing is held back, and nothing is repeated unless `tries` says so: the tests count.
inline http::RetrySettings sendOnce(int tries = 1)
{
    using core::Milliseconds;
    http::RetrySettings settings;
    settings.policy.immediate = 0;
    settings.policy.delayed = tries - 1;
    settings.policy.schedule.first = Milliseconds{1};
    settings.policy.schedule.cap = Milliseconds{1};
    settings.probing = {.after = 1000, .wait = Milliseconds{1}};
    return settings;
}

} // namespace support
