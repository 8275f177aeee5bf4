#include "backend/retry/gates/brokerpace.h"

#include "backend/core/text/counttext.h"
#include "backend/retry/text.h"

#include <algorithm>

namespace retry {

namespace {

constexpr double leastShare = 1; // percent: an operation must come to an end
constexpr double wholeShare = 100;

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
    return std::max(double(plan.brokerShare.value_or(0)) * m_parts / whole, leastShare);
}

QString BrokerPace::slowedBecause(const records::Plan &plan) const
{
    if (m_trouble.isEmpty())
        return {};
    return Text::tr("Redrive uses at most %1 % of the broker's time now. %2")
        .arg(QString::number(shareOf(plan), 'f', 0), m_trouble);
}

// Without a current measurement the first one decides.
core::Milliseconds BrokerPace::untilNext(const records::RetryOperation &operation, core::Milliseconds busy)
{
    if (!operation.plan.brokerShare)
        return {};
    m_isWanted = true;
    if (!isCurrent())
        return core::Milliseconds{1};
    const auto last = m_last.constFind(operation.id);
    if (last == m_last.cend())
        return {};
    const double used = double((busy - last->busy).count());
    const core::SteadyTime due = last->at + core::Milliseconds{qint64(used * wholeShare / shareOf(operation.plan))};
    return std::max(due - m_clock.steady(), core::Milliseconds{0});
}

void BrokerPace::begun(const records::RetryOperation &operation, core::Milliseconds busy)
{
    if (operation.plan.brokerShare)
        m_last.insert(operation.id, {m_clock.steady(), busy});
}

} // namespace retry
