#pragma once

#include "backend/broker/broker.h"

#include <QJsonObject>

namespace broker::sqs {

inline constexpr int mostAttributes = 10; // of one message, a bound of the service
inline constexpr qsizetype mostBytes = 1024 * 1024; // of one message, and of one call

// Between our envelopes and a message of SQS. Attributes are headers: String is text, Binary is bytes, a Number is an integer
// where it is written as one. Where that does not tell the type ("Number" of "1.50", "String.json"), the property
// "DataType.NAME" does. System attributes are properties. A body that is no text is kept as an empty one, not faithful; without an
// id or a receipt a message can be neither kept nor removed: Corrupt.
[[nodiscard]] core::Result<ReceivedMessage> heldFrom(const QJsonObject &message);

// One entry of SendMessageBatch, without its id, and what the service counts as its size.
struct Entry
{
    QJsonObject json;
    qint64 bytes = 0;
};
// Rejected: what SQS does not carry.
[[nodiscard]] core::Result<Entry> entryFrom(const Outgoing &message);

[[nodiscard]] bool isFifo(const QString &queue);
// "orders" of "arn:aws:sqs:eu-west-1:123456789012:orders" and of "https://host/123456789012/orders"; empty: no name of a queue.
[[nodiscard]] QString queueNameOf(const QString &address);
[[nodiscard]] bool isQueueName(const QString &name);

} // namespace broker::sqs
