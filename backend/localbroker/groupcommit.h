#pragma once

#include "backend/core/time/clock.h"
#include "backend/localbroker/journal.h"
#include "backend/localbroker/queueengine.h"

#include <functional>
#include <vector>

namespace localbroker {

// Commits the changes of the engine every `interval`, for many requests at once, and only then calls `done` of each
// request. One commit per request would limit the broker to some thousands per second. One thread: that of the clock.
class GroupCommit final
{
public:
    using Done = std::function<void(const core::Result<> &)>;

    GroupCommit(core::Clock &clock, QueueEngine &engine, Journal &journal, core::Milliseconds interval);
    ~GroupCommit();
    GroupCommit(const GroupCommit &) = delete;
    GroupCommit &operator=(const GroupCommit &) = delete;

    // Calls `done` after the commit of all changes made so far, or with StoreFailed if the commit fails.
    void whenDurable(Done done);
    // For changes that no request waits for: they become part of the next commit.
    void soon();
    // Commits at once.
    void flush();

private:
    core::Clock &m_clock;
    QueueEngine &m_engine;
    Journal &m_journal;
    core::Milliseconds m_interval;
    std::vector<Done> m_waiting;
    core::Clock::Ticket m_ticket = 0;
};

} // namespace localbroker
