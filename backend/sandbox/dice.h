// Decisions of a scenario by the dice of its seed: the same for the same seed, message and purpose, whenever and however
// often they are asked for. Pure functions for any thread.
#pragma once

#include "backend/core/random.h"

#include <QList>

namespace sandbox {

[[nodiscard]] quint64 dice(quint64 seed, int number, quint64 purpose);
// "01234567-89ab-cdef-0123-456789abcdef"
[[nodiscard]] QString uuidFrom(quint64 roll);

// Which of the shares the roll hits: an index. The first one if all are 0.
[[nodiscard]] int shareOf(quint64 roll, const QList<int> &shares);

} // namespace sandbox
