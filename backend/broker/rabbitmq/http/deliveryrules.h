// How the quorum queues of a broker count deliveries. The default limit is code of each node. What counts is part of the state
// that the nodes of a cluster share, so it follows the feature flags: until they are enabled, all behave as the oldest node.
#pragma once

#include <QCborArray>
#include <QString>

#include <optional>

namespace broker::rabbitmq {

struct DeliveryRules
{
    bool limitsByDefault = false; // a queue without a setting has the limit 20
    bool negativeIsNone = false; // a negative limit means none; else it is the strictest one
    bool looksAreFree = false; // a message that a look returns is counted in x-acquired-count, which has no limit

    friend bool operator==(const DeliveryRules &, const DeliveryRules &) = default;
};

// `flags`: the answer of /api/feature-flags; nothing: this account may not read them, as before RabbitMQ 4 without the tag
// "administrator". Then the version tells what it can, and looks count.
[[nodiscard]] DeliveryRules deliveryRulesOf(const std::optional<QCborArray> &flags, const QString &version);

} // namespace broker::rabbitmq
