#pragma once

#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "backend/broker/rabbitmq/staging/placenames.h"
#include "backend/broker/staging.h"

namespace broker::rabbitmq {

// The exchange through which all copies of a store go back (README.md, "The return exchange stays"), as one place needs it.
class ReturnExchange final
{
public:
    explicit ReturnExchange(ManagementApi &api);

    // Before each shovel, because people can delete an exchange that seems idle: declares it, binds the destinations that exist, and
    // the queue of the place for unroutable copies. May be repeated. Returns destinations that could not be bound; copies for them
    // are unroutable, unless they are bound from before. Any other failure is the broker's: an error, which holds for no destination.
    // NotFound: the queue for unroutable copies is proved to be gone.
    [[nodiscard]] Task<Result<QList<Unreachable>>> open(PlaceNames names, QStringList destinations);
    // The same without that queue, before there is anything to forward.
    [[nodiscard]] Task<Result<QList<Unreachable>>> prepare(PlaceNames names, QStringList destinations);
    // After the last shovel: unroutable copies of other places no longer reach the queue of this one. May be repeated.
    [[nodiscard]] Task<Result<>> close(PlaceNames names);

private:
    [[nodiscard]] Task<Result<>> declare(PlaceNames names);
    [[nodiscard]] Task<Result<QList<Unreachable>>> bindDestinations(PlaceNames names, QStringList destinations);
    // Those that could not be bound, in any order.
    [[nodiscard]] Task<QList<Unreachable>> bindAll(QString exchange, QStringList destinations);
    [[nodiscard]] Task<Result<>> bindUnroutable(PlaceNames names);

    OwnedQueues m_queues;
};

} // namespace broker::rabbitmq
