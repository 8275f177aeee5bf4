#include "backend/localbroker/groupcommit.h"

namespace localbroker {

GroupCommit::GroupCommit(core::Clock &clock, QueueEngine &engine, Journal &journal, core::Milliseconds interval)
    : m_clock(clock)
    , m_engine(engine)
    , m_journal(journal)
    , m_interval(interval)
{
}

GroupCommit::~GroupCommit()
{
    m_clock.cancel(m_ticket);
}

void GroupCommit::whenDurable(Done done)
{
    m_waiting.push_back(std::move(done));
    soon();
}

void GroupCommit::soon()
{
    if (m_ticket != 0 || (m_waiting.empty() && !m_engine.hasChanges()))
        return;
    m_ticket = m_clock.after(m_interval, [this] {
        m_ticket = 0;
        flush();
    });
}

void GroupCommit::flush()
{
    const QList<Change> changes = m_engine.takeChanges();
    const core::Result<> written =
        changes.isEmpty() ? core::Result<>() : m_journal.apply(changes, m_engine.lastSequence());
    const std::vector<Done> waiting = std::exchange(m_waiting, {});
    for (const Done &done : waiting)
        done(written);
}

} // namespace localbroker
