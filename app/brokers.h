#pragma once

#include "backend/engine/enginedependencies.h"
#include "backend/http/permittedclient.h"
#include "backend/sandbox/simulation.h"

namespace app {

// A factory that makes the broker of a connection, each with its own HTTP client. `clock` and `random` must outlive the
// factory and its brokers. longestCall limits the duration of every HTTP call; nothing: the limit of each call applies.
// mayCall: see PermittedClient.
[[nodiscard]] engine::BrokerFactory brokerFactory(core::Clock &clock, core::Random &random,
                                                  std::optional<core::Milliseconds> longestCall = {},
                                                  http::PermittedClient::MayCall mayCall = {});

// A client of the broker of a simulation. It must not outlive the simulation.
[[nodiscard]] std::shared_ptr<broker::Broker> simulatedBroker(sandbox::Simulation &simulation);

} // namespace app
