// What a virtual host says of the queues in which dead letters arrive: the ways in which teams build retries and delays,
// none of which may look like an error queue.
#include "backend/broker/rabbitmq/staging/topology.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using broker::QueueInfo;
using broker::QueueRole;
using broker::rabbitmq::Definitions;
using broker::rabbitmq::LiveQueue;

namespace {

struct VirtualHost
{
    Definitions definitions;
    QStringList errorQueues;

    VirtualHost() { definitions.consumers = QCborArray(); }

    void queue(const QString &name, const QCborMap &arguments = {})
    {
        LiveQueue live;
        live.name = name;
        live.type = QStringLiteral("classic");
        live.state = QStringLiteral("running");
        live.arguments = arguments;
        live.messages = 1;
        definitions.queues.append(live);
    }
    // Dead letters go to this exchange, with this key.
    static QCborMap to(const QString &exchange, const QString &key = {}, int ttl = 0)
    {
        QCborMap arguments{{QStringLiteral("x-dead-letter-exchange"), exchange}};
        if (!key.isEmpty())
            arguments.insert(QStringLiteral("x-dead-letter-routing-key"), key);
        if (ttl > 0)
            arguments.insert(QStringLiteral("x-message-ttl"), ttl);
        return arguments;
    }
    void bind(const QString &exchange, const QString &target, const QString &key = {}, const char *kind = "queue")
    {
        definitions.bindings.append(QCborMap{{QStringLiteral("source"), exchange},
                                             {QStringLiteral("destination"), target},
                                             {QStringLiteral("destination_type"), QString::fromLatin1(kind)},
                                             {QStringLiteral("routing_key"), key}});
    }
    void policy(const QString &pattern, const QCborMap &definition)
    {
        definitions.policies.append(QCborMap{{QStringLiteral("name"), QStringLiteral("policy")},
                                             {QStringLiteral("pattern"), pattern},
                                             {QStringLiteral("apply-to"), QStringLiteral("queues")},
                                             {QStringLiteral("priority"), 0},
                                             {QStringLiteral("definition"), definition}});
    }
    void consumer(const QString &name)
    {
        definitions.consumers->append(QCborMap{{QStringLiteral("queue"), QCborMap{{QStringLiteral("name"), name}}}});
    }
    [[nodiscard]] QueueInfo info(const QString &name) const
    {
        const QList<QueueInfo> all = broker::rabbitmq::describe(definitions, errorQueues);
        for (const QueueInfo &one : all) {
            if (one.name == name)
                return one;
        }
        return {};
    }
    [[nodiscard]] bool isCandidate(const QString &name) const { return info(name).role == QueueRole::Candidate; }
    [[nodiscard]] bool isRecommended(const QString &name) const { return records::isRecommended(info(name).facts); }
    // "loops_back orders.wait"
    [[nodiscard]] QStringList facts(const QString &name) const
    {
        QStringList words;
        const records::QueueFacts facts = info(name).facts;
        for (const records::QueueFact &fact : facts) {
            QStringList parts{records::toString(fact.kind)};
            if (!fact.name.isEmpty())
                parts.append(fact.name);
            if (fact.count > 0)
                parts.append(QString::number(fact.count));
            words.append(parts.join(u' '));
        }
        return words;
    }
};

} // namespace

class TestDeadLetterTargets final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aDeadLetterQueueIsRecommended();
    void aNamedQueueIsAnErrorQueueWithItsOrigin();
    void consumersSpeakAgainstIt();
    void withoutTheRightToSeeConsumersNothingIsSaidOfThem();
    void consumersThatAreKnownLaterChangeOnlyTheFacts();
    void aQueueOfAnotherConnectionIsNamed();
    void aRetryLoopIsWork();
    void aRetryLoopOverOneExchangeIsWork();
    void theTargetOfADelayQueueIsWork();
    void theDelaysOfNServiceBusAreWork();
    void aPolicyForAllQueuesMakesNoLoop();
    void aPolicyCanMakeADelayQueue();
    void aQueueThatIsBoundElsewhereIsWork();
    void exchangesBehindTheExchangeAreFollowed();
    void theKeyOfTheDeadLettersCounts();
    void aStepOnTheWayPassesOn();
    void namesHaveWordsForFailures_data();
    void namesHaveWordsForFailures();
    void ourOwnQueuesAreNoCandidates();
    void cyclesOfExchangesEnd();
    void aThousandQueuesShareADeadLetterQueue();
    void whatIsDroppedIsKeptOnlyWhereItArrives_data();
    void whatIsDroppedIsKeptOnlyWhereItArrives();
};

