// What a connection watches for the sake of its retries: the queues in which their messages show up again.
#include "backend/engine/auditlog.h"
#include "backend/engine/connectionruntime.h"
#include "backend/engine/planrules.h"
#include "backend/engine/text.h"
#include "backend/store/evidencestore.h"
#include "backend/store/retrystore.h"

namespace engine {

// As long as a retry has to see what comes back, and for as long after its end as was asked for, the queues its messages lay
// in are taken from.
void ConnectionRuntime::watchReturns()
{
    const core::Result<> read = m_around.dependencies.store.read([this](store::Session &session) -> core::Result<> {
        const core::Result<store::Returns> returns = session.retries().returns(m_connection.id, {});
        const core::Result<store::Returns> ended =
            session.evidence().stillWatched(m_connection.id, m_around.dependencies.clock.now());
        if (!returns || !ended)
            return core::fail(returns ? ended.error() : returns.error());
        QStringList queues = watched(*returns);
        const QStringList still = watched(*ended);
        for (const QString &queue : still) {
            if (!queues.contains(queue))
                queues.append(queue);
        }
        m_taker.need(queues);
        return {};
    });
    static_cast<void>(read); // those of before stand; the store says what is wrong with it
}

// With them the dead letters of the queues they go to, where the broker has these for each queue.
QStringList ConnectionRuntime::watched(const store::Returns &returns) const
{
    QStringList queues = returns.sources;
    for (const broker::QueueInfo &queue : m_listing.queues) {
        const bool theirs = queue.role == broker::QueueRole::DeadLetter && returns.aims.contains(queue.origin);
        if (theirs && !queues.contains(queue.name))
            queues.append(queue.name);
    }
    return queues;
}

retry::QueueObservation ConnectionRuntime::outlook(const store::Returns &returns) const
{
    retry::QueueObservation seen{m_listing.queues, m_listed, {}};
    if (!m_known) {
        seen.blind = Text::tr("%1 does not answer at the moment.").arg(m_connection.name);
        return seen;
    }
    const QStringList queues = watched(returns);
    for (const QString &name : queues) {
        const broker::QueueInfo *queue = findQueue(m_connection.kind, m_listing.queues, name);
        const QString why = queue == nullptr            ? Text::tr("the queue %1 is not on the broker's list").arg(name)
                            : !queue->refusal.isEmpty() ? queue->refusal
                                                        : m_taker.waitingReason(name);
        if (!why.isEmpty()) {
            seen.blind = why;
            break;
        }
    }
    return seen;
}

// Before intents that a crash left open are sent again: a stamp that is found anywhere counts as sent. So every error queue
// is looked into, followed or not: a message may fail again into one that nobody took from yet. What cannot be taken from
// at all can show no stamp and keeps nothing waiting.
core::Task<core::Result<>> ConnectionRuntime::takeArrivals()
{
    const core::Result<> recovered = co_await m_taker.recover();
    if (!recovered)
        co_return recovered;
    m_recovered = true;
    if (!m_known) {
        const core::Result<> asked = co_await ask();
        if (!asked)
            co_return asked;
    }
    core::Result<> all;
    const QStringList queues = failureQueues();
    for (const QString &name : queues) {
        const broker::QueueInfo *queue = findQueue(m_connection.kind, m_listing.queues, name);
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
    // Where the broker itself still answers as one, it is messages that cannot be read: they would keep it all waiting for ever.
    const core::Result<> asked = co_await ask();
    if (!asked)
        co_return core::fail(counts.error());
    m_around.auditLog.note({}, Text::tr("Sends without an answer decided without a full look"),
                           m_connection.name + QStringLiteral(" / ") + queue, counts.error().message,
                           records::Severity::Warning);
    co_return {};
}

} // namespace engine
