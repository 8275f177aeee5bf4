// What may be edited, and how one message looks with an edit: pure, so that each rule is tested by itself.
#pragma once

#include "backend/api/edits.h"
#include "backend/engine/planrules.h"
#include "backend/store/messagestore.h"

namespace engine {

// Why nothing of this connection can be edited; empty: it can.
[[nodiscard]] QString cannotEdit(const records::Connection &connection);

// Refused: a release, the right is missing. Rejected: the edit is none, or the broker has no place for what it changes.
[[nodiscard]] core::Result<> checkPlanEdit(const PlanBasis &basis, records::OperationKind kind,
                                           const records::Edit &edit);
// A whole body is that of one message.
[[nodiscard]] core::Result<> checkWholeBody(const records::Edit &edit, qint64 count);

// What the plan's sentence says of its edit: ", edited: header x set to \"y\"".
[[nodiscard]] QString editPart(const records::Edit &edit);

[[nodiscard]] api::EditSample sampleOf(records::BrokerKind broker, core::MessageId message,
                                       const store::Original &original, const records::Edit &edit);

} // namespace engine
