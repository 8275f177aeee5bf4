#pragma once

#include "backend/localbroker/httpmessage.h"
#include "backend/localbroker/queueengine.h"

namespace localbroker {

// The ATOM management subset (protocols.md A.4). Element names, order and the d2p1 prefix are what Microsoft's clients
// expect.

// Of a queue, topic or subscription.
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
// The rules of any subscription: the one that lets everything through.
[[nodiscard]] QByteArray onlyRule(const QString &subscription, const QByteArray &host);
// What a GET of something that does not exist gives.
[[nodiscard]] QByteArray emptyFeed();
[[nodiscard]] QByteArray namespaceEntry();
// The settings in a PUT; elements that are absent keep the defaults. A subscription is known by its name.
[[nodiscard]] Outcome<QueueSettings> settingsFromEntry(const QString &name, const QByteArray &xml);

// ISO 8601 durations as the service writes them; "never" is P10675199DT2H48M5.4775807S.
[[nodiscard]] QString toDuration(std::optional<core::Milliseconds> value);
[[nodiscard]] Outcome<std::optional<core::Milliseconds>> fromDuration(const QString &text);

} // namespace localbroker
