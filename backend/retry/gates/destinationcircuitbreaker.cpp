#include "backend/retry/gates/destinationcircuitbreaker.h"

namespace retry {

DestinationCircuitBreaker::DestinationCircuitBreaker(core::Clock &clock, core::Milliseconds rest)
    : m_clock(clock)
    , m_rest(rest)
{
}

void DestinationCircuitBreaker::refused(const QString &destination, const QString &reason, Cause cause)
{
    m_changes += m_open.contains(destination) ? 0 : 1;
    m_open.insert(destination, Open{m_clock.steady() + m_rest, reason, cause, false});
}

void DestinationCircuitBreaker::accepted(const QString &destination)
{
    m_open.remove(destination);
}

void DestinationCircuitBreaker::listed(const QStringList &queues, Qt::CaseSensitivity names)
{
    m_open.removeIf([&queues, names](const auto &open) {
        return open->cause == Cause::Missing && queues.contains(open.key(), names);
    });
    for (auto open = m_open.begin(); open != m_open.end(); ++open) {
        if (!queues.contains(open.key(), names))
            *open = Open{m_clock.steady() + m_rest, open->reason, Cause::Missing, false};
    }
}

QString DestinationCircuitBreaker::refusal(const QString &destination) const
{
    const auto found = m_open.constFind(destination);
    return found == m_open.constEnd() || m_clock.steady() >= found->until ? QString{} : found->reason;
}

bool DestinationCircuitBreaker::isMissing(const QString &destination) const
{
    const auto found = m_open.constFind(destination);
    return found != m_open.constEnd() && found->cause == Cause::Missing;
}

bool DestinationCircuitBreaker::isTrialDue(const QString &destination) const
{
    const auto found = m_open.constFind(destination);
    return found != m_open.constEnd() && found->cause == Cause::Refusing && m_clock.steady() >= found->until;
}

void DestinationCircuitBreaker::beginTrial(const QString &destination)
{
    const auto found = m_open.find(destination);
    if (found == m_open.end())
        return;
    found->onTrial = true;
    found->until = m_clock.steady() + m_rest;
}

} // namespace retry
