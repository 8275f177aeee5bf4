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

QString ClusterMark::toText(const QString &first) const
{
    QStringList texts;
    for (const NodeMark &mark : m_nodes)
        texts.insert(mark.node == first ? 0 : texts.size(), mark.toText());
    return texts.join(QLatin1Char(';'));
}

ClusterMark ClusterMark::from(const QString &text)
{
    ClusterMark marks;
    const QStringList texts = text.split(QLatin1Char(';'));
    for (const QString &one : texts) {
        if (const std::optional<NodeMark> mark = NodeMark::from(one))
            marks.m_nodes.append(*mark);
    }
    return marks;
}

std::optional<NodeMark> ClusterMark::of(const QString &node) const
{
    const auto found =
        std::find_if(m_nodes.cbegin(), m_nodes.cend(), [&](const NodeMark &mark) { return mark.node == node; });
    return found == m_nodes.cend() ? std::nullopt : std::make_optional(*found);
}

bool ClusterMark::isSameRun(const ClusterMark &then, const QString &node) const
{
    const std::optional<NodeMark> before = then.of(node);
    const std::optional<NodeMark> now = of(node);
    return before && now && now->isSameRun(*before);
}

NodeMarks::NodeMarks(ManagementApi &api, core::Clock &clock)
    : m_api(api)
    , m_clock(clock)
{
}

Task<Result<ClusterMark>> NodeMarks::read(QString node)
{
    const QString what = QCoreApplication::translate("rabbitmq", "the nodes");
    const Result<QCborValue> answer = co_await m_api.get("/nodes?columns=name,running,os_pid,uptime", what);
    if (!answer)
        co_return fail(answer.error());
    QList<NodeMark> marks;
    const QCborArray nodes = answer->toArray();
    for (const QCborValue &value : nodes) {
        const QCborMap found = value.toMap();
        const QCborValue uptime = found.value(QLatin1String("uptime"));
        const QString name = found.value(QLatin1String("name")).toString();
        if (found.value(QLatin1String("running")).toBool(false) && uptime.isInteger()) {
            const qint64 now = core::toMs(m_clock.now());
            marks.append({name, found.value(QLatin1String("os_pid")).toString(),
                          now - std::clamp(uptime.toInteger(), qint64{0}, now)});
        } else if (name == node) {
            co_return fail(
                ErrorKind::Transient,
                QCoreApplication::translate("rabbitmq", "The RabbitMQ node %1 is down or just starting.").arg(node));
        }
    }
    co_return ClusterMark(std::move(marks));
}

} // namespace broker::rabbitmq
