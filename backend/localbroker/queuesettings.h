#pragma once

#include "backend/core/time/clock.h"

#include <QString>

#include <optional>

namespace localbroker {

// A topic keeps only scheduled messages. A subscription is a queue that its topic fills.
enum class EntityKind { Queue, Topic, Subscription };

// What a queue, topic or subscription is created with, with the defaults of Azure Service Bus.
struct QueueSettings
{
    QString name; // without regard to case; may contain '/'; for a subscription "topic/Subscriptions/name"
    core::Milliseconds lockDuration{60000}; // at most 5 minutes
    int maxDeliveryCount = 10; // 1 to 2000
    std::optional<core::Milliseconds> defaultTimeToLive; // more than 0; nothing: forever
    bool deadLetteringOnExpiration = false;
    std::optional<core::Milliseconds> autoDeleteOnIdle; // at least 5 minutes; nothing: never
    bool duplicateDetection = false;
    core::Milliseconds duplicateWindow{600000};
    qint64 maxSizeBytes = 1024LL * 1024 * 1024;
    EntityKind kind = EntityKind::Queue;
    QString forwardTo; // the queue or topic that gets every message; empty: messages stay
    QString forwardDeadLettersTo;
};

// The two names in the path of a subscription. subscriptionPath() returns nothing for any other path.
struct SubscriptionPath
{
    QString topic;
    QString name;
};
[[nodiscard]] std::optional<SubscriptionPath> subscriptionPath(const QString &path);
[[nodiscard]] QString pathOfSubscription(const QString &topic, const QString &name);

// The message counts of one queue with its dead-letter queue.
struct QueueCounts
{
    qint64 active = 0;
    qint64 deadLetter = 0;
    qint64 scheduled = 0;
    qint64 bytes = 0;
    int subscriptions = 0; // of a topic
};

// A queue or its "$DeadLetterQueue".
struct Place
{
    QString queue;
    bool deadLetter = false;
};

} // namespace localbroker
