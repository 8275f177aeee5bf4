#pragma once

#include "backend/localbroker/queue.h"

#include <map>

namespace localbroker {

using Entities = std::map<QString, Queue>; // by lower-case name

// Calls `act` for each subscription of a topic. They are neighbors in the map. An entity named
// "topic/Subscriptions/a/b" is between them but is not a subscription.
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
