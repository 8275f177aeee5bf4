#include "backend/http/retryingclient.h"

#include "backend/http/retryafter.h"
#include "backend/http/text.h"

#include <algorithm>

namespace http {

using core::ErrorKind;
using core::Milliseconds;
using core::Result;
using core::Task;
using recovery::Decision;
using State = records::CircuitBreaker::State;

namespace {

bool hadNoResponse(const Result<Response> &result)
{
    return !result && (result.error().kind == ErrorKind::Transient || result.error().kind == ErrorKind::UnknownOutcome);
}

} // namespace

RetryingClient::RetryingClient(HttpClient &inner, core::Clock &clock, core::Random &random, RetrySettings settings)
    : m_inner(inner)
    , m_clock(clock)
    , m_random(random)
    , m_settings(std::move(settings))
    , m_timers(clock)
    , m_failures(m_settings.probing)
    , m_failing(clock)
    , m_budget(m_settings.budget)
{
}

Task<Result<Response>> RetryingClient::send(Request request)
{
    recovery::Progress progress{.firstFailure = m_clock.now(), .lastDelayed = {}};
    int tries = 0;
    for (;;) {
        Request copy = request;
        const int before = tries;
        Result<Response> result = co_await sendOnce(std::move(copy), &tries);
        const Decision next = request.idempotent ? decide(result, progress, tries > before) : Decision{};
        if (next.what == Decision::Do::GiveUp)
            co_return result;
        progress = recovery::progressAfter(progress, next, m_clock.now());
        const core::Pending<Result<>> sleep = m_timers.sleep(next.delay);
        CO_TRY(co_await sleep);
    }
}

Task<Result<Response>> RetryingClient::sendOnce(Request request, int *tries)
{
    if (!m_failures.mayStart(onSteadyLine(), m_running))
        co_return core::fail(heldBack(request));
    ++*tries;
    const records::CircuitBreaker before = breaker();
    ++m_running;
    tellBreaker(before);
    const core::SteadyTime begun = m_clock.steady();
    Request sent = request;
    Result<Response> result = co_await m_inner.send(std::move(sent));
    if (result)
        result->tries = *tries;
    note(result, m_clock.steady() - begun, request);
    co_return result;
}

core::Error RetryingClient::heldBack(const Request &request) const
{
    const QString tries = Text::tr("%1 did not answer %2 times in a row. Redrive waits before it tries again.")
                              .arg(request.url.host(), QString::number(m_failures.state().consecutive));
    return {ErrorKind::Transient,
            m_lastTrouble.isEmpty() ? tries : m_lastTrouble + QLatin1Char(' ') + tries,
            {},
            std::max(m_failures.waitAt(onSteadyLine()), Milliseconds{1000})};
}

void RetryingClient::note(const Result<Response> &result, Milliseconds took, const Request &request)
{
    const records::CircuitBreaker before = breaker();
    --m_running;
    if (result) {
        m_failures.succeeded(onSteadyLine());
        m_failing.note(result->status >= 500);
        if (classOf(result) == recovery::FailureClass::Permanent)
            m_budget = std::min(m_settings.budget, m_budget + m_settings.earned);
    } else if (hadNoResponse(result)) {
        m_failures.failed(onSteadyLine());
        m_failing.note(true);
        m_lastTrouble = result.error().message;
        const Milliseconds patience =
            request.silence.count() > 0 ? std::min(request.silence, request.timeout) : request.timeout;
        const bool isSilence = took >= patience * 3 / 4; // a refused or broken connection ends sooner
        if (m_onSilence && request.idempotent && isSilence)
            m_onSilence(result.error());
    }
    tellBreaker(before);
}

void RetryingClient::tellBreaker(const records::CircuitBreaker &before)
{
    const records::CircuitBreaker now = breaker();
    if (m_onBreaker && (now.state != before.state || now.failures != before.failures))
        m_onBreaker();
}

records::CircuitBreaker RetryingClient::breaker() const
{
    records::CircuitBreaker breaker;
    breaker.failures = m_failures.state().consecutive;
    if (!m_failures.isProbing())
        return breaker;
    breaker.state = m_running > 0 ? State::Probing : State::Open;
    if (breaker.state == State::Open)
        breaker.nextTry = m_clock.now() + m_failures.waitAt(onSteadyLine());
    return breaker;
}

// Waiting for the breaker costs the broker nothing, so it takes nothing from the budget.
Decision RetryingClient::decide(const Result<Response> &result, const recovery::Progress &progress, bool wasSent)
{
    const Milliseconds requested = result ? retryAfter(*result, m_clock.now()) : result.error().retryAfter;
    if (requested > m_settings.longestRetryAfter || (wasSent && m_budget < 1))
        return {};
    recovery::FailureClass as = classOf(result);
    if (as == recovery::FailureClass::Transient && progress.failed > 1)
        as = recovery::FailureClass::Delayed;
    Decision next = recovery::decide(m_settings.policy, as, progress, m_clock.now(), &m_random);
    if (wasSent && next.what != Decision::Do::GiveUp)
        m_budget -= 1;
    next.delay = std::max(next.delay, requested);
    return next;
}

// The library counts on any line of time. This one does not jump when the clock of the machine is set.
core::TimePoint RetryingClient::onSteadyLine() const
{
    return core::TimePoint{m_clock.steady().time_since_epoch()};
}

void RetryingClient::cancelAll()
{
    m_timers.cancelAll();
    m_inner.cancelAll();
}

} // namespace http
