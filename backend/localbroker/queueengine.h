#pragma once

#include "backend/localbroker/entities.h"

#include <vector>

namespace localbroker {

// The limits of one broker. Sizes are as in Azure Service Bus Standard; a message may have 1 MB, as with the REST of
// Premium.
struct EngineLimits
{
    qint64 messageBytes = 1024 * 1024;
    qint64 batchBytes = 256 * 1024;
    qint64 headerBytes = 64 * 1024;
    int queues = 10000; // with topics and subscriptions
    int subscriptions = 2000; // of one topic
    int spread = 10000; // copies that chained topics may make of one message
};

struct QueueState
{
    QueueSettings settings;
    QueueCounts counts;
};

// The rules of Azure Service Bus for all queues, topics and subscriptions. It has no I/O, thread or timer. Its owner
// commits the result of takeChanges() in one transaction before it reports success to a client, and calls tick() at the
// time of nextEvent(). The Refusal of a call says why it was declined. Not thread-safe.
class QueueEngine final
{
public:
    QueueEngine(core::Clock &clock, core::Random &random, EngineLimits limits = {});

    [[nodiscard]] const EngineLimits &limits() const { return m_limits; }

    [[nodiscard]] Outcome<> createQueue(QueueSettings settings);
    [[nodiscard]] Outcome<> updateQueue(QueueSettings settings);
    [[nodiscard]] Outcome<> deleteQueue(const QString &name);
    [[nodiscard]] std::optional<QueueState> queue(const QString &name) const;
    // In order of names. For subscriptions: those of one topic.
    [[nodiscard]] QList<QueueState> entities(EntityKind kind, const QString &topic, int skip, int top) const;

    // Accepts all drafts or none, with the copies of topics and all forwarding.
    [[nodiscard]] Outcome<> send(const Place &place, QList<Draft> drafts);
    // Puts messages into the dead-letter queue without a delivery, all or none. They do not count for duplicate detection.
    [[nodiscard]] Outcome<> sendDeadLetters(const QString &name, QList<DeadLetterDraft> drafts);
    [[nodiscard]] Outcome<std::optional<Delivery>> peekLock(const Place &place);
    [[nodiscard]] Outcome<std::optional<Delivery>> receiveAndDelete(const Place &place);
    [[nodiscard]] Outcome<Delivery> receiveDeferred(const Place &place, qint64 sequence);
    [[nodiscard]] Outcome<> complete(const Place &place, qint64 sequence, const QString &token);
    [[nodiscard]] Outcome<> abandon(const Place &place, qint64 sequence, const QString &token);
    [[nodiscard]] Outcome<> defer(const Place &place, qint64 sequence, const QString &token);
    [[nodiscard]] Outcome<> deadLetter(const Place &place, qint64 sequence, const QString &token, const QString &reason,
                                       const QString &description);
    [[nodiscard]] Outcome<core::TimePoint> renew(const Place &place, qint64 sequence, const QString &token);
    [[nodiscard]] Outcome<QList<Message>> browse(const Place &place, qint64 fromSequence, int top) const;

    // Somebody waits for a message there, which is a use of the queue (autoDeleteOnIdle).
    void touch(const Place &place);
    // Applies the effects of time. True if a message became ready.
    bool tick();
    [[nodiscard]] std::optional<core::TimePoint> nextEvent() const;

    // The places to which topics and forwarding have sent messages since the last call.
    [[nodiscard]] QList<Place> takeArrivals() { return std::exchange(m_arrivals, {}); }

    // The changes since the last call.
    [[nodiscard]] QList<Change> takeChanges() { return std::exchange(m_changes, {}); }
    [[nodiscard]] bool hasChanges() const { return !m_changes.isEmpty(); }
    [[nodiscard]] qint64 lastSequence() const { return m_lastSequence; }

    // Fill the engine from the file before any other call. Messages of unknown queues are ignored.
    void restoreQueue(QueueSettings settings);
    void restoreMessage(const QString &queue, Message message);
    void restoreSeen(const QString &queue, const QString &messageId, core::TimePoint at);
    void restoreSequence(qint64 last) { m_lastSequence = std::max(m_lastSequence, last); }

private:
    struct Obstacle // why a message cannot be sent on
    {
        QString reason;
        QString description;
        bool mayPass = false; // a later try may work
    };

    [[nodiscard]] Queue *find(const QString &name);
    [[nodiscard]] const Queue *find(const QString &name) const;
    [[nodiscard]] Outcome<> placeInTopic(QueueSettings &settings) const;
    [[nodiscard]] Outcome<> findTargets(QueueSettings &settings) const;
    [[nodiscard]] Outcome<Queue *> receivable(const Place &place);
    [[nodiscard]] Outcome<> check(const Queue &queue, const QList<Draft> &drafts) const;
    void enterDead(Queue &queue, DeadLetterDraft draft);
    [[nodiscard]] QueueState stateOf(const Queue &queue) const;
    [[nodiscard]] qint64 bytesOf(const Queue &queue) const; // for a topic, with its subscriptions
    [[nodiscard]] int subscriptionsOf(const Queue &topic) const;
    bool keptInUse(Queue &topic, core::TimePoint now);

    void enter(Queue &queue, Message message, bool isForeign);
    [[nodiscard]] std::optional<Obstacle> goOn(const Queue &from, const Message &message);
    [[nodiscard]] std::optional<Obstacle> forward(const Queue &from, const Message &message, const QString &to);
    void passOn(Queue &queue);
    void passOnAll();
    // Sends on the messages that the last call made ready there.
    void follow(Queue &queue);

    core::Clock &m_clock;
    core::Random &m_random;
    EngineLimits m_limits;
    Entities m_queues;
    std::vector<Queue *> m_leaving; // queues with messages that go on
    QList<Place> m_arrivals;
    QList<Change> m_changes;
    qint64 m_lastSequence = 0;
};

} // namespace localbroker
