#include "backend/sandbox/nservicebus/endpoint.h"

#include "backend/recovery/recoverylog.h"
#include "backend/sandbox/messagemarks.h"
#include "backend/sandbox/nservicebus/nservicebusheaders.h"

#include <algorithm>

namespace sandbox {

using recovery::ConsecutiveFailures;
using Do = recovery::Decision::Do;

namespace {

constexpr core::Milliseconds emptyPause{500}; // between two looks into an empty queue

// Of our own, beside those of NServiceBus: what else recovery::Progress needs to know of a message.
const QString failedAttemptsHeader = QStringLiteral("Sandbox.FailedAttempts");
const QString firstFailureHeader = QStringLiteral("Sandbox.FirstFailure");

void removeProgress(records::Headers &headers)
{
    headers.removeIf([](const records::Header &header) {
        return header.name == delayedRetriesHeader || header.name == lastDelayedHeader
               || header.name == failedAttemptsHeader || header.name == firstFailureHeader;
    });
}

QString idOf(const records::Envelope &envelope)
{
    return records::text(envelope.headers, u"NServiceBus.MessageId");
}

// The progress of a message whose present attempt fails now, as number `inRound` of its round.
recovery::Progress progressOf(const broker::ReceivedMessage &held, int inRound, core::TimePoint now)
{
    const records::Headers &headers = held.envelope.headers;
    recovery::Progress progress;
    progress.delayed = records::text(headers, delayedRetriesHeader).toInt();
    progress.inRound = inRound;
    progress.failed = records::text(headers, failedAttemptsHeader).toInt() + progress.inRound;
    progress.firstFailure = fromWireTime(records::text(headers, firstFailureHeader)).value_or(now);
    progress.lastDelayed = fromWireTime(records::text(headers, lastDelayedHeader));
    return progress;
}

} // namespace

Endpoint::Endpoint(EndpointSettings settings, Handler handler, core::Clock &clock, core::Random &random, Ledger &ledger,
                   Log log)
    : m_settings(std::move(settings))
    , m_handler(std::move(handler))
    , m_clock(clock)
    , m_random(random)
    , m_ledger(ledger)
    , m_log(std::move(log))
    , m_decider(m_settings.policy)
    , m_failures(m_settings.policy.rateLimit)
{
}

void Endpoint::start(WorkerGroup &group, const std::shared_ptr<broker::Broker> &broker)
{
    for (int i = 0; i < m_settings.concurrency; ++i)
        group.start([this, &group, broker] { return consume(&group, broker); });
}

void Endpoint::log(const QString &line) const
{
    if (m_log)
        m_log(line);
}

core::Task<> Endpoint::consume(WorkerGroup *group, std::shared_ptr<broker::Broker> broker)
{
    while (!group->isStopped()) {
        core::Milliseconds pause = emptyPause;
        if (m_failures.mayStart(m_clock.now(), m_running)) {
            ++m_running;
            const bool handled = co_await handleNext(group, broker);
            --m_running;
            if (handled)
                continue;
        } else {
            pause = std::clamp(m_failures.waitAt(m_clock.now()), core::Milliseconds{10}, emptyPause);
        }
        const core::Result<> slept = co_await group->timers().sleep(pause);
        if (!slept)
            break;
    }
}

core::Task<bool> Endpoint::handleNext(WorkerGroup *group, std::shared_ptr<broker::Broker> broker)
{
    broker::TakeRequest request;
    request.queue = m_settings.queue;
    request.limit = 1;
    const core::Result<broker::ReceivedPage> page = co_await broker->take(request);
    if (!page || page->messages.isEmpty())
        co_return false;
    Delivery delivery = deliveryOf(broker, request, *page);
    if (m_settings.transactions == Transactions::None) {
        const core::Result<> removed = co_await remove(&delivery);
        if (!removed)
            co_return false; // it is still in its queue
    }
    if (delivery.wasReturned && delivery.progress.failed == 1)
        m_ledger.returned(delivery.incoming.number);
    const core::Result<> worked = co_await group->timers().sleep(m_settings.takes);
    if (!worked)
        co_return false; // the scenario ends: the lock expires, and the message is still in its queue
    const Incoming incoming = delivery.incoming;
    std::optional<HandlerFailure> failure = co_await m_handler(incoming);
    co_await settle(std::move(delivery), std::move(failure));
    co_return true;
}

core::Task<core::Result<>> Endpoint::remove(Delivery *delivery)
{
    if (delivery->isRemoved)
        co_return {};
    core::Result<> removed = co_await delivery->broker->release(delivery->request, delivery->page);
    delivery->isRemoved = removed.has_value();
    co_return removed;
}

// What the handler sent. False: the broker did not take all of it.
core::Task<bool> Endpoint::sendAll(Delivery *delivery)
{
    const QList<broker::Outgoing> &sends = *delivery->incoming.sends;
    if (sends.isEmpty())
        co_return true;
    const QList<broker::SendOutcome> outcomes = co_await delivery->broker->send(sends);
    co_return outcomes.size() == sends.size()
        && std::all_of(outcomes.cbegin(), outcomes.cend(),
                       [](const broker::SendOutcome &one) { return one.verdict == broker::Verdict::Accepted; });
}

core::Task<> Endpoint::settle(Delivery delivery, std::optional<HandlerFailure> failure)
{
    const int sends = int(delivery.incoming.sends->size());
    if (failure && !delivery.isRemoved) {
        m_ledger.rolledBack(sends);
    } else {
        const bool sent = co_await sendAll(&delivery);
        if (!sent && !delivery.isRemoved) {
            const core::Result<> back = co_await delivery.broker->putBack(delivery.request, delivery.page);
            Q_UNUSED(back) // without an answer the lock expires
            co_return; // the message is handled once more
        }
        m_ledger.sentByHandler(sends, failure.has_value());
    }
    if (failure)
        co_await recover(std::move(delivery), std::move(*failure));
    else
        co_await succeed(std::move(delivery));
}

Endpoint::Delivery Endpoint::deliveryOf(std::shared_ptr<broker::Broker> broker, broker::TakeRequest request,
                                        broker::ReceivedPage page) const
{
    Delivery delivery;
    const broker::ReceivedMessage &held = page.messages.constFirst();
    // The embedded broker counts this delivery, too.
    const int inRound = m_settings.countsInMemory ? m_memory.failures(idOf(held.envelope)) + 1
                                                  : std::max(held.deliveryCount.value_or(1), 1);
    delivery.progress = progressOf(held, inRound, m_clock.now());
    delivery.incoming.number = numberOf(held.envelope.headers);
    delivery.incoming.attempt = delivery.progress.failed;
    delivery.incoming.envelope = held.envelope;
    delivery.wasReturned = hasBeenReturned(held.envelope.headers);
    delivery.broker = std::move(broker);
    delivery.request = std::move(request);
    delivery.page = std::move(page);
    return delivery;
}

core::Task<> Endpoint::succeed(Delivery delivery)
{
    if (delivery.incoming.attempt > 1)
        log(QStringLiteral("Handler - Attempt %1").arg(delivery.incoming.attempt));
    if (m_failures.succeeded(m_clock.now()) == ConsecutiveFailures::Change::Ended) {
        log(QStringLiteral("Rate limiting stopped"));
        m_ledger.limitEnded(m_settings.name, *m_failures.state().span);
    }
    m_memory.forget(idOf(delivery.incoming.envelope));
    const core::Result<> released = co_await remove(&delivery);
    if (released)
        m_ledger.processed(delivery.incoming.number);
    else if (released.error().kind == core::ErrorKind::NotFound)
        m_ledger.lockLost(); // somebody gets the message once more
}

// Without transactions the message is in no queue any more: it cannot be tried again.
recovery::Decision Endpoint::decisionOf(const Delivery &delivery, const HandlerFailure &failure)
{
    recovery::Decision decision = m_decider.decide(failure.what, delivery.progress, m_clock.now(), &m_random);
    if (delivery.isRemoved && decision.reason == recovery::Reason::None)
        decision = {.what = Do::GiveUp, .reason = recovery::Reason::AttemptsUsed, .delay = {}, .at = {}};
    return decision;
}

core::Task<> Endpoint::recover(Delivery delivery, HandlerFailure failure)
{
    const core::TimePoint now = m_clock.now();
    const bool limitStarts = m_failures.failed(now) == ConsecutiveFailures::Change::Started;
    const recovery::Decision decision = decisionOf(delivery, failure);
    const QString id = idOf(delivery.incoming.envelope);
    if (decision.what == Do::RetryNow)
        m_memory.note(id, failure);
    else
        m_memory.forget(id);
    // In one piece: other messages of this endpoint are under way.
    log(QStringLiteral("Handler - Attempt %1\n").arg(delivery.incoming.attempt)
        + toString(recovery::logLine(decision, id, m_settings.errorQueue), m_settings.machine));
    if (limitStarts) {
        log(QStringLiteral("Rate limiting started"));
        m_ledger.limitStarted(m_settings.name, *m_failures.state().span);
    }
    switch (decision.what) {
    case Do::RetryNow: {
        m_ledger.immediateRetry();
        const core::Result<> back = co_await delivery.broker->putBack(delivery.request, delivery.page);
        Q_UNUSED(back) // without an answer the lock expires
        break;
    }
    case Do::RetryAt:
        co_await retryLater(std::move(delivery), decision);
        break;
    case Do::GiveUp:
        co_await moveToErrorQueue(std::move(delivery), std::move(failure));
        break;
    case Do::Discard: {
        const core::Result<> released = co_await remove(&delivery);
        if (released)
            m_ledger.discarded(delivery.incoming.number);
        break;
    }
    }
}

core::Task<> Endpoint::retryLater(Delivery delivery, recovery::Decision decision)
{
    const recovery::Progress next = progressAfter(delivery.progress, decision, m_clock.now());
    records::Envelope copy = delivery.incoming.envelope;
    records::set(copy.headers, delayedRetriesHeader.toString(), QString::number(next.delayed));
    records::set(copy.headers, lastDelayedHeader.toString(), wireTime(m_clock.now()));
    records::set(copy.headers, failedAttemptsHeader, QString::number(delivery.progress.failed));
    records::set(copy.headers, firstFailureHeader, wireTime(next.firstFailure));
    scheduleFor(copy, decision.at);
    const bool replaced = co_await replace(std::move(delivery), m_settings.queue, std::move(copy));
    if (replaced)
        m_ledger.delayedRetry();
}

core::Task<> Endpoint::moveToErrorQueue(Delivery delivery, HandlerFailure failure)
{
    records::Envelope copy = delivery.incoming.envelope;
    removeProgress(copy.headers);
    addFailureHeaders(copy.headers, {m_settings.queue, m_settings.name, m_settings.machine, failure.what.exceptionType,
                                     failure.what.message, failure.stackTrace, m_clock.now()});
    const int number = delivery.incoming.number;
    const bool wasReturned = delivery.wasReturned;
    const bool replaced = co_await replace(std::move(delivery), m_settings.errorQueue, std::move(copy));
    if (replaced)
        m_ledger.movedToErrorQueue(number, wasReturned);
}

core::Task<bool> Endpoint::replace(Delivery delivery, QString destination, records::Envelope copy)
{
    broker::Outgoing outgoing;
    outgoing.destination = std::move(destination);
    outgoing.envelope = std::move(copy);
    const QList<broker::Outgoing> one{outgoing};
    const QList<broker::SendOutcome> outcomes = co_await delivery.broker->send(one);
    const bool accepted = !outcomes.isEmpty() && outcomes.first().verdict == broker::Verdict::Accepted;
    if (delivery.isRemoved)
        co_return accepted; // a copy that the broker does not take is lost: that is the price of this mode
    if (!accepted) {
        const core::Result<> back = co_await delivery.broker->putBack(delivery.request, delivery.page);
        Q_UNUSED(back) // without an answer the lock expires
        co_return false;
    }
    const core::Result<> released = co_await delivery.broker->release(delivery.request, delivery.page);
    if (!released && released.error().kind == core::ErrorKind::NotFound)
        m_ledger.lockLost(); // the message is there twice now: processing is at least once
    co_return true;
}

} // namespace sandbox
