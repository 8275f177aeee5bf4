#pragma once

#include "backend/broker/broker.h"

namespace intake {

// When this message expires on the broker, by our clock: the earlier of the times that the message and its queue give.
// A message whose enqueue time lies in our future shows that the broker's clock runs ahead: it counts as enqueued now.
// Pure function.
[[nodiscard]] records::Expiry expiryOf(const broker::ReceivedMessage &held, const records::BrokerRetention &queue,
                                       core::TimePoint now);

} // namespace intake
