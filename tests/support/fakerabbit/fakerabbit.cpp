#include "tests/support/fakerabbit/fakerabbit.h"

using namespace std::chrono_literals;

namespace support {

using core::ErrorKind;
using core::fail;
using core::Result;

FakeRabbit::FakeRabbit(core::Clock &clock, quint64 seed)
    : m_clock(clock)
    , m_random(seed)
    , m_broker(clock)
    , m_shovels(m_broker, clock)
    , m_api(m_broker, m_shovels, clock)
{
}

FakeRabbit::~FakeRabbit()
{
    m_clock.cancel(m_shovelTicket);
    m_clock.cancel(m_statisticsTicket);
    cancelAll();
}

core::Milliseconds FakeRabbit::travel()
{
    return core::Milliseconds{1 + qint64(m_random.below(4))};
}

core::Task<Result<http::Response>> FakeRabbit::send(http::Request request)
{
    const quint64 id = ++m_last;
    Call call;
    call.request = std::move(request);
    const core::Pending<Result<http::Response>> answer = call.answer;
    call.ticket = m_clock.after(travel(), [this, id] { arrive(id); });
    m_calls.emplace(id, std::move(call));
    Result<http::Response> result = co_await answer;
    co_return result;
}

void FakeRabbit::arrive(quint64 id)
{
    Call &call = m_calls.at(id);
    if (!m_isUp)
        return end(id, fail(ErrorKind::Transient, QStringLiteral("RabbitMQ does not answer: connection refused.")));
    const Fault fault = m_faults ? m_faults(call.request) : Fault::None;
    const auto lost = call.request.idempotent ? ErrorKind::Transient : ErrorKind::UnknownOutcome;
    if (fault == Fault::Delayed)
        m_late.append(call.request);
    if (fault == Fault::LostBefore || fault == Fault::Delayed)
        return end(id, fail(lost, QStringLiteral("No answer came.")));
    if (fault == Fault::Late) {
        m_late.append(call.request);
        call.ticket = 0;
        return;
    }
    if (fault == Fault::LostAfter) {
        static_cast<void>(carryOut(call.request));
        return end(id, fail(lost, QStringLiteral("No answer came.")));
    }
    const http::Request request = call.request;
    call.ticket = m_clock.after(request.timeout,
                                [this, id, lost] { end(id, fail(lost, QStringLiteral("No answer came in time."))); });
    m_tamper.answer(
        request, [this, &request] { return carryOut(request); },
        [this, id](const http::Response &response) { deliver(id, response); });
}

http::Response FakeRabbit::carryOut(const http::Request &request)
{
    const std::optional<http::Response> other = m_others ? m_others(request) : std::nullopt;
    http::Response response = other ? *other : m_api.answer(request);
    wakeShovels();
    wakeStatistics();
    return response;
}

void FakeRabbit::deliver(quint64 id, http::Response response)
{
    const auto found = m_calls.find(id);
    if (found == m_calls.end())
        return; // nobody waits any more
    m_clock.cancel(found->second.ticket);
    found->second.ticket = m_clock.after(travel(), [this, id, response = std::move(response)] { end(id, response); });
}

void FakeRabbit::letLateArrive()
{
    while (hasLate())
        letOneLateArrive();
}

void FakeRabbit::letOneLateArrive()
{
    static_cast<void>(m_api.answer(m_late.takeFirst()));
    wakeShovels();
    wakeStatistics();
}

void FakeRabbit::end(quint64 id, Result<http::Response> result)
{
    const auto found = m_calls.find(id);
    if (found == m_calls.end())
        return;
    const core::Pending<Result<http::Response>> answer = found->second.answer;
    m_clock.cancel(found->second.ticket);
    m_calls.erase(found);
    answer.resolve(std::move(result));
}

void FakeRabbit::endAll(ErrorKind kind)
{
    // Those that start while others end are not part of it.
    QList<quint64> ids;
    for (const auto &[id, call] : m_calls)
        ids.append(id);
    for (const quint64 id : ids) {
        const auto found = m_calls.find(id);
        if (found == m_calls.end())
            continue;
        const bool unknown = kind == ErrorKind::Transient && !found->second.request.idempotent;
        end(id, fail(unknown ? ErrorKind::UnknownOutcome : kind, QStringLiteral("The connection broke.")));
    }
}

void FakeRabbit::cancelAll()
{
    endAll(ErrorKind::Cancelled);
}

void FakeRabbit::wakeShovels()
{
    if (m_shovelTicket != 0)
        return;
    m_shovelTicket = m_clock.after(10ms, [this] {
        m_shovelTicket = 0;
        if (m_isUp && m_shovels.step())
            wakeShovels();
    });
}

void FakeRabbit::wakeStatistics()
{
    if (m_statisticsTicket != 0)
        return;
    m_statisticsTicket = m_clock.after(5s, [this] {
        m_statisticsTicket = 0;
        m_broker.refreshStatistics();
    });
}

void FakeRabbit::kill()
{
    m_isUp = false;
    m_broker.crash();
    m_shovels.crash();
    endAll(ErrorKind::Transient);
}

void FakeRabbit::start()
{
    m_isUp = true;
    m_api.setNode({QStringLiteral("fake@localhost"), ++m_process, m_clock.steady()});
    wakeShovels();
}

} // namespace support
