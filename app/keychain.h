#pragma once

#include "backend/core/secrets.h"
#include "backend/core/time/clock.h"

#include <memory>

namespace app {

// The keychain of the desktop through QtKeychain. Null when the program is built without it or no D-Bus session runs.
// Its calls are asynchronous, on the thread of the caller; `clock` must outlive it.
[[nodiscard]] std::unique_ptr<core::Secrets> keychainSecrets(core::Clock &clock);

} // namespace app
