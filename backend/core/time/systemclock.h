#pragma once

#include "backend/core/time/clock.h"

#include <memory>

class QTimer;

namespace core {

// The boot time of this machine, for code that works with the machine itself and takes no Clock, such as its network
// connections. Any thread.
[[nodiscard]] BootTime bootTime();

// The clock of this machine. It is made, used and destroyed on one thread and calls its actions from the Qt event loop
// of that thread. When it is destroyed it drops the actions that are not yet due.
class SystemClock final : public Clock
{
public:
    SystemClock();
    ~SystemClock() override;

    [[nodiscard]] TimePoint now() const override;
    [[nodiscard]] SteadyTime steady() const override;
    [[nodiscard]] BootTime boot() const override { return bootTime(); }
    Ticket after(Milliseconds delay, std::function<void()> action) override;
    void cancel(Ticket ticket) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace core
