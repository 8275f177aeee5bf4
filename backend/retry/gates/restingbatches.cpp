#include "backend/retry/gates/restingbatches.h"

#include "backend/broker/brokertraits.h"
#include "backend/retry/text.h"
#include "backend/store/retry/stagingstore.h"

#include <algorithm>

namespace retry {

RestingBatches::RestingBatches(ProcessorContext &context)
    : m_context(context)
    , m_breaker(context.clock, core::limits::backoffCap)
{
}

RestingBatches::KeptOut RestingBatches::keepOut(Attempt &attempt) const
{
    KeptOut out;
    attempt.members.removeIf([&](const store::RetryMember &member) {
        const QString &destination = member.destination;
        const QString refusal = m_breaker.refusal(destination);
        if (m_breaker.isMissing(destination) && !refusal.isEmpty()) {
            out.missing.append({member.ordinal, refusal});
            return true;
        }
        const bool mayTry = m_breaker.isTrialDue(destination) && !out.trials.contains(destination);
        if (mayTry)
            out.trials.append(destination);
        if (mayTry || (refusal.isEmpty() && !out.trials.contains(destination)))
            return false;
        out.resting.append(member.ordinal);
        if (!out.destinations.contains(destination))
            out.destinations.append(destination);
        return true;
    });
    return out;
}

Result<core::BatchId> RestingBatches::setApart(store::Session &session, const Attempt &attempt, const KeptOut &out)
{
    if (out.resting.isEmpty() || attempt.members.isEmpty())
        return out.resting.isEmpty() ? core::BatchId{} : attempt.batch.id;
    return session.staging().setAside(attempt.batch.id, out.resting, m_context.session);
}

bool RestingBatches::isOutOfDate(const Attempt &attempt) const
{
    if (attempt.judged == m_breaker.changes())
        return false;
    return std::any_of(attempt.members.begin(), attempt.members.end(), [this](const store::RetryMember &member) {
        return !m_breaker.refusal(member.destination).isEmpty();
    });
}

void RestingBatches::add(core::BatchId batch, core::OperationId operation, const QStringList &destinations)
{
    m_batches.insert(batch, {operation, destinations});
}

void RestingBatches::removeAllOf(core::OperationId operation)
{
    m_batches.removeIf([operation](const auto &batch) { return batch->operation == operation; });
}

// For a missing destination there is nothing to wait for.
bool RestingBatches::refusesAll(const QStringList &destinations) const
{
    return std::all_of(destinations.begin(), destinations.end(), [this](const QString &destination) {
        return !m_breaker.isMissing(destination) && !m_breaker.refusal(destination).isEmpty();
    });
}

QList<core::BatchId> RestingBatches::waiting() const
{
    QList<core::BatchId> found;
    for (auto batch = m_batches.cbegin(); batch != m_batches.cend(); ++batch) {
        if (refusesAll(batch->destinations))
            found.append(batch.key());
    }
    return found;
}

QString RestingBatches::reason(core::OperationId operation) const
{
    for (const Resting &batch : m_batches) {
        if (batch.operation != operation)
            continue;
        for (const QString &destination : batch.destinations) {
            const QString refusal = m_breaker.refusal(destination);
            if (!refusal.isEmpty())
                return Text::tr("Messages wait because their destination accepts none at the moment: %1").arg(refusal);
        }
    }
    return {};
}

Task<> RestingBatches::checkDestinations()
{
    const Result<broker::Listing> listing = co_await m_context.brokerState.list();
    if (!listing || !listing->complete)
        co_return;
    QStringList names;
    for (const broker::QueueInfo &queue : listing->queues)
        names.append(queue.name);
    m_breaker.listed(names, broker::traitsOf(m_context.connection.kind).nameCase);
}

} // namespace retry
