#pragma once

#include "backend/core/time/timers.h"
#include "backend/http/callpolicy.h"
#include "backend/http/failingshare.h"
#include "backend/http/httpclient.h"
#include "backend/records/circuitbreaker.h"
#include "backend/recovery/consecutivefailures.h"
#include "backend/recovery/decision.h"

namespace http {

struct RetrySettings
{
    recovery::Policy policy = callPolicy();
    double budget = 10; // most retries that can be saved up
    double earned = 0.25; // retries that each success adds: enough for a line on which one call in five fails
    core::Milliseconds longestRetryAfter{60000}; // a response with a longer Retry-After goes to the caller
    recovery::RateLimit probing{.after = 8, .wait = std::chrono::seconds(10)};
};

// Repeats an idempotent call that fails for a reason that may pass, as the policy decides. A Retry-After is waited for in
// full. Trying at once is worth it only once: after that a transient failure counts as a delayed one. When the tries
// or the budget are used up, the last response or error is the result. Response::tries says how often the call was
// sent. Other calls are sent once.
//
// After consecutive calls without a response it probes: one call at a time goes, with a wait after each failure, and all
// others are held back with Transient. The first response of any status ends it, because it proves that the host works.
//
// Use one per connection, because budget and failures belong to one host. Used on the thread of the inner client.
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

    [[nodiscard]] records::CircuitBreaker breaker() const;
    // Called each time the state or the failures of breaker() change because a call began or ended. It must not destroy this object.
    void setOnBreaker(std::function<void()> changed) { m_onBreaker = std::move(changed); }

    // The percentage of tries in the last minutes that got no response or a status of 500 or more.
    [[nodiscard]] int failingShare() const { return m_failing.percent(); }

private:
    [[nodiscard]] core::Task<core::Result<Response>> sendOnce(Request request, int *tries); // counts it if it goes
    void note(const core::Result<Response> &result, core::Milliseconds took, const Request &request);
    void tellBreaker(const records::CircuitBreaker &before);
    [[nodiscard]] core::Error heldBack(const Request &request) const;
    // RetryNow and RetryAt wait for the delay of the decision; anything else: the call is not tried again.
    [[nodiscard]] recovery::Decision decide(const core::Result<Response> &result, const recovery::Progress &progress,
                                            bool wasSent);
    [[nodiscard]] core::TimePoint onSteadyLine() const;

    HttpClient &m_inner;
    core::Clock &m_clock;
    core::Random &m_random;
    RetrySettings m_settings;
    core::Timers m_timers;
    recovery::ConsecutiveFailures m_failures;
    int m_running = 0; // calls under way
    FailingShare m_failing;
    double m_budget;
    QString m_lastTrouble; // why the newest failed call got no response
    std::function<void(const core::Error &)> m_onSilence;
    std::function<void()> m_onBreaker;
};

} // namespace http