void TestDeadLetterTargets::aDeadLetterQueueIsRecommended()
{
    VirtualHost host;
    host.queue(QStringLiteral("orders"), VirtualHost::to(QStringLiteral("dlx"), QStringLiteral("orders")));
    host.queue(QStringLiteral("orders.dlq"));
    host.bind(QStringLiteral("work"), QStringLiteral("orders"), QStringLiteral("orders"));
    host.bind(QStringLiteral("dlx"), QStringLiteral("orders.dlq"), QStringLiteral("orders"));
    QVERIFY(host.info(QStringLiteral("orders")).role == QueueRole::Work);
    QVERIFY(host.isCandidate(QStringLiteral("orders.dlq")));
    QVERIFY(host.isRecommended(QStringLiteral("orders.dlq")));
    QCOMPARE(host.facts(QStringLiteral("orders.dlq")),
             QStringList({QStringLiteral("dead_letters_of orders"), QStringLiteral("named_for_failures")}));
}

void TestDeadLetterTargets::aNamedQueueIsAnErrorQueueWithItsOrigin()
{
    VirtualHost host;
    host.errorQueues = {QStringLiteral("parcels")};
    host.queue(QStringLiteral("orders"), VirtualHost::to({}, QStringLiteral("parcels"), 1000));
    host.queue(QStringLiteral("parcels"));
    QVERIFY(host.info(QStringLiteral("parcels")).role == QueueRole::ErrorQueue);
    QCOMPARE(host.info(QStringLiteral("parcels")).origin, QStringLiteral("orders"));
}

void TestDeadLetterTargets::consumersSpeakAgainstIt()
{
    VirtualHost host;
    host.queue(QStringLiteral("orders"), VirtualHost::to(QStringLiteral("dlx")));
    host.queue(QStringLiteral("orders.dlq"));
    host.bind(QStringLiteral("dlx"), QStringLiteral("orders.dlq"));
    host.consumer(QStringLiteral("orders.dlq"));
    host.consumer(QStringLiteral("orders.dlq"));
    host.consumer(QStringLiteral("orders"));
    QVERIFY(host.facts(QStringLiteral("orders.dlq")).contains(QStringLiteral("has_consumers 2")));
    QVERIFY(!host.isRecommended(QStringLiteral("orders.dlq")));
}

void TestDeadLetterTargets::withoutTheRightToSeeConsumersNothingIsSaidOfThem()
{
    VirtualHost host;
    host.definitions.consumers.reset();
    host.queue(QStringLiteral("orders"), VirtualHost::to(QStringLiteral("dlx")));
    host.queue(QStringLiteral("orders.dlq"));
    host.bind(QStringLiteral("dlx"), QStringLiteral("orders.dlq"));
    QVERIFY(host.isRecommended(QStringLiteral("orders.dlq")));
}

void TestDeadLetterTargets::consumersThatAreKnownLaterChangeOnlyTheFacts()
{
    VirtualHost host;
    const QString dead = QStringLiteral("orders.dlq");
    host.queue(QStringLiteral("orders"), VirtualHost::to({}, dead, 1000));
    host.queue(dead);
    host.consumer(dead);
    const QList<QueueInfo> atOnce = broker::rabbitmq::describe(host.definitions, {});
    const std::optional<QCborArray> consumers = std::exchange(host.definitions.consumers, std::nullopt);
    QList<QueueInfo> later = broker::rabbitmq::describe(host.definitions, {});
    QVERIFY(later.last().facts != atOnce.last().facts);
    host.definitions.consumers = consumers;
    broker::rabbitmq::addDeadLetterTargets(host.definitions, &later);
    QCOMPARE(later.size(), atOnce.size());
    for (qsizetype i = 0; i < later.size(); ++i) {
        QVERIFY(later.at(i).facts == atOnce.at(i).facts);
        QVERIFY(later.at(i).role == atOnce.at(i).role);
        QVERIFY(later.at(i).retention == atOnce.at(i).retention);
        QVERIFY(later.at(i).limits == atOnce.at(i).limits);
    }
}

// Neither taken from nor filled from a staging queue; both for the same reason.
void TestDeadLetterTargets::aQueueOfAnotherConnectionIsNamed()
{
    VirtualHost host;
    host.queue(QStringLiteral("orders"));
    host.queue(QStringLiteral("mine"));
    host.definitions.queues.last().exclusive = true;
    const QueueInfo mine = host.info(QStringLiteral("mine"));
    QVERIFY(mine.stagingRefusal.contains(QLatin1String("mine")));
    QCOMPARE(mine.refusal, mine.stagingRefusal);
    QVERIFY(host.info(QStringLiteral("orders")).stagingRefusal.isEmpty());
}

