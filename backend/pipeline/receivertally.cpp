#include "backend/pipeline/receivertally.h"

#include "backend/recovery/policy.h"

#include <QSet>

#include <algorithm>

namespace pipeline {

using core::Milliseconds;
using core::TimePoint;
using records::PipelineReceiver;

namespace {

// ReportStream counts the cycle in whole minutes (BaseEngine.kt, getBatchLookbackMins).
std::optional<Milliseconds> backstopAge(std::optional<Milliseconds> cadence)
{
    if (!cadence)
        return std::nullopt;
    recovery::Policy policy;
    policy.schedule.kind = recovery::Schedule::Kind::Cadence;
    policy.schedule.every =
        *cadence < std::chrono::minutes(1) ? *cadence : std::chrono::floor<std::chrono::minutes>(*cadence);
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
    const std::optional<TimePoint> age = m_backstop == Columns::Backstop::CreatedAt ? created : turn;
    if (!age)
        return;
    tasks.ages.append(*age);
    if (!tasks.oldest || *age < *tasks.oldest) {
        tasks.oldest = age;
        tasks.oldestCreated = created;
        tasks.oldestReport = report;
    }
}

PipelineReceiver ReceiverTally::known(const QString &receiver, const Timings &timings)
{
    using From = PipelineReceiver::CadenceFrom;
    const bool isInSettings = timings.settings.contains(receiver);
    const bool isInFile = !isInSettings && timings.file.contains(receiver);
    PipelineReceiver found;
    found.receiver = receiver;
    if (!isInSettings && !isInFile)
        return found;
    const ReceiverTiming timing = isInSettings ? timings.settings.value(receiver) : timings.file.value(receiver);
    found.cadence = timing.every;
    found.cadenceFrom = isInSettings ? From::Settings : From::File;
    found.numberPerDay = timing.numberPerDay;
    found.initialTime = timing.initialTime;
    found.timeZone = timing.timeZone;
    return found;
}

PipelineReceiver ReceiverTally::summary(PipelineReceiver found, const Tasks &tasks, TimePoint now)
{
    found.waiting = tasks.count;
    found.oldestTask = tasks.oldestCreated;
    found.oldestReport = tasks.oldestReport;
    const std::optional<Milliseconds> age = backstopAge(found.cadence);
    if (!age)
        return found;
    if (tasks.oldest)
        found.backstopAt = records::isEndless(*tasks.oldest) ? *tasks.oldest : *tasks.oldest + *age;
    // Exactly at that age it still takes part.
    const auto tooOld =
        std::count_if(tasks.ages.cbegin(), tasks.ages.cend(), [&](TimePoint one) { return one < now - *age; });
    const qint64 withoutTime = tasks.count - tasks.ages.size();
    found.ignoredPastBackstop = tooOld + withoutTime;
    return found;
}

ReceiverTally::Receivers ReceiverTally::receivers(const Timings &timings, TimePoint now) const
{
    QList<PipelineReceiver> found;
    bool more = m_more;
    for (auto one = m_receivers.cbegin(); one != m_receivers.cend(); ++one)
        found.append(summary(known(one.key(), timings), one.value(), now));
    QSet<QString> named;
    for (const auto *source : {&timings.settings, &timings.file}) {
        for (auto one = source->cbegin(); one != source->cend(); ++one)
            named.insert(one.key());
    }
    for (const QString &receiver : std::as_const(named)) {
        if (more || m_receivers.contains(receiver))
            continue;
        more = found.size() >= m_limit; // and of what was not counted, nobody knows whether it has tasks
        if (!more)
            found.append(summary(known(receiver, timings), {}, now));
    }
    std::sort(found.begin(), found.end(),
              [](const PipelineReceiver &a, const PipelineReceiver &b) { return a.receiver < b.receiver; });
    return {found, more};
}

} // namespace pipeline
