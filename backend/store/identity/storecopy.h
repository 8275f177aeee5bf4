#pragma once

#include "backend/core/ids.h"
#include "backend/core/time/clock.h"
#include "backend/store/store.h"

namespace store {

// What a copied store must not continue, because the original may continue it. In the transaction that gives the copy
// its own id: retries are paused, messages that the original was sending are in doubt, half-read pages are left to the
// original, and no queue is subscribed. A person may then resume all of it.
[[nodiscard]] Result<> partFromOriginal(Session &session, const QString &path, const QString &original);
// The parts that a restored backup needs too. Messages that somebody else may be sending are in doubt, with this
// reason.
[[nodiscard]] Result<> endForwarding(Session &session, core::ConnectionId connection, const QString &reason);
[[nodiscard]] Result<> leaveIntakes(Session &session, core::ConnectionId connection);
// No policy retries by itself until a person resumes it.
[[nodiscard]] Result<> pausePolicies(Session &session, core::TimePoint at, const QString &why);

} // namespace store
