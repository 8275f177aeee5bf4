#pragma once

#include "backend/api/whendone.h"

namespace models {

using api::whenDone;

} // namespace models
