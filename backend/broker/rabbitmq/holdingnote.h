// What a holding queue says of itself, in an argument of its own:
// "<part of its native ids and of the name of its way in>|<asked for>|<marks of the nodes, that of the source queue first>"
#pragma once

#include "backend/broker/rabbitmq/managementapi.h"

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

// The exchange that fills it. Each message names it, so a queue that is made again under the same name has another one: else what
// was said of the one before could be taken for it. Earlier ones had the name of their queue.
[[nodiscard]] inline QString wayInto(const QString &name, const QString &part)
{
    return part.startsWith(QLatin1Char('w')) ? name + QLatin1Char('.') + part : name;
}

} // namespace broker::rabbitmq
