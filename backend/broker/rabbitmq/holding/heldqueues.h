#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "backend/broker/rabbitmq/staging/shovels.h"
#include "backend/core/random.h"

#include <QHash>

namespace broker::rabbitmq {

// The holding queues of this process and of those before it, each with its exchanges and its shovel: makes them, finds
// them by the name of their intake run, and removes them. Each page has a queue of its own name, so a request to remove
// one that arrives late meets no other.
class HeldQueues final
{
public:
    // What is there of one run. Usually one queue; more if requests of a process that died arrived late.
    struct Found
    {
        QList<LiveQueue> queues;
        QStringList shovels;
        // This process filled a queue with so many messages at most, they were not stored, and it is gone
        qint64 vanished = 0;

        // The queue that is read next, because it has messages or may get some; null: all are empty for good.
        [[nodiscard]] const LiveQueue *next() const;
    };

    // All outlive this object.
    HeldQueues(ManagementApi &api, Shovels &shovels, core::Clock &clock, core::Random &random);

    // Reads the shovels before the counts: then nothing more comes into an empty queue without a shovel, except what a
    // process that died has sent and the broker has not received yet. If nothing is found, that is proved, unless it is
    // known because nobody has used the name.
    // Conflict: a queue is not ours. Transient: a queue does not run.
    [[nodiscard]] Task<Result<Found>> find(TakeRequest request);
    struct Filling
    {
        qint64 count = 0; // messages that the shovel moves
        QString note; // what the queue says of itself, after its part
        bool isLimited = false; // the source counts deliveries: the shovel has few messages in hand and starts once
        bool isOneByOne = false; // the source has a message that breaks a shovel: it has one message in hand
    };
    // A name like that of the next queue of this run, for patterns.
    [[nodiscard]] static QString exampleOf(const QString &holdingName);
    [[nodiscard]] static qint64 inHandOf(const Filling &filling);
    // Makes a holding queue under a name that none had before, and starts its shovel. Returns its name.
    [[nodiscard]] Task<Result<QString>> fill(TakeRequest request, Filling filling);
    // Removes what is empty: the exchanges first, without which a shovel moves nothing, then the shovels, and the queues
    // only if they are still empty. Returns those that are not. `broke` is told each shovel that was still there: its
    // unconfirmed messages may be in its queue and in the source.
    [[nodiscard]] Task<Result<QStringList>> removeEmpty(QString holdingName, Found found,
                                                        std::function<void(const QString &)> broke);
    // A request of this process to start the shovel of this run, which was sent again or has no answer, may still arrive. Once
    // that is over, whoever finds no shovel calls allHasArrived().
    [[nodiscard]] bool mayStillStart(const QString &holdingName) const;
    void allHasArrived(const QString &holdingName) { m_doubtful.remove(holdingName); }
    // The same for one queue without a shovel, which can get none any more. Conflict: it has messages.
    [[nodiscard]] Task<Result<>> removeOne(QString holdingName, QString queue);
    // What this process filled it with is no longer needed.
    void allIsStored(const QString &holdingName) { m_filled.remove(holdingName); }
    // Nothing more can arrive in the queue after this.
    [[nodiscard]] Task<Result<>> closeWay(QString queue);

    [[nodiscard]] OwnedQueues &queues() { return m_queues; }

private:
    [[nodiscard]] Task<Result<Found>> findKnown(QString queue);
    [[nodiscard]] Task<Result<Found>> search(QString holdingName);
    [[nodiscard]] Task<Result<QList<LiveQueue>>> queuesUnder(QString holdingName);
    [[nodiscard]] Task<Result<>> prepare(TakeRequest request, QString queue, QString note);
    [[nodiscard]] Task<Result<>> openBack(QString back, QString source);

    ManagementApi &m_api;
    core::Clock &m_clock;
    core::Random &m_random;
    OwnedQueues m_queues;
    Shovels &m_shovels;
    QHash<QString, QString> m_now; // by holdingName: the queue that this process made or found
    QHash<QString, qint64> m_filled; // by holdingName: messages that the shovel was to move
    // By holdingName: when the last request of this process was sent that may still arrive.
    QHash<QString, core::SteadyTime> m_doubtful;
};

} // namespace broker::rabbitmq
