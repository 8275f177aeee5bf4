// The contract between the engine and one broker connection. To support another kind of broker, implement class Broker
// and add a line to the factory in app/brokers.cpp. Optional parts, each with a header of its name: StagingQueue (staging.h), QueueMover,
// ExchangeRoutes, StepTaker, BrokerLoad. LockedReceiver implements take, takeInto, release and putBack for brokers that lock messages.
// Threads: the engine creates, calls and destroys a broker on one thread. Calls are coroutines, so several may be open
// at a time: a listing beside a take, a send beside both. A broker must allow that.
// Ending: every call ends. After cancelAll() open calls, and all later ones that need the broker, end with Cancelled.
// The engine destroys a broker only when no call is open.
// Errors: the kind decides what the engine does, so choose it by what is true of the broker:
//   Transient       nothing was changed, and the same call may work later: the engine tries again
//   Throttled       the broker asks for fewer requests; set retryAfter if it says for how long
//   Unauthorized    the login fails or a right is missing
//   NotFound        the queue, virtual host or staging place does not exist, or locks are lost: only if that is proved
//   Conflict        the state on the broker is not the expected one
//   Rejected        the broker will never accept this request
//   Corrupt         the answer makes no sense
//   Refused         we decline ourselves: the call would lose or change messages, or the broker cannot do it
//   UnknownOutcome  the request left and no answer came: it may have taken effect
// The message of an error is for people: it names the queue or the account, quotes what the broker said and says what
// to do. It holds no secret. Names of our own objects on the broker help nobody there if a right is missing: name the
// queue that the person knows.
// Durability: a broker knows nothing of the store. The engine makes a copy durable first and calls release() after
// that, so a crash between any two calls loses no message: take() finds it again.
// Names: everything that we create on a broker has a name that starts with "redrive.". The caller chooses the name and
// makes it durable before the first call that uses it, so that a crash leaves nothing behind that nobody knows.
// Units: times are core types (UTC for TimePoint), sizes are bytes, counts are messages.
#pragma once

#include "backend/broker/staging.h"
#include "backend/core/async.h"
#include "backend/core/result.h"
#include "backend/core/time/clock.h"
#include "backend/records/circuitbreaker.h"
#include "backend/records/deliverylimit.h"
#include "backend/records/messages/expiry.h"
#include "backend/records/messages/headers.h"
#include "backend/records/queuefacts.h"
#include "backend/records/retries/queuelimits.h"
#include "backend/records/retries/retry.h"

#include <QStringList>

#include <functional>
#include <optional>

