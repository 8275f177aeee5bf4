#include "backend/retry/staging/voidstagingqueues.h"

#include "backend/core/time/laterequests.h"
#include "backend/store/retry/retrybatchstore.h"

#include <QSet>

#include <limits>
#include <utility>

namespace retry {

VoidStagingQueues::VoidStagingQueues(ProcessorContext &context)
    : m_context(context)
    , m_since(context.clock.steady())
{
}

// The staging queues that must stay: a batch in Forwarding names them, or they belong to another connection.
Result<QSet<QString>> VoidStagingQueues::inUse()
{
    return m_context.store.read<QSet<QString>>([&](store::Session &session) -> Result<QSet<QString>> {
        QSet<QString> names;
        TRY(const QList<records::RetryBatch> batches, session.retryBatches().live({}, std::numeric_limits<int>::max()));
        for (const records::RetryBatch &batch : batches) {
            if (batch.connection != m_context.connection.id || batch.stage == records::BatchStage::Forwarding)
                names.insert(batch.place);
        }
        return names;
    });
}

Task<Result<>> VoidStagingQueues::findLeftovers()
{
    if (m_leftoversKnown)
        co_return {};
    if (m_context.broker.stagingQueue() == nullptr) {
        m_leftoversKnown = true;
        co_return {};
    }
    CO_TRY(const QList<broker::Leftover> found, co_await m_context.broker.leftovers());
    CO_TRY(const QSet<QString> used, inUse());
    // A request of a dead session may still arrive. What it creates in a removed place is found by name; a place that
    // did not exist before is found by another check.
    m_leftoversKnown = m_context.clock.steady() - m_since >= core::limits::lateRequests;
    const QStringList again = m_leftoversKnown ? std::exchange(m_foundFirst, {}) : QStringList();
    m_names += again;
    for (const broker::Leftover &leftover : found) {
        const bool mine =
            leftover.storeId == m_context.store.storeId() && leftover.kind != broker::Leftover::Kind::Holding;
        if (!mine || used.contains(leftover.name) || m_names.contains(leftover.name))
            continue;
        m_names.append(leftover.name);
        m_foundFirst.append(leftover.name);
    }
    co_return {};
}

Task<> VoidStagingQueues::remove(QString name)
{
    add(name);
    broker::StagingQueue *queue = m_context.broker.stagingQueue();
    if (queue == nullptr)
        co_return;
    broker::StagingPlace place;
    place.name = name;
    ++m_removals;
    const Result<> gone = co_await queue->discard(place);
    --m_removals;
    if (gone)
        forget(name);
}

Task<> VoidStagingQueues::removeAll()
{
    const QStringList names = m_names;
    for (const QString &name : names) {
        co_await remove(name);
        if (m_context.stopping && m_names.contains(name)) // the end of the program waits for what can be removed
            co_return;
    }
}

} // namespace retry
