#pragma once

#include "backend/engine/enginedependencies.h"

namespace engine {

// A connection and the secret it is opened with.
struct Reached
{
    records::Connection connection;
    QString secret;
};

// Redrive's own queues on the broker that the store depends on: holding queues of open intakes and staging queues of
// live batches.
[[nodiscard]] core::Result<QStringList> queuesInUse(store::Store &store, core::ConnectionId connection);

// Whether a connection may move to a new address. Refused while the broker of `before` has queues of `inUse` that the
// broker of `after` lacks: their messages would be left behind. A broker that has them all is the same broker. Call it
// while nothing of the connection runs. Engine thread.
[[nodiscard]] core::Task<core::Result<>> mayChangeAddress(QStringList inUse, BrokerFactory brokers, Reached before,
                                                          Reached after);

// Whether the connection points to another broker. Another user or secret on the same broker does not count.
[[nodiscard]] bool isElsewhere(const records::Connection &before, const records::Connection &after);

} // namespace engine
