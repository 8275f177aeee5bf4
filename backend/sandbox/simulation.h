#pragma once

#include "backend/core/time/simulatedclock.h"
#include "backend/localbroker/http/restapi.h"
#include "backend/localbroker/journal.h"
#include "backend/sandbox/loopbackclient.h"

namespace sandbox {

// An embedded broker and its clients on one simulated clock and one thread, without sockets and event loop. The same
// seed and the same clients give the same run. What the broker has accepted is in its file, as always.
class Simulation final
{
public:
    Simulation(core::TimePoint start, quint64 seed);

    // Opens the file of the broker, in memory if the path is empty, and creates the queues that are missing. The time goes
    // on from the newest message in the file if that came after `start`. For the
    // errors see localbroker::Journal::open(); Rejected: the broker declines a queue.
    [[nodiscard]] core::Result<> open(const QString &dataFile, const QList<localbroker::QueueSettings> &queues);

    [[nodiscard]] core::SimulatedClock &clock() { return m_clock; }
    [[nodiscard]] core::Random &random() { return m_random; }
    // Messages in this queue of the broker, locked, scheduled and dead-lettered ones included; 0 if there is no such queue.
    [[nodiscard]] qint64 messagesIn(const QString &queue) const;
    // A client of the broker. It must not outlive this object.
    [[nodiscard]] std::unique_ptr<http::HttpClient> newClient();

    // Lets the time run until `isOver` or until `limit` has passed. True: it is over.
    bool runUntil(const std::function<bool()> &isOver, core::Milliseconds limit);

    // For ScenarioContext::longestPause.
    static constexpr core::Milliseconds longestPause = std::chrono::minutes(1);

private:
    core::SimulatedClock m_clock;
    core::SeededRandom m_random;
    localbroker::QueueEngine m_engine;
    localbroker::Journal m_journal;
    std::unique_ptr<localbroker::RestApi> m_api;
};

} // namespace sandbox
