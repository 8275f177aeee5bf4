// What the destinations of a plan drop by their own limits. Pure functions, so that each rule is tested alone.
#pragma once

#include "backend/engine/planning/planrules.h"
#include "backend/records/retries/frozenshare.h"

namespace engine {

// One entry for each destination that would drop something; empty where the limits of the queues are unknown.
[[nodiscard]] QList<api::PlannedDrop> dropsOf(const PlanBasis &basis, const QList<records::FrozenShare> &shares);
// Messages of these that are dropped for certain.
[[nodiscard]] qint64 certainDropsOf(const QList<api::PlannedDrop> &drops);
// Refused: messages would be lost for certain, and the plan does not accept it.
[[nodiscard]] core::Result<> checkDrops(const QList<api::PlannedDrop> &drops, const records::Plan &plan);

// Whether a queue loses for certain whatever is sent to it now, so that a policy sends nothing there.
[[nodiscard]] bool losesEverything(const broker::QueueInfo &queue);
// existingQueues() without those; nothing: unknown.
[[nodiscard]] std::optional<QStringList> keepingQueues(const PlanBasis &basis,
                                                       records::OperationKind kind = records::OperationKind::Retry);
// Why a policy holds messages for this queue although it exists; empty: it may send them.
[[nodiscard]] QString whyHeldBack(const PlanBasis &basis, const QString &queue);

// Why the plan cannot keep the order of its messages; empty: it can.
[[nodiscard]] QString cannotKeepOrder(const PlanBasis &basis);
// Refused: the plan asks for an order that cannot be kept.
[[nodiscard]] core::Result<> checkOrder(const PlanBasis &basis, const records::Plan &plan);

} // namespace engine
