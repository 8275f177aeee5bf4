// The scenario "orders": five services of a shop as NServiceBus endpoints. Its file:
//   { "scenario": "orders",
//     "messages": 1500, "per_second": 10,
//     "endpoints": [ {"name": "Shop.Sales", "queue": "sales", "type": "Shop.Sales.PlaceOrder", "share": 30,
//                     "concurrency": 4, "takes_ms": 40, "policy": {...}, "faults": [...],
//                     "transactions": "none",          or "receive_only", the default: endpoint.h
//                     "instances": 3,                  of the endpoint, on the same queue; default 1
//                     "delivery_counter": "memory",    of each instance; or "broker", the default
//                     "publishes": "Shop.Sales.OrderPlaced"} ],     its handlers send an event before they fail or succeed
//     "return": {"every": "15s", "policy": {...}} }
// `share`: of all messages, relative to the other endpoints. Policies are those of recovery/policyfile.h, faults those of
// scenariofile.h. "return" says what returns failed messages when nobody else does.
#pragma once

#include "backend/records/editing/jsonnode.h"
#include "backend/sandbox/nservicebus/endpoint.h"
#include "backend/sandbox/nservicebus/errorqueuereturn.h"
#include "backend/sandbox/scenariorun.h"

namespace sandbox {

struct OrdersEndpoint
{
    EndpointSettings settings;
    QString messageType;
    int share = 1;
    int instances = 1;
    QString publishes; // type of the event; empty: none
    QList<Fault> faults;
};

inline constexpr QStringView eventsQueue = u"events"; // there if some endpoint publishes

struct OrdersSettings
{
    int messages = 1000;
    int perSecond = 10;
    QList<OrdersEndpoint> endpoints;
    ReturnSettings returning;

    [[nodiscard]] bool publishes() const; // some endpoint does
};

[[nodiscard]] core::Result<std::shared_ptr<const ScenarioScript>> ordersScriptFrom(const records::JsonNode &root);

} // namespace sandbox
