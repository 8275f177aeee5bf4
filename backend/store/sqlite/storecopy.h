#pragma once

#include "backend/store/store.h"

namespace store {

// What a copied store must not go on with, because the original may: in the transaction that gives it an id of its own,
// retries are paused, what the original had under way is in doubt, half-read pages are left to it, and nothing is
// followed. A person may resume all of it, knowing that.
[[nodiscard]] Result<> partFromOriginal(Session &session, const QString &path, const QString &original);
// What a person is told then.
[[nodiscard]] QString copyWords(const QString &original);

} // namespace store
