// Topics and auto-forwarding: a message that is sent to one entity ends in another. Everything that one request causes
// is one list of changes, so that the file gets all of it or nothing.
#include "backend/localbroker/queueengine.h"

namespace localbroker {

namespace {

constexpr int mostHops = 4; // like the service
constexpr core::Milliseconds nextTry{30000};

// The copy of a message that the broker itself sends on.
Message sentOn(const Message &message)
{
    Message next;
    next.draft = message.draft;
    next.draft.scheduledFor.reset();
    next.deadLetterReason = message.deadLetterReason;
    next.deadLetterDescription = message.deadLetterDescription;
    next.travel = message.travel;
    if (next.travel.firstSequence == 0)
        next.travel.firstSequence = message.sequence;
    return next;
}

} // namespace

qint64 QueueEngine::bytesOf(const Queue &queue) const
{
    qint64 bytes = queue.counts().bytes;
    if (queue.settings().kind == EntityKind::Topic)
        eachSubscription(m_queues, queue.settings().name, [&](const Queue &one) { bytes += one.counts().bytes; });
    return bytes;
}

int QueueEngine::subscriptionsOf(const Queue &topic) const
{
    int count = 0;
    if (topic.settings().kind == EntityKind::Topic)
        eachSubscription(m_queues, topic.settings().name, [&](const Queue &) { ++count; });
    return count;
}

// Puts a message into an entity by its rules for new messages. `isForeign`: the message was sent to another entity.
void QueueEngine::enter(Queue &queue, Message message, bool isForeign)
{
    const core::TimePoint now = m_clock.now();
    if (queue.isDuplicate(message.draft.messageId, now))
        return;
    const std::optional<core::Milliseconds> standard = queue.settings().defaultTimeToLive;
    if (standard && (!message.draft.timeToLive || *message.draft.timeToLive > *standard))
        message.draft.timeToLive = standard;
    message.sequence = ++m_lastSequence;
    message.enqueuedAt = now;
    queue.arrived(message, now, m_changes);
    const bool waits = message.draft.scheduledFor && *message.draft.scheduledFor > now;
    if (!waits && queue.passesOn(false)) {
        const std::optional<Obstacle> obstacle = goOn(queue, message);
        if (!obstacle)
            return;
        message.deadLetter = true;
        message.deadLetterReason = obstacle->reason;
        message.deadLetterDescription = obstacle->description;
    }
    const bool deadLetter = message.deadLetter;
    queue.add(std::move(message), now, m_changes);
    if (isForeign || deadLetter)
        m_arrivals.append(Place{queue.settings().name, deadLetter});
    if (queue.hasLeaving())
        m_leaving.push_back(&queue);
}

std::optional<QueueEngine::Obstacle> QueueEngine::goOn(const Queue &from, const Message &message)
{
    if (message.deadLetter)
        return forward(from, message, from.settings().forwardDeadLettersTo);
    if (from.settings().kind != EntityKind::Topic)
        return forward(from, message, from.settings().forwardTo);
    Message copy = sentOn(message);
    copy.travel.spread *= std::max(1, subscriptionsOf(from));
    eachSubscription(m_queues, from.settings().name, [&](Queue &subscription) { enter(subscription, copy, true); });
    return {};
}

std::optional<QueueEngine::Obstacle> QueueEngine::forward(const Queue &from, const Message &message, const QString &to)
{
    if (message.travel.hops >= mostHops)
        return Obstacle{QStringLiteral("MaxTransferHopCountExceeded"),
                        QStringLiteral("The maximum number of allowed hops when forwarding between entities has been "
                                       "exceeded. This value is set to %1.")
                            .arg(mostHops)};
    Queue *target = find(to);
    if (target == nullptr || target->settings().kind == EntityKind::Subscription)
        return Obstacle{QStringLiteral("TransferDestinationNotFound"),
                        QStringLiteral("The transfer destination entity does not exist."), true};
    const qint64 copies = std::max(1, subscriptionsOf(*target));
    if (message.travel.spread * copies > m_limits.spread)
        return Obstacle{
            QStringLiteral("TransferTooWide"),
            QStringLiteral("Chained topics would make more than %1 copies of one message.").arg(m_limits.spread)};
    if (bytesOf(*target) + message.draft.size() * copies > target->settings().maxSizeBytes)
        return Obstacle{QStringLiteral("TransferDestinationFull"),
                        QStringLiteral("The transfer destination entity has reached its maximum size."), true};
    Message next = sentOn(message);
    ++next.travel.hops;
    if (message.deadLetter) {
        next.travel.deadLetterSource = from.settings().name;
        next.draft.timeToLive.reset(); // a dead letter has no time to live: it may be the one with which it expired
    }
    enter(*target, std::move(next), true);
    return {};
}

void QueueEngine::passOn(Queue &queue)
{
    const QList<Message> leaving = queue.takeLeaving();
    for (const Message &message : leaving) {
        const std::optional<Obstacle> obstacle = goOn(queue, message);
        if (!obstacle) {
            queue.left(message.sequence, m_changes);
        } else if (!message.deadLetter) {
            queue.cannotLeave(message.sequence, obstacle->reason, obstacle->description, m_changes);
            m_arrivals.append(Place{queue.settings().name, true});
        } else if (obstacle->mayPass) {
            queue.triesAgain(message.sequence, m_clock.now() + nextTry);
        }
    }
    if (queue.hasLeaving())
        m_leaving.push_back(&queue);
}

// This ends, because each step adds a hop and the number of hops is limited.
void QueueEngine::passOnAll()
{
    while (!m_leaving.empty()) {
        Queue *queue = m_leaving.back();
        m_leaving.pop_back();
        passOn(*queue);
    }
}

} // namespace localbroker
