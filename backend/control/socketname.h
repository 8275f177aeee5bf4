#pragma once

#include <QString>

namespace control {

// Increase it with every verb or field that changes what a command does: an older program would silently ignore it.
// 2: decisions, rates. 3: redirects. 4: edits, notes and mutes of groups, settings, moves of whole queues.
inline constexpr int protocolVersion = 5;

// The path of the control socket of a store: in the user's runtime folder, named after a hash of the store's real path,
// so that every path to the same file gives the same socket. It fits into the 108 bytes of a socket address. Empty: the
// user has no runtime folder, or others can enter it.
[[nodiscard]] QString socketPath(const QString &storePath);

} // namespace control
