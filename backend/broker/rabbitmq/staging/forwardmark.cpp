#include "backend/broker/rabbitmq/staging/forwardmark.h"

#include "backend/broker/rabbitmq/http/json.h"
#include "backend/core/text/losslessjson.h"

#include <QCborArray>
#include <QCborMap>

namespace broker::rabbitmq {

namespace {

QCborMap mapOf(const QMap<QString, QString> &texts)
{
    QCborMap map;
    for (auto text = texts.cbegin(); text != texts.cend(); ++text)
        map.insert(text.key(), text.value());
    return map;
}

QMap<QString, QString> textsOf(const QCborMap &map)
{
    QMap<QString, QString> texts;
    for (const auto &entry : map)
        texts.insert(entry.first.toString(), entry.second.toString());
    return texts;
}

} // namespace

QString ForwardMark::toText() const
{
    const QCborMap map{{QStringLiteral("node"), node},
                       {QStringLiteral("nodes"), nodes.toText(node)},
                       {QStringLiteral("involved"), QCborArray::fromStringList(involved)},
                       {QStringLiteral("runs"), mapOf(watch.runs)},
                       {QStringLiteral("shovels"), shovels},
                       {QStringLiteral("lastShovel"), lastShovel},
                       {QStringLiteral("copies"), copies},
                       {QStringLiteral("lastEnd"), lastEnd},
                       {QStringLiteral("restOnly"), restOnly},
                       {QStringLiteral("restInDoubt"), restInDoubt},
                       {QStringLiteral("restarted"), watch.broke},
                       {QStringLiteral("unreachable"), mapOf(unreachable)},
                       {QStringLiteral("refused"), mapOf(refused)},
                       {QStringLiteral("lateStartPossible"), lateStartPossible}};
    return QString::fromUtf8(toJson(QCborValue(map)));
}

std::optional<ForwardMark> ForwardMark::from(const QString &text, const QString &place)
{
    const Result<QCborValue> root = parseJson(text.toUtf8());
    if (!root)
        return std::nullopt;
    const QCborMap map = root->toMap();
    ForwardMark mark;
    mark.node = map.value(QLatin1String("node")).toString();
    mark.nodes = ClusterIncarnation::from(map.value(QLatin1String("nodes")).toString());
    // Redrive 0.1.0 kept the run of the staging queue's node only.
    if (const auto one = NodeIncarnation::from(mark.node)) {
        mark.nodes = ClusterIncarnation({*one});
        mark.node = one->node;
    }
    if (!mark.nodes.of(mark.node))
        return std::nullopt;
    const QCborArray involved = map.value(QLatin1String("involved")).toArray();
    for (const QCborValue &name : involved)
        mark.involved.append(name.toString());
    mark.watch.runs = textsOf(map.value(QLatin1String("runs")).toMap());
    mark.unreachable = textsOf(map.value(QLatin1String("unreachable")).toMap());
    mark.refused = textsOf(map.value(QLatin1String("refused")).toMap());
    // Up to Redrive 0.1.0 every shovel had the name of its place.
    if (const QString run = map.value(QLatin1String("shovel")).toString(); !run.isEmpty())
        mark.watch.runs.insert(place, run);
    mark.shovels = int(core::integerOf(map.value(QLatin1String("shovels"))));
    mark.lastShovel = int(core::integerOf(map.value(QLatin1String("lastShovel"))));
    mark.lastEnd = int(core::integerOf(map.value(QLatin1String("lastEnd"))));
    mark.copies = core::integerOf(map.value(QLatin1String("copies")), -1);
    mark.restOnly = map.value(QLatin1String("restOnly")).toBool();
    mark.restInDoubt = map.value(QLatin1String("restInDoubt")).toBool();
    mark.lateStartPossible = map.value(QLatin1String("lateStartPossible")).toBool(mark.shovels > 0); // 0.1.0 kept none
    mark.watch.broke = map.value(QLatin1String("restarted")).toBool();
    return mark;
}

bool ForwardMark::mayHaveForwarded() const
{
    return shovels > 0 || !watch.runs.isEmpty();
}

} // namespace broker::rabbitmq
