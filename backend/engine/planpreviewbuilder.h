#pragma once

#include "backend/engine/planrules.h"
#include "backend/retry/selectionfreezer.h"

namespace engine {

// Puts together what the plan dialog shows. Pure function.
[[nodiscard]] api::PlanPreview previewOf(const PlanBasis &basis, const retry::FreezeOrder &order,
                                         const store::FreezeTally &evaluated, core::TimePoint now,
                                         const retry::EditTally &edits = {});

} // namespace engine
