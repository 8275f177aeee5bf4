#pragma once

#include <QString>

namespace core {

// How many characters must be changed, added or removed to turn one text into the other. The time grows with the
// product of the two lengths.
[[nodiscard]] int editDistance(const QString &one, const QString &other);

} // namespace core
