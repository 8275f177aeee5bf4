#pragma once

#include "backend/core/backoff.h"
#include "backend/core/timers.h"
#include "backend/http/circuitbreaker.h"
#include "backend/http/failingshare.h"
#include "backend/http/httpclient.h"

namespace http {

struct RetrySettings
{
    int tries = 4; // the first one included
    core::Milliseconds base{800}; // seed: Azure's clients, 0.8 s doubled, at most 30 s
    core::Milliseconds cap{30000};
    double budget = 10; // retries that may be spent at once
    double earned = 0.25; // by each success: a line that fails one call in five can be worked with for ever
    core::Milliseconds longestWish{60000}; // a longer Retry-After is the caller's to wait for
    CircuitBreaker::Settings breaker;
};

// Sends idempotent calls again when they fail in a way that may pass: no connection, an answer that broke off, 408, 429,
// 500, 502, 503, 504. Waits with full jitter, never shorter than Retry-After. Calls that are not idempotent pass through
// once. One per connection: the breaker and the budget belong to one host. When tries or budget are used up, the last
// answer or error is the result; an answer says how often its call was sent.
class RetryingClient final : public HttpClient
{
public:
    // All three outlive this object.
    RetryingClient(HttpClient &inner, core::Clock &clock, core::Random &random, RetrySettings settings = {});

    [[nodiscard]] core::Task<core::Result<Response>> send(Request request) override;
    void cancelAll() override;

    // Told of every try that had no answer in all its time, of calls that may be tried again: for somebody who waits. Any other
    // call ends with that for whoever made it, and says nothing to those who wait for something else.
    void setOnSilence(std::function<void(const core::Error &)> silence) { m_onSilence = std::move(silence); }

    // Of a hundred tries of the last minutes, how many had no answer, or one of a server that was not able to give one.
    [[nodiscard]] int failingShare() const { return m_failing.percent(); }

private:
    [[nodiscard]] core::Task<core::Result<Response>> sendOnce(Request request);
    void note(const core::Result<Response> &result, core::Milliseconds took, const Request &request);
    [[nodiscard]] core::Error heldBack(const Request &request) const;
    // Nothing: do not try again.
    [[nodiscard]] std::optional<core::Milliseconds> waitBeforeRetry(const core::Result<Response> &result,
                                                                    core::Backoff &backoff);

    HttpClient &m_inner;
    core::Clock &m_clock;
    core::Random &m_random;
    RetrySettings m_settings;
    core::Timers m_timers;
    CircuitBreaker m_breaker;
    FailingShare m_failing;
    double m_budget;
    QString m_lastTrouble; // why the newest call had no answer
    std::function<void(const core::Error &)> m_onSilence;
};

} // namespace http
