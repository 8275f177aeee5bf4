// What a plan says about one destination: how it is known, what could be wrong, and where its messages were published.
// Pure functions; the texts are translated and one line each.
#pragma once

#include "backend/api/requests/retryplan.h"
#include "backend/broker/exchangeroutes.h"
#include "backend/dialect/published.h"

namespace engine {

// "Known from x-death: rejected from orders, entry 2 of 3 (others: expired)." and what to do when it is not certain.
[[nodiscard]] QString whyThere(const api::PlannedDestination &planned);

// "Exchange orders-x routes orders.created to: audit, billing, orders (message 12, x-death). A retry sends only to
// orders." Nothing if it only repeats that the message was sent to this queue directly.
[[nodiscard]] std::optional<api::PlannedRoute> plannedRoute(const api::PlannedDestination &planned,
                                                            const dialect::Published &published,
                                                            const core::Result<broker::Routes> &routes);

// Why a retry to a queue that its exchange no longer leads to may be wrong: for PlanWarning::Kind::Unbound.
[[nodiscard]] QString unboundText(const api::PlannedDestination &planned);

} // namespace engine
