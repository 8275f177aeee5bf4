// One endpoint and one message on the embedded broker: what recoverability does, attempt by attempt.
#include "app/brokers.h"
#include "backend/records/rules/retrycount.h"
#include "backend/sandbox/messagemarks.h"
#include "backend/sandbox/nservicebus/endpoint.h"
#include "backend/sandbox/nservicebus/nservicebusheaders.h"
#include "tests/backend/sandbox/scenariorig.h"
#include "tests/support/recoverabilitylog.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using sandbox::Simulation;

namespace {

const core::TimePoint start = core::fromMs(1'700'000'000'000);

sandbox::HandlerFailure timeout()
{
    sandbox::HandlerFailure failure;
    failure.what.exceptionType = QStringLiteral("System.TimeoutException");
    failure.what.message = QStringLiteral("The carrier did not answer.");
    failure.stackTrace = QStringLiteral("\n   at Shop.Carrier.Book()");
    return failure;
}

const QString eventsQueue = QStringLiteral("events");

// What a handler sends before it fails or succeeds.
broker::Outgoing published()
{
    broker::Outgoing outgoing;
    outgoing.destination = eventsQueue;
    outgoing.envelope.body = "{}";
    return outgoing;
}

// An endpoint on the queue "work" whose handler fails as the test says.
struct Bench
{
    explicit Bench(recovery::Policy policy, int messages = 1,
                   sandbox::Transactions transactions = sandbox::Transactions::ReceiveOnly, bool countsInMemory = false)
        : simulation(start, 1)
        , ledger(messages)
        , group(simulation.clock())
        , settings{QStringLiteral("Shop.Work"),
                   QStringLiteral("work"),
                   QStringLiteral("error"),
                   QStringLiteral("pc-1"),
                   2,
                   20ms,
                   std::move(policy),
                   transactions,
                   countsInMemory}
        , endpoint(
              settings, [this](sandbox::Incoming incoming) { return handle(std::move(incoming)); }, simulation.clock(),
              simulation.random(), ledger, [this](const QString &line) { log += line + QLatin1Char('\n'); })
    {
        QList<localbroker::QueueSettings> queues;
        for (const QString &name : {settings.queue, settings.errorQueue, eventsQueue}) {
            localbroker::QueueSettings queue;
            queue.name = name;
            queue.maxDeliveryCount = 100;
            queues.append(queue);
        }
        if (!simulation.open({}, queues))
            qFatal("no broker");
        broker = app::simulatedBroker(simulation);
        if (!support::outcomeOf(simulation, broker->probe()))
            qFatal("no answer");
    }
    ~Bench()
    {
        broker->cancelAll();
        bool stopped = false;
        group.stop([&stopped] { stopped = true; });
        simulation.runUntil([&stopped] { return stopped; }, 1min);
    }

    core::Task<std::optional<sandbox::HandlerFailure>> handle(sandbox::Incoming incoming)
    {
        std::optional<sandbox::HandlerFailure> failure;
        if (handler)
            failure = handler(incoming);
        co_return failure;
    }
    void send(int number, const records::Headers &more = {})
    {
        broker::Outgoing outgoing;
        outgoing.destination = settings.queue;
        outgoing.envelope.body = "{}";
        records::Headers &headers = outgoing.envelope.headers;
        const QString id = number == 0 ? QStringLiteral("messageId") : QStringLiteral("messageId-%1").arg(number);
        sandbox::addMessageHeaders(headers, {id, QStringLiteral("c"), QStringLiteral("T")});
        records::set(headers, sandbox::messageNumberHeader.toString(), QString::number(number));
        headers += more;
        const auto outcomes = support::outcomeOf(simulation, broker->send({outgoing}));
        QCOMPARE(outcomes.size(), 1);
        QVERIFY(outcomes.first().verdict == broker::Verdict::Accepted);
        ledger.sent(number);
    }
    // One more instance of the endpoint, on the same queue.
    void startAnother(int instance)
    {
        sandbox::EndpointSettings another = settings;
        another.machine = QStringLiteral("pc-%1").arg(instance + 1);
        others.push_back(std::make_unique<sandbox::Endpoint>(
            another, [this](sandbox::Incoming incoming) { return handle(std::move(incoming)); }, simulation.clock(),
            simulation.random(), ledger, [this](const QString &line) { log += line + QLatin1Char('\n'); }));
        others.back()->start(group, broker);
    }
    void run(core::Milliseconds time)
    {
        simulation.runUntil([] { return false; }, time);
    }
    [[nodiscard]] QList<broker::ReceivedMessage> failed() { return messagesIn(settings.errorQueue); }
    [[nodiscard]] QList<broker::ReceivedMessage> messagesIn(const QString &queue)
    {
        const auto page = support::outcomeOf(simulation, broker->browse(queue, 100));
        return page ? page->messages : QList<broker::ReceivedMessage>();
    }
    [[nodiscard]] qint64 count(const char *field, qint64 inQueues = 0) const
    {
        return ledger.counts(inQueues).value(QLatin1StringView(field)).toInteger(-1);
    }

