#pragma once

#include "backend/api/requests/retryplan.h"
#include "backend/core/time/clock.h"
#include "backend/dialect/published.h"
#include "backend/engine/connection/connectionruntime.h"

#include <QHash>

namespace engine {

// Adds to a plan where its messages were published and where the exchanges lead now, as one message of each destination
// says. Asks the broker about a few exchanges at most, and remembers the answers for half a minute, because a person who
// changes a plan asks for it again and again. No error ends a preview: what is unknown is said. Engine thread; outlives
// its tasks.
class PlanRoutes final
{
public:
    static constexpr qsizetype mostDestinations = 20; // of one plan that are looked at
    static constexpr core::Milliseconds rememberedFor{30'000};

    PlanRoutes(store::Store &store, core::Clock &clock);

    // Sets route, choices and the warnings about missing bindings. The preview outlives the task.
    [[nodiscard]] core::Task<> addTo(api::PlanPreview *preview, std::shared_ptr<ConnectionRuntime> runtime);

private:
    struct Known
    {
        core::Result<broker::Routes> routes;
        core::SteadyTime until{};
    };
    [[nodiscard]] core::Task<> addTo(api::PlannedDestination *planned, std::shared_ptr<ConnectionRuntime> runtime,
                                     const api::PlanPreview *preview);
    [[nodiscard]] std::optional<dialect::Published> publishedOf(const api::PlannedDestination &planned);
    [[nodiscard]] core::Task<core::Result<broker::Routes>> routesOf(std::shared_ptr<ConnectionRuntime> runtime,
                                                                    dialect::Published published);

    store::Store &m_store;
    core::Clock &m_clock;
    QHash<QString, Known> m_known; // by broker, exchange and keys
};

} // namespace engine
