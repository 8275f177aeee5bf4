#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/holding/heldqueues.h"
#include "backend/broker/rabbitmq/holding/queuerefusals.h"
#include "backend/broker/rabbitmq/holding/returnrules.h"
#include "backend/broker/rabbitmq/nodeincarnation.h"
#include "backend/broker/rabbitmq/policies.h"
#include "backend/broker/rabbitmq/quotas.h"

#include <QSet>

namespace broker::rabbitmq {

// Takes failed messages: a shovel moves them into a holding queue of ours. There nothing moves them, so they can be
// read as a whole, stored and then removed from the head. Every step can be repeated after a crash; the holding queue
// and what it says of itself survive it. Contract of broker.h.
class Holding final
{
public:
    Holding(ManagementApi &api, Shovels &shovels, core::Clock &clock, core::Timers &timers, core::Random &random);

    // Fills the holding queue. A holding queue that exists already is left as it is.
    [[nodiscard]] Task<Result<PrefetchResult>> prefetch(TakeRequest request);
    [[nodiscard]] Task<Result<ReceivedPage>> take(TakeRequest request);
    [[nodiscard]] Task<Result<>> release(TakeRequest request, ReceivedPage page);

private:
    struct Started
    {
        PrefetchResult result = PrefetchResult::Nothing;
        QString queue; // the holding queue; empty: nothing was started
        bool mayHaveRest = false; // the source may have others
    };
    // `mayWait`: also for messages that the broker does not count yet.
    [[nodiscard]] Task<Result<Started>> start(TakeRequest request, LiveQueue source, bool mayWait);
    [[nodiscard]] Task<Result<ReceivedPage>> nothingFrom(QString source);
    [[nodiscard]] Task<Result<ReceivedPage>> takeEmpty(TakeRequest request, HeldQueues::Found held);
    [[nodiscard]] Task<Result<ReceivedPage>> takeAgain(TakeRequest request, ReceivedPage before);
    [[nodiscard]] Task<Result<bool>> hasLostAll(LiveQueue held);
    [[nodiscard]] static core::Error lostOf(const QString &source, qint64 most);
    [[nodiscard]] Task<Result<ReceivedPage>> takeFrom(TakeRequest request, QString name);
    [[nodiscard]] Task<Result<>> settle(TakeRequest request, QString name);
    [[nodiscard]] Task<Result<>> watch(QString source, QString name, bool isTime);
    void noteUnreadable(const QString &source);
    [[nodiscard]] Task<Result<>> takeDown(QString name, bool isBusy);
    [[nodiscard]] Task<Result<>> noteInterruption(QString name);
    [[nodiscard]] Task<Result<bool>> isInterrupted(LiveQueue held);
    [[nodiscard]] Task<Result<ReceivedPage>> read(TakeRequest request, LiveQueue held);
    [[nodiscard]] Task<Result<qint64>> averageBytes(QString queue);
    // The queue with counts that are newer than this call, or that show something to take.
    [[nodiscard]] Task<Result<LiveQueue>> whenCounted(LiveQueue source, bool looksCost);
    // Messages that nobody holds; nothing: unknown. Refused: RabbitMQ cannot show the first one.
    [[nodiscard]] Task<Result<std::optional<qint64>>> readyIn(LiveQueue source, bool looksCost);
    // Refused: the first message cannot be taken.
    [[nodiscard]] Task<Result<>> firstIsReadable(LiveQueue source);
    [[nodiscard]] bool hasShrunk(const LiveQueue &source) const;
    [[nodiscard]] Task<Result<>> refuse(LiveQueue source);
    [[nodiscard]] Task<Result<>> refuse(QString source);
    [[nodiscard]] static core::Error unreadableIn(const LiveQueue &source);
    // How many messages the next page moves.
    [[nodiscard]] Task<Result<qint64>> countFor(TakeRequest request, std::optional<qint64> ready);
    [[nodiscard]] Task<Result<bool>> isMoreIn(LiveQueue source, LiveQueue held, bool interrupted);
    [[nodiscard]] static Result<> accept(const TakeRequest &request, const std::optional<records::DeliveryLimit> &limit,
                                         const HeldQueues::Filling &filling);
    struct Closed
    {
        QString left; // a queue that is not empty; empty: all are gone
        bool metShovel = false; // one was taken down
    };
    // Removes all that is empty.
    [[nodiscard]] Task<Result<Closed>> close(TakeRequest request, HeldQueues::Found found);
    [[nodiscard]] Task<Result<>> releaseEmpty(TakeRequest request);
    [[nodiscard]] Task<Result<>> removeIfEmpty(QString holdingName, QString name);
    [[nodiscard]] Task<Result<>> removeAll(QString holdingName, QString name);
    void forget(const QString &name);
    [[nodiscard]] Task<Result<>> awaitLate(QString name);
    [[nodiscard]] Task<Result<>> removeHead(QString name, qint64 count);
    [[nodiscard]] Task<Result<>> pause(core::Milliseconds duration);

    ManagementApi &m_api;
    core::Clock &m_clock;
    core::Timers &m_timers;
    HeldQueues m_held;
    OwnedQueues &m_queues;
    Policies m_policies;
    Quotas m_quotas;
    Shovels &m_shovels;
    NodeIncarnations m_marks;
    QHash<QString, ShovelWatch> m_watches; // by holding queue, while it exists
    // When the newest removal was requested that has no answer yet. For a queue that is not in the map an earlier
    // process may have requested one.
    QHash<QString, std::optional<core::SteadyTime>> m_asked;
    QSet<QString> m_released; // holding queues whose messages were stored and removed, while they exist
    QSet<QString> m_over; // holding queues whose shovel broke and is not started again by the broker
    // Queues with a message that breaks a shovel, and what is known of where it is
    struct Unreadable
    {
        bool isFirst = false; // all before it was taken
        std::optional<qint64> depth; // of the queue when it was refused last; nothing: it was not
    };
    QHash<QString, Unreadable> m_unreadable;
    const core::SteadyTime m_since;
};

} // namespace broker::rabbitmq
