#include "backend/sandbox/queueconsumer.h"

#include <algorithm>

namespace sandbox {

namespace {

constexpr core::Milliseconds shortestPause{500};
constexpr core::Milliseconds pauseUntilReady{1000};

} // namespace

QueueConsumer::QueueConsumer(QString queue, core::Milliseconds longestPause, Work work)
    : m_queue(std::move(queue))
    , m_longestPause(longestPause)
    , m_work(std::move(work))
{
}

void QueueConsumer::start(WorkerGroup &group, const std::shared_ptr<broker::Broker> &broker)
{
    group.start([this, &group, broker] { return consume(&group, broker); });
}

core::Task<> QueueConsumer::consume(WorkerGroup *group, std::shared_ptr<broker::Broker> broker) const
{
    core::Milliseconds pause = shortestPause;
    while (!group->isStopped()) {
        const bool worked = co_await workOnNext(broker);
        if (worked) {
            pause = shortestPause;
            continue;
        }
        const core::Result<> slept = co_await group->timers().sleep(pause);
        if (!slept)
            break;
        pause = std::min(2 * pause, m_longestPause);
    }
}

core::Task<bool> QueueConsumer::workOnNext(std::shared_ptr<broker::Broker> broker) const
{
    broker::TakeRequest request;
    request.queue = m_queue;
    request.limit = 1;
    const core::Result<broker::ReceivedPage> page = co_await broker->take(request);
    if (!page || page->messages.isEmpty())
        co_return false;
    const broker::ReceivedMessage held = page->messages.constFirst();
    const Settle settle = co_await m_work(held);
    core::Result<> settled;
    if (settle == Settle::Remove)
        settled = co_await broker->release(request, *page);
    else
        settled = co_await broker->putBack(request, *page);
    // Without a pause a message that is put back would come again at once. Unsettled: its lock expires.
    co_return settle == Settle::Remove &&settled.has_value();
}

core::Task<bool> sendOne(std::shared_ptr<broker::Broker> broker, QString queue, records::Envelope envelope)
{
    broker::Outgoing outgoing;
    outgoing.destination = std::move(queue);
    outgoing.envelope = std::move(envelope);
    const QList<broker::Outgoing> one{outgoing};
    const QList<broker::SendOutcome> outcomes = co_await broker->send(one);
    co_return !outcomes.isEmpty() && outcomes.first().verdict == broker::Verdict::Accepted;
}

core::Task<bool> probeUntilReady(WorkerGroup *group, std::shared_ptr<broker::Broker> broker)
{
    core::Result<broker::Capabilities> probed = co_await broker->probe();
    while (!probed) {
        const core::Result<> slept = co_await group->timers().sleep(pauseUntilReady);
        if (!slept)
            co_return false;
        probed = co_await broker->probe();
    }
    co_return true;
}

} // namespace sandbox
