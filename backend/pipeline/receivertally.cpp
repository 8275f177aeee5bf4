#include "backend/pipeline/receivertally.h"

#include "backend/recovery/policy.h"

#include <algorithm>

namespace pipeline {

using core::Milliseconds;
using core::TimePoint;
using records::PipelineReceiver;

namespace {

constexpr size_t mostTurns = 1000; // of one receiver: more of them do not make the shortest distance more certain

std::optional<Milliseconds> backstopAge(std::optional<Milliseconds> cadence)
{
    if (!cadence)
        return std::nullopt;
    recovery::Policy policy;
    policy.schedule.kind = recovery::Schedule::Kind::Cadence;
    policy.schedule.every = *cadence;
    return recovery::backstopOf(policy);
}

} // namespace

void ReceiverTally::add(const QString &receiver, const QString &report, std::optional<TimePoint> turn,
                        std::optional<TimePoint> created)
{
    if (m_receivers.size() >= m_limit && !m_receivers.contains(receiver)) {
        m_more = true;
        return;
    }
    Tasks &tasks = m_receivers[receiver];
    ++tasks.count;
    if (turn && tasks.turns.size() < mostTurns)
        tasks.turns.insert(*turn);
    if (!created)
        return;
    tasks.created.append(*created);
    if (!tasks.oldest || *created < *tasks.oldest) {
        tasks.oldest = created;
        tasks.oldestReport = report;
    }
}

std::optional<Milliseconds> ReceiverTally::cadenceOf(const Tasks &tasks)
{
    constexpr Milliseconds decider = std::chrono::minutes(1); // it looks once a minute (ReportStream, Batch)
    std::optional<Milliseconds> shortest;
    std::optional<TimePoint> before;
    for (const TimePoint turn : tasks.turns) {
        if (before && turn - *before >= decider)
            shortest = std::min(shortest.value_or(Milliseconds::max()), turn - *before);
        before = turn;
    }
    return shortest;
}

PipelineReceiver ReceiverTally::summary(const QString &receiver, const Tasks &tasks,
                                        std::optional<Milliseconds> fromFile, TimePoint now)
{
    using From = PipelineReceiver::CadenceFrom;
    PipelineReceiver found;
    found.receiver = receiver;
    found.cadence = fromFile ? fromFile : cadenceOf(tasks);
    found.cadenceFrom = fromFile ? From::File : found.cadence ? From::Tasks : From::Unknown;
    found.waiting = tasks.count;
    found.oldestTask = tasks.oldest;
    found.oldestReport = tasks.oldestReport;
    const std::optional<Milliseconds> age = backstopAge(found.cadence);
    if (!age)
        return found;
    if (tasks.oldest)
        found.backstopAt = *tasks.oldest + *age;
    // Exactly at that age it still takes part.
    found.ignoredPastBackstop = std::count_if(tasks.created.cbegin(), tasks.created.cend(),
                                              [&](TimePoint created) { return created + *age < now; });
    return found;
}

ReceiverTally::Receivers ReceiverTally::receivers(const QHash<QString, Milliseconds> &cadences, TimePoint now) const
{
    QList<PipelineReceiver> found;
    bool more = m_more;
    for (auto one = m_receivers.cbegin(); one != m_receivers.cend(); ++one) {
        const auto given = cadences.constFind(one.key());
        const auto cadence = given == cadences.cend() ? std::nullopt : std::optional(*given);
        found.append(summary(one.key(), one.value(), cadence, now));
    }
    for (auto given = cadences.cbegin(); given != cadences.cend(); ++given) {
        if (more || m_receivers.contains(given.key()))
            continue;
        more = found.size() >= m_limit; // and of what was not counted, nobody knows whether it has tasks
        if (!more)
            found.append(summary(given.key(), {}, given.value(), now));
    }
    std::sort(found.begin(), found.end(),
              [](const PipelineReceiver &a, const PipelineReceiver &b) { return a.receiver < b.receiver; });
    return {found, more};
}

} // namespace pipeline
