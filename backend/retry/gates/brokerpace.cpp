#include "backend/retry/gates/brokerpace.h"

#include "backend/core/text/counttext.h"
#include "backend/retry/text.h"

#include <algorithm>

namespace retry {

namespace {

constexpr double leastShare = 1; // percent: an operation must come to an end
constexpr double wholeShare = 100;

double wholeShareOf(const records::Plan &plan)
{
    return std::max(double(plan.brokerShare.value_or(0)), leastShare);
}

core::Milliseconds timeFor(core::Milliseconds used, double share)
{
    return core::Milliseconds{qint64(double(used.count()) * wholeShare / share)};
}

} // namespace

bool BrokerPace::isCurrent() const
{
    return m_asked && m_clock.steady() - *m_asked < outOfDate;
}

bool BrokerPace::isMeasurementDue() const
{
    return m_isWanted && (!m_asked || m_clock.steady() - *m_asked >= measureAgain);
}

void BrokerPace::measured(const core::Result<broker::LoadReading> &reading)
{
    if (!isCurrent())
        m_parts = whole / 4;
    m_isWanted = false;
    m_asked = m_clock.steady();
    if (reading && reading->sample == m_sample)
        return;
    m_sample = reading ? reading->sample : QString();
    m_trouble.clear();
    if (!reading)
        m_trouble = Text::tr("The broker does not say how much it has to do (%1).").arg(reading.error().message);
    else if (reading->isTooMuch())
        m_trouble = Text::tr("On %1, %2 processes wait for %3 processors.")
                        .arg(reading->node, core::countText(reading->waiting), core::countText(reading->processors));
    m_parts = m_trouble.isEmpty() ? std::min(m_parts + whole / 4, whole) : std::max(m_parts / 2, 1);
}

double BrokerPace::shareOf(const records::Plan &plan) const
{
    return std::max(wholeShareOf(plan) * m_parts / whole, leastShare);
}

QString BrokerPace::reason(const records::RetryOperation &operation) const
{
    const QString share = QString::number(shareOf(operation.plan), 'f', 0);
    if (!m_trouble.isEmpty())
        return Text::tr("Redrive uses at most %1 % of the broker's time now. %2").arg(share, m_trouble);
    if (m_last.value(operation.id).rest < longRest)
        return {};
    return Text::tr("Redrive uses at most %1 % of the broker's time now, so it rests after each batch.").arg(share);
}

// Without a current measurement the first one decides.
core::Milliseconds BrokerPace::untilNext(const records::RetryOperation &operation, core::Milliseconds busy)
{
    if (!operation.plan.brokerShare)
        return {};
    m_isWanted = true;
    const auto last = m_last.find(operation.id);
    if (last != m_last.end() && !last->end)
        finish(*last, busy);
    if (!isCurrent())
        return core::Milliseconds{1};
    if (last == m_last.end())
        return {};
    const core::SteadyTime allowed = last->at + timeFor(last->used, wholeShareOf(operation.plan));
    const core::SteadyTime now = last->at + timeFor(usedByAll(busy) - last->usedByAll, shareOf(operation.plan));
    const core::SteadyTime due = std::max(allowed, std::min(now, *last->end + longestRest));
    last->rest = due - *last->end;
    return std::max(due - m_clock.steady(), core::Milliseconds{0});
}

void BrokerPace::begun(const records::RetryOperation &operation, core::Milliseconds busy)
{
    if (!operation.plan.brokerShare)
        return;
    const core::Milliseconds rest = m_last.value(operation.id).rest;
    forget(operation.id);
    m_last.insert(operation.id, {m_clock.steady(), busy, usedByAll(busy), {}, {}, rest});
    if (m_open++ == 0)
        m_openSince = busy;
}

void BrokerPace::forget(core::OperationId operation)
{
    const auto last = m_last.constFind(operation);
    if (last == m_last.cend())
        return;
    m_open -= last->end ? 0 : 1;
    m_last.erase(last);
}

void BrokerPace::finish(Batch &batch, core::Milliseconds busy)
{
    batch.end = m_clock.steady();
    batch.used = busy - batch.busy;
    if (--m_open == 0)
        m_usedBefore += busy - m_openSince;
}

core::Milliseconds BrokerPace::usedByAll(core::Milliseconds busy) const
{
    return m_open > 0 ? m_usedBefore + busy - m_openSince : m_usedBefore;
}

} // namespace retry
