// Checks who is at the other end of a control socket. Secrets are sent through it, so both ends check first.
#pragma once

#include "backend/core/result.h"

namespace control {

// Refused: the folder of the socket is missing, or not only this user can enter it; the message says what to do. An
// empty or relative path is Refused, too.
[[nodiscard]] core::Result<> checkFolder(const QString &socketPath);

// Refused: the process at the other end belongs to another user. The kernel says so (SO_PEERCRED, unix(7)).
[[nodiscard]] core::Result<> checkPeer(qintptr socket);

} // namespace control
