#pragma once

#include "backend/api/requests/retryplan.h"
#include "backend/engine/planning/planrules.h"
#include "backend/retry/selectionfreezer.h"

namespace engine {

// Whether this plan is possible on the connection, for `count` messages. Refused: a right, a capability or a condition is
// missing. Rejected: the plan is invalid. Transient: the broker does not answer.
[[nodiscard]] core::Result<> checkPlan(const PlanBasis &basis, records::OperationKind kind, const records::Plan &plan,
                                       qint64 count);

// Puts together what the plan dialog shows. Pure function.
[[nodiscard]] api::PlanPreview previewOf(const PlanBasis &basis, const retry::FreezeOrder &order,
                                         const store::FreezeTally &evaluated, core::TimePoint now,
                                         const retry::EditTally &edits = {});

} // namespace engine
