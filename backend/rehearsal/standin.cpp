#include "backend/rehearsal/standin.h"

#include "backend/records/messages/stamp.h"
#include "backend/sandbox/dice.h"
#include "backend/sandbox/nservicebus/nservicebusheaders.h"

namespace rehearsal {

namespace {

constexpr quint64 faultDice = 1;
constexpr qsizetype longestStack = 4096; // of what is written as a header

} // namespace

StandIn::StandIn(const engine::RehearsalJob &job, Around around)
    : m_job(job)
    , m_context(std::move(around))
    , m_begin(m_context.clock.now())
    , m_cause(job.faults.cause)
    , m_processed(size_t(job.copies.size()), false)
{
    for (qsizetype i = 0; i < job.copies.size(); ++i)
        m_copies.insert(job.copies.at(i).message.uniqueId, int(i));
}

void StandIn::start(sandbox::WorkerGroup &group, const std::shared_ptr<broker::Broker> &broker,
                    const QStringList &queues)
{
    group.start([this, &group, broker, queues] { return open(&group, broker, queues); });
}

core::Task<> StandIn::open(sandbox::WorkerGroup *group, std::shared_ptr<broker::Broker> broker, QStringList queues)
{
    const bool isReady = co_await sandbox::probeUntilReady(group, broker);
    if (!isReady)
        co_return;
    const core::Milliseconds pause = m_job.pollInterval;
    for (const QString &queue : std::as_const(queues)) {
        m_consumers.push_back(
            std::make_unique<sandbox::QueueConsumer>(queue, pause, [this, broker, queue](broker::ReceivedMessage held) {
                return handle(broker, queue, std::move(held));
            }));
        m_consumers.back()->start(*group, broker);
    }
}

core::Task<StandIn::Settle> StandIn::handle(std::shared_ptr<broker::Broker> broker, QString queue,
                                            broker::ReceivedMessage held)
{
    const std::optional<records::Stamp> stamp = records::stampOf(held.envelope.headers);
    const int copy = stamp ? m_copies.value(stamp->uniqueId, -1) : -1;
    if (copy < 0)
        co_return Settle::Remove;
    const Delivery delivery{copy, stamp->attempt, m_context.isDelayed && m_context.isDelayed(copy),
                            m_context.clock.now(), fails(copy)};
    if (delivery.failed) {
        const records::Envelope again = failed(copy, queue, std::move(held.envelope));
        const bool sent = co_await sandbox::sendOne(broker, m_context.errorQueue, again);
        if (!sent)
            co_return Settle::PutBack;
    }
    note(delivery);
    co_return Settle::Remove;
}

bool StandIn::fails(int copy) const
{
    const api::RehearsalFaults &faults = m_job.faults;
    if (faults.isNone() || (faults.lasting && m_context.clock.now() - m_begin >= *faults.lasting))
        return false;
    const records::Failure &failure = m_job.copies.at(copy).message.failure;
    if (!faults.cause.isEmpty() && !m_cause.matches(failure.exceptionType)
        && !m_cause.matches(failure.exceptionMessage))
        return false;
    const quint64 roll = sandbox::dice(quint64(m_job.begun.seed), copy, faultDice) % api::RehearsalFaults::wholeShare;
    return !faults.share || int(roll) < *faults.share;
}

// In the way of NServiceBus, whatever framework wrote the original failure: policies and groups see the same type and
// text.
records::Envelope StandIn::failed(int copy, const QString &queue, records::Envelope envelope) const
{
    const records::Failure &original = m_job.copies.at(copy).message.failure;
    sandbox::FailureFacts facts;
    facts.queue = queue;
    facts.endpoint = original.endpoint;
    facts.machine = original.host;
    facts.exceptionType = original.exceptionType;
    facts.message = original.exceptionMessage;
    const qsizetype secondLine = original.stackTrace.indexOf(QLatin1Char('\n'));
    if (secondLine >= 0)
        facts.stackTrace = original.stackTrace.mid(secondLine, longestStack);
    facts.at = m_context.clock.now();
    sandbox::addFailureHeaders(envelope.headers, facts);
    return envelope;
}

void StandIn::note(const Delivery &delivery)
{
    m_deliveries.push_back(delivery);
    ++m_context.control.sent;
    if (!delivery.failed && !m_processed.at(size_t(delivery.copy))) {
        m_processed.at(size_t(delivery.copy)) = true;
        ++m_context.control.processed;
    }
}

} // namespace rehearsal
