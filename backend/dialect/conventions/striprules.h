// Applies the strip lists of dialects to the copy that a retry sends.
#pragma once

#include "backend/dialect/table.h"

namespace dialect {

void applyRules(const std::vector<StripRule> &rules, records::Envelope &envelope);
// The rules of this dialect about headers that are null.
[[nodiscard]] std::vector<StripRule> nullRules(const Dialect &entry);
[[nodiscard]] bool matches(const StripRule &rule, const QString &name);

// Whether the value is a number, or text that is one. What has the name of a counter may hold something else.
[[nodiscard]] bool isNumber(const QCborValue &value);
// Zero with the type that the counter had: a consumer that reads an integer must not find text.
[[nodiscard]] QCborValue zeroLike(const QCborValue &value);

} // namespace dialect
