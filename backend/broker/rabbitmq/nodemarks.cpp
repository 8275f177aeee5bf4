#include "backend/broker/rabbitmq/nodemarks.h"

#include <QCborArray>
#include <QCoreApplication>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

// The uptime is refreshed every 5 s; a restart takes longer than that in any case that matters.
constexpr qint64 toleranceMs = 15000;

} // namespace

QString NodeMark::toText() const
{
    return QStringLiteral("%1|%2|%3").arg(QString::number(startedMs), process, node);
}

std::optional<NodeMark> NodeMark::from(const QString &text)
{
    const QString started = text.section(QLatin1Char('|'), 0, 0);
    NodeMark mark;
    bool isNumber = false;
    mark.startedMs = started.toLongLong(&isNumber);
    mark.process = text.section(QLatin1Char('|'), 1, 1);
    mark.node = text.section(QLatin1Char('|'), 2);
    if (!isNumber || mark.node.isEmpty())
        return std::nullopt;
    return mark;
}

bool NodeMark::isSameRun(const NodeMark &other) const
{
    return node == other.node && process == other.process && std::abs(startedMs - other.startedMs) <= toleranceMs;
}

NodeMarks::NodeMarks(ManagementApi &api, core::Clock &clock)
    : m_api(api)
    , m_clock(clock)
{
}

Task<Result<NodeMark>> NodeMarks::read(QString node)
{
    const QString what = QCoreApplication::translate("rabbitmq", "the nodes");
    const Result<QCborValue> answer = co_await m_api.get("/nodes?columns=name,running,os_pid,uptime", what);
    if (!answer)
        co_return fail(answer.error());
    const QCborArray nodes = answer->toArray();
    for (const QCborValue &value : nodes) {
        const QCborMap found = value.toMap();
        if (found.value(QLatin1String("name")).toString() != node)
            continue;
        const QCborValue uptime = found.value(QLatin1String("uptime"));
        if (!found.value(QLatin1String("running")).toBool(false) || !uptime.isInteger()) {
            co_return fail(
                ErrorKind::Transient,
                QCoreApplication::translate("rabbitmq", "The RabbitMQ node %1 is down or just starting.").arg(node));
        }
        NodeMark mark;
        mark.node = node;
        mark.process = found.value(QLatin1String("os_pid")).toString();
        mark.startedMs = core::toMs(m_clock.now()) - uptime.toInteger();
        co_return mark;
    }
    co_return fail(ErrorKind::NotFound, QCoreApplication::translate("rabbitmq", "RabbitMQ has no node %1.").arg(node));
}

} // namespace broker::rabbitmq