namespace broker {
using core::Result;
using core::Task;

enum class QueueRole {
    Work,
    ErrorQueue, // the connection names it as an error queue
    DeadLetter, // only the broker can put messages into it, as dead letters: it is taken from without being named
    Candidate, // dead letters arrive in it, and perhaps live work: taken from only when the connection names it
    Ours, // created by Redrive
};

struct QueueInfo
{
    QString name; // as calls and messages name it; a dead-letter sub-queue is "orders/$DeadLetterQueue"
    QueueRole role = QueueRole::Work;
    QString origin; // the queue or topic whose dead letters arrive here; empty: unknown, or several
    std::optional<qint64> depth; // message count; nothing: unknown, which is not 0
    std::optional<int> consumers;
    qint64 averageBytes = 0; // 0: unknown
    QString refusal; // for people: why Redrive must not take from it (stream, sessions, forwarding); empty: it may
    QString sendRefusal{}; // for people: why Redrive sends nothing to it (a stream); empty: it may
    QString stagingRefusal{}; // for people: why a staging queue cannot be emptied into it (exclusive); empty: it can
    bool depthIsExact = false; // false: the count may be minutes old, so 0 does not prove that the queue is empty
    records::BrokerRetention retention{};
    records::QueueFacts facts{}; // if dead letters arrive here, also in a queue that the connection names
    records::QueueLimits limits{}; // what it drops of messages that are sent to it
    // How often it delivers a message before it drops or moves it; nothing: without end. It may be taken from all the same.
    std::optional<records::DeliveryLimit> deliveryLimit{};
};

struct Listing
{
    QList<QueueInfo> queues;
    bool complete = true; // false: other queues may exist; a queue that is not listed is then unknown, not missing
};

// What this account can do on this broker, as far as probe() can find out.
struct Capabilities
{
    records::HandOver handOver = records::HandOver::None;
    bool canTake = false; // messages can be taken: removed after a durable copy
    bool takesInSteps = false; // canTake, but only in small steps (steptaker.h), which a person chose
    bool offersSteps = false; // not canTake, and a person may choose that
    bool canBrowse = false;
    bool reachesDeadLetters = false; // messages can be put into dead-letter queues, which else only the broker fills
    bool locks = false; // messages are locked while taken (lockedUntil); false: they wait in a holding queue
    int sendBatch = 1; // most messages in one send()
    qint64 sendBatchBytes = 0; // most bytes in one send(); 0: only each message has a limit
    int sendsInFlight = 1; // most send() calls open at a time
    // Largest body that can be sent, in bytes; 0: as large as those that can be taken. Messages that another interface of
    // the broker brought may be larger: they can be taken, and are left out of every plan.
    qint64 largestBody = 0;
    QString product; // "RabbitMQ 3.10.8"
    QString guarantee; // for the plan dialog: what a retry guarantees when something fails; true to the code
    QStringList missing; // for people: missing rights or plugins, and other limits; list items without a full stop
    QString rightsUnknown; // for people: why it is unknown whether the rights are sufficient; empty: they are known
};

// ---- taking: error queue to store -------------------------------------------------------------------------------

struct TakeRequest
{
    QString queue;
    QString holdingName; // unique to one intake run, and the start of all names on the broker; not used with locks
    int limit = 0; // most messages of the page, > 0
    qint64 byteLimit = 0; // soft limit for the bodies of the page, in bytes; at least one message is taken; 0: none
    std::function<void(const QString &reason)> waiting{}; // told why the call waits, empty: it goes on; may be null
    // Only this process has used the holdingName: what this broker object has not created under it does not exist
    bool isNew = false;
    // Called before messages of a queue with a delivery limit are touched: from then on at most `inHand` of them may count
    // one delivery more. Makes that durable, or refuses, which ends the call. Not called for what is held already. May be null
    std::function<Result<>(const records::DeliveryLimit &limit, qint64 inHand)> risk{};
    bool onlyHeld = false; // take() reads what is held already and touches nothing that is still in the queue
};

// A message that has not left the broker: after take() only we can see it, after browse() everybody can.
struct ReceivedMessage
{
    QString nativeId; // the same whenever this copy is read again; never the same for two copies in a queue
    QString settleToken; // for release and putBack only: lock path, receipt or position; empty after browse()
    records::Envelope envelope;
    std::optional<int> deliveryCount; // deliveries before this one, as the broker counts them; nothing: unknown
    std::optional<core::TimePoint> enqueuedAt; // by the clock of the broker; nothing: unknown
    QString origin; // queue that it was dead-lettered from, if the broker says so; empty: unknown
    bool notFaithful = false; // the body or a property cannot be sent back unchanged
    QStringList lossyHeaders; // headers whose value cannot be read or sent back unchanged
    QStringList maybeDecimals; // others whose numbers are wrong if they are AMQP decimals: the interface does not tell
    // Time limit of this message, from enqueuedAt on; its queue may have another one
    records::BrokerRetention retention{};
    bool wasReturned = false; // the broker says that it delivered it before; not known of all brokers
};

struct ReceivedPage
{
    QList<ReceivedMessage> messages;
    bool more = false; // call take() again: the queue, or the holding queue, may have more; after an empty page later
    // The broker restarted meanwhile: a copy may be in this page and in the queue, or in the page twice
    bool interrupted = false;
    bool hasRest = false; // the holding queue has more of what was moved together
    // Locks expire then, at the earliest; nothing: no locks
    std::optional<core::BootTime> lockedUntil;
    // Some of the calls for this page failed: it is valid, but the queue may hold more
    std::optional<core::Error> trouble;
    // browse() of a queue that counts deliveries: the highest count of one of these messages, before this look
    qint64 deliveries = 0;
};

// Makes the copies of messages that arrived durable. `left`: native ids of messages that the same call kept before and that
// are not removed yet. An error: nothing of `some` was kept, and the call ends.
using Keep = std::function<Result<>(const QList<ReceivedMessage> &some, const QStringList &left)>;

// Called before each read that counts as a delivery, or does if it fails: makes that durable, or refuses, which ends the call. May be null.
using LookRisk = std::function<Result<>(const records::DeliveryLimit &limit)>;

// How takeInto() ended.
struct Passage
{
    qint64 removed = 0; // messages that left the broker
    QStringList left; // native ids of those that were kept and may still be there; they come back with the same id
    bool more = false; // the queue may have more
    // Some calls failed, and messages may be hidden until their locks expire, or cannot be read
    std::optional<core::Error> hidden;
};

// What prefetch() put into the holding queue.
enum class PrefetchResult {
    Nothing, // nothing: the queue looked empty, or this broker does not prefetch
    AllThereWas, // every message of the queue
    Part, // more messages remain in the queue
};

// A queue of ours on the broker, of this or another store, that a crash may have left there.
struct Leftover
{
    enum class Kind { Holding, Staging, Unroutable, DeadLetter };
    Kind kind = Kind::Holding;
    QString name; // the holdingName or the name of the staging place that it belongs to
    QString storeId;
    qint64 depth = 0; // message count; 0 also if unknown
};

// One account on one broker. The rules at the top of this file hold for every function.
class Broker
{
public:
    Broker() = default;
    Broker(const Broker &) = delete;
    Broker &operator=(const Broker &) = delete;
    virtual ~Broker() = default;

