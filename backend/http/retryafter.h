#pragma once

#include "backend/core/clock.h"
#include "backend/http/httpclient.h"

namespace http {

// The wish of Retry-After, in seconds or as a date (RFC 9110 section 10.2.3); 0 when absent or unreadable, at most a day.
[[nodiscard]] core::Milliseconds retryAfter(const Response &response, core::TimePoint now);

} // namespace http
