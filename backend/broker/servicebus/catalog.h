#pragma once

#include "backend/broker/servicebus/endpoint.h"
#include "backend/broker/servicebus/queuefeed.h"

namespace broker {

// The queues, topics and subscriptions of a namespace, as its management answers list them.
struct Catalog
{
    QList<FeedQueue> entities; // topics before their subscriptions
    bool refused = false; // the key has no Manage right, so nothing is listed
    bool complete = true; // false: the pages lead in a circle, or list something else
};

// Recognises Azure's words: "Manage,EntityRead claims required for this operation."
[[nodiscard]] bool lacksManageRight(const http::Response &answer);
[[nodiscard]] core::Error cannotList(const Endpoint &endpoint, const http::Response &answer);
// Lists all queues, topics and subscriptions, page by page. `endpoint` outlives the call. A missing Manage right is no
// error: see Catalog::refused.
[[nodiscard]] core::Task<core::Result<Catalog>> readCatalog(Endpoint &endpoint);

} // namespace broker
