#include "backend/retry/gates/backpressuregate.h"

#include "backend/core/text/counttext.h"
#include "backend/retry/text.h"

#include <algorithm>

namespace retry {

namespace {

constexpr core::Milliseconds longestUnlisted{600'000}; // the next listing has counted them by then
constexpr qint64 shareOfOthers = 10; // one part in ten of a queue's own limit stays free for its other producers

// The most messages that Redrive lets wait in this queue because of its own limit; nothing: it drops and dead-letters none by
// their number.
std::optional<qint64> ownBound(const records::Plan &plan, const broker::QueueInfo *queue)
{
    if (plan.acceptDrops || queue == nullptr || !queue->limits.messages || !queue->limits.mayNotOverflow())
        return std::nullopt;
    const qint64 most = *queue->limits.messages;
    return most - most / shareOfOthers;
}

bool isCrowded(const records::Plan &plan, qint64 waiting)
{
    return plan.mostWaiting && waiting >= *plan.mostWaiting;
}

QString fullText(const QString &destination, qint64 waiting, qint64 bound, const broker::QueueInfo &queue)
{
    if (queue.limits.deadLettersNew())
        return Text::
            tr("%1 keeps %2 messages, and copies of others that are sent to it go to its dead-letter target. It holds "
               "about %3. Sending continues when it holds fewer than %4.")
                .arg(destination, core::countText(*queue.limits.messages), core::countText(waiting),
                     core::countText(bound));
    return Text::tr(
               "%1 drops its oldest messages when it holds more than %2. It holds about %3. Sending continues when it "
               "holds fewer than %4.")
        .arg(destination, core::countText(*queue.limits.messages), core::countText(waiting), core::countText(bound));
}

} // namespace

void BackpressureGate::forgetOld(core::SteadyTime counted)
{
    std::erase_if(m_recent, [&](const Handed &one) { return one.at && *one.at < counted - statisticsLag; });
}

std::optional<qint64> BackpressureGate::waitingAt(const QString &destination, const broker::QueueInfo *queue) const
{
    if (queue == nullptr || !queue->depth)
        return std::nullopt;
    qint64 waiting = *queue->depth;
    for (const Handed &handed : m_recent)
        waiting += handed.copies.value(destination);
    return waiting;
}

QString BackpressureGate::objection(const records::Plan &plan, const QHash<QString, int> &copies,
                                    const QueueObservation &observation)
{
    if (observation.asOf)
        forgetOld(*observation.asOf);
    QString full;
    bool isRoom = copies.isEmpty();
    for (auto entry = copies.cbegin(); entry != copies.cend(); ++entry) {
        const broker::QueueInfo *queue = observation.find(entry.key());
        const std::optional<qint64> waiting = waitingAt(entry.key(), queue);
        const std::optional<qint64> bound = ownBound(plan, queue);
        if (waiting && isCrowded(plan, *waiting))
            full = Text::tr("%1 holds about %2 messages. Sending continues when it holds fewer than %3.")
                       .arg(entry.key(), core::countText(*waiting), core::countText(*plan.mostWaiting));
        else if (waiting && bound && *waiting >= *bound)
            full = fullText(entry.key(), *waiting, *bound, *queue);
        else
            isRoom = true;
    }
    return isRoom ? QString() : full;
}

QList<qint64> BackpressureGate::beyondRoom(const records::Plan &plan, const QList<store::RetryMember> &members,
                                           const QueueObservation &observation)
{
    QHash<QString, qint64> room;
    const QStringList destinations = countByDestination(members).keys();
    for (const QString &destination : destinations) {
        const broker::QueueInfo *queue = observation.find(destination);
        const std::optional<qint64> waiting = waitingAt(destination, queue);
        const std::optional<qint64> bound = ownBound(plan, queue);
        if (waiting && isCrowded(plan, *waiting))
            room.insert(destination, 0);
        else if (waiting && bound)
            room.insert(destination, std::max<qint64>(0, *bound - *waiting));
    }
    QList<qint64> beyond;
    for (const store::RetryMember &member : members) {
        const auto left = room.find(member.destination);
        if (left != room.end() && --*left < 0)
            beyond.append(member.ordinal);
    }
    return beyond;
}

void BackpressureGate::handedOver(core::BatchId batch, const QHash<QString, int> &copies, bool onItsWay)
{
    forgetOld(m_clock.steady() - longestUnlisted);
    m_recent.push_back({batch, copies, onItsWay ? std::nullopt : std::optional(m_clock.steady())});
}

void BackpressureGate::arrived(core::BatchId batch)
{
    for (Handed &one : m_recent) {
        if (one.batch == batch)
            one.at = m_clock.steady();
    }
}

QHash<QString, int> countByDestination(const QList<store::RetryMember> &members)
{
    QHash<QString, int> counts;
    for (const store::RetryMember &member : members)
        ++counts[member.destination];
    return counts;
}

} // namespace retry
