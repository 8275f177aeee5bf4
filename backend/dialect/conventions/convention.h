// Applies conventions of a person on top of a dialect (README.md). Pure functions for any thread. A wrong convention
// never loses a message, nor the way back that its dialect knows: what it cannot read stays.
#pragma once

#include "backend/dialect/dialect.h"

namespace dialect {

// Each convention sees what those before it have read. `seen`: the envelope of the arrival, with packed headers beside
// the others.
void applyConventions(const records::Conventions &conventions, const Arrival &arrival, const records::Envelope &seen,
                      Reading &reading);

// The rules of these conventions for the copy that a retry sends. Done twice, they change nothing more.
void changeBeforeRetry(const records::Conventions &applied, records::Envelope &copy);

// Whether the header is null, and one of these conventions says that a missing one means the same.
[[nodiscard]] bool mayBeMissing(const records::Conventions &applied, const records::Header &header);

} // namespace dialect
