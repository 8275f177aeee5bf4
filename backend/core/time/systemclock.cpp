#include "backend/core/time/systemclock.h"

#include <QDateTime>
#include <QTimer>

#include <ctime>
#include <unordered_map>

namespace core {

struct SystemClock::Private
{
    std::unordered_map<Ticket, std::unique_ptr<QTimer>> timers;
    Ticket last = 0;
};

SystemClock::SystemClock()
    : d(std::make_unique<Private>())
{
}

SystemClock::~SystemClock() = default;

TimePoint SystemClock::now() const
{
    return fromMs(QDateTime::currentMSecsSinceEpoch());
}

SteadyTime SystemClock::steady() const
{
    return std::chrono::time_point_cast<Milliseconds>(std::chrono::steady_clock::now());
}

BootTime bootTime()
{
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time); // fails for an unknown clock only
    const auto whole = std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
    return BootTime{std::chrono::duration_cast<Milliseconds>(whole)};
}

Clock::Ticket SystemClock::after(Milliseconds delay, std::function<void()> action)
{
    const Ticket ticket = ++d->last;
    auto timer = std::make_unique<QTimer>();
    timer->setSingleShot(true);
    timer->setTimerType(Qt::PreciseTimer);
    QObject::connect(timer.get(), &QTimer::timeout, timer.get(), [this, ticket, run = std::move(action)] {
        // The action may cancel other tickets or destroy this clock; the timer itself must outlive its own signal.
        const auto found = d->timers.find(ticket);
        found->second.release()->deleteLater();
        d->timers.erase(found);
        const auto call = run;
        call();
    });
    timer->start(std::max(delay, Milliseconds{0}));
    d->timers.emplace(ticket, std::move(timer));
    return ticket;
}

void SystemClock::cancel(Ticket ticket)
{
    d->timers.erase(ticket);
}

} // namespace core
