#pragma once

#include "backend/core/clock.h"

#include <memory>

class QTimer;

namespace core {

// Of this machine, for what belongs to it and takes no Clock, such as its connections. Any thread.
[[nodiscard]] BootTime bootTime();

// The machine's clock on the calling thread's Qt event loop. To be made, used and destroyed on one thread.
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
