// What the engine asks of a broker, whatever its kind. Implementations: one folder each. Names that we create on a
// broker start with "redrive." and are chosen by the caller, who commits them before the first call that uses them.
// One thread (the engine's). Every call ends, with Cancelled at the latest. Nothing here knows the store.
#pragma once

#include "backend/broker/staging.h"
#include "backend/core/async.h"
#include "backend/core/clock.h"
#include "backend/core/result.h"
#include "backend/records/expiry.h"
#include "backend/records/headers.h"
#include "backend/records/retry.h"

#include <QStringList>

#include <functional>
#include <optional>

namespace broker {
using core::Result;
using core::Task;

enum class QueueRole { Work, ErrorQueue, DeadLetter, Ours };

struct QueueInfo
{
    QString name; // as messages name it; a dead-letter sub-queue is "orders/$DeadLetterQueue"
    QueueRole role = QueueRole::Work;
    QString origin; // the queue whose dead letters lie here, when the broker knows it
    std::optional<qint64> depth; // messages waiting; nothing: unknown, which is not 0
    std::optional<int> consumers;
    qint64 averageBytes = 0; // 0: unknown
    QString refusal; // why we must not take from it or send to it (stream, operator policy, ...); empty: fine
    bool depthIsExact = false; // else it may lag behind by minutes: then 0 is no proof that nothing is there
    records::BrokerRetention retention{};
};

struct Listing
{
    QList<QueueInfo> queues;
    bool complete = true; // else only those that the connection names: of others nobody knows whether they exist
};

// What this account can do on this broker, as found by probing, and how that is said to people.
struct Capabilities
{
    records::HandOver handOver = records::HandOver::None;
    bool canTake = false; // remove failed messages after a durable copy
    bool canBrowse = false;
    bool locks = false; // takes by lock and complete
    int sendBatch = 1; // messages in one send call
    qint64 sendBatchBytes = 0; // 0: no bound but the message's own
    int sendsInFlight = 1;
    QString product; // "RabbitMQ 3.10.8"
    QString guarantee; // one or two sentences for the plan dialog, true to what the code does
    QStringList missing; // rights or plugins that would make more possible, in words
    QString rightsUnknown; // why nobody can say before it is tried whether the rights are enough; empty: they are known
};

// ---- taking: error queue to store -------------------------------------------------------------------------------

struct TakeRequest
{
    QString queue;
    QString holdingName; // unique to the intake run; unused by lock-capable brokers
    int limit = 0; // messages, > 0
    qint64 byteLimit = 0; // stop earlier when they are large; at least one message is taken
    std::function<void(const QString &reason)> waiting{}; // it takes longer, and why; empty: it goes on
};

// One message that only we can see at the moment. It has not left the broker.
struct ReceivedMessage
{
    QString nativeId; // stable over re-reads of the same copy
    QString settleToken; // opaque: lock location or position
    records::Envelope envelope;
    std::optional<int> deliveryCount;
    std::optional<core::TimePoint> enqueuedAt;
    QString origin; // queue it was dead-lettered from, when the broker says so itself
    bool notFaithful = false; // carries what this interface cannot send back unchanged, beside these headers:
    QStringList lossyHeaders; // shown otherwise than they are
    records::BrokerRetention retention{}; // of this one, from when it was put into the queue, which may have another
};

struct ReceivedPage
{
    QList<ReceivedMessage> messages;
    bool more = false; // the source queue had more, or more is held under the same name
    bool interrupted = false; // the broker restarted while it was filled: copies may be here or there twice
    std::optional<core::BootTime> lockedUntil; // renew at half the time
    std::optional<core::Error> trouble; // of a call beside those that gave these messages: nobody knows that it was all
};

// What a holding queue was filled with ahead of take.
enum class PrefetchResult {
    Nothing, // none was seen to fill it with, or this broker holds nothing ahead
    AllThereWas,
    Part, // more was left where it lies
};

// An object of ours that a crash left on the broker.
struct Leftover
{
    enum class Kind { Holding, Staging, Unroutable, DeadLetter };
    Kind kind = Kind::Holding;
    QString name; // holdingName, or the name of the staging place
    QString storeId;
    qint64 depth = 0;
};

class Broker
{
public:
    Broker() = default;
    Broker(const Broker &) = delete;
    Broker &operator=(const Broker &) = delete;
    virtual ~Broker() = default;

    // Asks the broker who we are and what is possible. To be called first, and again after trouble with rights.
    [[nodiscard]] virtual Task<Result<Capabilities>> probe() = 0;
    // Live depths, dead-letter queues with their origins. Ours are included with role Ours.
    [[nodiscard]] virtual Task<Result<Listing>> queues() = 0;

    // Reads up to `limit` messages from the head and leaves them on the broker, seen by us alone. Called again with the
    // same holdingName (after a crash) it goes on with what is held. An empty page: nothing there.
    [[nodiscard]] virtual Task<Result<ReceivedPage>> take(TakeRequest request) = 0;
    // Fills the holding queue of the request, so that take finds it ready: while the page of another one is read and
    // stored. One at a time for a queue. Nothing: take is what finds out for sure.
    [[nodiscard]] virtual Task<Result<PrefetchResult>> prefetch(TakeRequest) { co_return PrefetchResult::Nothing; }
    // Extends the locks; brokers without locks return the page as it is. NotFound: locks are lost.
    [[nodiscard]] virtual Task<Result<ReceivedPage>> renew(TakeRequest request, ReceivedPage page) = 0;
    // Removes exactly the messages of the page from the broker: called only after their copies are durable.
    [[nodiscard]] virtual Task<Result<>> release(TakeRequest request, ReceivedPage page) = 0;
    // Ends the locks of the page, so that others see its messages again. Refused by brokers without locks.
    [[nodiscard]] virtual Task<Result<>> putBack(TakeRequest, ReceivedPage)
    {
        co_return core::fail(core::ErrorKind::Refused, QStringLiteral("This broker has no locks to end."));
    }
    // Looks without taking; disturbs as little as the broker allows.
    [[nodiscard]] virtual Task<Result<ReceivedPage>> browse(QString queue, int limit) = 0;

    // Straight to the destinations, at most Capabilities::sendBatch at a time; one outcome per message, in order.
    [[nodiscard]] virtual Task<QList<SendOutcome>> send(QList<Outgoing> messages) = 0;

    // Null when copies cannot be staged on the broker.
    [[nodiscard]] virtual StagingQueue *stagingQueue() = 0;
    // Everything on the broker whose name says it is ours (any store).
    [[nodiscard]] virtual Task<Result<QList<Leftover>>> leftovers() = 0;

    // Ends everything under way with Cancelled.
    virtual void cancelAll() = 0;

    // Told of each call that got no answer in time and is repeated, for minutes. Must not destroy the broker.
    void setOnSilence(std::function<void(const core::Error &)> silence) { m_onSilence = std::move(silence); }
    void silent(const core::Error &error)
    {
        if (m_onSilence)
            m_onSilence(error);
    }

    // Of a hundred requests of the last minutes, how many failed on their way or in the broker; 0: hardly any. What can be
    // is made again by itself, so this is for people. Who supplies it outlives the broker.
    void setFailingShare(std::function<int()> share) { m_failingShare = std::move(share); }
    [[nodiscard]] int failingShare() const { return m_failingShare ? m_failingShare() : 0; }

private:
    std::function<void(const core::Error &)> m_onSilence;
    std::function<int()> m_failingShare;
};

} // namespace broker