// Work queue and waiting queue send each other their dead letters: https://www.rabbitmq.com/docs/dlx, and most libraries
// for delayed retries.
void TestDeadLetterTargets::aRetryLoopIsWork()
{
    VirtualHost host;
    host.queue(QStringLiteral("orders"), VirtualHost::to(QStringLiteral("retry"), QStringLiteral("orders")));
    host.queue(QStringLiteral("orders.wait"), VirtualHost::to({}, QStringLiteral("orders"), 30000));
    host.bind(QStringLiteral("retry"), QStringLiteral("orders.wait"), QStringLiteral("orders"));
    for (const char *name : {"orders", "orders.wait"})
        QVERIFY(host.isCandidate(QLatin1String(name)) && !host.isRecommended(QLatin1String(name)));
    QCOMPARE(host.facts(QStringLiteral("orders")),
             QStringList({QStringLiteral("dead_letters_of orders.wait"), QStringLiteral("after_waiting orders.wait"),
                          QStringLiteral("loops_back orders.wait")}));
    QCOMPARE(host.facts(QStringLiteral("orders.wait")),
             QStringList({QStringLiteral("dead_letters_of orders"), QStringLiteral("loops_back orders")}));
}

// The name alone would be that of an error queue.
void TestDeadLetterTargets::aRetryLoopOverOneExchangeIsWork()
{
    VirtualHost host;
    const QString events = QStringLiteral("events");
    host.queue(QStringLiteral("orders"), VirtualHost::to(events, QStringLiteral("orders.failed")));
    host.queue(QStringLiteral("orders.failed"), VirtualHost::to(events, QStringLiteral("orders"), 1000));
    host.bind(events, QStringLiteral("orders"), QStringLiteral("orders"));
    host.bind(events, QStringLiteral("orders.failed"), QStringLiteral("orders.failed"));
    QVERIFY(host.facts(QStringLiteral("orders.failed")).contains(QStringLiteral("loops_back orders")));
    QVERIFY(host.facts(QStringLiteral("orders.failed")).contains(QStringLiteral("bound_to events")));
    QVERIFY(!host.isRecommended(QStringLiteral("orders.failed")));
    QVERIFY(host.facts(QStringLiteral("orders")).contains(QStringLiteral("loops_back orders.failed")));
}

void TestDeadLetterTargets::theTargetOfADelayQueueIsWork()
{
    VirtualHost host;
    host.queue(QStringLiteral("mail.delay"), VirtualHost::to({}, QStringLiteral("mail.failed"), 60000));
    host.queue(QStringLiteral("mail.failed"));
    QVERIFY(host.info(QStringLiteral("mail.delay")).role == QueueRole::Work);
    QVERIFY(host.isCandidate(QStringLiteral("mail.failed")));
    QVERIFY(host.facts(QStringLiteral("mail.failed")).contains(QStringLiteral("after_waiting mail.delay")));
    QVERIFY(!host.isRecommended(QStringLiteral("mail.failed")));
    host.consumer(QStringLiteral("mail.delay")); // a queue of work whose messages may expire
    QVERIFY(host.isRecommended(QStringLiteral("mail.failed")));
}

// As NServiceBus declares them: DelayInfrastructure.cs of NServiceBus.RabbitMQ. Each level waits twice as long as the
// next, and passes on to the next level's exchange; the last one delivers.
void TestDeadLetterTargets::theDelaysOfNServiceBusAreWork()
{
    VirtualHost host;
    const auto level = [](int number) {
        return QStringLiteral("nsb.v2.delay-level-%1").arg(number, 2, 10, QChar(u'0'));
    };
    const QString delivery = QStringLiteral("nsb.v2.delay-delivery");
    for (int number = 27; number >= 0; --number) {
        const QString next = number > 0 ? level(number - 1) : delivery;
        host.queue(level(number), VirtualHost::to(next, {}, 1 << number));
        host.bind(level(number), level(number), QStringLiteral("1.#"));
        host.bind(level(number), next, QStringLiteral("0.#"), "exchange");
    }
    host.queue(QStringLiteral("sales")); // direct routing binds the work queue itself
    host.bind(delivery, QStringLiteral("sales"), QStringLiteral("#.sales"));
    for (const QString &name : {level(11), level(0), QStringLiteral("sales")})
        QVERIFY2(host.isCandidate(name) && !host.isRecommended(name), qPrintable(name));
    QVERIFY(host.facts(level(11)).contains(QStringLiteral("after_waiting %1").arg(level(12))));
    QVERIFY(host.facts(QStringLiteral("sales")).contains(QStringLiteral("after_waiting %1").arg(level(0))));
}

