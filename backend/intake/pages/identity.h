// The identity of a failed message. Two messages are never merged because they look alike: only a guaranteed id, our
// own stamp or the broker's name for one copy makes them the same. Pure functions, any thread.
#pragma once

#include "backend/core/ids.h"
#include "backend/records/messages/headers.h"
#include "backend/records/messages/stamp.h"

namespace intake {

// MD5 as a GUID in .NET byte order (the first three fields little-endian), 32 lower-case hex digits: ServiceControl's
// DeterministicGuid, so that a record has the same id in both.
[[nodiscard]] QString deterministicGuid(const QString &text);

// For dialects that guarantee unique ids. Source: ServiceControl, UniqueMessageId = guid(messageId + endpoint).
[[nodiscard]] QString uniqueIdOf(const QString &messageId, const QString &endpoint);

// For the other dialects: one id for each copy in one queue of one connection.
[[nodiscard]] QString uniqueIdOf(core::ConnectionId connection, const QString &queue, const QString &nativeId);

// The id of another record, when a record already has `uniqueId`.
[[nodiscard]] QString anotherUniqueId(const QString &uniqueId, const QString &why);

// 32 hex digits over the whole message: equal only for copies of the same message, or perfect twins.
[[nodiscard]] QString contentDigest(const records::Envelope &envelope);

// The delivery count of a quorum queue is not part of a message: browsing increases it.
[[nodiscard]] bool isDeliveryCount(const QString &header);

// Whether `again`, which was put back unchanged, is still the same failure as `known`: a consumer that fails a message
// again writes something into its headers.
[[nodiscard]] bool isSameFailure(const records::Envelope &known, const records::Envelope &again);

// For a copy of ours that its consumer passed on, stamp and all, to `destination`: one record for each place and content.
// `sent` is what a retry of it would send.
[[nodiscard]] QString passedOnId(const records::Stamp &stamp, const QString &destination,
                                 const records::Envelope &sent);

} // namespace intake
