#pragma once

#include "backend/localbroker/queue.h"

#include <map>

namespace localbroker {

// Bounds of one broker. Sizes as Azure Service Bus Standard, messages up to 1 MB as Premium's REST.
struct EngineLimits
{
    qint64 messageBytes = 1024 * 1024;
    qint64 batchBytes = 256 * 1024;
    qint64 headerBytes = 64 * 1024;
    int queues = 10000;
};

struct QueueState
{
    QueueSettings settings;
    QueueCounts counts;
};

// The rules of seed 002 over all queues: no I/O, no thread, no timer of its own. Whoever owns it makes takeChanges()
// durable before it tells a sender "accepted", and calls tick() at nextEvent().
class QueueEngine final
{
public:
    QueueEngine(core::Clock &clock, core::Random &random, EngineLimits limits = {});

    [[nodiscard]] const EngineLimits &limits() const { return m_limits; }

    [[nodiscard]] Outcome<> createQueue(QueueSettings settings);
    [[nodiscard]] Outcome<> updateQueue(QueueSettings settings);
    [[nodiscard]] Outcome<> deleteQueue(const QString &name);
    [[nodiscard]] std::optional<QueueState> queue(const QString &name) const;
    [[nodiscard]] QList<QueueState> queues(int skip, int top) const; // by name

    // All or nothing.
    [[nodiscard]] Outcome<> send(const Place &place, QList<Draft> drafts);
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

    // What time has done since. True when a message became ready for somebody who waits.
    bool tick();
    [[nodiscard]] std::optional<core::TimePoint> nextEvent() const;

    [[nodiscard]] QList<Change> takeChanges() { return std::exchange(m_changes, {}); }
    [[nodiscard]] bool hasChanges() const { return !m_changes.isEmpty(); }
    [[nodiscard]] qint64 lastSequence() const { return m_lastSequence; }

    // From the file, before anything else. Messages of unknown queues are ignored.
    void restoreQueue(QueueSettings settings);
    void restoreMessage(const QString &queue, Message message);
    void restoreSeen(const QString &queue, const QString &messageId, core::TimePoint at);
    void restoreSequence(qint64 last) { m_lastSequence = std::max(m_lastSequence, last); }

private:
    [[nodiscard]] Queue *find(const QString &name);
    [[nodiscard]] Outcome<> check(const Queue &queue, const QList<Draft> &drafts) const;

    core::Clock &m_clock;
    core::Random &m_random;
    EngineLimits m_limits;
    std::map<QString, Queue> m_queues; // by lower-case name
    QList<Change> m_changes;
    qint64 m_lastSequence = 0;
};

} // namespace localbroker
