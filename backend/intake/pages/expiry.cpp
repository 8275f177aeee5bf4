#include "backend/intake/pages/expiry.h"

#include <algorithm>

namespace intake {

using records::BrokerRetention;
using records::Expiry;

namespace {

// Longer than anybody waits, and short enough to be added to a time. A longer value, perhaps from a hostile broker,
// means "never".
constexpr core::Milliseconds forEver = std::chrono::hours(24 * 365 * 100);

bool isLimited(const BrokerRetention &retention)
{
    return retention.known == BrokerRetention::Known::Limited && retention.keeps < forEver;
}

bool isForEver(const BrokerRetention &retention)
{
    return retention.known == BrokerRetention::Known::Forever
           || (retention.known == BrokerRetention::Known::Limited && retention.keeps >= forEver);
}

} // namespace

Expiry expiryOf(const broker::ReceivedMessage &held, const BrokerRetention &queue, core::TimePoint now)
{
    std::optional<core::Milliseconds> keeps;
    for (const BrokerRetention *one : {&held.retention, &queue}) {
        if (isLimited(*one))
            keeps = std::min(keeps.value_or(forEver), std::max(one->keeps, core::Milliseconds{0}));
    }
    if (!keeps)
        return {isForEver(held.retention) || isForEver(queue) ? Expiry::Known::Never : Expiry::Known::No, {}};
    if (!held.enqueuedAt)
        return {Expiry::Known::Latest, now + *keeps};
    return {Expiry::Known::At, std::min(*held.enqueuedAt, now) + *keeps};
}

} // namespace intake
