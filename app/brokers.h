#pragma once

#include "backend/engine/enginedependencies.h"

namespace app {

// Makes the broker of a connection with an HTTP client of its own. Clock and random outlive what it makes. No call is waited for
// longer than longestCall.
[[nodiscard]] engine::BrokerFactory brokerFactory(core::Clock &clock, core::Random &random,
                                                  std::optional<core::Milliseconds> longestCall = {});

} // namespace app
