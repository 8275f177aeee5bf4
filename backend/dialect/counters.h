// The retry counters of frameworks. With an exhausted counter a message fails again at once, so a retry removes it or
// sets it to zero, whichever the framework reads as "no try yet". The rules are in the entries of the table. Pure
// functions for any thread.
#pragma once

#include "backend/records/conventions/convention.h"
#include "backend/records/editing/difference.h"

#include <QString>

namespace dialect {

// The counters of this failed message that start again on a retry, by its dialect or by conventions of a person: each as it
// was and as it is sent, or nothing if it is removed. A counter that is zero is not listed, nor one inside a body that PHP
// serialized. What is inside of a header or the body is named by its way: "rascal/recovery".
[[nodiscard]] QList<records::HeaderChange> resetCounters(const QString &dialect, const records::Envelope &failed,
                                                         const records::Conventions &applied = {});

// The headers of this failed message that a retry leaves out because they are null (see withoutNulls()).
[[nodiscard]] QList<records::Header> droppedEmptyHeaders(const QString &dialect, const records::Envelope &failed,
                                                         const records::Conventions &applied = {});

} // namespace dialect
