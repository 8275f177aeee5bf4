// The names of a holding queue and its exchanges, and what it says of itself in its argument "x-redrive":
// "<part>|<messages asked for>|<runs of the nodes, the node of the source queue first>"
// The part is random and the last part of every native id. Each holding queue has it in its name, too,
// "<holdingName>.<part>", so that no name is ever used twice.
#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/http/managementapi.h"

#include <limits>
#include <optional>

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

// Redrive 0.1.0 filled one queue of the name `holdingName` again and again; its exchange had the part in its name, or not even that.
[[nodiscard]] inline bool isOfOnePage(const QString &part)
{
    return part.startsWith(QLatin1Char('h'));
}

[[nodiscard]] inline QString queueOf(const QString &holdingName, const QString &part)
{
    return isOfOnePage(part) ? holdingName + QLatin1Char('.') + part : holdingName;
}

// The holding queue from which this page was read: its native ids say so.
[[nodiscard]] inline QString queueOf(const QString &holdingName, const ReceivedPage &page)
{
    return queueOf(holdingName, page.messages.first().nativeId.section(QLatin1Char('.'), -1));
}

// The exchange that fills the holding queue. Each message names its exchange, so that an answer about another queue is
// recognised.
[[nodiscard]] inline QString wayInto(const QString &queue, const QString &part)
{
    return part.startsWith(QLatin1Char('w')) ? queue + QLatin1Char('.') + part : queue;
}

// The same if it is certain: another process of Redrive 0.1.0 may have given it another name.
[[nodiscard]] inline std::optional<QString> knownWayInto(const QString &queue, const QString &part)
{
    return isOfOnePage(part) ? std::optional(queue) : std::nullopt;
}

} // namespace broker::rabbitmq