    Simulation simulation;
    sandbox::Ledger ledger;
    sandbox::WorkerGroup group;
    sandbox::EndpointSettings settings;
    QString log;
    std::function<std::optional<sandbox::HandlerFailure>(const sandbox::Incoming &)> handler;
    sandbox::Endpoint endpoint;
    std::vector<std::unique_ptr<sandbox::Endpoint>> others;
    std::shared_ptr<broker::Broker> broker;
};

recovery::Policy policyOf(int immediate, int delayed)
{
    recovery::Policy policy;
    policy.immediate = immediate;
    policy.delayed = delayed;
    policy.jitter.kind = recovery::Jitter::Kind::None;
    return policy;
}

} // namespace

class TestEndpoint final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void replaysTheTwelveAttemptsOf003();
    void aMessageThatWorksIsRemoved();
    void theDelaysPassBetweenTheRounds();
    void whatCannotBeReadGoesToTheErrorQueueAtOnce();
    void aFailedMessageKeepsItsHeadersAndGetsThoseOfTheFailure();
    void oneAtATimeAfterConsecutiveFailures();
    void whatCameFromTheErrorQueueIsCounted();
    void whatAHandlerSendsIsRolledBackWithIt();
    void withoutTransactionsThereAreNoRetries();
    void instancesThatCountInMemoryMultiplyTheAttempts_data();
    void instancesThatCountInMemoryMultiplyTheAttempts();
    void exceptionsOfAThousandMessagesAreKept();
};

void TestEndpoint::replaysTheTwelveAttemptsOf003()
{
    Bench bench(policyOf(3, 2));
    bench.handler = [](const sandbox::Incoming &) { return timeout(); };
    bench.endpoint.start(bench.group, bench.broker);
    bench.send(0);
    bench.run(2min);
    QCOMPARE(bench.log, support::recoverabilityLogSince8(QStringLiteral("pc-1")));
    QCOMPARE(bench.failed().size(), 1);
    QCOMPARE(bench.count("immediate_retries"), 9);
    QCOMPARE(bench.count("delayed_retries"), 2);
    QCOMPARE(bench.count("to_error_queue"), 1);
}

void TestEndpoint::aMessageThatWorksIsRemoved()
{
    Bench bench(policyOf(3, 2));
    bench.endpoint.start(bench.group, bench.broker);
    bench.send(0);
    bench.run(5s);
    QCOMPARE(bench.count("processed"), 1);
    QVERIFY(bench.ledger.isComplete());
    const auto left = support::outcomeOf(bench.simulation, bench.broker->browse(bench.settings.queue, 10));
    QVERIFY(left && left->messages.isEmpty());
    QCOMPARE(bench.log, QString());
}

void TestEndpoint::theDelaysPassBetweenTheRounds()
{
    Bench bench(policyOf(0, 2));
    QList<qint64> seconds;
    bench.handler = [&](const sandbox::Incoming &) {
        seconds.append((bench.simulation.clock().now() - start) / 1s);
        return timeout();
    };
    bench.endpoint.start(bench.group, bench.broker);
    bench.send(0);
    bench.run(2min);
    QCOMPARE(seconds.size(), 3);
    QVERIFY(seconds.at(1) - seconds.at(0) >= 10 && seconds.at(1) - seconds.at(0) <= 11);
    QVERIFY(seconds.at(2) - seconds.at(1) >= 20 && seconds.at(2) - seconds.at(1) <= 21);
}

void TestEndpoint::whatCannotBeReadGoesToTheErrorQueueAtOnce()
{
    Bench bench(policyOf(5, 3));
    bench.handler = [](const sandbox::Incoming &) {
        sandbox::HandlerFailure failure;
        failure.what.exceptionType = QStringLiteral("NServiceBus.MessageDeserializationException");
        return failure;
    };
    bench.endpoint.start(bench.group, bench.broker);
    bench.send(0);
    bench.run(5s);
    QCOMPARE(bench.failed().size(), 1);
    QCOMPARE(bench.count("immediate_retries"), 0);
    QCOMPARE(bench.count("delayed_retries"), 0);
}

