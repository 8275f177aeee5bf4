// The copy that goes back. Pure.
#pragma once

#include "backend/records/connection.h"
#include "backend/records/message.h"
#include "backend/records/retry.h"
#include "backend/records/stamp.h"

namespace retry {

// What a transport must not get back, whatever the dialect: CC and BCC would deliver to further queues, user_id is
// refused for another login, an expiry would drop the copy on its way, a transient copy dies with the broker, and
// locks, sequence numbers and enqueue times belong to the broker. This is the only place where they are taken out.
[[nodiscard]] records::Envelope forTransport(records::BrokerKind broker, records::Envelope envelope);

// What goes back, but for our stamp. Retry: the dialect's failure headers are stripped, the rest is edited. Release: the message goes
// back as it failed, but for nulls that its framework does not miss. Both: fit for the transport. Rejected: the edit does not fit it.
[[nodiscard]] core::Result<records::Envelope> contentToSend(records::BrokerKind broker, records::OperationKind kind,
                                                            const QString &dialect, const records::Envelope &failed,
                                                            const records::Edit &edit);
// With our stamp as the only addition, which gets the digest of the body that goes: the one that failed, what its framework had
// wrapped into it, or what was edited.
[[nodiscard]] records::Envelope stamped(records::Envelope content, records::Stamp stamp);

// Both, without an edit.
[[nodiscard]] records::Envelope outgoingCopy(records::BrokerKind broker, records::OperationKind kind,
                                             const QString &dialect, const records::Envelope &failed,
                                             records::Stamp stamp);

// New for each retry of a message, the same for each re-send of one retry: (unique id, operation, attempt, store).
[[nodiscard]] QString dedupId(const records::Stamp &stamp);

// About what the copy weighs on the wire.
[[nodiscard]] qint64 weight(const records::Envelope &envelope);

} // namespace retry
