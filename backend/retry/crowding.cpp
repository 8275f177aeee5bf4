#include "backend/retry/crowding.h"

#include "backend/retry/words.h"

#include <QLocale>

namespace retry {

QString Crowding::objection(const records::Plan &plan, const QHash<QString, int> &copies, const Outlook &outlook)
{
    if (!plan.mostWaiting)
        return {};
    while (outlook.asOf && !m_recent.empty() && m_recent.front().at < *outlook.asOf - statisticsLag)
        m_recent.pop_front();
    for (auto entry = copies.cbegin(); entry != copies.cend(); ++entry) {
        const broker::QueueInfo *queue = outlook.find(entry.key());
        if (queue == nullptr || !queue->depth)
            continue;
        qint64 waiting = *queue->depth;
        for (const Handed &handed : m_recent)
            waiting += handed.copies.value(entry.key());
        if (waiting >= *plan.mostWaiting) {
            return words("%1 holds about %2 messages; more go when there are fewer than %3.")
                .arg(entry.key(), QLocale().toString(waiting), QLocale().toString(*plan.mostWaiting));
        }
    }
    return {};
}

void Crowding::handedOver(const QHash<QString, int> &copies)
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
