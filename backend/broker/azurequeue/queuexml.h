// Reads and writes the XML of Storage Queues. Everything that is read may be hostile: lengths are limited; document
// types and own entities are refused.
#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace broker::azurequeue {

inline constexpr int mostPerCall = 32; // messages in one call; a limit of the service
inline constexpr int mostNames = 5000; // names in one page; a limit of the service

// One message of the answer to get or peek.
struct QueuedMessage
{
    QString id; // empty: the message has none or cannot be read, so it cannot be told from others
    QString popReceipt; // empty: the message was only peeked
    QString text;
    int dequeueCount = 0; // including the call that brought it
    std::optional<core::TimePoint> inserted;
    std::optional<core::TimePoint> expires; // nothing: never
    bool damaged = false; // the text had characters that no text can hold; they were replaced
};

struct QueueNames
{
    QStringList names;
    QByteArray next; // marker of the next page; empty: this is the last one
};

// An error answer: its code, "QueueNotFound", and one line for people without secrets.
struct ServiceError
{
    QString code;
    QString words;
};

// The messages of an answer. A message that cannot be read has no id, if others can be read. Corrupt: nothing can be
// read.
[[nodiscard]] core::Result<QList<QueuedMessage>> messagesFrom(const QByteArray &xml);
[[nodiscard]] core::Result<QueueNames> queueNamesFrom(const QByteArray &xml);
[[nodiscard]] ServiceError serviceErrorFrom(const QByteArray &xml);

// The body of a put. Every character arrives as it is: characters that XML does not allow are written as references, as
// other senders do. The service decides whether it accepts them.
[[nodiscard]] QByteArray messageXml(QStringView text);

} // namespace broker::azurequeue