void TestEndpoint::aFailedMessageKeepsItsHeadersAndGetsThoseOfTheFailure()
{
    Bench bench(policyOf(1, 1));
    bench.handler = [](const sandbox::Incoming &) { return timeout(); };
    bench.endpoint.start(bench.group, bench.broker);
    bench.send(0, {{QStringLiteral("Tenant"), QStringLiteral("north")}});
    bench.run(1min);
    QCOMPARE(bench.failed().size(), 1);
    const records::Headers headers = bench.failed().first().envelope.headers;
    const auto text = [&headers](QStringView name) { return records::text(headers, name); };
    QCOMPARE(text(u"Tenant"), QStringLiteral("north"));
    QCOMPARE(text(u"NServiceBus.MessageId"), QStringLiteral("messageId"));
    QCOMPARE(text(u"NServiceBus.FailedQ"), QStringLiteral("work"));
    QCOMPARE(text(u"NServiceBus.ProcessingEndpoint"), QStringLiteral("Shop.Work"));
    QCOMPARE(text(u"NServiceBus.ExceptionInfo.ExceptionType"), QStringLiteral("System.TimeoutException"));
    QCOMPARE(text(u"NServiceBus.ExceptionInfo.Message"), QStringLiteral("The carrier did not answer."));
    QVERIFY(text(u"NServiceBus.ExceptionInfo.StackTrace").endsWith(u"at Shop.Carrier.Book()"));
    QCOMPARE(text(u"NServiceBus.TimeOfFailure").size(), 28);
    // The marks of its retries are gone, as NServiceBus removes them.
    for (const records::Header &header : headers) {
        QVERIFY(!header.name.startsWith(u"NServiceBus.Retries"));
        QVERIFY(!header.name.startsWith(u"Sandbox.F"));
    }
}

void TestEndpoint::oneAtATimeAfterConsecutiveFailures()
{
    recovery::Policy policy = policyOf(100, 0);
    policy.rateLimit = recovery::RateLimit{3, 5s};
    Bench bench(policy, 10);
    QList<core::Milliseconds> attempts;
    bool isDown = true;
    bench.handler = [&](const sandbox::Incoming &) -> std::optional<sandbox::HandlerFailure> {
        attempts.append(bench.simulation.clock().now() - start);
        return isDown ? std::optional(timeout()) : std::nullopt;
    };
    bench.endpoint.start(bench.group, bench.broker);
    for (int number = 0; number < 10; ++number)
        bench.send(number);
    bench.run(30s);
    QVERIFY(bench.log.contains(QStringLiteral("Rate limiting started\n")));
    QVERIFY(!bench.log.contains(QStringLiteral("Rate limiting stopped\n")));
    QVERIFY(attempts.size() >= 6 && attempts.size() <= 11); // 3 or 4 at once, then one every 5 s
    for (qsizetype i = 5; i < attempts.size(); ++i)
        QVERIFY(attempts.at(i) - attempts.at(i - 1) >= 5s);
    isDown = false;
    bench.run(10s);
    QVERIFY(bench.log.contains(QStringLiteral("Rate limiting stopped\n")));
    QCOMPARE(bench.count("processed"), 10); // all of them within the seconds after the first success
    const QJsonArray limits = bench.ledger.counts(0).value(QStringLiteral("rate_limit")).toArray();
    QCOMPARE(limits.size(), 1);
    QCOMPARE(limits.at(0)[QStringLiteral("failures_before")].toInt(), 3);
}

void TestEndpoint::whatCameFromTheErrorQueueIsCounted()
{
    Bench bench(policyOf(1, 0));
    bench.handler = [](const sandbox::Incoming &) { return timeout(); };
    bench.endpoint.start(bench.group, bench.broker);
    bench.send(0, {{records::retryCountHeader.toString(), QStringLiteral("1")}});
    bench.run(5s);
    QCOMPARE(bench.count("returned_by_policy"), 1);
    QCOMPARE(bench.count("came_back"), 1);
}

