// Who a failed message is. Two messages are never one because they look alike: only a guaranteed id, our own stamp or the
// broker's name for one copy makes them the same.
#pragma once

#include "backend/core/ids.h"
#include "backend/records/headers.h"

namespace intake {

// MD5 as a GUID in .NET byte order (the first three fields little-endian), 32 lower-case hex digits: ServiceControl's
// DeterministicGuid, so that a record has the same id in both.
[[nodiscard]] QString deterministicGuid(const QString &text);

// For dialects that guarantee unique ids. Source: ServiceControl, UniqueMessageId = guid(messageId + endpoint).
[[nodiscard]] QString uniqueIdOf(const QString &messageId, const QString &endpoint);

// For the others: one id for one copy in one queue of one connection.
[[nodiscard]] QString uniqueIdOf(core::ConnectionId connection, const QString &queue, const QString &nativeId);

// The id of a second record beside one that has `uniqueId` already.
[[nodiscard]] QString anotherUniqueId(const QString &uniqueId, const QString &why);

// 32 hex digits of everything that makes up the message: equal only for copies of the same one (or perfect twins).
[[nodiscard]] QString contentDigest(const records::Envelope &envelope);

// How often a quorum queue has given it away is no part of what a message is: each look adds one.
[[nodiscard]] bool isDeliveryCount(const QString &header);

// Whether `again`, which we had put back as it was, is still the failure that `known` is: whoever fails a message writes
// something into its headers.
[[nodiscard]] bool isSameFailure(const records::Envelope &known, const records::Envelope &again);

} // namespace intake
