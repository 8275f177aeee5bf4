#pragma once

#include "backend/broker/broker.h"
#include "backend/http/httpclient.h"

#include <QJsonObject>

namespace broker {

// Converts between our envelopes and the messages of Service Bus REST. Envelope::properties holds the broker's own
// names: MessageId, CorrelationId, Label, To, ReplyTo, SessionId, ReplyToSessionId, PartitionKey, TimeToLive (seconds),
// ContentType; of a message to send also ScheduledEnqueueTimeUtc (a date as in HTTP or ISO 8601), before which nobody
// receives it.

// Reads a received message. settleToken is the path of its lock, empty if there is none. Corrupt: it is not a message.
[[nodiscard]] core::Result<ReceivedMessage> heldFrom(const http::Response &response, const QString &queue);
// One entry of the embedded broker's browse extension.
[[nodiscard]] ReceivedMessage heldFromBrowse(const QJsonObject &entry, const QString &queue);
// The position of the message in its queue: its sequence number.
[[nodiscard]] qint64 sequenceOf(const ReceivedMessage &held);
[[nodiscard]] qint64 sequenceIn(const QString &nativeId);
// How long the lock of a message lasts from its answer on: the difference of two times of the server, so a wrong clock
// of this machine does not matter. `now`: for a server that sends no time, such as the embedded broker. `fallback`: if
// the answer does not say when the lock expires.
[[nodiscard]] core::Milliseconds lockLeft(const http::Response &response, core::TimePoint now,
                                          core::Milliseconds fallback);

// Sets ScheduledEnqueueTimeUtc. It has whole seconds, so it is rounded up: the message never comes too early.
void setScheduled(records::Envelope &envelope, core::TimePoint at);

// Whether HTTP headers can carry the message unchanged; if not, only the batch form can.
[[nodiscard]] bool fitsSingleForm(const records::Envelope &envelope);
[[nodiscard]] QList<http::HeaderField> singleHeaders(const records::Envelope &envelope);

// One member of application/vnd.microsoft.servicebus.json. Rejected: a header has a type that JSON cannot carry.
[[nodiscard]] core::Result<QByteArray> batchMember(const records::Envelope &envelope);

} // namespace broker
