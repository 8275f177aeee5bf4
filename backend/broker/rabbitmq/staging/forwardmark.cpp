#include "backend/broker/rabbitmq/staging/forwardmark.h"

#include "backend/broker/rabbitmq/http/json.h"
#include "backend/core/text/losslessjson.h"

#include <QCborMap>

namespace broker::rabbitmq {

QString ForwardMark::toText() const
{
    const QCborMap map{{QStringLiteral("node"), node.toText()},
                       {QStringLiteral("shovel"), watch.run},
                       {QStringLiteral("shovels"), shovels},
                       {QStringLiteral("restOnly"), restOnly},
                       {QStringLiteral("restInDoubt"), restInDoubt},
                       {QStringLiteral("restarted"), watch.broke},
                       {QStringLiteral("lateStartPossible"), lateStartPossible}};
    return QString::fromUtf8(toJson(QCborValue(map)));
}

std::optional<ForwardMark> ForwardMark::from(const QString &text)
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
    mark.watch.run = map.value(QLatin1String("shovel")).toString();
    mark.shovels = int(core::integerOf(map.value(QLatin1String("shovels"))));
    mark.restOnly = map.value(QLatin1String("restOnly")).toBool();
    mark.restInDoubt = map.value(QLatin1String("restInDoubt")).toBool();
    mark.lateStartPossible = map.value(QLatin1String("lateStartPossible")).toBool(mark.shovels > 0); // 0.1.0 kept none
    mark.watch.broke = map.value(QLatin1String("restarted")).toBool();
    return mark;
}

} // namespace broker::rabbitmq
