// What must be so before messages of a queue come into the store, whether they are taken or only looked at.
#pragma once

#include "backend/broker/broker.h"
#include "backend/records/connection.h"

namespace intake {

// The free share, 0 to 1, of the volume that the store lies on.
using DiskSpace = std::function<double()>;

// Refused: the queue holds no failed messages, or must not be touched. NotFound: there is none of that name.
[[nodiscard]] core::Result<> admitQueue(const records::Connection &connection, const broker::Listing &listing,
                                        const QString &queue);

// Why nothing can be done with a queue that the broker does not list, for people.
[[nodiscard]] QString notListed(const broker::Listing &listing, const QString &queue);

// Refused: the disk of the store is nearly full.
[[nodiscard]] core::Result<> admitDisk(const DiskSpace &freeShare);

} // namespace intake
