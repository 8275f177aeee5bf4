#pragma once

#include <QString>

namespace control {

// Increase it with every field that changes what a request does: an older program would silently ignore it. A request
// of a new name needs no new number, because an older program answers that it does not know it.
inline constexpr int protocolVersion = 14;

// The path of the control socket of a store: in the user's runtime folder, named after a hash of the store's real path,
// so that every path to the same file gives the same socket. It fits into the 108 bytes of a socket address. Empty: the
// user has no runtime folder, or others can enter it.
[[nodiscard]] QString socketPath(const QString &storePath);

} // namespace control
