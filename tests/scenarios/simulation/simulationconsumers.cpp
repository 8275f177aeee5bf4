// Consumers of the messages that an engine sends: they take each after a while, and fail those that are to fail again.
#include "tests/scenarios/simulation/retrysimulation.h"

#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retryoperationstore.h"

namespace scenario {

using records::HandOver;
using support::FakeBroker;

namespace {

const QString errorQueue = QStringLiteral("error");
const QString mendHeader = QStringLiteral("Mended");

QString mendOf(const records::Edit &edit)
{
    return edit.isEmpty() ? QString() : edit.steps.first().value.toString();
}

} // namespace

records::Edit mendingEdit(const QString &mend)
{
    using Do = records::EditStep::Do;
    if (mend.isEmpty())
        return {};
    return {{{Do::SetHeader, mendHeader, {}, QCborValue(mend)},
             {Do::ReplaceText, QStringLiteral("(?s)(.)\\z"), QStringLiteral("\\1") + mend}}};
}

// I7: a copy is byte for byte the failed message, or its edited form.
void RetrySimulation::checkContent(const records::Envelope &copy, const records::Stamp &stamp)
{
    const auto operation = ask<records::RetryOperation>(
        [&stamp](store::Session &session) { return session.retryOperations().load(stamp.operation); });
    const QString mend = mendOf(operation.plan.edit);
    const bool isMended = !mend.isEmpty() && operation.kind == records::OperationKind::Retry;
    QByteArray body = copy.body;
    if (isMended && !body.endsWith(mend.toUtf8()))
        broken(QStringLiteral("I7: %1 was not edited").arg(stamp.uniqueId));
    if (isMended)
        body.chop(mend.toUtf8().size());
    if (!m_bodies.value(stamp.uniqueId).contains(body))
        broken(QStringLiteral("I7: the body of %1 changed").arg(stamp.uniqueId));
    if (isMended && records::text(copy.headers, mendHeader) != mend)
        broken(QStringLiteral("I7: the header of %1 was not edited").arg(stamp.uniqueId));
    m_mended += isMended ? 1 : 0;
}

void RetrySimulation::onDelivery(const FakeBroker::Delivery &delivery)
{
    const std::optional<records::Stamp> stamp = records::stampOf(delivery.envelope.headers);
    if (!stamp || delivery.destination == errorQueue)
        return;
    note(QStringLiteral("%1 got %2 of operation %3")
             .arg(delivery.destination, stamp->uniqueId.left(6))
             .arg(stamp->operation.value));
    m_copies[stamp->uniqueId].append({*stamp, delivery.destination});
    checkContent(delivery.envelope, *stamp);
    const auto forwarding = ask<std::optional<records::RetryBatch>>(
        [this](store::Session &session) { return session.forwarding().nowForwarding(m_connection.id); });
    // The last sends of an intent log may arrive after the program died; nothing can stop them, so they are in doubt.
    const bool outlived = delivery.late && m_settings.handOver == HandOver::IntentLog;
    if (!outlived && (!forwarding || forwarding->stagingId != stamp->stagingId))
        broken(QStringLiteral("I5: a copy of a void staging id reached %1").arg(delivery.destination));
    int &fails = m_stillFails[stamp->uniqueId];
    if (fails == 0)
        return;
    --fails;
    ++m_underWay;
    if (!records::text(delivery.envelope.headers, u"NServiceBus.FailedQ").isEmpty())
        broken(QStringLiteral("I7: a failure header survived"));
    records::Envelope failed = delivery.envelope;
    m_bodies[stamp->uniqueId].insert(failed.body);
    records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(delivery.destination));
    records::set(failed.headers, QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"),
                 QCborValue(QStringLiteral("System.TimeoutException")));
    clock.after(core::Milliseconds{1 + qint64(random.below(400))},
                [this, envelope = std::move(failed), id = stamp->uniqueId] {
                    --m_underWay;
                    ++m_failures[id];
                    broker->put(errorQueue, envelope);
                    if (m_strangers < m_settings.strangers)
                        addStranger(envelope);
                });
}

int RetrySimulation::deliveries(const QString &uniqueId, core::OperationId operation) const
{
    const QList<Copy> copies = m_copies.value(uniqueId);
    return int(std::count_if(copies.begin(), copies.end(),
                             [&](const Copy &copy) { return copy.stamp.operation == operation; }));
}

} // namespace scenario
