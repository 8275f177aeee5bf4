#pragma once

#include "backend/localbroker/http/httpmessage.h"
#include "backend/localbroker/queueengine.h"

namespace localbroker {

// The subset of ATOM for management (protocols.md A.4). Element names, their order and the prefix d2p1 are as
// Microsoft's clients expect them. Pure functions.

// The entry of a queue, topic or subscription.
[[nodiscard]] QByteArray queueEntry(const QueueState &queue, const QByteArray &host);
struct FeedPage
{
    QString title;
    QString path; // "$Resources/Queues"
    QList<QueueState> entities{};
    int skip = 0;
    int top = 0;
    bool hasMore = false;
};
[[nodiscard]] QByteArray entityFeed(const FeedPage &page, const QByteArray &host);
// The rules of a subscription. Every subscription has the same single rule, which accepts every message.
[[nodiscard]] QByteArray onlyRule(const QString &subscription, const QByteArray &host);
// The response to a GET of an entity that does not exist.
[[nodiscard]] QByteArray emptyFeed();
[[nodiscard]] QByteArray namespaceEntry();
// Reads the settings in a PUT. Missing elements keep their defaults. The form of the name tells a subscription from a
// queue. Invalid if the XML is damaged or asks for something that this broker does not support.
[[nodiscard]] Outcome<QueueSettings> settingsFromEntry(const QString &name, const QByteArray &xml);

// Durations in ISO 8601, as the service writes them. Nothing means "never", which is P10675199DT2H48M5.4775807S.
[[nodiscard]] QString toDuration(std::optional<core::Milliseconds> value);
[[nodiscard]] Outcome<std::optional<core::Milliseconds>> fromDuration(const QString &text);

} // namespace localbroker
