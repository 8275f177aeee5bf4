#pragma once

#include "backend/engine/enginedependencies.h"

namespace engine {

// A connection as it is reached: with its secret.
struct Reached
{
    records::Connection connection;
    QString secret;
};

// Queues of ours on the broker that the store counts on: pages that are being taken, copies on their way.
[[nodiscard]] core::Result<QStringList> queuesInUse(store::Store &store, core::ConnectionId connection);

// Refused, in words, while the broker of `before` has such queues and that of `after` has not: they would stay there with nobody
// to read them. A broker that has them all is the same one. To be called while nothing of the connection is at work.
[[nodiscard]] core::Task<core::Result<>> mayChangeAddress(QStringList inUse, BrokerFactory brokers, Reached before,
                                                          Reached after);

// The same broker account may be used with another user or secret; this is about where it is.
[[nodiscard]] bool isElsewhere(const records::Connection &before, const records::Connection &after);

} // namespace engine
