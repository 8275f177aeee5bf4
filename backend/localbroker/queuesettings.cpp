#include "backend/localbroker/queuesettings.h"

namespace localbroker {

std::optional<SubscriptionPath> subscriptionPath(const QString &path)
{
    const qsizetype last = path.lastIndexOf(QLatin1Char('/'));
    constexpr QLatin1String word("/Subscriptions");
    if (last <= word.size() || last + 1 == path.size()
        || !QStringView(path).left(last).endsWith(word, Qt::CaseInsensitive)) // the topic must have a name
        return {};
    return SubscriptionPath{path.left(last - word.size()), path.mid(last + 1)};
}

QString pathOfSubscription(const QString &topic, const QString &name)
{
    return topic + QLatin1String("/Subscriptions/") + name;
}

} // namespace localbroker