// A policy that matches every queue makes the dead-letter queues targets of themselves and of each other.
void TestDeadLetterTargets::aPolicyForAllQueuesMakesNoLoop()
{
    VirtualHost host;
    host.policy(QStringLiteral(".*"), {{QStringLiteral("dead-letter-exchange"), QStringLiteral("dlx")}});
    for (const char *name : {"orders", "mail"}) {
        const QString work = QString::fromLatin1(name);
        const QString dead = work + QStringLiteral(".dead");
        host.queue(work);
        host.queue(dead);
        host.bind(QStringLiteral("dlx"), dead, work);
    }
    QVERIFY(host.info(QStringLiteral("orders")).role == QueueRole::Work);
    for (const char *name : {"orders.dead", "mail.dead"})
        QVERIFY(host.isCandidate(QLatin1String(name)) && host.isRecommended(QLatin1String(name)));
}

void TestDeadLetterTargets::aPolicyCanMakeADelayQueue()
{
    VirtualHost host;
    host.policy(QStringLiteral("^orders\\.delay$"),
                {{QStringLiteral("dead-letter-exchange"), QString()},
                 {QStringLiteral("dead-letter-routing-key"), QStringLiteral("errors")},
                 {QStringLiteral("message-ttl"), 1000}});
    host.queue(QStringLiteral("orders.delay"));
    host.queue(QStringLiteral("errors"));
    QVERIFY(host.facts(QStringLiteral("errors")).contains(QStringLiteral("after_waiting orders.delay")));
    QVERIFY(!host.isRecommended(QStringLiteral("errors")));
}

void TestDeadLetterTargets::aQueueThatIsBoundElsewhereIsWork()
{
    VirtualHost host;
    host.queue(QStringLiteral("orders"), VirtualHost::to(QStringLiteral("dlx")));
    host.queue(QStringLiteral("failed"));
    host.bind(QStringLiteral("dlx"), QStringLiteral("failed"));
    QVERIFY(host.isRecommended(QStringLiteral("failed")));
    host.bind(QStringLiteral("audit"), QStringLiteral("failed"));
    QVERIFY(host.facts(QStringLiteral("failed")).contains(QStringLiteral("bound_to audit")));
    QVERIFY(!host.isRecommended(QStringLiteral("failed")));
}

void TestDeadLetterTargets::exchangesBehindTheExchangeAreFollowed()
{
    VirtualHost host;
    host.queue(QStringLiteral("orders"), VirtualHost::to(QStringLiteral("dlx")));
    host.queue(QStringLiteral("dlq"));
    host.bind(QStringLiteral("dlx"), QStringLiteral("all-failures"), {}, "exchange");
    host.bind(QStringLiteral("all-failures"), QStringLiteral("dlq"));
    QVERIFY(host.isCandidate(QStringLiteral("dlq")));
}

void TestDeadLetterTargets::theKeyOfTheDeadLettersCounts()
{
    VirtualHost host;
    host.queue(QStringLiteral("orders"), VirtualHost::to(QStringLiteral("events"), QStringLiteral("dead.orders")));
    host.queue(QStringLiteral("dlq"));
    host.queue(QStringLiteral("billing"));
    host.bind(QStringLiteral("events"), QStringLiteral("dlq"), QStringLiteral("dead.#"));
    host.bind(QStringLiteral("events"), QStringLiteral("billing"), QStringLiteral("order.placed"));
    QVERIFY(host.isCandidate(QStringLiteral("dlq")));
    QVERIFY(host.info(QStringLiteral("billing")).role == QueueRole::Work);
}

void TestDeadLetterTargets::aStepOnTheWayPassesOn()
{
    VirtualHost host;
    host.queue(QStringLiteral("orders"), VirtualHost::to({}, QStringLiteral("orders.failed")));
    host.queue(QStringLiteral("orders.failed"), VirtualHost::to({}, QStringLiteral("parked")));
    host.queue(QStringLiteral("parked"));
    QVERIFY(host.facts(QStringLiteral("orders.failed")).contains(QStringLiteral("passes_on parked")));
    QVERIFY(host.isRecommended(QStringLiteral("parked")));
}

