// Makes the copy that is sent back. Pure functions, any thread.
#pragma once

#include "backend/records/connection.h"
#include "backend/records/message.h"
#include "backend/records/retry.h"
#include "backend/records/stamp.h"

namespace retry {

// Removes what a transport must not get back, whatever the dialect: CC and BCC would deliver to more queues, user_id is
// refused for another login, an expiration would drop the copy on its way, a transient copy is lost with the broker,
// and locks, sequence numbers and enqueue times belong to the broker. This is the only place that removes them.
[[nodiscard]] records::Envelope forTransport(records::BrokerKind broker, records::Envelope envelope);

// What a message follows: its dialect, and those conventions of one's own with which it was read.
struct MessageFormat
{
    QString dialect;
    records::Conventions conventions{};
};

// The content to send, without our stamp. Retry: without the failure headers of its dialect and what
// its conventions remove, then edited. Release: as it failed, except nulls that its application does not need. Both are made fit for the transport. Rejected: the edit
// does not fit this message.
[[nodiscard]] core::Result<records::Envelope> contentToSend(records::BrokerKind broker, records::OperationKind kind,
                                                            const MessageFormat &format,
                                                            const records::Envelope &failed, const records::Edit &edit);
// Why an edit does not fit a message, as a part of a sentence: "the body has no /x". Of an error of contentToSend.
[[nodiscard]] inline QString misfitReason(const core::Error &error)
{
    return error.detail.isEmpty() ? error.message : error.detail;
}

// Adds our stamp, with the digest of the body that is sent, and nothing else.
[[nodiscard]] records::Envelope stamped(records::Envelope content, records::Stamp stamp);

// Adds how often the message was retried (retrycount.h), for a retry of a policy: where the framework returns the header
// with the failure, another store goes on counting. Left out where the broker has no room for it.
[[nodiscard]] records::Envelope withRetryCount(records::BrokerKind broker, records::Envelope content, int count);

// The de-duplication id, made of unique id, operation, attempt and store: new for each retry of a message, the same
// each time that retry is sent again.
[[nodiscard]] QString dedupId(const records::Stamp &stamp);

// The approximate size of the copy on the wire, in bytes.
[[nodiscard]] qint64 weight(const records::Envelope &envelope);

} // namespace retry
