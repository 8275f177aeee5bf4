#include "backend/broker/rabbitmq/staging/forwardmark.h"

#include "backend/broker/rabbitmq/http/json.h"
#include "backend/core/text/losslessjson.h"

#include <QCborMap>

namespace broker::rabbitmq {

QString ForwardMark::toText() const
{
    QCborMap runs;
    for (auto run = watch.runs.cbegin(); run != watch.runs.cend(); ++run)
        runs.insert(run.key(), run.value());
    const QCborMap map{
        {QStringLiteral("node"), node.toText()},    {QStringLiteral("runs"), runs},
        {QStringLiteral("shovels"), shovels},       {QStringLiteral("lastShovel"), lastShovel},
        {QStringLiteral("restOnly"), restOnly},     {QStringLiteral("restInDoubt"), restInDoubt},
        {QStringLiteral("restarted"), watch.broke}, {QStringLiteral("lateStartPossible"), lateStartPossible}};
    return QString::fromUtf8(toJson(QCborValue(map)));
}

std::optional<ForwardMark> ForwardMark::from(const QString &text, const QString &place)
{
    const Result<QCborValue> root = parseJson(text.toUtf8());
    if (!root)
        return std::nullopt;
    const QCborMap map = root->toMap();
    const std::optional<NodeIncarnation> node = NodeIncarnation::from(map.value(QLatin1String("node")).toString());
    if (!node)
        return std::nullopt;
    ForwardMark mark;
    mark.node = *node;
    const QCborMap runs = map.value(QLatin1String("runs")).toMap();
    for (const auto &run : runs)
        mark.watch.runs.insert(run.first.toString(), run.second.toString());
    // Up to Redrive 0.1.0 every shovel had the name of its place.
    if (const QString run = map.value(QLatin1String("shovel")).toString(); !run.isEmpty())
        mark.watch.runs.insert(place, run);
    mark.shovels = int(core::integerOf(map.value(QLatin1String("shovels"))));
    mark.lastShovel = int(core::integerOf(map.value(QLatin1String("lastShovel"))));
    mark.restOnly = map.value(QLatin1String("restOnly")).toBool();
    mark.restInDoubt = map.value(QLatin1String("restInDoubt")).toBool();
    mark.lateStartPossible = map.value(QLatin1String("lateStartPossible")).toBool(mark.shovels > 0); // 0.1.0 kept none
    mark.watch.broke = map.value(QLatin1String("restarted")).toBool();
    return mark;
}

} // namespace broker::rabbitmq
