#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/brokerload.h"
#include "backend/core/random.h"
#include "backend/core/time/timers.h"

#include <QHash>
#include <QSet>

#include <map>

namespace support {

// A broker in memory with both hand-overs, on a clock and a seed. It lives on when the engine crashes: shovels go on
// moving, queues keep what they hold. What goes wrong follows rabbitmq-behaviour: an interruption doubles what was
// forwarded so far, answers are lost before or after the effect, a missing destination leads to the unroutable queue.
class FakeBroker : public broker::Broker, public broker::StagingQueue, public broker::BrokerLoad
{
public:
    struct Faults // in a thousand calls
    {
        int transient = 0;
        int throttled = 0;
        int lostBefore = 0; // the request never arrived, and we cannot know
        int lostAfter = 0; // it took effect, and we cannot know
        int nacked = 0; // not taken, and not the message's fault
        int refused = 0; // staging only: a 4xx about this very message, which is taken the next time
        int late =
            0; // of those that were on their way when their sender died: arrives all the same, while another works
    };
    enum class SendFate { Arrives, LostBefore, LostAfter, Late };
    struct Delivery
    {
        QString destination;
        records::Envelope envelope;
        bool late = false;
    };

    FakeBroker(core::Clock &clock, core::Random &random, broker::Capabilities capabilities);
    ~FakeBroker() override;

    // ---- the world
    void addQueue(const QString &name);
    void put(const QString &queue, const records::Envelope &envelope);
    [[nodiscard]] qsizetype depthOf(const QString &queue) const { return m_queues.value(queue).size(); }
    [[nodiscard]] bool isQuiet() const; // nothing held, staged or on its way
    [[nodiscard]] bool holds() const { return !m_held.isEmpty(); } // for an intake that did not end
    [[nodiscard]] QStringList places() const;
    [[nodiscard]] qsizetype copiesIn(const QString &place) const { return m_places.at(place).copies.size(); }
    void restart(); // kill and start of the broker: live shovels double what they had forwarded
    void vanish(const QString &place);
    void strew(const QString &place) { m_places[place]; } // what a request of another session made
    void removeQueue(const QString &name) { m_queues.remove(name); }
    // A holding queue is deleted by hand: what was in it.
    QList<records::Envelope> dropHeld(const QString &name);
    [[nodiscard]] QStringList heldNames() const;
    void setFaults(Faults faults) { m_faults = faults; }
    // A bad network, for good: of a thousand requests, whatever they ask, so many fail: dropped before or after they took
    // effect; one that publishes may arrive later, too.
    int network = 0;
    std::function<void(std::function<void()> arrive)> keepLate; // what is late comes when this says so, when set
    int lateCopies = 0; // that came when the way they took was closed, and went nowhere
    int placesOpened = 0; // for staging
    int entrancesClosed = 0;
    std::function<SendFate(const broker::Outgoing &copy)> fateOf; // asked for each copy that is staged, when set
    QSet<QString> poison; // unique ids that are refused for what they are
    QSet<QString> tooLarge; // unique ids that are refused for their size
    QHash<QString, QString> stagingRefusals; // by queue: only told
    QHash<QString, records::QueueLimits> limits; // by queue: only told, the test drops what it wants to
    QSet<QString> full; // destinations that nack
    QHash<QString, core::Error> unreachable; // destinations to which nothing can be sent from a staging queue
    bool forwardsNothing = false; // no shovel can be started
    core::Milliseconds throttledFor{500};
    int refusedSends = 0; // messages that a full destination did not take by intent log
    core::Milliseconds slowest{20};
    int pumpAtOnce = 3;
    std::function<void(const Delivery &)> delivered; // into any queue but the error queue
    std::optional<QStringList> onlyNamed; // the account may not list queues: it sees these
    bool countsLag = false; // every queue is said to be empty, as far as is known
    QSet<QString> unreadable; // nothing that lies there can be taken
    std::optional<core::Error> noLogin; // what a probe answers instead
    std::optional<broker::LoadReading> reading; // what it says of its load; nothing: it does not tell
    core::Milliseconds worked{}; // so long for us, as far as the test says
    int measurements = 0;
    // For how long it holds back a message for a queue (Outgoing::deliverAt); not set: not at all.
    std::function<core::Milliseconds(const QString &destination)> holdsBack;
    int heldBack = 0; // messages that it holds back now; they outlive the engine
    [[nodiscard]] broker::Capabilities &can() { return m_capabilities; }
    int calls = 0;
    int probes = 0;
    int failCall = 0; // this call (from 1) ends with a transient error; 0: none
    bool failWithdraws = false; // and from then on, until it is probed, it offers no staging queue

