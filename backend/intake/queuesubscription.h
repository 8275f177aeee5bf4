#pragma once

#include "backend/broker/broker.h"
#include "backend/core/random.h"
#include "backend/core/time/clock.h"
#include "backend/records/intake.h"
#include "backend/recovery/backoff.h"
#include "backend/store/store.h"

#include <map>

namespace intake {

// Keeps the subscribed queues of one connection (they are in the store) and makes one round: it takes once from each
// subscribed or needed queue that holds messages. An error of one queue delays only that queue, with back-off, and
// waitingReason() says why. The owner decides when a round is made. Engine thread. It outlives its rounds.
class QueueSubscription final
{
public:
    struct Share // what one round took from a queue
    {
        records::IntakeCounts counts;
        bool isAll = true; // false: the round went on to the other queues, and messages may still be there
    };
    using Take = std::function<core::Task<core::Result<Share>>(QString queue)>;

    QueueSubscription(core::ConnectionId connection, store::Store &store, core::Clock &clock, core::Random &random,
                      Take take);

    // Reads the subscriptions from the store; to be called before the first round.
    [[nodiscard]] core::Result<> load();
    // Subscribes or unsubscribes a queue; on the disk when it returns.
    [[nodiscard]] core::Result<> setSubscribed(const QString &queue, bool subscribed);
    [[nodiscard]] const QStringList &subscribed() const { return m_followed; }

    // Queues that running retries need to watch for returning messages. They are taken from without being subscribed.
    void need(const QStringList &queues) { m_needed = queues; }
    [[nodiscard]] const QStringList &needed() const { return m_needed; }
    [[nodiscard]] bool isWanted(const QString &queue) const
    {
        return m_followed.contains(queue) || m_needed.contains(queue);
    }

    // `listing`: what the broker listed just now. neededOnly: leave out queues that are only subscribed. Returns what
    // was taken. Cancelled ends the round; other errors do not.
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> round(broker::Listing listing, bool neededOnly);

    // The queues of the last round from which all messages were taken, or that were empty.
    [[nodiscard]] const QStringList &seen() const { return m_seen; }

    // Whether the last round left messages of a queue for the next one, which may follow at once.
    [[nodiscard]] bool isUnfinished() const { return m_unfinished; }

    // Why nothing is taken from this queue at the moment, for people; empty: nothing is wrong.
    [[nodiscard]] QString waitingReason(const QString &queue) const;

private:
    struct State
    {
        QString reason;
        recovery::Backoff backoff;
        core::SteadyTime notBefore{};
        bool isUnread = false; // a take failed or was not the whole queue: what it moved out may not have been read
    };
    [[nodiscard]] QStringList namesFor(bool neededOnly) const;
    [[nodiscard]] bool isDue(const broker::QueueInfo &queue);

    core::ConnectionId m_connection;
    store::Store &m_store;
    core::Clock &m_clock;
    core::Random &m_random;
    Take m_take;
    QStringList m_followed;
    QStringList m_needed;
    std::map<QString, State> m_states;
    QStringList m_seen;
    bool m_unfinished = false;
};

} // namespace intake
