#pragma once

#include <QString>

namespace core {

// How many letters must be changed, added or left out to make one of the other. Costs the product of their lengths.
[[nodiscard]] int editDistance(const QString &one, const QString &other);

} // namespace core
