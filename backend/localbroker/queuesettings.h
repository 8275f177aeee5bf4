#pragma once

#include "backend/core/clock.h"

#include <QString>

#include <optional>

namespace localbroker {

// A topic keeps nothing but what is scheduled; a subscription is a queue that is filled by its topic.
enum class EntityKind { Queue, Topic, Subscription };

// The "static knobs" of a queue, topic or subscription (seed 002 part 1; defaults as the service's).
struct QueueSettings
{
    QString name; // compared without case; may contain '/'; a subscription's is "topic/Subscriptions/name"
    core::Milliseconds lockDuration{60000}; // at most 5 minutes
    int maxDeliveryCount = 10; // 1 to 2000
    std::optional<core::Milliseconds> defaultTimeToLive; // nothing: for ever
    bool deadLetteringOnExpiration = false;
    std::optional<core::Milliseconds> autoDeleteOnIdle; // nothing: never
    bool duplicateDetection = false;
    core::Milliseconds duplicateWindow{600000};
    qint64 maxSizeBytes = 1024LL * 1024 * 1024;
    EntityKind kind = EntityKind::Queue;
    QString forwardTo; // the queue or topic that gets everything that comes; empty: it stays
    QString forwardDeadLettersTo;
};

// The two names in the path of a subscription.
struct SubscriptionPath
{
    QString topic;
    QString name;
};
[[nodiscard]] std::optional<SubscriptionPath> subscriptionPath(const QString &path);
[[nodiscard]] QString pathOfSubscription(const QString &topic, const QString &name);

// What one queue or its dead-letter sub-queue holds.
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