    // ---- broker::Broker
    [[nodiscard]] core::Task<core::Result<broker::Capabilities>> probe() override;
    [[nodiscard]] core::Task<core::Result<broker::Listing>> queues() override;
    [[nodiscard]] core::Task<core::Result<broker::ReceivedPage>> take(broker::TakeRequest request) override;
    [[nodiscard]] core::Task<core::Result<broker::PrefetchResult>> prefetch(broker::TakeRequest request) override;
    [[nodiscard]] core::Task<core::Result<>> release(broker::TakeRequest request, broker::ReceivedPage page) override;
    [[nodiscard]] core::Task<core::Result<broker::ReceivedPage>> browse(QString queue, int limit,
                                                                        broker::LookRisk risk = {}) override;
    [[nodiscard]] core::Task<QList<broker::SendOutcome>> send(QList<broker::Outgoing> messages) override;
    [[nodiscard]] core::Milliseconds longestDelay(const QString &destination) const override
    {
        return holdsBack ? holdsBack(destination) : core::Milliseconds{0};
    }
    [[nodiscard]] broker::StagingQueue *stagingQueue() override;
    [[nodiscard]] core::Task<core::Result<QList<broker::Leftover>>> leftovers() override;
    void cancelAll() override;

    // ---- broker::BrokerLoad
    [[nodiscard]] core::Task<core::Result<broker::LoadReading>> load() override;
    [[nodiscard]] QString loadObstacle() const override
    {
        return reading ? QString() : QStringLiteral("This broker does not count.");
    }
    [[nodiscard]] core::Milliseconds busy() const override { return worked; }

    // ---- broker::StagingQueue
    [[nodiscard]] core::Task<core::Result<>> open(broker::StagingPlace place) override;
    [[nodiscard]] core::Task<QList<broker::SendOutcome>> stage(broker::StagingPlace place,
                                                               QList<broker::Outgoing> copies) override;
    [[nodiscard]] core::Task<core::Result<QStringList>> reconcile(broker::StagingPlace place) override;
    [[nodiscard]] core::Task<core::Result<qint64>> depth(broker::StagingPlace place) override;
    [[nodiscard]] core::Task<core::Result<QList<broker::Unreachable>>> openWays(broker::StagingPlace place) override;
    [[nodiscard]] core::Task<core::Result<bool>> withdraw(broker::ForwardRequest request) override;
    [[nodiscard]] core::Task<core::Result<broker::ForwardReport>> forward(broker::ForwardRequest request,
                                                                          broker::ForwardHooks hooks) override;
    [[nodiscard]] core::Task<core::Result<>> discard(broker::StagingPlace place) override;

private:
    struct Stored
    {
        QString nativeId;
        records::Envelope envelope;
    };
    struct Place
    {
        QList<broker::Outgoing> copies;
        QList<broker::Outgoing> forwarded;
        QList<broker::Returned> refused;
        bool shovel = false;
        bool hadShovel = false;
        int entrance = 0; // the one that is open; -1: none
    };
    static constexpr core::Milliseconds lateAtMost{500}; // of what was on its way when its sender died

    // The way there and the chance to fail on it.
    [[nodiscard]] core::Task<core::Result<>> trip();
    [[nodiscard]] bool chance(int perMille) { return int(m_random.below(1000)) < perMille; }
    // The effect of publishing a copy; late: long after it was sent. False: nobody took it.
    using Effect = std::function<bool(bool late)>;
    [[nodiscard]] core::Result<> answered(); // the way back of a request that took effect
    [[nodiscard]] broker::SendOutcome outcomeOf(const broker::Outgoing &copy, SendFate fate, const Effect &effect);
    [[nodiscard]] SendFate networkFate();
    void later(const std::function<void()> &arrive, core::Milliseconds atMost);
    [[nodiscard]] Effect enters(const broker::StagingPlace &place, const broker::Outgoing &copy);
    [[nodiscard]] bool deliver(const broker::Outgoing &copy, bool late = false);
    [[nodiscard]] bool comesLate(const core::Result<> &trip);
    void pump(const QString &place);
    void fill(const broker::TakeRequest &request);

    core::Clock &m_clock;
    core::Random &m_random;
    broker::Capabilities m_capabilities;
    std::unique_ptr<core::Timers> m_timers;
    Faults m_faults;
    QHash<QString, QList<Stored>> m_queues;
    QHash<QString, QList<Stored>> m_held; // by holding name
    std::map<QString, Place> m_places;
    qint64 m_lastNative = 0;
    int m_boot = 1;
    int m_late = 0; // on their way without a sender
    bool m_withdrawn = false;
};

} // namespace support
