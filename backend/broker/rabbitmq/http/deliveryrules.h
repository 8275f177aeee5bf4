// How the quorum queues of a broker count deliveries, by its feature flags: a cluster whose nodes differ behaves as the oldest
// one until the flags are enabled.
#pragma once

#include <QCborArray>
#include <QString>

#include <optional>

namespace broker::rabbitmq {

struct DeliveryRules
{
    bool limitsByDefault = false; // a queue without a setting has the limit 20, and a negative one means none
    bool looksAreFree = false; // a message that a look returns is counted in x-acquired-count, which has no limit

    friend bool operator==(const DeliveryRules &, const DeliveryRules &) = default;
};

// `flags`: the answer of /api/feature-flags; nothing: this account may not read them, as before RabbitMQ 4 without the tag
// "administrator". Then the version tells what it can, and looks count.
[[nodiscard]] DeliveryRules deliveryRulesOf(const std::optional<QCborArray> &flags, const QString &version);

} // namespace broker::rabbitmq
