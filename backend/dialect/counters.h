// The retry counters of frameworks. With an exhausted counter a message fails again at once, so a retry removes it or
// sets it to zero, whichever the framework reads as "no try yet". The rules are in the entries of the table. Pure
// functions for any thread.
#pragma once

#include "backend/records/difference.h"

#include <QString>

namespace dialect {

// The counters of this failed message that start again on a retry: each as it was and as it is sent, or nothing if it is
// removed. A counter that is zero is not listed, nor one inside a body that PHP serialized.
[[nodiscard]] QList<records::HeaderChange> resetCounters(const QString &dialect, const records::Envelope &failed);

} // namespace dialect
