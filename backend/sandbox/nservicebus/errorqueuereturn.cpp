#include "backend/sandbox/nservicebus/errorqueuereturn.h"

#include "backend/records/rules/retrycount.h"
#include "backend/sandbox/messagemarks.h"
#include "backend/sandbox/nservicebus/nservicebusheaders.h"

namespace sandbox {

using Do = recovery::Decision::Do;

namespace {

constexpr int returnedAtOnce = 50;

} // namespace

ErrorQueueReturn::ErrorQueueReturn(ReturnSettings settings, core::Clock &clock, core::Random &random, Ledger &ledger)
    : m_settings(std::move(settings))
    , m_clock(clock)
    , m_random(random)
    , m_ledger(ledger)
    , m_decider(m_settings.policy)
{
}

void ErrorQueueReturn::start(WorkerGroup &group, const std::shared_ptr<broker::Broker> &broker)
{
    group.start([this, &group, broker] { return look(&group, broker); });
}

core::Task<> ErrorQueueReturn::look(WorkerGroup *group, std::shared_ptr<broker::Broker> broker)
{
    while (!group->isStopped()) {
        co_await sweep(broker);
        const core::Result<> slept = co_await group->timers().sleep(m_settings.every);
        if (!slept)
            break;
    }
}

core::Task<> ErrorQueueReturn::sweep(std::shared_ptr<broker::Broker> broker)
{
    broker::TakeRequest request;
    request.queue = m_settings.errorQueue;
    request.limit = returnedAtOnce;
    // What stays is put back at the end: until then its locks keep it out of the next page.
    QList<broker::ReceivedPage> staying;
    while (true) {
        const core::Result<broker::ReceivedPage> page = co_await broker->take(request);
        if (!page || page->messages.isEmpty())
            break;
        broker::ReceivedPage rest = co_await returnSome(broker, request, *page);
        staying.append(std::move(rest));
    }
    for (qsizetype i = 0; i < staying.size(); ++i) {
        const core::Result<> back = co_await broker->putBack(request, staying.at(i));
        Q_UNUSED(back) // without an answer the locks expire
    }
}

core::Task<broker::ReceivedPage> ErrorQueueReturn::returnSome(std::shared_ptr<broker::Broker> broker,
                                                              broker::TakeRequest request, broker::ReceivedPage page)
{
    broker::ReceivedPage rest = page;
    broker::ReceivedPage gone = page;
    rest.messages.clear();
    gone.messages.clear();
    for (qsizetype i = 0; i < page.messages.size(); ++i) {
        const broker::ReceivedMessage &held = page.messages.at(i);
        const std::optional<broker::Outgoing> copy = copyOf(held);
        bool isSent = false;
        if (copy) {
            const QList<broker::Outgoing> one{*copy};
            const QList<broker::SendOutcome> outcomes = co_await broker->send(one);
            isSent = !outcomes.isEmpty() && outcomes.first().verdict == broker::Verdict::Accepted;
        }
        (isSent ? gone : rest).messages.append(held);
    }
    if (!gone.messages.isEmpty()) {
        const core::Result<> released = co_await broker->release(request, gone);
        Q_UNUSED(released) // a lost lock means one more copy: returning is at least once
    }
    co_return rest;
}

std::optional<broker::Outgoing> ErrorQueueReturn::copyOf(const broker::ReceivedMessage &held)
{
    const records::Headers &headers = held.envelope.headers;
    const QString &counter = m_decider.policy().counter;
    const int counted = counter.isEmpty() ? 0 : records::retryCountOf(headers, counter);
    const int returns = std::max(records::retryCountOf(headers), counted);
    recovery::Failure failure;
    failure.exceptionType = records::text(headers, exceptionTypeHeader);
    failure.message = records::text(headers, exceptionMessageHeader);
    const core::TimePoint now = m_clock.now();
    const core::TimePoint failedAt = fromWireTime(records::text(headers, failureTimeHeader)).value_or(now);
    const recovery::Decision decision = m_decider.decide(failure, returns + 1, failedAt, now, &m_random);
    if (decision.what != Do::RetryNow && decision.what != Do::RetryAt) {
        m_ledger.leftForAPerson(numberOf(headers));
        return std::nullopt;
    }
    broker::Outgoing copy;
    copy.destination = records::text(headers, failedQueueHeader);
    copy.envelope = held.envelope;
    removeFailureHeaders(copy.envelope.headers);
    records::setRetryCount(copy.envelope.headers, returns + 1);
    if (decision.what == Do::RetryAt)
        scheduleFor(copy.envelope, decision.at);
    return copy;
}

} // namespace sandbox
