#pragma once

#include "backend/core/random.h"
#include "tests/support/fakerabbit/fakeapi.h"
#include "tests/support/network/tamper.h"
#include "tests/support/rabbit/rabbitsite.h"

#include <map>

namespace support {

// A RabbitMQ in memory behind HttpClient. Time is the clock's, chance is the seed's: the same calls at the same times get
// the same answers. It behaves as the real one where that matters (see the contract tests), its faults included.
class FakeRabbit final : public http::HttpClient
{
public:
    // What happens to one request on its way: nothing reaches the broker, or it does and no answer comes back, or it lies in
    // a network until letLateArrive() and its sender waits for good, or is told at once that no answer comes.
    enum class Fault { None, LostBefore, LostAfter, Late, Delayed };

    FakeRabbit(core::Clock &clock, quint64 seed);
    ~FakeRabbit() override;

    [[nodiscard]] core::Task<core::Result<http::Response>> send(http::Request request) override;
    // Ends what is under way; unlike a real client it then serves the next engine on the same broker.
    void cancelAll() override;

    void setFaults(std::function<Fault(const http::Request &)> faults) { m_faults = std::move(faults); }
    // A server on the way that answers in RabbitMQ's place.
    void setOthers(std::function<std::optional<http::Response>(const http::Request &)> others)
    {
        m_others = std::move(others);
    }
    [[nodiscard]] Tamper &tamper() { return m_tamper; } // the switch for answers that go wrong
    // What it answers by itself at once: for a server of the fake on a port.
    [[nodiscard]] http::Response carryOut(const http::Request &request);
    [[nodiscard]] bool hasLate() const { return !m_late.isEmpty(); }
    void letLateArrive();
    void letOneLateArrive(); // the one that was sent first
    // SIGKILL of the broker: nothing answers, messages in hand of shovels are delivered again after start().
    void kill();
    void start();
    [[nodiscard]] bool isUp() const { return m_isUp; }

    [[nodiscard]] fakerabbit::RabbitState &broker() { return m_broker; }
    [[nodiscard]] fakerabbit::FakeShovels &shovels() { return m_shovels; }
    [[nodiscard]] fakerabbit::FakeApi &api() { return m_api; }

private:
    struct Call
    {
        http::Request request;
        core::Pending<core::Result<http::Response>> answer;
        core::Clock::Ticket ticket = 0;
    };

    void arrive(quint64 id);
    void deliver(quint64 id, http::Response response);
    void end(quint64 id, core::Result<http::Response> result);
    void endAll(core::ErrorKind kind);
    void wakeShovels();
    void wakeStatistics();
    [[nodiscard]] core::Milliseconds travel();

    core::Clock &m_clock;
    core::SeededRandom m_random;
    fakerabbit::RabbitState m_broker;
    fakerabbit::FakeShovels m_shovels;
    fakerabbit::FakeApi m_api;
    std::function<Fault(const http::Request &)> m_faults;
    std::function<std::optional<http::Response>(const http::Request &)> m_others;
    Tamper m_tamper;
    std::map<quint64, Call> m_calls;
    QList<http::Request> m_late;
    quint64 m_last = 0;
    core::Clock::Ticket m_shovelTicket = 0;
    core::Clock::Ticket m_statisticsTicket = 0;
    int m_process = 100;
    bool m_isUp = true;
};

} // namespace support
