#pragma once

#include "backend/core/random.h"
#include "backend/localbroker/change.h"
#include "backend/localbroker/refusal.h"

#include <QHash>

#include <deque>
#include <map>
#include <set>

namespace localbroker {

// One queue with its dead-letter sub-queue: what is ready, locked, scheduled or deferred, and what time does to it. A
// subscription is one that its topic fills, a topic one that keeps only what is scheduled. Every change is appended to
// `changes`. Time is given to each call.
class Queue final
{
public:
    Queue(QueueSettings settings, core::TimePoint now);

    [[nodiscard]] const QueueSettings &settings() const { return m_settings; }
    void setSettings(QueueSettings settings);
    [[nodiscard]] QueueCounts counts() const;
    [[nodiscard]] core::TimePoint lastUse() const { return m_lastUse; }
    void touch(core::TimePoint at) { m_lastUse = std::max(m_lastUse, at); }

    // True: the id was seen within the window, the message is to be dropped with a success answer.
    [[nodiscard]] bool isDuplicate(const QString &messageId, core::TimePoint now) const;
    // Something was sent here: its id is noted. It may stay here (add) or pass on.
    void arrived(const Message &message, core::TimePoint now, QList<Change> &changes);
    void add(Message message, core::TimePoint now, QList<Change> &changes);
    void restore(Message message);
    void restoreSeen(const QString &messageId, core::TimePoint at);

    [[nodiscard]] std::optional<Delivery> peekLock(bool deadLetter, core::TimePoint now, core::Random &random,
                                                   QList<Change> &changes);
    [[nodiscard]] std::optional<Delivery> receiveAndDelete(bool deadLetter, core::TimePoint now,
                                                           QList<Change> &changes);
    // Deferred messages come back by number only, locked.
    [[nodiscard]] Outcome<Delivery> receiveDeferred(bool deadLetter, qint64 sequence, core::TimePoint now,
                                                    core::Random &random, QList<Change> &changes);

    [[nodiscard]] Outcome<> complete(qint64 sequence, const QString &token, core::TimePoint now,
                                     QList<Change> &changes);
    [[nodiscard]] Outcome<> abandon(qint64 sequence, const QString &token, core::TimePoint now, QList<Change> &changes);
    [[nodiscard]] Outcome<> defer(qint64 sequence, const QString &token, core::TimePoint now, QList<Change> &changes);
    [[nodiscard]] Outcome<> deadLetter(qint64 sequence, const QString &token, const QString &reason,
                                       const QString &description, core::TimePoint now, QList<Change> &changes);
    [[nodiscard]] Outcome<core::TimePoint> renew(qint64 sequence, const QString &token, core::TimePoint now);

    // Without locking, from that number on; locked ones are included, scheduled ones not. A page also ends when
    // its bodies reach 16 MB.
    [[nodiscard]] QList<Message> browse(bool deadLetter, qint64 fromSequence, int top) const;

    // Of a topic, or of what forwards: what becomes ready does not stay.
    [[nodiscard]] bool passesOn(bool deadLetter) const { return deadLetter ? m_passesOnDead : m_passesOn; }
    // What became ready and is to go elsewhere. Who takes it says of each what became of it.
    [[nodiscard]] bool hasLeaving() const { return !m_leaving.empty(); }
    [[nodiscard]] QList<Message> takeLeaving();
    void left(qint64 sequence, QList<Change> &changes) { drop(sequence, changes); }
    void cannotLeave(qint64 sequence, const QString &reason, const QString &description, QList<Change> &changes);
    void triesAgain(qint64 sequence, core::TimePoint at) { m_triesAgain.emplace(at, sequence); }

    // Locks that ended, messages that expired or became due. True when something became ready.
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
    // Null: the lock is lost.
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
    Timetable m_triesAgain; // dead letters whose way on is closed
    std::set<qint64> m_leaving;
    bool m_passesOn = false;
    bool m_passesOnDead = false;
    QHash<QString, core::TimePoint> m_seen;
    std::deque<std::pair<core::TimePoint, QString>> m_seenInOrder;
    QueueCounts m_counts;
    core::TimePoint m_lastUse;
};

} // namespace localbroker
