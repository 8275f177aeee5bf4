#pragma once

#include "backend/broker/broker.h"

#include <QJsonObject>

namespace broker::sqs {

inline constexpr int mostAttributes = 10; // of one message; a limit of the service
inline constexpr qsizetype mostBytes = 1024 * 1024; // of one message, and of one call; a limit of the service

// Reads a message of SQS. Attributes become headers: String is text, Binary is bytes, a Number is an integer if it is
// written as one. If that does not tell the type ("Number" of "1.50", "String.json"), the property "DataType.NAME"
// does. System attributes become properties. A body that is not text is kept empty and notFaithful. Corrupt: without an
// id or a receipt the message can be neither stored nor removed.
[[nodiscard]] core::Result<ReceivedMessage> heldFrom(const QJsonObject &message);

// One entry of SendMessageBatch without its id, and its size as the service counts it.
struct Entry
{
    QJsonObject json;
    qint64 bytes = 0;
};
// Rejected: SQS cannot carry the message; the error says why. `now`: the delay is counted from it.
[[nodiscard]] core::Result<Entry> entryFrom(const Outgoing &message, core::TimePoint now);

// DelaySeconds of one message: at most 15 minutes. In a FIFO queue only the whole queue can have a delay. Source: SQS API
// Reference, SendMessage.
inline constexpr core::Milliseconds longestDelay = std::chrono::minutes(15);
[[nodiscard]] core::Milliseconds longestDelayOf(const QString &queue);

[[nodiscard]] bool isFifo(const QString &queue);
// "orders" for "arn:aws:sqs:eu-west-1:123456789012:orders" and for "https://host/123456789012/orders"; empty: not the
// address of a queue.
[[nodiscard]] QString queueNameOf(const QString &address);
[[nodiscard]] bool isQueueName(const QString &name);

} // namespace broker::sqs
