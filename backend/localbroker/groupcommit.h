#pragma once

#include "backend/core/clock.h"
#include "backend/localbroker/journal.h"
#include "backend/localbroker/queueengine.h"

#include <functional>
#include <vector>

namespace localbroker {

// Makes the engine's changes durable every few milliseconds, many requests to one commit, and only then lets their
// answers go. One commit per request reaches some thousands a second; this reaches what HTTP can carry.
class GroupCommit final
{
public:
    using Done = std::function<void(const core::Result<> &)>;

    GroupCommit(core::Clock &clock, QueueEngine &engine, Journal &journal, core::Milliseconds interval);
    ~GroupCommit();
    GroupCommit(const GroupCommit &) = delete;
    GroupCommit &operator=(const GroupCommit &) = delete;

    // `done` is called after the commit that holds everything done so far.
    void whenDurable(Done done);
    // Changes nobody waits for: they go with the next commit.
    void soon();
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
