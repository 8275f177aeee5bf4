// How a connection watches the queues in which messages of its retries come back.
#include "backend/engine/connection/connectionruntime.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/planning/planrules.h"
#include "backend/engine/text.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/retryguardstore.h"

namespace engine {

// Keeps taking from the queues that the messages of a retry came from, while the retry must see what comes back and for
// the requested time after its end.
void ConnectionRuntime::watchReturns()
{
    const core::Result<> read = m_around.dependencies.store.read([this](store::Session &session) -> core::Result<> {
        TRY(const store::Returns returns, session.retryGuards().returns(m_connection.id, {}));
        TRY(const store::Returns ended,
            session.evidence().stillWatched(m_connection.id, m_around.dependencies.clock.now()));
        QStringList queues = watched(returns);
        const QStringList still = watched(ended);
        for (const QString &queue : still) {
            if (!queues.contains(queue))
                queues.append(queue);
        }
        m_taker.need(queues);
        return {};
    });
    static_cast<void>(read); // the previous queues stay; the store reports its error
}

// Adds the dead-letter queues of the destinations, where the broker has one per queue.
QStringList ConnectionRuntime::watched(const store::Returns &returns) const
{
    QStringList queues = returns.sources;
    for (const broker::QueueInfo &queue : m_state.listing().queues) {
        const bool theirs = queue.role == broker::QueueRole::DeadLetter && returns.aims.contains(queue.origin);
        if (theirs && !queues.contains(queue.name))
            queues.append(queue.name);
    }
    return queues;
}

retry::QueueObservation ConnectionRuntime::observe(const store::Returns &returns) const
{
    retry::QueueObservation seen{queues(), m_state.listedAt(), {}};
    if (!m_known) {
        seen.blind = Text::tr("%1 does not answer.").arg(m_connection.name);
        return seen;
    }
    const QStringList queues = watched(returns);
    for (const QString &name : queues) {
        const broker::QueueInfo *queue = findQueue(m_connection.kind, m_state.listing().queues, name);
        const QString why = queue == nullptr ? Text::tr("The queue %1 is not on the broker's list.").arg(name)
                            : !queue->refusal.isEmpty() ? queue->refusal
                                                        : m_taker.waitingReason(name);
        if (!why.isEmpty()) {
            seen.blind = why;
            break;
        }
    }
    return seen;
}

bool ConnectionRuntime::hasSeenReturns(const store::Returns &returns, core::SteadyTime until) const
{
    const retry::QueueObservation seen = observe(returns);
    if (!seen.blind.isEmpty())
        return false;
    const QStringList queues = watched(returns);
    const auto isSeen = [&](const QString &name) { return m_seenWhole.value(name, until) > until; };
    const auto isUnattended = [&seen](const QString &name) {
        const broker::QueueInfo *const queue = seen.find(name);
        return queue != nullptr && queue->consumers == 0 && queue->depth != 0;
    };
    return std::all_of(queues.cbegin(), queues.cend(), isSeen)
           && std::none_of(returns.aims.cbegin(), returns.aims.cend(), isUnattended);
}

// Runs before open intents of a crash are sent again: a message whose stamp is found in any error queue was sent. All
// error queues are checked, subscribed or not, because a message may come back in one that was never taken from. A
// queue that cannot be taken from is skipped, so that it blocks nothing.
core::Task<core::Result<>> ConnectionRuntime::takeArrivals()
{
    CO_TRY(co_await m_taker.recover());
    m_recovered = true;
    if (!m_known)
        CO_TRY(co_await ask());
    core::Result<> all;
    const QStringList queues = failureQueues();
    for (const QString &name : queues) {
        const broker::QueueInfo *queue = findQueue(m_connection.kind, m_state.listing().queues, name);
        const bool isEmpty = queue != nullptr && queue->depthIsExact && queue->depth == 0;
        if (queue == nullptr || !queue->refusal.isEmpty() || isEmpty)
            continue;
        const core::Result<> taken = co_await arrivalsOf(name);
        if (!taken && all)
            all = taken;
    }
    countCameBack();
    co_return all;
}

core::Task<core::Result<>> ConnectionRuntime::arrivalsOf(QString queue)
{
    QStringList one(queue);
    const core::Result<records::IntakeCounts> counts = co_await m_taker.take(std::move(one), std::nullopt);
    if (counts || counts.error().kind == core::ErrorKind::Refused || counts.error().kind == core::ErrorKind::NotFound)
        co_return {};
    if (counts.error().kind != core::ErrorKind::Corrupt)
        co_return core::fail(counts.error());
    // The broker answers, so messages in the queue are unreadable. Skip it; waiting for them would never end.
    const core::Result<> asked = co_await ask();
    if (!asked)
        co_return core::fail(counts.error());
    m_around.auditLog.note({}, Text::tr("Unanswered sends settled without a complete check"),
                           m_connection.name + QStringLiteral(" / ") + queue, counts.error().message,
                           records::Severity::Warning);
    co_return {};
}

} // namespace engine
