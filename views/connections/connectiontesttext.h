#pragma once

#include "backend/api/requests/connections.h"

namespace views {

// The result of a connection test as text: one line each for product, abilities, what is unknown or missing, the
// delivery guarantee, and error queues that do not exist.
[[nodiscard]] QString testText(const api::ConnectionTest &found);
// True if nothing is missing and nothing is unknown.
[[nodiscard]] bool isSure(const api::ConnectionTest &found);

} // namespace views
