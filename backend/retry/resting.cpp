// Refusing destinations: which members are kept out, which wait, and which try again.
#include "backend/retry/processor.h"
#include "backend/retry/text.h"
#include "backend/store/retrystore.h"

namespace retry {

// Members whose destination refuses at the moment leave the attempt, except the one trial copy.
Processor::KeptOut Processor::keepOut(Attempt &attempt) const
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

// The batch in which the resting members wait: a new one, or this one if nothing else is left in it. Invalid: nobody
// rests.
Result<core::BatchId> Processor::setApart(store::Session &session, const Attempt &attempt, const KeptOut &out)
{
    if (out.resting.isEmpty() || attempt.members.isEmpty())
        return out.resting.isEmpty() ? core::BatchId{} : attempt.batch.id;
    return session.retries().setAside(attempt.batch.id, out.resting, m_dependencies.session);
}

// A destination began to refuse while this attempt was being staged.
bool Processor::isOutOfDate(const Attempt &attempt) const
{
    if (attempt.judged == m_breaker.changes())
        return false;
    return std::any_of(attempt.members.begin(), attempt.members.end(), [this](const store::RetryMember &member) {
        return !m_breaker.refusal(member.destination).isEmpty();
    });
}

void Processor::rest(core::BatchId batch, core::OperationId operation, const QStringList &destinations)
{
    m_resting.insert(batch, {operation, destinations});
    storeReason(operation);
}

// It rests while all its destinations refuse. For a missing destination there is nothing to wait for.
bool Processor::isResting(core::BatchId batch) const
{
    const auto found = m_resting.constFind(batch);
    return found != m_resting.constEnd()
           && std::all_of(found->destinations.begin(), found->destinations.end(), [this](const QString &destination) {
                  return !m_breaker.isMissing(destination) && !m_breaker.refusal(destination).isEmpty();
              });
}

QList<core::BatchId> Processor::restingBatches() const
{
    QList<core::BatchId> found;
    for (auto resting = m_resting.cbegin(); resting != m_resting.cend(); ++resting) {
        if (isResting(resting.key()))
            found.append(resting.key());
    }
    return found;
}

QString Processor::restingReason(core::OperationId operation) const
{
    for (const Resting &resting : m_resting) {
        if (resting.operation != operation)
            continue;
        for (const QString &destination : resting.destinations) {
            const QString refusal = m_breaker.refusal(destination);
            if (!refusal.isEmpty())
                return Text::tr("Messages wait because their destination accepts none at the moment: %1").arg(refusal);
        }
    }
    return {};
}

// Queues come and go: a missing one that exists now is tried again. If the broker does not answer, or may not list all
// queues, nothing changes.
Task<> Processor::checkRefusing()
{
    const Result<broker::Listing> listing = co_await m_dependencies.broker.queues();
    if (!listing || !listing->complete)
        co_return;
    QStringList names;
    for (const broker::QueueInfo &queue : listing->queues)
        names.append(queue.name);
    // Entity names of Service Bus ignore case, queue names of AMQP do not.
    const bool ignore = m_connection.kind == records::BrokerKind::ServiceBus;
    m_breaker.listed(names, ignore ? Qt::CaseInsensitive : Qt::CaseSensitive);
}

} // namespace retry
