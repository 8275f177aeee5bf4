// The XML of Storage Queues. All that is read is hostile: bounded, without document types and entities of its own.
#pragma once

#include "backend/core/clock.h"
#include "backend/core/result.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace broker::azurequeue {

inline constexpr int mostPerCall = 32; // messages of one call, a bound of the service
inline constexpr int mostNames = 5000; // in one page of queue names, likewise

// One entry of the answer to get or peek.
struct QueuedMessage
{
    QString id; // empty: it came without one, or cannot be read, and cannot be told from others
    QString popReceipt; // empty: only peeked
    QString text;
    int dequeueCount = 0; // the call that brought it included
    std::optional<core::TimePoint> inserted;
    std::optional<core::TimePoint> expires; // nothing: never
    bool damaged = false; // held what no text can hold
};

struct QueueNames
{
    QStringList names;
    QByteArray next; // the marker that brings the next page; empty: this was the last
};

// What an error answer says: "QueueNotFound", and one line for people.
struct ServiceError
{
    QString code;
    QString words;
};

// One that cannot be read comes without an id, where others can be.
[[nodiscard]] core::Result<QList<QueuedMessage>> messagesFrom(const QByteArray &xml);
[[nodiscard]] core::Result<QueueNames> queueNamesFrom(const QByteArray &xml);
[[nodiscard]] ServiceError serviceErrorFrom(const QByteArray &xml);

// The body of a put. Every character arrives as it is, those that XML knows no form for as references, as other senders
// write them: whether they are taken is up to the service.
[[nodiscard]] QByteArray messageXml(QStringView text);

} // namespace broker::azurequeue
