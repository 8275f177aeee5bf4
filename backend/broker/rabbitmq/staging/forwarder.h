#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/policies.h"
#include "backend/broker/rabbitmq/staging/forwardmark.h"
#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "backend/broker/rabbitmq/staging/placenames.h"
#include "backend/broker/rabbitmq/staging/returnexchange.h"
#include "backend/broker/rabbitmq/staging/shovels.h"

namespace broker::rabbitmq {

// One call of StagingQueue::forward. Starts the shovel of one staging place and watches it until the staging queue is
// proved empty, or until two shovels have failed and the rest is accounted for. Everything that a later call must know
// is in the mark, which is kept before the step that it describes.
class Forwarder final
{
public:
    Forwarder(ManagementApi &api, Shovels &shovels, core::Clock &clock, core::Timers &timers, ForwardRequest request,
              ForwardHooks hooks);

    [[nodiscard]] Task<Result<ForwardReport>> run();

private:
    enum class Step { Poll, Empty, Rest };

    [[nodiscard]] Task<Result<>> begin();
    [[nodiscard]] Task<Result<Step>> nextStep();
    [[nodiscard]] Task<Result<Step>> lookWithShovels(QStringList shovels, qint64 depth, qint64 inFlight);
    [[nodiscard]] Task<Result<Step>> lookWithoutShovel(qint64 depth);
    [[nodiscard]] Task<Result<>> watch();
    [[nodiscard]] Task<Result<>> startShovel();
    [[nodiscard]] Task<Result<>> markEnd(int shovel);
    [[nodiscard]] Task<Result<QString>> openEntrance(int shovel);
    [[nodiscard]] Result<> holdsAll(qint64 messages, qint64 expected) const;
    [[nodiscard]] core::Milliseconds lateStartWithin() const;
    [[nodiscard]] Task<Result<>> endShovels();
    [[nodiscard]] Task<Result<bool>> isEmpty();
    [[nodiscard]] Task<Result<ForwardReport>> account();
    [[nodiscard]] Task<Result<>> readRest(ForwardReport &report);
    [[nodiscard]] Task<Result<>> readUnroutable(ForwardReport &report);
    [[nodiscard]] Task<Result<>> readDead(ForwardReport &report);
    [[nodiscard]] bool isEnd(const QCborMap &item, bool &isNewest) const;
    [[nodiscard]] Task<Result<bool>> provesUnroutableAll(bool isSameRun);
    [[nodiscard]] QString lossText(bool isSameRun) const;
    [[nodiscard]] Task<Result<>> judgeLoss(ForwardReport &report);
    [[nodiscard]] Task<Result<QCborArray>> readAll(QString queue, QString way);
    [[nodiscard]] Task<Result<>> findInterruption(ForwardReport &report);
    [[nodiscard]] Task<Result<QStringList>> nodesOfDestinations();
    [[nodiscard]] QSet<QString> destinationsIn(const QCborArray &items) const;
    [[nodiscard]] Task<Result<QHash<QString, QString>>> notRunning(QSet<QString> destinations);
    [[nodiscard]] Task<Result<QHash<QString, QString>>> notProvedMissing(QSet<QString> destinations);
    [[nodiscard]] Result<> keep();
    void say(const QString &reason);
    void noteMoved()
    {
        m_movedAt = m_clock.steady();
        m_movedAtWall = m_clock.now();
    }
    [[nodiscard]] core::Milliseconds still() const { return m_clock.steady() - m_movedAt; }

    ManagementApi &m_api;
    core::Clock &m_clock;
    core::Timers &m_timers;
    const ForwardRequest m_request;
    const ForwardHooks m_hooks;
    const PlaceNames m_names;
    OwnedQueues m_queues;
    ReturnExchange m_returnExchange;
    Shovels &m_shovels;
    NodeIncarnations m_marks;
    ForwardMark m_mark;
    qint64 m_lastDepth = -1;
    core::SteadyTime m_movedAt{};
    core::TimePoint m_movedAtWall{}; // the same moment as wall-clock time, for people
    core::SteadyTime m_askedAt{}; // when the consumers were last listed
    // When a shovel was last requested. Steady time, because this machine sends nothing while it sleeps.
    core::SteadyTime m_requestedAt{};
    // The newest end marker was found among what is left in the staging queue, or in the unroutable queue.
    bool m_endLeft = false;
    bool m_endUnroutable = false;
    bool m_seenWorking = false; // this shovel has or had unconfirmed messages or a consumer
    int m_fruitless = 0; // number of shovels that never got a consumer
    QString m_shovelReason; // why the shovel does not run, in the broker's words
    QString m_said;
};

} // namespace broker::rabbitmq
