// What the brokers themselves write when they dead-letter a message. Also the fallback of every framework's dialect: its
// own headers win, what they leave open is taken from here.
#pragma once

#include "backend/dialect/table.h"

namespace dialect {

struct NativeFacts
{
    records::Destination destination;
    QString exceptionType; // "dead-letter:rejected", "MaxDeliveryCountExceeded"
    QString exceptionMessage;
    std::optional<int> attempts;
    std::optional<core::TimePoint> failedAt;
};

// As exceptionType of what a consumer on RabbitMQ rejected.
inline constexpr QLatin1StringView rejectedType("dead-letter:rejected");

// Source: rabbit/src/mc.erl record_death, mc_amqpl.erl death_table. A message fails where it was rejected. Where its time ran
// out it only waited, unless Arrival::origin names that queue; deaths in queues that frameworks use to delay are left out.
[[nodiscard]] NativeFacts rabbitFacts(const Arrival &arrival);
// Source: Microsoft, "Service Bus dead-letter queues".
[[nodiscard]] NativeFacts serviceBusFacts(const Arrival &arrival);
[[nodiscard]] NativeFacts storageQueueFacts(const Arrival &arrival);
// Source: AWS, "Using dead-letter queues in Amazon SQS".
[[nodiscard]] NativeFacts sqsFacts(const Arrival &arrival);
[[nodiscard]] NativeFacts nativeFacts(const Arrival &arrival);

[[nodiscard]] Dialect rabbitMq();
[[nodiscard]] Dialect serviceBus();

// NServiceBus, Symfony and Celery delay messages by letting them expire in queues of such names.
[[nodiscard]] bool isDelayQueue(QStringView queue);

// "orders" of "orders/$DeadLetterQueue", "topic" of "topic/Subscriptions/sub/$DeadLetterQueue"; else the name itself.
[[nodiscard]] QString withoutDeadLetterPath(const QString &queue);

} // namespace dialect
