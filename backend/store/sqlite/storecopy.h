#pragma once

#include "backend/core/ids.h"
#include "backend/store/store.h"

namespace store {

// What a copied store must not go on with, because the original may: in the transaction that gives it an id of its own,
// retries are paused, what the original had under way is in doubt, half-read pages are left to it, and nothing is
// followed. A person may resume all of it, knowing that.
[[nodiscard]] Result<> partFromOriginal(Session &session, const QString &path, const QString &original);
// The parts of it that a restored backup needs, too. What may be sent by somebody else is in doubt, with that reason.
[[nodiscard]] Result<> endForwarding(Session &session, core::ConnectionId connection, const QString &reason);
[[nodiscard]] Result<> leaveIntakes(Session &session, core::ConnectionId connection);
// What a person is told then.
[[nodiscard]] QString copyText(const QString &original);

} // namespace store
