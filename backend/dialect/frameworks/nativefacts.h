// What brokers themselves write when they dead-letter a message. Every dialect of a framework falls back on it for
// facts that the headers of the framework do not give.
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

// The exceptionType of a message that a consumer on RabbitMQ rejected.
inline constexpr QLatin1StringView rejectedType("dead-letter:rejected");

// Source: rabbit/src/mc.erl record_death, mc_amqpl.erl death_table. A message failed in the queue in which it was
// rejected. In a queue in which it expired it only waited, unless Arrival::origin names that queue. Delay queues of
// frameworks are ignored.
[[nodiscard]] NativeFacts rabbitFacts(const Arrival &arrival);
// Source: Microsoft, "Service Bus dead-letter queues".
[[nodiscard]] NativeFacts serviceBusFacts(const Arrival &arrival);
[[nodiscard]] NativeFacts storageQueueFacts(const Arrival &arrival);
// Source: AWS, "Using dead-letter queues in Amazon SQS".
[[nodiscard]] NativeFacts sqsFacts(const Arrival &arrival);
[[nodiscard]] NativeFacts nativeFacts(const Arrival &arrival);

[[nodiscard]] Dialect rabbitMq();
[[nodiscard]] Dialect serviceBus();

// "orders" for "orders/$DeadLetterQueue", "topic" for "topic/Subscriptions/sub/$DeadLetterQueue", else the name itself.
[[nodiscard]] QString withoutDeadLetterPath(const QString &queue);

} // namespace dialect
