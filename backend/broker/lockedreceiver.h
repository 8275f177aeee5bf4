#pragma once

#include "backend/broker/broker.h"

#include <QHash>
#include <QSet>

#include <deque>

namespace broker {

// What to do with a locked message: delete it, or end its lock.
enum class Settle { Remove, PutBack };

// The outcome for one message.
struct Settled
{
    bool lost = false; // the lock had expired: another consumer may have the message
    bool gone = false; // the lock does not exist: an earlier try of this call ended it, or it expired
};

// The result of one receive call.
struct Received
{
    QList<ReceivedMessage> messages;
    bool empty = false; // the call found the queue empty
    // The call also brought messages that can be neither stored nor removed; they stay in the queue
    std::optional<core::Error> unusable;
};

// A server that sends nothing for so long is not waited for: the locks of other messages do not wait either.
inline constexpr core::Milliseconds lockPatience{5000};

// Takes locked messages for brokers that give a lock, a receipt or a visibility timeout with each message. It receives
// with several calls at a time, and removes or puts back in calls of their own: takeInto() does both at once, the
// other functions deal with pages. Each broker supplies its calls in Wire; whether a call may be repeated is the broker's
// own decision. All functions have the contract of broker.h, and run on the broker's thread. Nothing is kept between two
// calls: after a crash the locks expire and the messages are visible again.
class LockedReceiver final
{
public:
    struct Bounds
    {
        int perReceive = 1; // messages in one receive call
        int receivesInFlight = 1; // calls open at a time
        int perSettle = 1; // messages in one settle call
        int settlesInFlight = 1; // calls open at a time
    };
    struct Wire
    {
        // Receives and locks up to `most` messages; isFirst: the page has none yet. UnknownOutcome: some may be locked.
        std::function<Task<Result<Received>>(QString queue, int most, bool isFirst)> receive;
        // One outcome for each message, in the same order.
        std::function<Task<Result<QList<Settled>>>(QString queue, QList<ReceivedMessage> some, Settle how)> settle;
        // How long a lock lasts from the start of a receive call, as last seen
        std::function<core::Milliseconds(const QString &queue)> lockTime;
        // Whether the first message comes before the second: answers of overlapping calls come out of order.
        std::function<bool(const ReceivedMessage &, const ReceivedMessage &)> before;
        // True: a FIFO queue. It is received from with one call at a time, and may give no more while some messages are
        // locked, so a page is never the last. Null: no queue is one.
        std::function<bool(const QString &queue)> keepsOrder = {};
    };

    // The clock outlives this object.
    LockedReceiver(core::Clock &clock, Bounds bounds, Wire wire);

    // A page; the first call that fails ends it.
    [[nodiscard]] Task<Result<ReceivedPage>> take(TakeRequest request);
    [[nodiscard]] Task<Result<Passage>> takeInto(TakeRequest request, Keep keep);
    [[nodiscard]] Task<Result<>> release(TakeRequest request, ReceivedPage page);
    [[nodiscard]] Task<Result<>> putBack(TakeRequest request, ReceivedPage page);
    // For brokers without a browse call: takes one page and puts it back.
    [[nodiscard]] Task<Result<ReceivedPage>> browseByTaking(QString queue, int limit);

private:
    struct Receiving // the receive calls of one take(), shared by all that are open
    {
        TakeRequest request;
        int mostFailures = 1; // in a row; then no further call is made
        std::function<bool()> isFull; // no further call is made
        std::function<void(QList<ReceivedMessage>, core::BootTime asked)> arrived;
        int asked = 0; // messages received, and those asked for by open calls
        int calls = 0;
        int failures = 0; // in a row
        bool isAny = false; // something was received
        bool drained = false;
        std::optional<core::Error> trouble; // the worst error of a call
        std::optional<core::Error> unusable;
    };
    struct PendingPage // one take()
    {
        Receiving receiving;
        QList<ReceivedMessage> taken;
        QHash<QString, qsizetype> places; // index in `taken`, by native id
        qint64 bytes = 0;
        std::optional<core::BootTime> lockedUntil; // the earliest of all locks
        std::optional<core::BootTime> takeUntil; // half of the lock time: the rest is for storing and removing
    };
    struct InHand // a message that is ours until then
    {
        ReceivedMessage message;
        core::BootTime until;
    };
    struct Passing // one takeInto(): messages go from `arrived` to `kept`, and then leave the broker
    {
        Receiving receiving;
        Keep keep;
        QList<InHand> arrived;
        qint64 arrivedBytes = 0;
        std::deque<InHand> kept;
        QSet<QString> left; // native ids of what is kept and not removed
        std::optional<core::Error> refusal; // of `keep`
        core::Clock::Ticket due = 0; // then `arrived` is kept, however little it is
        std::deque<Task<>> removals;
        int removing = 0; // removals that have not ended
        qint64 removed = 0;
        int failures = 0; // of removals, in a row
        std::optional<core::Error> trouble; // of a removal
        QList<core::Pending<bool>> waiting; // for `kept` to become smaller
    };

    [[nodiscard]] Task<> receiveAll(Receiving &receiving, std::function<Task<>()> beforeEach);
    [[nodiscard]] bool mayReceive(const Receiving &receiving) const;
    [[nodiscard]] Task<> receiveSome(Receiving &receiving);
    void addToPage(PendingPage &page, QList<ReceivedMessage> messages, core::BootTime asked) const;
    [[nodiscard]] ReceivedPage pageOf(PendingPage page) const;
    [[nodiscard]] static std::optional<core::Error> troubleOf(const Receiving &receiving);

    void arrive(Passing &passing, QList<ReceivedMessage> messages, core::BootTime asked);
    void keepArrived(Passing &passing);
    void startRemoving(Passing &passing);
    [[nodiscard]] Task<> removeKept(Passing &passing);
    [[nodiscard]] Task<> waitForRoom(Passing &passing);
    [[nodiscard]] static bool isOver(const Passing &passing);
    static void letIn(Passing &passing);
    [[nodiscard]] Result<Passage> endOf(const Passing &passing) const;

    [[nodiscard]] bool keepsOrder(const QString &queue) const { return m_wire.keepsOrder && m_wire.keepsOrder(queue); }
    [[nodiscard]] bool isLost(const Settled &settled, std::optional<core::BootTime> lockedUntil) const;
    // Returns how many locks were lost, or the first other error.
    [[nodiscard]] Task<Result<int>> settleAll(QString queue, const ReceivedPage &page, Settle how);

    core::Clock &m_clock;
    const Bounds m_bounds;
    const Wire m_wire;
};

// A broker that takes with a LockedReceiver. release(): NotFound means that some locks had expired; those messages are in the
// queue again and come back with the same nativeId, and the others are removed.
class LockingBroker : public Broker
{
public:
    [[nodiscard]] Task<Result<ReceivedPage>> take(TakeRequest request) final;
    [[nodiscard]] Task<Result<Passage>> takeInto(TakeRequest request, Keep keep) final;
    [[nodiscard]] Task<Result<>> release(TakeRequest request, ReceivedPage page) final;
    [[nodiscard]] Task<Result<>> putBack(TakeRequest request, ReceivedPage page) final;

protected:
    [[nodiscard]] virtual LockedReceiver &receiver() = 0;
};

} // namespace broker
