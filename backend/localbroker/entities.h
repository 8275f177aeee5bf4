#pragma once

#include "backend/localbroker/queue.h"

#include <map>

namespace localbroker {

using Entities = std::map<QString, Queue>; // by lower-case name

// The subscriptions of a topic lie side by side there. So may what is called "topic/Subscriptions/a/b", which is none.
template<typename Map, typename Act>
void eachSubscription(Map &entities, const QString &topic, const Act &act)
{
    const QString prefix = pathOfSubscription(topic, {}).toLower();
    for (auto it = entities.lower_bound(prefix); it != entities.end() && it->first.startsWith(prefix); ++it) {
        if (it->second.settings().kind == EntityKind::Subscription
            && it->first.indexOf(QLatin1Char('/'), prefix.size()) < 0)
            act(it->second);
    }
}

} // namespace localbroker