    // Logs in and finds out what this account can do; changes nothing on the broker. Called first, and again after
    // trouble with rights. An error changes nothing of what an earlier probe() found.
    // Errors: Unauthorized (login or access), NotFound (no such virtual host), Refused (messages in our own queues
    // could be lost), Rejected or Corrupt (another server answers), Transient.
    [[nodiscard]] virtual Task<Result<Capabilities>> probe() = 0;
    // Lists the queues of the connection with their current message counts, and which ones hold failed messages, or
    // may. Our own queues have the role Ours. An account that may not list queues gets those that the connection names, with
    // Listing::complete false.
    [[nodiscard]] virtual Task<Result<Listing>> queues() = 0;

    // Takes a page of messages from the head of the queue. They stay on the broker, and other consumers do not see
    // them: locked until page.lockedUntil, or in the holding queue `holdingName`, which survives a crash. A holding
    // queue that exists is not filled again: the call reads the same messages with the same nativeId once more. An
    // empty page: nothing was there; with `more`: nothing could be had, and that may change.
    // Errors: NotFound (no such queue), Refused (QueueInfo::refusal), Conflict (somebody else changed the holding
    // queue), Unauthorized. UnknownOutcome and Corrupt: messages may stay locked until their time is over. On any error
    // call again: nothing is lost.
    [[nodiscard]] virtual Task<Result<ReceivedPage>> take(TakeRequest request) = 0;
    // For brokers with locks: takes up to request.limit messages from the head of the queue, hands them to `keep` in
    // parts as they arrive, and removes each part as soon as it is kept, while others are still on their way. A message
    // is removed only after `keep` returned without an error, and each has only its own lock as a deadline: a slow or failed
    // call delays and loses no other. A failed call ends nothing; too many in a row do.
    // `keep` is called on this thread and not after the call has ended. A crash leaves locked messages, which come back.
    // Errors: that of `keep`; those of take() and release() after too many failures in a row. Refused: no locks. What was
    // kept stays kept.
    [[nodiscard]] virtual Task<Result<Passage>> takeInto(TakeRequest, Keep)
    {
        co_return core::fail(core::ErrorKind::Refused, QStringLiteral("This broker has no locks."));
    }
    // Fills the holding queue of the request, so that a later take() with the same request finds it ready. Used while
    // another page is read and stored. One call at a time for each source queue. Nothing is only a hint: take()
    // decides. Optional.
    [[nodiscard]] virtual Task<Result<PrefetchResult>> prefetch(TakeRequest) { co_return PrefetchResult::Nothing; }
    // Removes the messages of the page, and no others, from the broker. The caller makes their copies durable first.
    // May be repeated after any error: messages that are gone already count as removed. An empty page removes an empty
    // holding queue.
    // NotFound: some locks had expired; those messages are in the queue again and come back with the same nativeId.
    // Conflict: somebody else changed the holding queue; nothing is removed.
    [[nodiscard]] virtual Task<Result<>> release(TakeRequest request, ReceivedPage page) = 0;
    // Ends the locks of the page, so that other consumers see its messages again. A lock that has expired is no error.
    // Refused: this broker has no locks.
    [[nodiscard]] virtual Task<Result<>> putBack(TakeRequest, ReceivedPage)
    {
        co_return core::fail(core::ErrorKind::Refused,
                             QStringLiteral("This broker has no locks: messages cannot be put back."));
    }
    // Reads the first messages of the queue and leaves them there. Changes as little as the broker allows: some brokers
    // count a delivery (QueueInfo::deliveryLimit) with each read; `risk` sees to it that the limit is not reached. Refused:
    // browsing could move or lose a message.
    [[nodiscard]] virtual Task<Result<ReceivedPage>> browse(QString queue, int limit, LookRisk risk = {}) = 0;

