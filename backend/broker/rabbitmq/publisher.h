#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/http/managementapi.h"

namespace broker::rabbitmq {

// Publishes over HTTP with mandatory and confirm, several messages at a time. Each is sent at most once.
class Publisher final
{
public:
    explicit Publisher(ManagementApi &api);

    // One outcome for each message, in the same order. "amq.default" is the default exchange.
    [[nodiscard]] Task<QList<SendOutcome>> publish(QString exchange, QList<Outgoing> messages);

private:
    ManagementApi &m_api;
};

} // namespace broker::rabbitmq
