#include "backend/sandbox/shop/shop.h"

namespace sandbox {

namespace {

constexpr core::Milliseconds idlePause{500};
constexpr int atOnce = 50;

} // namespace

Shop::Shop(const Scenario &scenario, ScenarioContext context, std::shared_ptr<std::atomic<qint64>> processed)
    : m_scenario(scenario)
    , m_context(std::move(context))
    , m_group(m_context.clock)
    , m_processed(std::move(processed))
{
    for (qsizetype i = 0; i < workQueues().size(); ++i)
        m_brokers.push_back(m_context.makeBroker());
}

core::Result<> Shop::start()
{
    const QStringList queues = workQueues();
    for (qsizetype i = 0; i < queues.size(); ++i) {
        m_group.start(
            [this, queue = queues.at(i), broker = m_brokers.at(size_t(i))] { return consume(queue, broker); });
    }
    return {};
}

core::Task<core::Result<QJsonObject>> Shop::report()
{
    co_return QJsonObject{{QStringLiteral("processed"), qint64{*m_processed}}};
}

void Shop::stop(std::function<void()> done)
{
    for (const std::shared_ptr<broker::Broker> &broker : m_brokers)
        broker->cancelAll();
    m_group.stop(std::move(done));
}

core::Task<> Shop::consume(QString queue, std::shared_ptr<broker::Broker> broker)
{
    bool ready = false;
    while (!m_group.isStopped()) {
        if (!ready) {
            const core::Result<broker::Capabilities> probed = co_await broker->probe();
            ready = probed.has_value();
        }
        if (ready) {
            const bool worked = co_await work(queue, broker);
            if (worked)
                continue;
        }
        const core::Result<> slept = co_await m_group.timers().sleep(idlePause);
        if (!slept)
            break;
    }
}

core::Task<bool> Shop::work(QString queue, std::shared_ptr<broker::Broker> broker)
{
    broker::TakeRequest request;
    request.queue = queue;
    request.limit = atOnce;
    request.byteLimit = 8LL * 1024 * 1024;
    const core::Result<broker::ReceivedPage> page = co_await broker->take(request);
    if (!page || page->messages.isEmpty())
        co_return false;
    QList<broker::Outgoing> failures;
    for (const broker::ReceivedMessage &held : page->messages) {
        std::optional<records::Envelope> failed = m_scenario.processed(queue, held.envelope, m_context.clock.now());
        if (!failed)
            continue;
        broker::Outgoing copy;
        copy.ordinal = failures.size();
        copy.destination = errorQueue.toString();
        copy.envelope = std::move(*failed);
        failures << copy;
    }
    const bool handedOn = co_await handOn(broker, std::move(failures));
    if (!handedOn) {
        const core::Result<> back = co_await broker->putBack(request, *page);
        co_return back.has_value();
    }
    const core::Result<> released = co_await broker->release(request, *page);
    if (!released)
        co_return false;
    *m_processed += page->messages.size();
    co_return true;
}

core::Task<bool> Shop::handOn(std::shared_ptr<broker::Broker> broker, QList<broker::Outgoing> failures)
{
    // One at a time: the demo has few failures, and no message is then in doubt because of another one.
    for (qsizetype i = 0; i < failures.size(); ++i) {
        const QList<broker::Outgoing> one{failures.at(i)};
        const QList<broker::SendOutcome> outcomes = co_await broker->send(one);
        if (outcomes.isEmpty() || outcomes.first().verdict != broker::Verdict::Accepted)
            co_return false;
    }
    co_return true;
}

} // namespace sandbox
