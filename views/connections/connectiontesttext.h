#pragma once

#include "backend/api/requests/connections.h"

namespace views {

// The result of a connection test as text: one line each for product, abilities, what is unknown or missing, the
// delivery guarantee, and error queues that do not exist.
[[nodiscard]] QString testText(const api::ConnectionTest &found);
// The color of the result: a test that succeeded is no warning because some rights can only be tried.
[[nodiscard]] QString testTone(const api::ConnectionTest &found);

} // namespace views
