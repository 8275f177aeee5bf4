// Checks an edit, and applies it to a message. Pure functions for any thread. A message may be hostile: every length is
// limited.
#pragma once

#include "backend/core/result.h"
#include "backend/records/editing/edit.h"
#include "backend/records/editing/textpattern.h"
#include "backend/records/messages/headers.h"

namespace records {

// Checks what can be checked without a message: names, pointers, regular expressions, JSON, lengths and the number of
// steps. Rejected with the number of the first step that is invalid.
[[nodiscard]] core::Result<> checkEdit(const Edit &edit);

// Checks one step. The message of the error is a fragment that follows "Step 2: ".
[[nodiscard]] core::Result<> checkStep(const EditStep &step);

// How long the regular expressions of an edit may work on one message, and who ends them earlier.
struct EditLimit
{
    core::Milliseconds longest = TextPattern::longestWork;
    const std::atomic_bool *isCancelled = nullptr; // null: nobody
};

// Returns the edited message; there is no half-edited result. Parts that no step names keep their bytes: a body changes only
// where the value lies and is never printed anew. Rejected: the edit does not fit the message. Refused: its regular expressions
// take longer on the message than the limit. Both have the bare reason as detail. Locked headers are not checked here;
// dialect::edited() does that.
[[nodiscard]] core::Result<Envelope> apply(const Edit &edit, const Envelope &message, const EditLimit &limit = {});

// The edit that turns one message into the other. It consists of header steps and, if the body differs, the whole body,
// so it is for this message only.
[[nodiscard]] Edit editBetween(const Envelope &before, const Envelope &after);

// Why the body cannot be edited as text, as a fragment without a full stop. Empty if it can.
[[nodiscard]] QString whyNoText(const QByteArray &body);

// What a person typed, as a value of the type that the header has: "7" is an integer if the header was one. Text if it
// does not fit that type, or if the header is new (`before` is null).
[[nodiscard]] QCborValue valueFrom(const QString &typed, const QCborValue *before);

// One step in words: "header x-tenant set to \"north\"". Long values are cut.
[[nodiscard]] QString toSentence(const EditStep &step);
// The first steps in words and the number of the others, for plans, activity log and reports.
[[nodiscard]] QString toSentence(const Edit &edit);

} // namespace records
