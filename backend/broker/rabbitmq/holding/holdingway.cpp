// The exchange that fills a holding queue, and the note of an interruption, which is a binding of it.
#include "backend/broker/rabbitmq/holding/holding.h"
#include "backend/broker/rabbitmq/holding/holdingnote.h"

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

const QString interruptedKey = QStringLiteral("interrupted");

} // namespace

std::optional<QString> Holding::knownWay(const QString &name) const
{
    const auto way = m_ways.constFind(name);
    return way == m_ways.constEnd() ? std::nullopt : std::optional(*way);
}

Task<Result<QString>> Holding::wayOf(QString name)
{
    if (const std::optional<QString> known = knownWay(name)) {
        QString way = *known;
        co_return way;
    }
    const Result<LiveQueue> held = co_await m_queues.live(name);
    if (!held && held.error().kind != ErrorKind::NotFound)
        co_return fail(held.error());
    QString way = held ? wayInto(name, partOf(*held)) : name;
    co_return way;
}

// A request of an earlier process may have arrived at any time, under a name that only that process knows.
Task<Result<>> Holding::closeWay(QString name)
{
    QStringList ways;
    if (const std::optional<QString> known = knownWay(name)) {
        ways.append(*known);
    } else {
        CO_TRY(ways, co_await m_queues.exchangesUnder(name));
    }
    for (const QString &way : std::as_const(ways))
        CO_TRY(co_await m_queues.removeExchange(way));
    co_return Result<>();
}

// Keeps the note on the broker, where it survives a crash: a second binding, which delivers no message twice.
Task<Result<>> Holding::noteInterruption(QString name)
{
    m_watches[name].broke = true;
    CO_TRY(const QString way, co_await wayOf(name));
    const Result<> noted = co_await m_queues.bind(way, name, interruptedKey);
    co_return noted;
}

// True: messages may have been delivered twice. A node restarted, the shovel broke or was removed while busy, or more
// messages came than requested.
Task<Result<bool>> Holding::isInterrupted(LiveQueue held)
{
    if (m_watches.value(held.name).broke || held.messages.value_or(0) > askedFor(held))
        co_return true;
    CO_TRY(const QString way, co_await wayOf(held.name));
    const Task<Result<ClusterIncarnation>> marking = m_marks.read(held.node);
    const Result<bool> noted = co_await m_queues.isBound(way, held.name, interruptedKey);
    const Result<ClusterIncarnation> now = co_await marking;
    if (!noted || *noted)
        co_return noted;
    if (!now)
        co_return fail(now.error());
    const QString text = noteOf(held).section(QLatin1Char('|'), 2);
    const ClusterIncarnation then = ClusterIncarnation::from(text);
    const std::optional<NodeIncarnation> source = NodeIncarnation::from(text.section(QLatin1Char(';'), 0, 0));
    co_return !source || !now->isSameRun(then, source->node) || !now->isSameRun(then, held.node);
}

} // namespace broker::rabbitmq
