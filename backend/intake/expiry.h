#pragma once

#include "backend/broker/broker.h"

namespace intake {

// When the broker throws this message away, from what it and its queue say, by our clock. The earlier end of the two
// counts. A message that was put into its queue in what is the future for us tells that the broker's clock runs ahead: then
// it has lain there for no time yet, as its time of failure is no later than now either.
[[nodiscard]] records::Expiry expiryOf(const broker::ReceivedMessage &held, const records::BrokerRetention &queue,
                                       core::TimePoint now);

} // namespace intake
