#pragma once

#include "backend/recovery/consecutivefailures.h"

#include <QJsonArray>
#include <QJsonObject>

#include <vector>

namespace sandbox {

// The book of a scenario: what became of each message, by its number, and how often what happened. One thread.
class Ledger final
{
public:
    explicit Ledger(int planned); // how many messages there will be

    void sent(int number);
    void processed(int number); // a second time is counted on its own
    void movedToErrorQueue(int number, bool wasReturned);
    void leftForAPerson(int number); // it stays in an error or dead-letter queue
    void discarded(int number);
    void returned(int number); // it came from the error queue back into the queue of its endpoint
    void immediateRetry() { ++m_immediate; }
    void delayedRetry() { ++m_delayed; }
    void lockLost() { ++m_locksLost; }
    // What handlers sent to others, and what they wanted to send and was rolled back with them.
    void sentByHandler(int messages, bool hasFailed);
    void rolledBack(int messages) { m_rolledBack += messages; }
    void limitStarted(const QString &endpoint, const recovery::LimitedSpan &span);
    void limitEnded(const QString &endpoint, const recovery::LimitedSpan &span);

    [[nodiscard]] qint64 sentByHandlers() const { return m_sentByHandlers; }
    // Every planned message was sent and has an end.
    [[nodiscard]] bool isComplete() const;
    [[nodiscard]] bool isLeft(int number) const; // for a person
    // The counts that the scenarios share. `inQueues`: how many messages the broker still has. What was sent and is
    // neither processed, nor discarded, nor in a queue, is unaccounted.
    [[nodiscard]] QJsonObject counts(qint64 inQueues) const;

private:
    enum class State : quint8 { Planned, Sent, Processed, Failed, Left, Discarded };

    void set(int number, State state);
    [[nodiscard]] qint64 count(State state) const { return m_counts[size_t(state)]; }
    [[nodiscard]] QJsonArray limits() const;

    struct Limit
    {
        QString endpoint;
        recovery::LimitedSpan span;
    };

    std::vector<State> m_states; // by number
    std::vector<qint64> m_counts; // by state
    qint64 m_immediate = 0;
    qint64 m_delayed = 0;
    qint64 m_toErrorQueue = 0;
    qint64 m_returned = 0;
    qint64 m_cameBack = 0;
    qint64 m_twice = 0;
    qint64 m_locksLost = 0;
    qint64 m_sentByHandlers = 0;
    qint64 m_sentByFailed = 0;
    qint64 m_rolledBack = 0;
    QList<Limit> m_limits;
};

} // namespace sandbox
