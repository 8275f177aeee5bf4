#pragma once

#include "backend/engine/enginedependencies.h"

namespace app {

// A factory that makes the broker of a connection, each with its own HTTP client. `clock` and `random` must outlive the
// factory and its brokers. longestCall limits the duration of every HTTP call; nothing: the limit of each call applies.
[[nodiscard]] engine::BrokerFactory brokerFactory(core::Clock &clock, core::Random &random,
                                                  std::optional<core::Milliseconds> longestCall = {});

} // namespace app
