// Who is at the other end of a control socket. Secrets travel on it: both ends look before they send or hear anything.
#pragma once

#include "backend/core/result.h"

namespace control {

// Refused unless the socket lies in a folder of this user that nobody else can enter. An empty path: there is none.
[[nodiscard]] core::Result<> checkFolder(const QString &socketPath);

// Refused unless the process at the other end is of this user, by the kernel's word (SO_PEERCRED, unix(7)).
[[nodiscard]] core::Result<> checkPeer(qintptr socket);

} // namespace control
