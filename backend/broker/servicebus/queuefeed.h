#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace broker {

// One queue, topic or subscription as the ATOM management answers describe it (protocols.md A.4).
struct FeedQueue
{
    enum class Kind { Queue, Topic, Subscription };

    QString name; // "topic/Subscriptions/name" for a subscription
    qint64 active = 0;
    qint64 deadLetter = 0;
    qint64 scheduled = 0;
    qint64 sizeBytes = 0;
    qint64 messages = 0;
    qint64 mostBytes = 0; // that it holds; it refuses more; 0: unknown
    std::optional<core::Milliseconds> timeToLive; // of its messages by default; nothing: unlimited or unknown
    bool deadLettersExpired = false;
    bool duplicateDetection = false;
    bool session = false;
    Kind kind = Kind::Queue;
    int subscriptions = 0; // of a topic
    QString forwardTo; // names; empty: no forwarding
    QString forwardDeadLettersTo;
};

// The topic in the path of a subscription or of its dead-letter queue; empty for any other path.
[[nodiscard]] QString topicOf(const QString &path);

// The queues, topics or subscriptions of a feed or of one entry. Corrupt: not a feed in XML.
[[nodiscard]] core::Result<QList<FeedQueue>> queuesFromAtom(const QByteArray &xml);

} // namespace broker