void TestDeadLetterTargets::namesHaveWordsForFailures_data()
{
    QTest::addColumn<bool>("failures");
    for (const char *name : {"error", "orders.dlq", "shop_error", "OrdersDeadLetter", "orders-poison", "dead-letter",
                             "Orders.Faults", "billing_skipped", "DLQ", "parking-lot"})
        QTest::newRow(name) << true;
    for (const char *name : {"orders", "default", "deadline", "mail.delay", "terror", "nsb.v2.delay-level-03", ""})
        QTest::newRow(name) << false;
}

void TestDeadLetterTargets::namesHaveWordsForFailures()
{
    QFETCH(const bool, failures);
    QCOMPARE(records::isNamedForFailures(QString::fromLatin1(QTest::currentDataTag())), failures);
}

void TestDeadLetterTargets::ourOwnQueuesAreNoCandidates()
{
    VirtualHost host;
    const QString ours = QStringLiteral("redrive.a1.1.stage.dead");
    host.queue(QStringLiteral("orders"), VirtualHost::to({}, ours));
    host.queue(ours);
    QVERIFY(host.info(ours).role == QueueRole::Ours);
    QVERIFY(host.info(ours).facts.isEmpty());
}

void TestDeadLetterTargets::cyclesOfExchangesEnd()
{
    VirtualHost host;
    host.queue(QStringLiteral("orders"), VirtualHost::to(QStringLiteral("a")));
    host.queue(QStringLiteral("dlq"), VirtualHost::to(QStringLiteral("nowhere")));
    host.bind(QStringLiteral("a"), QStringLiteral("b"), {}, "exchange");
    host.bind(QStringLiteral("b"), QStringLiteral("a"), {}, "exchange");
    host.bind(QStringLiteral("b"), QStringLiteral("dlq"));
    QVERIFY(host.isCandidate(QStringLiteral("dlq")));
    QVERIFY(host.facts(QStringLiteral("dlq")).contains(QStringLiteral("passes_on nowhere")));
}

void TestDeadLetterTargets::aThousandQueuesShareADeadLetterQueue()
{
    VirtualHost host;
    host.policy(QStringLiteral(".*"), {{QStringLiteral("dead-letter-exchange"), QStringLiteral("dlx")}});
    for (int i = 0; i < 1000; ++i) {
        host.queue(QStringLiteral("work%1").arg(i));
        host.queue(QStringLiteral("work%1.dlq").arg(i));
        host.bind(QStringLiteral("dlx"), QStringLiteral("work%1.dlq").arg(i));
    }
    QVERIFY(host.isRecommended(QStringLiteral("work7.dlq")));
    QVERIFY(host.facts(QStringLiteral("work7.dlq")).size() < 300);
}

void TestDeadLetterTargets::whatIsDroppedIsKeptOnlyWhereItArrives_data()
{
    QTest::addColumn<QString>("exchange");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("bound"); // to the exchange dlx
    QTest::addColumn<bool>("exists"); // the queue "dead"
    QTest::addColumn<bool>("isKept");
    const QString dlx = QStringLiteral("dlx");
    const QString dead = QStringLiteral("dead");
    const QString orders = QStringLiteral("orders");
    QTest::newRow("a bound queue") << dlx << QString() << dead << true << true;
    QTest::newRow("an exchange without a binding, or none at all") << dlx << QString() << QString() << true << false;
    QTest::newRow("a queue by its name") << QString() << dead << QString() << true << true;
    QTest::newRow("a missing queue by its name") << QString() << dead << QString() << false << false;
    QTest::newRow("itself, where it is dropped") << dlx << QString() << orders << true << false;
    QTest::newRow("the key that it came with, to itself") << QString() << QString() << QString() << true << false;
}

void TestDeadLetterTargets::whatIsDroppedIsKeptOnlyWhereItArrives()
{
    QFETCH(const QString, exchange);
    QFETCH(const QString, key);
    QFETCH(const QString, bound);
    QFETCH(const bool, exists);
    QFETCH(const bool, isKept);
    VirtualHost host;
    const QString orders = QStringLiteral("orders");
    host.queue(orders, VirtualHost::to(exchange, key, 1000));
    if (exists)
        host.queue(QStringLiteral("dead"));
    if (!bound.isEmpty())
        host.bind(QStringLiteral("dlx"), bound);
    const QueueInfo info = host.info(orders);
    QCOMPARE(info.limits.deadLetters, isKept);
    QCOMPARE(info.retention.also.size(), isKept ? 1 : 0);
    QCOMPARE(records::forecastOf(info.limits, {10, 10, 1, 0, 0}).isCertain, !isKept);
}

REDRIVE_TEST(TestDeadLetterTargets)
#include "tst_deadlettertargets.moc"
