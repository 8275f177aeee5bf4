// Who counts the deliveries of a message. Where the broker does, all instances of a consumer see the same number; otherwise
// each counts for itself, so a message can be tried once more by each. Sources: NServiceBus, "Scale-out multiplier"; Azure
// Service Bus and Azure Functions, maximum delivery count; Amazon SQS, maxReceiveCount.
#pragma once

#include "backend/records/connection.h"
#include "backend/recovery/attemptplan.h"

namespace recovery {

struct DeliveryCounter
{
    records::BrokerKind broker = records::BrokerKind::RabbitMq;
    QString dialect; // as it is stored with messages
    QString counter; // its name at the broker; empty: none that this framework goes by

    friend bool operator==(const DeliveryCounter &, const DeliveryCounter &) = default;
};

// What is known. Any thread.
[[nodiscard]] const QList<DeliveryCounter> &deliveryCounters();
inline constexpr QStringView dialectOfRetries = u"NServiceBus"; // immediate and delayed retries are its words

// Of a plan on one broker.
struct AttemptBound
{
    DeliveryCounter at;
    qint64 attempts = 1; // the most: multiplied by the instances where there is no counter, or none is known

    friend bool operator==(const AttemptBound &, const AttemptBound &) = default;
};
[[nodiscard]] QList<AttemptBound> boundsOf(const AttemptPlan &plan, const QList<records::BrokerKind> &brokers,
                                           const QString &dialect = dialectOfRetries.toString());
[[nodiscard]] QList<records::BrokerKind> allBrokers();

// One or two sentences: on which broker the instances multiply the attempts, and on which they do not.
[[nodiscard]] QString textOf(const QList<AttemptBound> &bounds, int instances);

} // namespace recovery
