#include "backend/recovery/delivery.h"

namespace recovery {

Delivery deliveryOf(const Policy &policy, const Decision &decision, core::TimePoint from, core::TimePoint now,
                    core::Milliseconds longest)
{
    if (decision.what != Decision::Do::RetryAt)
        return {.sendAt = from, .deliverAt = std::nullopt};
    const bool isFuture = decision.at > now;
    if (policy.waitAt != WaitAt::Broker || !isFuture || decision.at - now > longest)
        return {.sendAt = decision.at, .deliverAt = std::nullopt};
    return {.sendAt = from, .deliverAt = decision.at};
}

} // namespace recovery
