// Pieces of SQL about messages under policies that the writing and the reading side share.
#pragma once

#include "backend/recovery/heldmessage.h"
#include "backend/store/database/statement.h"

namespace store {

// The columns of a policy_message named `p`, in the order that readHeld expects.
[[nodiscard]] const QString &heldColumns();
inline constexpr int heldColumnCount = 20;
[[nodiscard]] recovery::HeldMessage readHeld(const Statement &row, int first = 0);

} // namespace store
