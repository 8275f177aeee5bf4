// Edits carried out on a message, and checked before anything is there to edit. Pure; messages are hostile.
#pragma once

#include "backend/core/result.h"
#include "backend/records/edit.h"
#include "backend/records/headers.h"

namespace records {

// Whether each step is whole in itself: names, a pointer that is one, a pattern that is one, JSON that is some, lengths, how many.
// Rejected, with the number of the step.
[[nodiscard]] core::Result<> checkEdit(const Edit &edit);

// One step, in words that follow "Step 2: ".
[[nodiscard]] core::Result<> checkStep(const EditStep &step);

// The edited message. Rejected: the edit does not fit it, and why; never half of it. What the steps do not name keeps its bytes: a
// body is changed where the value lies in it, and never printed anew. It knows nothing of locked headers: see dialect::edited().
[[nodiscard]] core::Result<Envelope> apply(const Edit &edit, const Envelope &message);

// The edit that makes the one of the other, of header steps and the whole body: for one message.
[[nodiscard]] Edit editBetween(const Envelope &before, const Envelope &after);

// Why a body cannot be changed as text; empty: it can.
[[nodiscard]] QString whyNoText(const QByteArray &body);

// What a person typed, in the kind that the header has ("7" stays an integer where it was one); text where it is none of that
// kind, or the header is new (null).
[[nodiscard]] QCborValue valueFrom(const QString &typed, const QCborValue *before);

// One step as a sentence: "header x-tenant set to \"north\"", "/customer/id set to 42"; long values cut.
[[nodiscard]] QString toSentence(const EditStep &step);
// All of it, the first few steps told, for plans, trail and reports.
[[nodiscard]] QString toSentence(const Edit &edit);

} // namespace records
