#pragma once

#include "backend/broker/broker.h"

#include <QHash>

namespace broker {

enum class Settle { Remove, Renew, PutBack };

struct Settled
{
    bool lost = false; // others may have been given it
    QString token; // the new one; empty: as before
    bool gone = false; // an earlier try of the same call settled it, or else its lock has ended by itself
};

// What one call brought.
struct Received
{
    QList<ReceivedMessage> messages;
    bool empty = false; // it would have brought what is there, and there was nothing
    std::optional<core::Error> unusable; // others came with them that can be neither kept nor removed
};

// Pages of messages that are locked, or out of sight, for a time: taken by several calls at once and settled in calls of their
// own. What a broker does in one call is its own business, with what it repeats.
class LockedReceiver final
{
public:
    struct Bounds
    {
        int perReceive = 1;
        int receivesInFlight = 1;
        int perSettle = 1;
        int settlesInFlight = 1;
    };
    struct Wire
    {
        std::function<Task<Result<Received>>(QString queue, int most, bool isFirst)> receive;
        // One for each, in order.
        std::function<Task<Result<QList<Settled>>>(QString queue, QList<ReceivedMessage> some, Settle how)> settle;
        std::function<core::Milliseconds(const QString &queue)> lockTime; // from the begin of the call, as last seen
        std::function<bool(const ReceivedMessage &, const ReceivedMessage &)>
            before; // calls overlap, so answers do not come in order
        // A queue that keeps its order: one call at a time, and while some of it are held it may give no others. None: no queue.
        std::function<bool(const QString &queue)> keepsOrder = {};
    };

    // The clock outlives this object.
    LockedReceiver(core::Clock &clock, Bounds bounds, Wire wire);

    [[nodiscard]] Task<Result<ReceivedPage>> take(TakeRequest request);
    [[nodiscard]] Task<Result<ReceivedPage>> renew(TakeRequest request, ReceivedPage page);
    [[nodiscard]] Task<Result<>> release(TakeRequest request, ReceivedPage page);
    [[nodiscard]] Task<Result<>> putBack(TakeRequest request, ReceivedPage page);
    // For brokers that cannot look: takes what fits into a page and puts it back.
    [[nodiscard]] Task<Result<ReceivedPage>> browseByTaking(QString queue, int limit);

private:
    struct PendingReceive // one take(), shared by its calls under way
    {
        TakeRequest request;
        QList<ReceivedMessage> taken;
        QHash<QString, qsizetype> places; // of the ids
        int asked = 0; // taken, and asked for by calls under way
        qint64 bytes = 0;
        std::optional<core::BootTime> lockedUntil; // the first of them
        std::optional<core::BootTime> takeUntil; // half of that time: the rest is for storing and removing
        bool drained = false;
        std::optional<core::Error> trouble; // of a call
        std::optional<core::Error> unusable;
    };

    [[nodiscard]] Task<> takeSome(PendingReceive &pending);
    void addReceived(Received received, core::BootTime asked, PendingReceive &pending) const;
    [[nodiscard]] ReceivedPage pageOf(PendingReceive pending) const;
    [[nodiscard]] bool keepsOrder(const QString &queue) const { return m_wire.keepsOrder && m_wire.keepsOrder(queue); }
    [[nodiscard]] bool isLost(const Settled &settled, const ReceivedPage &page) const;
    // How many were lost; the first other trouble as an error.
    [[nodiscard]] Task<Result<int>> settleAll(QString queue, ReceivedPage &page, Settle how);

    core::Clock &m_clock;
    const Bounds m_bounds;
    const Wire m_wire;
};

} // namespace broker
