#include "backend/engine/planning/planroutes.h"

#include "backend/engine/planning/destinationtext.h"
#include "backend/store/messages/messagestore.h"

namespace engine {

namespace {

constexpr qsizetype mostKnown = 500;

// In the order in which the dialog shows them.
QList<api::PlannedDestination *> rowsOf(api::PlanPreview *preview)
{
    QList<api::PlannedDestination *> rows;
    for (QList<api::PlannedDestination> *part : {&preview->destinations, &preview->missingDestinations}) {
        for (api::PlannedDestination &planned : *part)
            rows.append(&planned);
    }
    if (preview->unknown.count > 0)
        rows.append(&preview->unknown);
    return rows;
}

} // namespace

PlanRoutes::PlanRoutes(store::Store &store, core::Clock &clock)
    : m_store(store)
    , m_clock(clock)
{
}

core::Task<> PlanRoutes::addTo(api::PlanPreview *preview, std::shared_ptr<ConnectionRuntime> runtime)
{
    if (runtime->exchanges() == nullptr || !runtime->isKnown())
        co_return;
    const QList<api::PlannedDestination *> rows = rowsOf(preview);
    for (api::PlannedDestination *planned : rows.mid(0, mostDestinations)) {
        co_await addTo(planned, runtime, preview);
        if (planned->route && planned->route->isUnbound && !planned->insteadOf)
            preview->warnings.append({api::PlanWarning::Kind::Unbound, planned->count, unboundText(*planned)});
    }
}

core::Task<> PlanRoutes::addTo(api::PlannedDestination *planned, std::shared_ptr<ConnectionRuntime> runtime,
                               const api::PlanPreview *preview)
{
    const std::optional<dialect::Published> published = publishedOf(*planned);
    if (!published)
        co_return;
    const core::Result<broker::Routes> routes = co_await routesOf(runtime, *published);
    planned->route = plannedRoute(*planned, *published, routes);
    if (!routes)
        co_return;
    for (const QString &queue : routes->queues) {
        if (preview->targets.contains(queue) && queue != planned->origin())
            planned->choices.append(queue);
    }
}

// A message that was removed meanwhile, or cannot be read, says nothing.
std::optional<dialect::Published> PlanRoutes::publishedOf(const api::PlannedDestination &planned)
{
    if (!planned.example.isValid())
        return std::nullopt;
    const auto original = m_store.read<store::Original>(
        [&planned](store::Session &session) { return session.messages().loadOriginal(planned.example); });
    if (!original)
        return std::nullopt;
    return dialect::publishedTo(original->dialect, original->envelope, planned.origin());
}

core::Task<core::Result<broker::Routes>> PlanRoutes::routesOf(std::shared_ptr<ConnectionRuntime> runtime,
                                                              dialect::Published published)
{
    const QStringList parts = QStringList{runtime->connection().url.toString(), published.exchange} + published.keys;
    const QString key = parts.join(QChar(0));
    const auto known = m_known.constFind(key);
    if (known != m_known.cend() && m_clock.steady() < known->until)
        co_return known->routes;
    const core::Result<broker::Routes> routes = co_await runtime->routesOf(published.exchange, published.keys);
    if (m_known.size() >= mostKnown)
        m_known.clear();
    m_known.insert(key, {routes, m_clock.steady() + rememberedFor});
    co_return routes;
}

} // namespace engine
