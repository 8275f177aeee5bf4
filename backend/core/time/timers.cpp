#include "backend/core/time/timers.h"

namespace core {

Timers::Timers(Clock &clock)
    : m_clock(clock)
{
}

Timers::~Timers()
{
    cancelAll();
}

Pending<Result<>> Timers::sleep(Milliseconds delay)
{
    return start(delay, false);
}

Pending<Result<>> Timers::sleepOrWake(Milliseconds delay)
{
    if (std::exchange(m_woken, false) && !m_cancelled)
        delay = Milliseconds{0};
    return start(delay, true);
}

Pending<Result<>> Timers::start(Milliseconds delay, bool wakeable)
{
    Pending<Result<>> pending;
    if (m_cancelled) {
        pending.resolve(fail(ErrorKind::Cancelled, QStringLiteral("Stopped.")));
        return pending;
    }
    // The action needs the ticket, which after() returns only once it has the action. They share this slot.
    const auto ticket = std::make_shared<Clock::Ticket>(0);
    *ticket = m_clock.after(delay, [this, ticket] {
        const auto found = m_sleepers.find(*ticket);
        const Pending<Result<>> due = found->second.pending;
        m_sleepers.erase(found);
        due.resolve({});
    });
    m_sleepers.emplace(*ticket, Sleeper{pending, wakeable});
    return pending;
}

void Timers::wake()
{
    for (auto it = m_sleepers.begin(); it != m_sleepers.end(); ++it) {
        if (!it->second.wakeable)
            continue;
        const Pending<Result<>> due = it->second.pending;
        m_clock.cancel(it->first);
        m_sleepers.erase(it);
        due.resolve({});
        return;
    }
    m_woken = true;
}

void Timers::cancelAll()
{
    m_cancelled = true;
    while (!m_sleepers.empty()) {
        const auto first = m_sleepers.begin();
        const Pending<Result<>> due = first->second.pending;
        m_clock.cancel(first->first);
        m_sleepers.erase(first);
        due.resolve(fail(ErrorKind::Cancelled, QStringLiteral("Stopped.")));
    }
}

} // namespace core
