#include "backend/retry/forwarding/intentwriter.h"

#include "backend/core/limits.h"
#include "backend/retry/outgoing.h"
#include "backend/store/retry/intentstore.h"
#include "backend/store/retry/retryoperationstore.h"

namespace retry {

using records::OperationState;

namespace {

constexpr qint64 stepBytes = 32LL * 1024 * 1024; // of bodies loaded by one transaction

} // namespace

IntentWriter::IntentWriter(const ProcessorContext &context, const records::RetryBatch &batch)
    : m_context(context)
    , m_batch(batch)
{
}

Result<QList<broker::Outgoing>> IntentWriter::write(store::Session &session, qsizetype room)
{
    Copies copies;
    TRY(const records::RetryOperation operation, session.retryOperations().load(m_batch.operation));
    m_state = operation.state;
    m_onUnknown = operation.plan.onUnknown;
    m_slowed = records::largestBatch(operation.plan) < m_batch.stagedCount;
    m_dry = m_state != OperationState::Running || m_slowed;
    if (m_dry || room == 0)
        return copies.outgoing;
    TRY(const QList<qint64> ordinals, makeCopies(session, operation, room, copies));
    TRY(const QList<qint64> intents, session.intents().writeIntents(m_batch.id, ordinals));
    if (intents.size() < ordinals.size()) // some came back or were set aside since they were read
        copies.outgoing.removeIf([&](const broker::Outgoing &copy) { return !intents.contains(copy.ordinal); });
    TRY(ejectUnfit(session, copies.unfit));
    return copies.outgoing;
}

// Makes the copies of the next members and returns their ordinals. The batch is read once, not for each step: a
// rolled-back step loses nothing, because the end is only believed when a new read finds nothing.
Result<QList<qint64>> IntentWriter::makeCopies(store::Session &session, const records::RetryOperation &operation,
                                               qsizetype room, Copies &copies)
{
    if (m_next >= m_unsent.size()) {
        TRY(m_unsent, session.intents().unsent(m_batch.id));
        m_next = 0;
    }
    m_dry = m_unsent.isEmpty();
    const qsizetype end = std::min(m_next + room, m_unsent.size());
    QList<qint64> ordinals;
    qint64 bytes = 0;
    const core::SteadyTime begin = m_context.clock.steady(); // an edit may take its time
    const auto isSoon = [&] { return m_context.clock.steady() - begin <= core::limits::transactionSlice; };
    for (; m_next < end && bytes < stepBytes && (ordinals.isEmpty() || isSoon()); ++m_next) {
        const store::RetryMember &member = m_unsent.at(m_next);
        TRY(addCopy(m_context, session, operation, m_batch.stagingId, member, copies));
        ordinals.append(member.ordinal);
        if (!copies.outgoing.isEmpty())
            bytes += weight(copies.outgoing.last().envelope);
    }
    return ordinals;
}

Result<> IntentWriter::ejectUnfit(store::Session &session, const QList<store::MemberReason> &unfit)
{
    if (unfit.isEmpty())
        return {};
    QList<store::SendResult> ejected;
    for (const store::MemberReason &member : unfit)
        ejected.append({member.ordinal, records::SendEnd::Ejected, member.reason});
    return session.intents().writeOutcomes(m_batch.id, ejected);
}

} // namespace retry
