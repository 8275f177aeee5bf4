#pragma once

#include "backend/core/random.h"
#include "backend/localbroker/change.h"
#include "backend/localbroker/refusal.h"

#include <QHash>

#include <deque>
#include <map>
#include <set>

namespace localbroker {

// One queue with its dead-letter queue: its ready, locked, scheduled and deferred messages, and the effects of time on
// them. A subscription is a queue that its topic fills. A topic is a queue that keeps only scheduled messages. Every
// call gets the time and appends what it changes to `changes`. Not thread-safe.
class Queue final
{
public:
    Queue(QueueSettings settings, core::TimePoint now);

    [[nodiscard]] const QueueSettings &settings() const { return m_settings; }
    void setSettings(QueueSettings settings);
    [[nodiscard]] QueueCounts counts() const;
    [[nodiscard]] core::TimePoint lastUse() const { return m_lastUse; }
    void touch(core::TimePoint at) { m_lastUse = std::max(m_lastUse, at); }

    // True if the id was seen within the duplicate window: the message is dropped and the sender gets a success
    // response.
    [[nodiscard]] bool isDuplicate(const QString &messageId, core::TimePoint now) const;
    // Notes the id of a message that was sent here. The message then stays (add) or goes on to another entity.
    void arrived(const Message &message, core::TimePoint now, QList<Change> &changes);
    void add(Message message, core::TimePoint now, QList<Change> &changes);
    // The two restore functions fill the queue from the file.
    void restore(Message message);
    void restoreSeen(const QString &messageId, core::TimePoint at);

    [[nodiscard]] std::optional<Delivery> peekLock(bool deadLetter, core::TimePoint now, core::Random &random,
                                                   QList<Change> &changes);
    [[nodiscard]] std::optional<Delivery> receiveAndDelete(bool deadLetter, core::TimePoint now,
                                                           QList<Change> &changes);
    // Deferred messages can only be received by their sequence number. The message is locked.
    [[nodiscard]] Outcome<Delivery> receiveDeferred(bool deadLetter, qint64 sequence, core::TimePoint now,
                                                    core::Random &random, QList<Change> &changes);

    [[nodiscard]] Outcome<> complete(qint64 sequence, const QString &token, core::TimePoint now,
                                     QList<Change> &changes);
    [[nodiscard]] Outcome<> abandon(qint64 sequence, const QString &token, core::TimePoint now, QList<Change> &changes);
    [[nodiscard]] Outcome<> defer(qint64 sequence, const QString &token, core::TimePoint now, QList<Change> &changes);
    [[nodiscard]] Outcome<> deadLetter(qint64 sequence, const QString &token, const QString &reason,
                                       const QString &description, core::TimePoint now, QList<Change> &changes);
    [[nodiscard]] Outcome<core::TimePoint> renew(qint64 sequence, const QString &token, core::TimePoint now);

    // Reads messages from a sequence number on without locking them. Locked messages are included, scheduled ones are
    // not. A page ends after `top` messages or 16 MB of bodies.
    [[nodiscard]] QList<Message> browse(bool deadLetter, qint64 fromSequence, int top) const;

    // True for a topic and for an entity that forwards: messages that become ready go on to another entity.
    [[nodiscard]] bool passesOn(bool deadLetter) const { return deadLetter ? m_passesOnDead : m_passesOn; }
    // The messages that became ready and go on. For each message of takeLeaving() the caller then calls left(),
    // cannotLeave() or triesAgain().
    [[nodiscard]] bool hasLeaving() const { return !m_leaving.empty(); }
    [[nodiscard]] QList<Message> takeLeaving();
    void left(qint64 sequence, QList<Change> &changes) { drop(sequence, changes); }
    void cannotLeave(qint64 sequence, const QString &reason, const QString &description, QList<Change> &changes);
    void triesAgain(qint64 sequence, core::TimePoint at) { m_triesAgain.emplace(at, sequence); }

    // Handles locks that ended and messages that expired or became due. True if a message became ready.
    bool tick(core::TimePoint now, QList<Change> &changes);
    [[nodiscard]] std::optional<core::TimePoint> nextEvent() const;
    [[nodiscard]] bool isIdle(core::TimePoint now) const;

private:
    struct Lock
    {
        QString token;
        core::TimePoint until;
        bool wasDeferred = false;
    };
    using Timetable = std::set<std::pair<core::TimePoint, qint64>>;

    [[nodiscard]] Delivery lock(Message &message, core::TimePoint now, core::Random &random, QList<Change> &changes);
    // Null if the lock is lost.
    [[nodiscard]] Message *locked(qint64 sequence, const QString &token, core::TimePoint now);
    void unlock(qint64 sequence);
    void giveBack(Message &message, bool wasDeferred, QList<Change> &changes);
    void toDeadLetter(Message &message, const QString &reason, const QString &description, QList<Change> &changes);
    void drop(qint64 sequence, QList<Change> &changes);
    void makeReady(const Message &message);
    void leaveShelves(const Message &message);
    void expire(core::TimePoint now, QList<Change> &changes);
    [[nodiscard]] std::set<qint64> &ready(bool deadLetter) { return deadLetter ? m_readyDead : m_ready; }

    QueueSettings m_settings;
    std::map<qint64, Message> m_messages;
    std::set<qint64> m_ready;
    std::set<qint64> m_readyDead;
    QHash<qint64, Lock> m_locks;
    Timetable m_lockEnds;
    Timetable m_expiries; // of ready messages
    Timetable m_due; // scheduled messages
    Timetable m_triesAgain; // dead letters that could not be forwarded
    std::set<qint64> m_leaving;
    bool m_passesOn = false;
    bool m_passesOnDead = false;
    QHash<QString, core::TimePoint> m_seen;
    std::deque<std::pair<core::TimePoint, QString>> m_seenInOrder;
    QueueCounts m_counts;
    core::TimePoint m_lastUse;
};

} // namespace localbroker