    // Sends messages to their destinations. The result has one outcome for each message, in the same order; Verdict
    // (staging.h) says what each one means. The caller gives at most Capabilities::sendBatch messages. A broker sends
    // each message at most once in one call, unless the broker is certain not to have taken it. When the outcome is
    // Accepted, the broker has confirmed the message.
    [[nodiscard]] virtual Task<QList<SendOutcome>> send(QList<Outgoing> messages) = 0;
    // For how long this broker can hold back a message for this destination (Outgoing::deliverAt). 0: not at all, so the
    // caller waits itself. A limit of the service, known without a call.
    [[nodiscard]] virtual core::Milliseconds longestDelay(const QString &) const { return core::Milliseconds{0}; }

    // Null: this broker or account cannot stage copies on the broker. The broker owns the object.
    [[nodiscard]] virtual StagingQueue *stagingQueue() = 0;
    // All queues on the broker whose name starts with "redrive.", of any store. Empty for brokers on which we create
    // nothing.
    [[nodiscard]] virtual Task<Result<QList<Leftover>>> leftovers() = 0;

    // Ends all open calls with Cancelled. Final: the broker is destroyed afterwards. What a call had already sent may
    // take effect, so send() reports such messages as Unknown.
    virtual void cancelAll() = 0;

    // Called whenever a request got no answer in time and is repeated, perhaps for minutes. It must not destroy the broker.
    void setOnSilence(std::function<void(const core::Error &)> silence) { m_onSilence = std::move(silence); }
    void silent(const core::Error &error)
    {
        if (m_onSilence)
            m_onSilence(error);
    }

    // Percentage of the requests of the last minutes that failed on the way or in the broker; 0: hardly any. For people
    // only, since such requests are repeated. The object that gives the number outlives the broker.
    void setFailingShare(std::function<int()> share) { m_failingShare = std::move(share); }
    [[nodiscard]] int failingShare() const { return m_failingShare ? m_failingShare() : 0; }

    // Whether calls go, or are held back because the broker does not respond. The same holds for the object that gives it.
    void setBreaker(std::function<records::CircuitBreaker()> breaker) { m_breaker = std::move(breaker); }
    [[nodiscard]] records::CircuitBreaker breaker() const
    {
        return m_breaker ? m_breaker() : records::CircuitBreaker{};
    }
    // Called whenever the state of breaker() changes because a call began or ended. It must not destroy the broker.
    void setOnBreaker(std::function<void()> changed) { m_onBreaker = std::move(changed); }
    void breakerChanged()
    {
        if (m_onBreaker)
            m_onBreaker();
    }

private:
    std::function<void(const core::Error &)> m_onSilence;
    std::function<int()> m_failingShare;
    std::function<records::CircuitBreaker()> m_breaker;
    std::function<void()> m_onBreaker;
};

} // namespace broker
