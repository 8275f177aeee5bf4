#pragma once

#include "backend/api/commands.h"

namespace views {

// What the test of a connection found, a line for each thing.
[[nodiscard]] QString testText(const api::ConnectionTest &found);
// Nothing is missing, and nothing stays unknown.
[[nodiscard]] bool isSure(const api::ConnectionTest &found);

} // namespace views
