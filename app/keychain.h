#pragma once

#include "backend/core/clock.h"
#include "backend/core/secrets.h"

#include <memory>

namespace app {

// The desktop's keychain through QtKeychain; null where the program was built without it or no session bus runs.
[[nodiscard]] std::unique_ptr<core::Secrets> keychainSecrets(core::Clock &clock);

} // namespace app
