#pragma once

#include <QString>

namespace control {

// Raised with every verb or field that changes what is done: skipped by an older program, a rate or a time to begin would be lost
// without a word. 2: decisions, rates. 3: redirects.
// 4: edits, notes and mutes of groups, settings, moves of whole queues.
inline constexpr int protocolVersion = 5;

// The path of the control socket of one store: in the user's runtime folder, named after the store's real path, so that
// every way to name the same file leads to the same socket. Short enough for the 108 bytes of a socket address. Empty where
// the user has no runtime folder, or others can enter it.
[[nodiscard]] QString socketPath(const QString &storePath);

} // namespace control
