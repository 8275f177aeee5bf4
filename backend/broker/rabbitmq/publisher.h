#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/managementapi.h"

namespace broker::rabbitmq {

// Publishes over HTTP, each message with mandatory and confirm, many in flight, each sent at most once.
class Publisher final
{
public:
    explicit Publisher(ManagementApi &api);

    // One outcome per message, in order. `exchange`: "amq.default" is the default exchange.
    [[nodiscard]] Task<QList<SendOutcome>> publish(QString exchange, QList<Outgoing> messages);

private:
    ManagementApi &m_api;
};

} // namespace broker::rabbitmq
