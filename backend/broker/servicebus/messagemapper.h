#pragma once

#include "backend/broker/broker.h"
#include "backend/http/httpclient.h"

#include <QJsonObject>

namespace broker {

// Between our envelopes and what Service Bus REST carries. Envelope::properties holds the broker's own names: MessageId,
// CorrelationId, Label, To, ReplyTo, SessionId, ReplyToSessionId, PartitionKey, TimeToLive (seconds), ContentType.

// A received message; Corrupt when it is not one. settleToken is the path of its lock, empty when there is none.
[[nodiscard]] core::Result<ReceivedMessage> heldFrom(const http::Response &response, const QString &queue);
// One entry of the embedded broker's browse extension.
[[nodiscard]] ReceivedMessage heldFromBrowse(const QJsonObject &entry, const QString &queue);
// Where it stands in its queue.
[[nodiscard]] qint64 sequenceOf(const ReceivedMessage &held);
// For how long a peek-locked message is ours, from its answer on: the difference of two times of the server, so that it does not
// matter how far this machine's clock is off. `now`: for a server that tells no time, as the embedded broker. `fallback`: where
// the answer does not say when the lock ends.
[[nodiscard]] core::Milliseconds lockLeft(const http::Response &response, core::TimePoint now,
                                          core::Milliseconds fallback);

// Whether headers of HTTP can carry the message as it is; if not, only the batch form can.
[[nodiscard]] bool fitsSingleForm(const records::Envelope &envelope);
[[nodiscard]] QList<http::HeaderField> singleHeaders(const records::Envelope &envelope);

// One member of application/vnd.microsoft.servicebus.json; an error of kind Rejected when a header has a kind that cannot
// be carried.
[[nodiscard]] core::Result<QByteArray> batchMember(const records::Envelope &envelope);

} // namespace broker
