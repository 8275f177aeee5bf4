// Makes the copy that is sent back. Pure functions, any thread.
#pragma once

#include "backend/records/connection.h"
#include "backend/records/conventions/convention.h"
#include "backend/records/editing/editing.h"
#include "backend/records/messages/message.h"
#include "backend/records/messages/stamp.h"
#include "backend/records/retries/retry.h"

namespace retry {

// What a message follows: its dialect, and those conventions of one's own with which it was read.
struct MessageFormat
{
    QString dialect;
    records::Conventions conventions{};
};

// A counter that policies name (recovery::Policy::counter) starts again like those of frameworks: as a convention says it.
[[nodiscard]] records::Conventions resettingCounters(const QStringList &counters);

// The content to send, without our stamp. Retry: without the failure headers of its dialect and what its
// conventions remove, then edited. Release: as it failed, except nulls that its application does not need. Both are without what the
// broker must not get back (broker::forTransport). Rejected: the edit does not fit this message.
// Refused: it takes longer than the limit.
[[nodiscard]] core::Result<records::Envelope> contentToSend(records::BrokerKind to, records::OperationKind kind,
                                                            const MessageFormat &format,
                                                            const records::Envelope &failed, const records::Edit &edit,
                                                            const records::EditLimit &limit = {});
// Why an edit does not fit a message, as a part of a sentence: "the body has no /x". Of an error of contentToSend.
[[nodiscard]] inline QString misfitReason(const core::Error &error)
{
    return error.detail.isEmpty() ? error.message : error.detail;
}

// The error queues of this connection in which endpoints can confirm what they handled: where they send failed messages,
// and where Redrive takes from.
[[nodiscard]] QStringList answerQueues(const records::Connection &connection);
// The queue in which the endpoint of this message can confirm that it handled the message: the error queue from which it
// was taken, if it is one of those. Empty: it cannot be asked.
[[nodiscard]] QString answerQueue(const records::Connection &connection, const QString &dialect,
                                  const records::Envelope &failed, const QString &takenFrom);
// Asks for that confirmation, unless there is room for the stamp alone.
[[nodiscard]] records::Envelope askingIfItFits(records::BrokerKind to, const records::Envelope &failed,
                                               records::Envelope content, const records::Stamp &stamp,
                                               const QString &queue);

// Adds our stamp, with the digest of the body that is sent, and nothing else.
[[nodiscard]] records::Envelope stamped(records::Envelope content, records::Stamp stamp);

// The same where there is room for it. A message with as many headers as its broker allows, or as large, goes without the
// stamp: it cannot be recognized when it comes back, and after a crash nobody can tell whether it was sent.
[[nodiscard]] records::Envelope stampedIfItFits(records::BrokerKind to, records::Envelope content,
                                                records::Stamp stamp);

// Adds how often the message was retried (retrycount.h), for a retry of a policy: where the framework returns the header
// with the failure, another store goes on counting. Left out where the broker has no room for it.
[[nodiscard]] records::Envelope withRetryCount(records::BrokerKind to, records::Envelope content, int count);

// Goes on counting in the header of the application, from what the failed message says there. An empty name: it has none.
[[nodiscard]] records::Envelope withApplicationCount(records::BrokerKind to, records::Envelope content,
                                                     const records::Envelope &failed, const QString &counter);

// The de-duplication id, made of unique id, operation, attempt and store: new for each retry of a message, the same
// each time that retry is sent again.
[[nodiscard]] QString dedupId(const records::Stamp &stamp);

// The approximate size of the copy on the wire, in bytes.
[[nodiscard]] qint64 weight(const records::Envelope &envelope);

} // namespace retry