// NServiceBus: "any messages that the user code tried to send or publish will not be sent out". The handler sends, then it
// fails twice.
void TestEndpoint::whatAHandlerSendsIsRolledBackWithIt()
{
    Bench bench(policyOf(3, 0));
    bench.handler = [](const sandbox::Incoming &incoming) {
        incoming.sends->append(published());
        return incoming.attempt <= 2 ? std::optional(timeout()) : std::nullopt;
    };
    bench.endpoint.start(bench.group, bench.broker);
    bench.send(0);
    bench.run(1min);
    QCOMPARE(bench.count("processed"), 1);
    QCOMPARE(bench.messagesIn(eventsQueue).size(), 1);
    QCOMPARE(bench.count("sent_by_handlers"), 1);
    QCOMPARE(bench.count("rolled_back"), 2);
    QCOMPARE(bench.count("sent_by_failed_handlers"), 0);
}

// NServiceBus: neither kind of retry can be used then, and what was sent has left; fault handling works in every mode.
void TestEndpoint::withoutTransactionsThereAreNoRetries()
{
    Bench bench(policyOf(5, 3), 2, sandbox::Transactions::None);
    int handled = 0;
    bench.handler = [&handled](const sandbox::Incoming &incoming) {
        ++handled;
        incoming.sends->append(published());
        return incoming.number == 0 ? std::optional(timeout()) : std::nullopt;
    };
    bench.endpoint.start(bench.group, bench.broker);
    bench.send(0);
    bench.send(1);
    bench.run(2min);
    QCOMPARE(handled, 2);
    QCOMPARE(bench.count("processed"), 1);
    QCOMPARE(bench.count("immediate_retries") + bench.count("delayed_retries"), 0);
    QCOMPARE(bench.failed().size(), 1);
    QVERIFY(bench.log.contains(QStringLiteral("Error NServiceBus.MoveToError. Instance: pc-1\nText: Moving message ")));
    QCOMPARE(bench.messagesIn(eventsQueue).size(), 2); // also that of the handler that failed
    QCOMPARE(bench.count("sent_by_failed_handlers"), 1);
    QCOMPARE(bench.count("rolled_back"), 0);
}

void TestEndpoint::instancesThatCountInMemoryMultiplyTheAttempts_data()
{
    QTest::addColumn<bool>("countsInMemory");
    QTest::newRow("the broker counts for all") << false;
    QTest::newRow("each instance counts for itself") << true;
}

// (2 + 1) x (1 + 1) attempts of each message; with three instances up to three times as many ("Scale-out multiplier").
void TestEndpoint::instancesThatCountInMemoryMultiplyTheAttempts()
{
    QFETCH(const bool, countsInMemory);
    constexpr int messages = 12;
    constexpr int least = 6 * messages;
    constexpr int instances = 3;
    int handled = 0;
    qsizetype failed = 0;
    {
        recovery::Policy policy = policyOf(2, 1);
        policy.rateLimit =
            recovery::RateLimit{.after = 1, .wait = 100ms}; // each one waits, so another takes the message
        Bench bench(policy, messages, sandbox::Transactions::ReceiveOnly, countsInMemory);
        bench.handler = [&handled](const sandbox::Incoming &) {
            ++handled;
            return timeout();
        };
        for (int number = 0; number < messages; ++number)
            bench.send(number);
        bench.endpoint.start(bench.group, bench.broker);
        for (int i = 1; i < instances; ++i)
            bench.startAnother(i);
        bench.run(5min);
        failed = bench.failed().size();
    }
    QCOMPARE(failed, qsizetype(messages));
    if (countsInMemory)
        QVERIFY2(handled > least && handled <= least * instances, qPrintable(QString::number(handled)));
    else
        QCOMPARE(handled, least);
}

// "NServiceBus can cache up to 1,000 exceptions".
void TestEndpoint::exceptionsOfAThousandMessagesAreKept()
{
    sandbox::FailureMemory memory;
    const auto id = [](int number) { return QStringLiteral("m%1").arg(number); };
    for (int number = 0; number < 1000; ++number)
        memory.note(id(number), timeout());
    memory.note(id(0), timeout()); // it is the newest again
    QCOMPARE(memory.failures(id(0)), 2);
    QVERIFY(memory.last(id(1)).has_value());
    memory.note(id(1000), timeout());
    QCOMPARE(memory.size(), 1000);
    QCOMPARE(memory.failures(id(1)), 0); // forgotten: its round begins anew
    QVERIFY(!memory.last(id(1)).has_value());
    QCOMPARE(memory.failures(id(0)), 2);
    memory.forget(id(0));
    QCOMPARE(memory.failures(id(0)), 0);
    QCOMPARE(memory.size(), 999);
}

REDRIVE_TEST(TestEndpoint)
#include "tst_endpoint.moc"
