#include "backend/http/retryafter.h"

#include "backend/core/time/httpdate.h"

#include <algorithm>
#include <optional>

namespace http {

core::Milliseconds retryAfter(const Response &response, core::TimePoint now)
{
    constexpr core::Milliseconds day = std::chrono::hours{24};
    const QByteArray value = response.header("Retry-After").trimmed();
    bool isNumber = false;
    const qint64 seconds = value.toLongLong(&isNumber);
    if (isNumber)
        return core::Milliseconds{std::clamp(seconds, qint64{0}, qint64{86400}) * 1000};
    const std::optional<core::TimePoint> date = core::fromHttpDate(value);
    return date ? std::clamp(*date - now, core::Milliseconds{0}, day) : core::Milliseconds{0};
}

} // namespace http
