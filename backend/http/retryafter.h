#pragma once

#include "backend/core/time/clock.h"
#include "backend/http/httpclient.h"

namespace http {

// How long the server asks to wait in its Retry-After header, given in seconds or as a date (RFC 9110 section 10.2.3).
// At most one day; 0 if the header is missing or invalid.
[[nodiscard]] core::Milliseconds retryAfter(const Response &response, core::TimePoint now);

} // namespace http
