#include "backend/broker/rabbitmq/nodeincarnation.h"

#include "backend/broker/rabbitmq/text.h"

#include <QCborArray>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

// RabbitMQ refreshes the uptime every 5 s; a restart that matters takes longer.
constexpr qint64 toleranceMs = 15000;
constexpr std::chrono::seconds pauseBetween{1};
constexpr int timesAskedAgain = 15;

} // namespace

QString NodeIncarnation::toText() const
{
    return QStringLiteral("%1|%2|%3").arg(QString::number(startedMs), process, node);
}

std::optional<NodeIncarnation> NodeIncarnation::from(const QString &text)
{
    const QString started = text.section(QLatin1Char('|'), 0, 0);
    NodeIncarnation mark;
    bool isNumber = false;
    mark.startedMs = started.toLongLong(&isNumber);
    mark.process = text.section(QLatin1Char('|'), 1, 1);
    mark.node = text.section(QLatin1Char('|'), 2);
    if (!isNumber || mark.node.isEmpty())
        return std::nullopt;
    return mark;
}

bool NodeIncarnation::isSameRun(const NodeIncarnation &other) const
{
    return node == other.node && process == other.process && std::abs(startedMs - other.startedMs) <= toleranceMs;
}

QString ClusterIncarnation::toText(const QString &first) const
{
    QStringList texts;
    for (const NodeIncarnation &mark : m_nodes)
        texts.insert(mark.node == first ? 0 : texts.size(), mark.toText());
    return texts.join(QLatin1Char(';'));
}

ClusterIncarnation ClusterIncarnation::from(const QString &text)
{
    ClusterIncarnation marks;
    const QStringList texts = text.split(QLatin1Char(';'));
    for (const QString &one : texts) {
        if (const std::optional<NodeIncarnation> mark = NodeIncarnation::from(one))
            marks.m_nodes.append(*mark);
    }
    return marks;
}

std::optional<NodeIncarnation> ClusterIncarnation::of(const QString &node) const
{
    const auto found =
        std::find_if(m_nodes.cbegin(), m_nodes.cend(), [&](const NodeIncarnation &mark) { return mark.node == node; });
    return found == m_nodes.cend() ? std::nullopt : std::make_optional(*found);
}

QStringList ClusterIncarnation::names() const
{
    QStringList names;
    for (const NodeIncarnation &mark : m_nodes)
        names.append(mark.node);
    return names;
}

bool ClusterIncarnation::isSameRun(const ClusterIncarnation &then, const QString &node) const
{
    const std::optional<NodeIncarnation> before = then.of(node);
    const std::optional<NodeIncarnation> now = of(node);
    return before && now && now->isSameRun(*before);
}

NodeIncarnations::NodeIncarnations(ManagementApi &api, core::Clock &clock)
    : m_api(api)
    , m_clock(clock)
{
}

Task<Result<NodeIncarnations::Observation>> NodeIncarnations::observe(QString node)
{
    CO_TRY(const QCborValue answer,
           co_await m_api.get("/nodes?columns=name,running,os_pid,uptime", Text::tr("the nodes")));
    Observation seen;
    QList<NodeIncarnation> marks;
    const QCborArray nodes = answer.toArray();
    for (const QCborValue &value : nodes) {
        const QCborMap found = value.toMap();
        const QCborValue uptime = found.value(QLatin1String("uptime"));
        const QString name = found.value(QLatin1String("name")).toString();
        const bool runs = found.value(QLatin1String("running")).toBool(false);
        if (runs && uptime.isInteger()) {
            const qint64 now = core::toMs(m_clock.now());
            marks.append({name, found.value(QLatin1String("os_pid")).toString(),
                          now - std::clamp(uptime.toInteger(), qint64{0}, now)});
        } else if (name == node) {
            seen.isRunning = runs;
            seen.isTold = false;
        }
    }
    seen.marks = ClusterIncarnation(std::move(marks));
    co_return seen;
}

Result<ClusterIncarnation> NodeIncarnations::marksOf(const Observation &seen, const QString &node)
{
    if (seen.isTold)
        return seen.marks;
    return fail(ErrorKind::Transient,
                seen.isRunning
                    ? Text::tr("RabbitMQ node %1 has just started and does not report its uptime yet.").arg(node)
                    : Text::tr("RabbitMQ node %1 is down.").arg(node));
}

Task<Result<ClusterIncarnation>> NodeIncarnations::read(QString node)
{
    CO_TRY(const Observation now, co_await observe(node));
    co_return marksOf(now, node);
}

Task<Result<ClusterIncarnation>> NodeIncarnations::readWhenTold(QString node, core::Timers &timers,
                                                                std::function<void(const QString &)> waiting)
{
    Result<Observation> now = co_await observe(node);
    int asked = 1;
    while (now && now->isRunning && !now->isTold && asked <= timesAskedAgain) {
        if (asked == 1 && waiting)
            waiting(marksOf(*now, node).error().message);
        const core::Pending<Result<>> sleeping = timers.sleep(pauseBetween);
        CO_TRY(co_await sleeping);
        ++asked;
        now = co_await observe(node);
    }
    if (asked > 1 && waiting)
        waiting({});
    co_return now ? marksOf(*now, node) : fail(now.error());
}

} // namespace broker::rabbitmq
