#include "backend/broker/rabbitmq/http/deliveryrules.h"

#include <QCborMap>

#include <algorithm>

namespace broker::rabbitmq {

namespace {

bool isEnabled(const QCborArray &flags, QLatin1String name)
{
    return std::any_of(flags.constBegin(), flags.constEnd(), [&](const QCborValue &value) {
        const QCborMap flag = value.toMap();
        return flag.value(QLatin1String("name")).toString() == name
               && flag.value(QLatin1String("state")).toString() == QLatin1String("enabled");
    });
}

} // namespace

// Run on 3.10.8, 4.0.5 and 4.3.6. A broker that was upgraded to 4 without its flags has the default limit, too.
DeliveryRules deliveryRulesOf(const std::optional<QCborArray> &flags, const QString &version)
{
    const bool isFour = version.section(QLatin1Char('.'), 0, 0).toInt() >= 4;
    if (!flags || flags->isEmpty())
        return {isFour, isFour, false};
    const bool countsAsFour = isEnabled(*flags, QLatin1String("rabbitmq_4.0.0"));
    return {isFour || countsAsFour, countsAsFour, isEnabled(*flags, QLatin1String("rabbitmq_4.3.0"))};
}

} // namespace broker::rabbitmq
