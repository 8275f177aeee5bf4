// Which edits are allowed, and how one message looks with an edit. Pure functions, so that each rule is tested alone.
#pragma once

#include "backend/api/requests/edits.h"
#include "backend/engine/planning/planrules.h"
#include "backend/records/editing/editing.h"
#include "backend/store/messages/messagestore.h"

namespace engine {

// Why messages of this connection cannot be edited; empty: they can.
[[nodiscard]] QString cannotEdit(const records::Connection &connection);

// Without the right, which checkPlan checks. Refused: a release. Rejected: the edit is invalid, or changes headers that
// the broker lacks.
[[nodiscard]] core::Result<> checkPlanEdit(const PlanBasis &basis, records::OperationKind kind,
                                           const records::Edit &edit);
// Rejected: the edit replaces the whole body, and `count` is more than one message.
[[nodiscard]] core::Result<> checkWholeBody(const records::Edit &edit, qint64 count);

// The edit in the sentence of a plan: ", edited: header x set to \"y\""; empty without an edit.
[[nodiscard]] QString editPart(const records::Edit &edit);

// What a person has said about messages.
struct OwnRules
{
    records::Conventions conventions; // all
    QStringList counters; // of all policies (store::PolicyStore::counters)
};
// What is sent of this message. Errors: those of retry::contentToSend.
[[nodiscard]] core::Result<records::Envelope> editedContent(records::BrokerKind broker, const store::Original &original,
                                                            const OwnRules &rules, const records::Edit &edit,
                                                            const records::EditLimit &limit);
// Whether a copy asks its endpoint to confirm it.
struct ConfirmationRequest
{
    bool isWanted = false; // as in the plan
    bool isStale = false; // the message names one of an earlier retry (retry::hasStaleRequest)
};
// How this message would be sent, without an edit and as it is `after` one. Bodies over records::longestEditedBody are left
// out.
[[nodiscard]] api::EditSample sampleOf(const records::Connection &connection, core::MessageId message,
                                       const store::Original &original, const OwnRules &rules,
                                       const ConfirmationRequest &request,
                                       const core::Result<records::Envelope> &after);

} // namespace engine
