// Sneakers and its successor Kicks: the handler Maxretry puts a failed message into a message of its own.
#pragma once

#include "backend/dialect/table.h"

namespace dialect {

[[nodiscard]] Dialect sneakers();

} // namespace dialect
