#pragma once

#include "backend/broker/broker.h"
#include "backend/core/backoff.h"
#include "backend/core/clock.h"
#include "backend/core/random.h"
#include "backend/records/intake.h"
#include "backend/store/store.h"

#include <map>

namespace intake {

// Which queues of one connection are followed (kept in the store), and one round over them and over those that retries need
// to be seen: from each in which something lies it is taken once. An error of one queue puts back that queue alone, with
// back-off; why it waits can be asked. When a round is made is the owner's business. Engine thread; it outlives its rounds.
class QueueSubscription final
{
public:
    using Take = std::function<core::Task<core::Result<records::IntakeCounts>>(QString queue)>;

    QueueSubscription(core::ConnectionId connection, store::Store &store, core::Clock &clock, core::Random &random,
                      Take take);

    // What the store says; before the first round.
    [[nodiscard]] core::Result<> load();
    // Durable before it returns.
    [[nodiscard]] core::Result<> setSubscribed(const QString &queue, bool subscribed);
    [[nodiscard]] const QStringList &subscribed() const { return m_followed; }

    // Taken from as long as retries under way have to see what comes back; nobody switched these on.
    void need(const QStringList &queues) { m_needed = queues; }
    [[nodiscard]] const QStringList &needed() const { return m_needed; }
    [[nodiscard]] bool isWanted(const QString &queue) const
    {
        return m_followed.contains(queue) || m_needed.contains(queue);
    }

    // What the broker listed just now; neededOnly: not those that are only followed. Ends with what was taken; Cancelled ends
    // the round, other errors do not.
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> round(broker::Listing listing, bool neededOnly);

    // Of those that the last round went over: all that lay there was taken, or nothing did.
    [[nodiscard]] const QStringList &seen() const { return m_seen; }

    // Why nothing is taken from such a queue at the moment, for people; empty when nothing is wrong.
    [[nodiscard]] QString waitingReason(const QString &queue) const;

private:
    struct State
    {
        QString reason;
        core::Backoff backoff;
        core::SteadyTime notBefore{};
        bool isUnread = false; // a take failed: what it had moved out of the queue may not have been read
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
};

} // namespace intake
