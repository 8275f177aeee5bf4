// The conditions for taking or browsing messages of a queue. Engine thread.
#pragma once

#include "backend/broker/broker.h"
#include "backend/records/connection.h"

namespace intake {

// The free share, 0 to 1, of the volume that holds the store.
using DiskSpace = std::function<double()>;

// Refused: this account cannot take messages; if small steps are possible, it says how to choose them.
[[nodiscard]] core::Result<> admitAccount(const records::Connection &connection, const broker::Capabilities &found);

// Refused: this is not an error queue, the broker's settings make it unsafe, or it is not listed and may exist all the same.
// NotFound: there is no queue of that name.
[[nodiscard]] core::Result<> admitQueue(const records::Connection &connection, const broker::Listing &listing,
                                        const QString &queue);

// Why nothing is taken from a queue that the connection does not name, and how to name it, as sentences for people.
[[nodiscard]] QString notAnErrorQueue(const records::Connection &connection, const QString &queue);

// Why a queue that the broker does not list cannot be used, as a sentence for people.
[[nodiscard]] QString notListed(const broker::Listing &listing, const QString &queue);

// Refused: the disk of the store is nearly full.
[[nodiscard]] core::Result<> admitDisk(const DiskSpace &freeShare);

} // namespace intake
