#pragma once

#include "backend/core/backoff.h"
#include "backend/core/timers.h"
#include "backend/http/circuitbreaker.h"
#include "backend/http/failingshare.h"
#include "backend/http/httpclient.h"

namespace http {

struct RetrySettings
{
    int tries = 4; // with the first one
    core::Milliseconds base{800}; // seed: Azure's clients, 0.8 s doubled, at most 30 s
    core::Milliseconds cap{30000};
    double budget = 10; // most retries that can be saved up
    double earned = 0.25; // retries that each success adds: enough for a line on which one call in five fails
    core::Milliseconds longestRetryAfter{60000}; // a response with a longer Retry-After goes to the caller
    CircuitBreaker::Settings breaker;
};

// Repeats an idempotent call that fails for a reason that may pass: no connection, an incomplete response, 408, 429,
// 500, 502, 503, 504. It waits between the tries with full jitter, and never shorter than Retry-After. When the tries
// or the budget are used up, the last response or error is the result. Response::tries says how often the call was
// sent. Other calls are sent once. The circuit breaker holds back every call with Transient while the host does not
// answer. Use one per connection, because breaker and budget belong to one host. Used on the thread of the inner
// client.
class RetryingClient final : public HttpClient
{
public:
    // All three must outlive this object.
    RetryingClient(HttpClient &inner, core::Clock &clock, core::Random &random, RetrySettings settings = {});

    [[nodiscard]] core::Task<core::Result<Response>> send(Request request) override;
    void cancelAll() override;

    // The function is called each time a try of an idempotent call gets no response in its time limit, so that a person
    // who waits can be told. A call that is not idempotent ends with that error for its caller, who tells the person.
    void setOnSilence(std::function<void(const core::Error &)> silence) { m_onSilence = std::move(silence); }

    // The percentage of tries in the last minutes that got no response or a status of 500 or more.
    [[nodiscard]] int failingShare() const { return m_failing.percent(); }

private:
    [[nodiscard]] core::Task<core::Result<Response>> sendOnce(Request request);
    void note(const core::Result<Response> &result, core::Milliseconds took, const Request &request);
    [[nodiscard]] core::Error heldBack(const Request &request) const;
    // Nothing: the call is not tried again.
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
    QString m_lastTrouble; // why the newest failed call got no response
    std::function<void(const core::Error &)> m_onSilence;
};

} // namespace http
