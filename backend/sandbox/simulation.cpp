#include "backend/sandbox/simulation.h"

namespace sandbox {

Simulation::Simulation(core::TimePoint start, quint64 seed)
    : m_clock(start)
    , m_random(seed)
    , m_engine(m_clock, m_random)
{
}

core::Result<> Simulation::open(const QString &dataFile, const QList<localbroker::QueueSettings> &queues)
{
    TRY(m_journal.open(dataFile.isEmpty() ? QStringLiteral(":memory:") : dataFile));
    TRY(m_journal.load(m_engine));
    // Time does not go back when a run goes on that was killed: a message that was due must not be early now.
    TRY(const std::optional<core::TimePoint> newest, m_journal.newestArrival());
    if (newest && *newest > m_clock.now())
        m_clock.jump(std::chrono::duration_cast<core::Milliseconds>(*newest - m_clock.now()));
    for (const localbroker::QueueSettings &queue : queues) {
        if (m_engine.queue(queue.name))
            continue;
        const localbroker::Outcome<> created = m_engine.createQueue(queue);
        if (!created)
            return core::fail(core::ErrorKind::Rejected, created.error().text);
    }
    m_api = std::make_unique<localbroker::RestApi>(m_clock, m_engine, m_journal, localbroker::Keys{});
    m_api->flush();
    return {};
}

qint64 Simulation::messagesIn(const QString &queue) const
{
    const std::optional<localbroker::QueueState> found = m_engine.queue(queue);
    return found ? found->counts.active + found->counts.scheduled + found->counts.deadLetter : 0;
}

std::unique_ptr<http::HttpClient> Simulation::newClient()
{
    return std::make_unique<LoopbackClient>(*m_api, m_clock);
}

bool Simulation::runUntil(const std::function<bool()> &isOver, core::Milliseconds limit)
{
    const core::SteadyTime end = m_clock.steady() + limit;
    while (!isOver()) {
        if (m_clock.steady() >= end || !m_clock.step())
            return false;
    }
    return true;
}

} // namespace sandbox
