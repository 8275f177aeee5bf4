// Of Intake: what it says to people, in the activity log and in its errors.
#include "backend/intake/intake.h"
#include "backend/intake/text.h"
#include "backend/store/eventstore.h"

namespace intake {

using core::Error;
using core::ErrorKind;
using core::Result;
using core::Task;
using records::IntakeCounts;
using records::IntakeRun;

void Intake::noteAdopted(const Order &order, const IntakeCounts &counts)
{
    m_adopted[order.queue] += counts;
    note(order, counts, Text::tr("Failed messages taken from an interrupted intake"));
}

// A person asked for all of the queue, and some of it stays there.
Task<> Intake::noteWithheld(Order order)
{
    const Result<broker::Listing> listing = co_await m_brokerState.list();
    const QList<broker::QueueInfo> queues = listing ? listing->queues : QList<broker::QueueInfo>();
    for (const broker::QueueInfo &info : queues) {
        if (info.name != order.queue || info.depth.value_or(0) <= 0)
            continue;
        const QString text = Text::tr("%1 stay in the queue: another program holds them, or they wait there.");
        note(order, Text::tr("Not all messages taken"), text.arg(*info.depth), records::Severity::Warning);
    }
}

void Intake::noteLost(const QString &queue, const Error &lost)
{
    Order order;
    order.queue = queue;
    note(order, Text::tr("Messages lost by the broker"), lost.message, records::Severity::Problem);
}

void Intake::note(const Order &order, const IntakeCounts &counts, const QString &what)
{
    if (counts == IntakeCounts{})
        return;
    const QString result = Text::tr("%1 taken, %2 new, %3 came back, %4 confirmed, %5 not readable")
                               .arg(counts.taken)
                               .arg(counts.fresh)
                               .arg(counts.cameBack)
                               .arg(counts.confirmed)
                               .arg(counts.undecodable);
    note(order, what, result, records::Severity::Info);
}

void Intake::note(const Order &order, const QString &what, const QString &result, records::Severity severity)
{
    records::Event event;
    event.at = m_clock.now();
    event.severity = severity;
    event.who = order.who.isEmpty() ? QStringLiteral("engine") : order.who;
    event.what = what;
    event.onWhat = QStringLiteral("%1 / %2").arg(m_connection.name, order.queue);
    event.result = result;
    // The messages are stored. A failed entry in the activity log does not undo that, and the store has latched the
    // reason.
    static_cast<void>(m_store.transact([&](store::Session &session) { return session.events().append(event); }));
}

// What has been used of the deliveries of a queue that limits them; empty: it does not.
QString Intake::riskOf(const QString &queue) const
{
    const Result<records::DeliveriesUsed> used = m_budget.used(queue);
    for (const broker::QueueInfo &info : m_brokerState.listing().queues) {
        if (used && info.name == queue && info.deliveryLimit)
            return records::takingRisk(*info.deliveryLimit, *used);
    }
    return {};
}

// A refusal after a page was begun: that may have used a delivery, and so may each intake that begins it again.
Error Intake::withRisk(const IntakeRun &run, Error error) const
{
    const QString risk =
        error.kind == ErrorKind::Refused && m_atRisk.contains(run.id.value) ? riskOf(run.sourceQueue) : QString();
    if (!risk.isEmpty())
        error.message += QLatin1Char(' ') + risk;
    return error;
}

} // namespace intake
