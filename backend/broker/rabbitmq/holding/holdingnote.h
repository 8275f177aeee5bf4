// What a holding queue says of itself in its argument "x-redrive":
// "<random part of its native ids and of the name of its exchange>|<messages asked for>|<runs of the nodes, the node of
// the source queue first>"
#pragma once

#include "backend/broker/rabbitmq/http/managementapi.h"

#include <limits>

namespace broker::rabbitmq {

[[nodiscard]] inline QString noteOf(const LiveQueue &held)
{
    return held.arguments.value(QLatin1String("x-redrive")).toString();
}

[[nodiscard]] inline QString partOf(const LiveQueue &held)
{
    return noteOf(held).section(QLatin1Char('|'), 0, 0);
}

[[nodiscard]] inline qint64 askedFor(const LiveQueue &held)
{
    const qint64 asked = noteOf(held).section(QLatin1Char('|'), 1, 1).toLongLong();
    return asked > 0 ? asked : std::numeric_limits<qint64>::max();
}

// The exchange that fills the holding queue. Each message names its exchange, so a queue that is created again under
// the same name gets another exchange: otherwise an answer about the earlier queue could be taken for one about this.
// Older versions gave the exchange the name of its queue.
[[nodiscard]] inline QString wayInto(const QString &name, const QString &part)
{
    return part.startsWith(QLatin1Char('w')) ? name + QLatin1Char('.') + part : name;
}

} // namespace broker::rabbitmq
