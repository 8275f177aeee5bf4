#include "backend/http/retryingclient.h"

#include "backend/http/retryafter.h"
#include "backend/http/text.h"

#include <algorithm>

namespace http {

using core::ErrorKind;
using core::Result;
using core::Task;

namespace {

bool mayPass(int status)
{
    return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 || status == 504;
}

} // namespace

RetryingClient::RetryingClient(HttpClient &inner, core::Clock &clock, core::Random &random, RetrySettings settings)
    : m_inner(inner)
    , m_clock(clock)
    , m_random(random)
    , m_settings(settings)
    , m_timers(clock)
    , m_breaker(clock, settings.breaker)
    , m_failing(clock)
    , m_budget(settings.budget)
{
}

Task<Result<Response>> RetryingClient::send(Request request)
{
    core::Backoff backoff(m_settings.base, m_settings.cap);
    for (;;) {
        Request copy = request;
        Result<Response> result = co_await sendOnce(std::move(copy));
        if (result)
            result->tries = backoff.failures() + 1;
        const bool again = request.idempotent && backoff.failures() + 1 < m_settings.tries;
        const std::optional<core::Milliseconds> wait = again ? waitBeforeRetry(result, backoff) : std::nullopt;
        if (!wait)
            co_return result;
        const core::Pending<Result<>> sleep = m_timers.sleep(*wait);
        CO_TRY(co_await sleep);
    }
}

Task<Result<Response>> RetryingClient::sendOnce(Request request)
{
    if (!m_breaker.tryEnter())
        co_return core::fail(heldBack(request));
    const core::SteadyTime begun = m_clock.steady();
    Request sent = request;
    Result<Response> result = co_await m_inner.send(std::move(sent));
    note(result, m_clock.steady() - begun, request);
    co_return result;
}

core::Error RetryingClient::heldBack(const Request &request) const
{
    const QString tries = Text::tr("%1 did not answer %2 times in a row. Redrive waits before it tries again.")
                              .arg(request.url.host(), QString::number(m_breaker.failures()));
    return {ErrorKind::Transient,
            m_lastTrouble.isEmpty() ? tries : m_lastTrouble + QLatin1Char(' ') + tries,
            {},
            std::max(m_breaker.openFor(), core::Milliseconds{1000})};
}

void RetryingClient::note(const Result<Response> &result, core::Milliseconds took, const Request &request)
{
    if (result) {
        m_breaker.succeeded();
        m_failing.note(result->status >= 500);
        if (!mayPass(result->status))
            m_budget = std::min(m_settings.budget, m_budget + m_settings.earned);
    } else if (result.error().kind == ErrorKind::Transient || result.error().kind == ErrorKind::UnknownOutcome) {
        m_breaker.failed();
        m_failing.note(true);
        m_lastTrouble = result.error().message;
        const bool isSilence = took >= request.timeout * 3 / 4; // a refused or broken connection ends sooner
        if (m_onSilence && request.idempotent && isSilence)
            m_onSilence(result.error());
    } else {
        m_breaker.abandoned();
    }
}

std::optional<core::Milliseconds> RetryingClient::waitBeforeRetry(const Result<Response> &result,
                                                                  core::Backoff &backoff)
{
    core::Milliseconds requested{0};
    if (result) {
        if (!mayPass(result->status))
            return {};
        requested = retryAfter(*result, m_clock.now());
    } else {
        if (result.error().kind != ErrorKind::Transient)
            return {};
        requested = result.error().retryAfter;
    }
    if (requested > m_settings.longestRetryAfter || m_budget < 1)
        return {};
    m_budget -= 1;
    return backoff.next(m_random, requested);
}

void RetryingClient::cancelAll()
{
    m_timers.cancelAll();
    m_inner.cancelAll();
}

} // namespace http
