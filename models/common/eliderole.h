#pragma once

#include "models/common/roles.h"

namespace models {

// Qt::TextElideMode of a cell; absent: its end is cut. Types and names of headers differ in their ends.
inline constexpr int ElideRole = KindRole + 1;

} // namespace models
