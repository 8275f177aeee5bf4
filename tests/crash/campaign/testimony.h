#pragma once

#include "tests/crash/campaign/verdict.h"
#include "tests/support/brokerrig/brokerrig.h"
#include "tests/support/console/console.h"

#include <functional>

namespace killing {

// What lies at the destinations. Returns what is wrong with a copy itself, the first of it.
[[nodiscard]] QStringList addArrived(Evidence &evidence, const QList<support::Copy> &arrived);

// The number of a stored message.
using NumberOf = std::function<int(const records::Envelope &)>;

// What the store says of the members of these operations: in doubt, perhaps sent twice.
void addTold(Evidence &evidence, support::Console &console, const NumberOf &numberOf,
             const QList<core::OperationId> &operations);

} // namespace killing
