#include "backend/retry/gates/backpressuregate.h"

#include "backend/core/text/counttext.h"
#include "backend/retry/text.h"

namespace retry {

QString BackpressureGate::objection(const records::Plan &plan, const QHash<QString, int> &copies,
                                    const QueueObservation &observation)
{
    if (!plan.mostWaiting)
        return {};
    while (observation.asOf && !m_recent.empty() && m_recent.front().at < *observation.asOf - statisticsLag)
        m_recent.pop_front();
    for (auto entry = copies.cbegin(); entry != copies.cend(); ++entry) {
        const broker::QueueInfo *queue = observation.find(entry.key());
        if (queue == nullptr || !queue->depth)
            continue;
        qint64 waiting = *queue->depth;
        for (const Handed &handed : m_recent)
            waiting += handed.copies.value(entry.key());
        if (waiting >= *plan.mostWaiting) {
            return Text::tr("%1 holds about %2 messages. Sending continues when it holds fewer than %3.")
                .arg(entry.key(), core::countText(waiting), core::countText(*plan.mostWaiting));
        }
    }
    return {};
}

void BackpressureGate::handedOver(const QHash<QString, int> &copies)
{
    m_recent.push_back({m_clock.steady(), copies});
}

QHash<QString, int> countByDestination(const QList<store::RetryMember> &members)
{
    QHash<QString, int> counts;
    for (const store::RetryMember &member : members)
        ++counts[member.destination];
    return counts;
}

} // namespace retry
