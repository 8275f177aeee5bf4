#pragma once

#include "backend/broker/servicebus/endpoint.h"
#include "backend/broker/servicebus/queuefeed.h"

namespace broker {

// What a namespace has, as its management answers tell.
struct Catalog
{
    QList<FeedQueue> entities; // topics before their subscriptions
    bool refused = false; // the key has no Manage right: nothing is told
    bool complete = true; // else its pages led in a circle, or brought something else
};

// Azure's own words: "Manage,EntityRead claims required for this operation."
[[nodiscard]] bool lacksManageRight(const http::Response &answer);
[[nodiscard]] core::Error cannotList(const Endpoint &endpoint, const http::Response &answer);
// All queues, topics and subscriptions, page by page. `endpoint` outlives the call.
[[nodiscard]] core::Task<core::Result<Catalog>> readCatalog(Endpoint &endpoint);

} // namespace broker
