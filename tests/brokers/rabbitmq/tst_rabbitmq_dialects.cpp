// Failures of five frameworks and the broker's own dead letters in one error queue of the RabbitMQ of Debian: read, grouped by
// their causes, sent back to where each came from, as something that its consumer takes again.
#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "backend/records/messages/stamp.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using records::Envelope;
using records::Header;
using records::Headers;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;

namespace {

constexpr int timeoutMs = 120000;
const QString errorQueue = QStringLiteral("error");
const QString orders = QStringLiteral("orders"); // the broker dead-letters what its consumers reject
const QString failureStamp =
    QStringLiteral("X-Message-Stamp-Symfony\\Component\\Messenger\\Stamp\\SentToFailureTransportStamp");

Header text(const char *name, const char *value)
{
    return {QString::fromLatin1(name), QString::fromUtf8(value)};
}

Envelope message(const QByteArray &body, const Headers &headers)
{
    Envelope envelope;
    envelope.body = body;
    envelope.headers = headers;
    return envelope;
}

Envelope wrappedByEasyNetQ()
{
    const QJsonObject properties{
        {QStringLiteral("MessageId"), QStringLiteral("m4")},
        {QStringLiteral("Headers"),
         QJsonObject{{QStringLiteral("n"), QJsonObject{{QStringLiteral("Type"), 6}, {QStringLiteral("Value"), 7}}}}}};
    const QJsonObject error{
        {QStringLiteral("RoutingKey"), QStringLiteral("k")},
        {QStringLiteral("Exchange"), QStringLiteral("e")},
        {QStringLiteral("Queue"), QStringLiteral("shipping")},
        {QStringLiteral("Exception"), QStringLiteral("Shop.NoTruck: none\n   at Shop.Yard.Load(Box b)")},
        {QStringLiteral("Message"), QStringLiteral("{\"box\":1}")},
        {QStringLiteral("DateTime"), QStringLiteral("2026-01-02T03:04:05Z")},
        {QStringLiteral("BasicProperties"), properties}};
    Envelope envelope = message(QJsonDocument(error).toJson(), {});
    envelope.properties = {text("type", "EasyNetQ.SystemMessages.Error, EasyNetQ")};
    return envelope;
}

QList<Envelope> failures()
{
    return {
        message("masstransit",
                {text("MT-Reason", "fault"), text("MT-Fault-ExceptionType", "Shop.Refused"),
                 text("MT-Fault-Message", "no"), text("MT-Fault-InputAddress", "rabbitmq://mq/shop/billing"),
                 text("MT-Host-Info", "{}")}),
        message("rebus",
                {text("rbs2-msg-id", "m2"), text("rbs2-source-queue", "consumer"),
                 text("rbs2-error-details", "1 unhandled exceptions: 2026-06-15 10:22:43 +02:00: Shop.Late: no")}),
        message("symfony",
                {text("type", "App\\Order"),
                 {failureStamp, QStringLiteral("[{\"originalReceiverName\":\"async\"}]")},
                 text("X-Message-Stamp-Symfony\\Component\\Messenger\\Stamp\\ErrorDetailsStamp",
                      R"([{"exceptionClass":"App\\OutOfStock","exceptionMessage":"none"}])"),
                 text("X-Message-Stamp-Symfony\\Component\\Messenger\\Stamp\\BusNameStamp", "[{\"busName\":\"b\"}]")}),
        wrappedByEasyNetQ(),
        message("watermill", {text("_watermill_message_uuid", "m5"), text("reason_poisoned", "no route: x"),
                              text("topic_poisoned", "events")}),
    };
}

QStringList names(const Headers &headers)
{
    QStringList list;
    for (const Header &header : headers)
        list.append(header.name);
    list.sort();
    return list;
}

} // namespace

class TestRabbitMqDialects final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void eachIsReadAndGrouped();
    void eachGoesBackToWhereItCameFrom();
    void aDeadLetterThatIsRejectedAgainBeginsAnew();
    void whatWaitedReturnsToWhereItWentOnTo_data();
    void whatWaitedReturnsToWhereItWentOnTo();
    void itGoesBackToWhereItFailedLast_data();
    void itGoesBackToWhereItFailedLast();
    void aHeaderThatIsNestedTooDeepHidesNothing();

private:
    // As a consumer that cannot handle it.
    void reject(const QString &queue);
    [[nodiscard]] api::PlanPreview preview();
    void retryAll();
    [[nodiscard]] Envelope onlyOneOf(const QString &queue);
    [[nodiscard]] QCborArray deathsOf(const QString &body);

    RabbitServer m_server;
    QTemporaryDir m_folder;
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<RabbitConsole> m_console;
};

void TestRabbitMqDialects::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    m_admin = std::make_unique<RabbitAdmin>(m_server, QStringLiteral("shop"));
    m_admin->makeVhost();
    for (const char *queue : {"error", "billing", "consumer", "async", "shipping", "events"})
        m_admin->makeQueue(QString::fromLatin1(queue));
    m_admin->makeQueue(orders, {{QStringLiteral("x-dead-letter-exchange"), QString()},
                                {QStringLiteral("x-dead-letter-routing-key"), errorQueue}});
    m_admin->publish(errorQueue, failures());
    m_admin->publish(orders, {message("order", {text("tenant", "a")})});
    reject(orders);
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(errorQueue), failures().size() + 1, timeoutMs);

    records::Connection connection;
    connection.name = QStringLiteral("shop");
    connection.environment = records::Environment::Test;
    connection.errorQueues = {errorQueue};
    connection.url = m_server.url();
    connection.url.setUserName(QStringLiteral("guest"));
    connection.url.setPath(QStringLiteral("/shop"));
    m_console = std::make_unique<RabbitConsole>(m_folder.filePath(QStringLiteral("store/redrive.db")), connection);
    m_console->open();
}

void TestRabbitMqDialects::reject(const QString &queue)
{
    broker::rabbitmq::ManagementApi &api = m_admin->api();
    const QCborMap one{{QStringLiteral("count"), 1},
                       {QStringLiteral("ackmode"), QStringLiteral("reject_requeue_false")},
                       {QStringLiteral("encoding"), QStringLiteral("auto")}};
    test::must(m_server.wait(api.post(api.queuePath(queue) + "/get", one, queue)));
}

api::PlanPreview TestRabbitMqDialects::preview()
{
    api::RetryDraft request;
    request.filter.connection = m_console->connection();
    return test::must(m_console->client().ask(api::PreviewRetry{request}).result());
}

void TestRabbitMqDialects::retryAll()
{
    const api::PlanPreview plan = preview();
    api::ConfirmRetry command;
    command.draft.filter.connection = m_console->connection();
    command.draft.asOfChange = plan.asOfChange;
    command.expectedCount = plan.frozenCount;
    (void)test::must(m_console->client().ask(command).result());
    QTRY_VERIFY_WITH_TIMEOUT(m_console->allCompleted(), timeoutMs);
    QCOMPARE(m_console->operations().constFirst().counts.sent, plan.frozenCount);
}

Envelope TestRabbitMqDialects::onlyOneOf(const QString &queue)
{
    const QList<Envelope> found = m_admin->drain(queue);
    if (found.size() != 1)
        qWarning("%s: %d messages", qPrintable(queue), int(found.size()));
    return found.value(0);
}

void TestRabbitMqDialects::eachIsReadAndGrouped()
{
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->fresh, failures().size() + 1);
    const api::GroupPage page = test::must(m_console->client().ask(api::GroupQuery{}).result());
    QStringList titles;
    for (const api::GroupRow &row : page.rows)
        titles.append(row.title);
    titles.sort();
    QCOMPARE(titles,
             (QStringList{QStringLiteral("Late: No stacktrace"), QStringLiteral("NoTruck: Yard.Load(Box)"),
                          QStringLiteral("OutOfStock: No stacktrace"), QStringLiteral("Refused: No stacktrace"),
                          QStringLiteral("dead-letter: rejected (error)"), QStringLiteral("no route: No stacktrace")}));
}

void TestRabbitMqDialects::eachGoesBackToWhereItCameFrom()
{
    const api::PlanPreview plan = preview();
    QCOMPARE(plan.frozenCount, failures().size() + 1);
    QCOMPARE(plan.warnings.size(), 1); // a transport and a topic may have other names than their queues
    QVERIFY(plan.warnings.constFirst().kind == api::PlanWarning::Kind::Derived);
    QCOMPARE(plan.warnings.constFirst().count, 2);
    retryAll();

    const Header stamp = text("Redrive-Stamp", "");
    const Envelope billing = onlyOneOf(QStringLiteral("billing"));
    QCOMPARE(billing.body, QByteArray("masstransit"));
    QCOMPARE(names(billing.headers), (QStringList{QStringLiteral("MT-Host-Info"), stamp.name}));
    QCOMPARE(names(onlyOneOf(QStringLiteral("consumer")).headers),
             (QStringList{stamp.name, QStringLiteral("rbs2-msg-id")}));
    const Envelope symfony = onlyOneOf(QStringLiteral("async"));
    QCOMPARE(symfony.headers.size(), 3);
    QVERIFY(records::find(symfony.headers, failureStamp) == nullptr);
    const Envelope shipping = onlyOneOf(QStringLiteral("shipping"));
    QCOMPARE(shipping.body, QByteArray("{\"box\":1}"));
    QCOMPARE(names(shipping.headers), (QStringList{stamp.name, QStringLiteral("n")}));
    QVERIFY(records::find(shipping.headers, u"n")->isInteger());
    const std::optional<records::Stamp> sent = records::stampOf(shipping.headers);
    QVERIFY(sent && sent->bodyDigest == records::bodyDigest(shipping.body)); // else it would not be known again
    QCOMPARE(records::text(shipping.properties, u"message_id"), QStringLiteral("m4"));
    QVERIFY(records::text(shipping.properties, u"type").isEmpty());
    const Envelope events = onlyOneOf(QStringLiteral("events"));
    for (const Header &header : events.headers)
        QVERIFY2(header.value.isString(), qPrintable(header.name)); // all that its consumer can read
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(orders), 1, timeoutMs);
}

QCborArray TestRabbitMqDialects::deathsOf(const QString &body)
{
    api::MessageQuery query;
    query.filter.connection = m_console->connection();
    query.limit = 100;
    for (const records::FailedMessage &one : test::must(m_console->client().ask(query).result()).rows) {
        if (test::must(m_console->client().ask(api::BodyQuery{one.id}).result()) != body.toUtf8())
            continue;
        const api::MessageDetail detail = test::must(m_console->client().ask(api::MessageDetailQuery{one.id}).result());
        const QCborValue *deaths = records::find(detail.envelope.headers, u"x-death");
        return deaths == nullptr ? QCborArray() : deaths->toArray();
    }
    return {};
}

// Up to 3.13 the broker goes on counting what a client sends along, and sees a cycle in it.
void TestRabbitMqDialects::aDeadLetterThatIsRejectedAgainBeginsAnew()
{
    reject(orders);
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(errorQueue), 1, timeoutMs);
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->cameBack, 1);
    const QCborArray deaths = deathsOf(QStringLiteral("order"));
    QCOMPARE(deaths.size(), 1);
    QCOMPARE(deaths.at(0).toMap().value(QLatin1String("count")).toInteger(), 1);
    QCOMPARE(deaths.at(0).toMap().value(QLatin1String("queue")).toString(), orders);
    retryAll();
    const Envelope again = onlyOneOf(orders);
    QCOMPARE(again.body, QByteArray("order"));
    QCOMPARE(names(again.headers), (QStringList{QStringLiteral("Redrive-Stamp"), QStringLiteral("tenant")}));
}

void TestRabbitMqDialects::whatWaitedReturnsToWhereItWentOnTo_data()
{
    QTest::addColumn<QString>("exchange"); // to which the queue dead-letters
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("next"); // where the message is consumed then
    QTest::addColumn<bool>("isGone");
    QTest::addColumn<QString>("destination");
    const QString back = QStringLiteral("return");
    QTest::newRow("named") << ""
                           << "tried"
                           << "tried" << false << "tried";
    QTest::newRow("bound by its key") << back << "again"
                                      << "tried" << false << "tried";
    QTest::newRow("bound by several") << back << "all"
                                      << "tried" << false << "";
    QTest::newRow("gone") << ""
                          << "tried"
                          << "tried" << true << "";
    QTest::newRow("expired at work") << "" << errorQueue << errorQueue << false << "wait";
}

// The message really waits, its consumer gives up, and puts it into the error queue with all its headers.
void TestRabbitMqDialects::whatWaitedReturnsToWhereItWentOnTo()
{
    QFETCH(QString, exchange);
    QFETCH(QString, key);
    QFETCH(QString, next);
    QFETCH(bool, isGone);
    const QString wait = QStringLiteral("wait");
    broker::rabbitmq::ManagementApi &api = m_admin->api();
    broker::rabbitmq::OwnedQueues queues(api);
    for (const char *queue : {"tried", "other"})
        m_admin->makeQueue(QString::fromLatin1(queue));
    test::must(m_server.wait(queues.declareExchange(QStringLiteral("return"), QStringLiteral("direct"), {})));
    for (const auto &[queue, bound] :
         {std::pair("tried", "again"), std::pair("tried", "all"), std::pair("other", "all")}) {
        test::must(m_server.wait(
            queues.bind(QStringLiteral("return"), QString::fromLatin1(queue), QString::fromLatin1(bound))));
    }
    m_admin->makeQueue(wait, {{QStringLiteral("x-message-ttl"), 1},
                              {QStringLiteral("x-dead-letter-exchange"), exchange},
                              {QStringLiteral("x-dead-letter-routing-key"), key}});
    const QByteArray body = QByteArray("waited: ") + QTest::currentDataTag();
    m_admin->publish(wait, {message(body, {})});
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(next), 1, timeoutMs);
    if (next != errorQueue)
        m_admin->publish(errorQueue, m_admin->drain(next));
    (void)m_admin->drain(QStringLiteral("other")); // it counts as a queue of dead letters, too
    if (isGone)
        m_admin->removeQueue(wait);
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->fresh, 1);
    m_admin->removeQueue(wait);
    for (const records::FailedMessage &one : m_console->messages(records::MessageStatus::Unresolved)) {
        if (test::must(m_console->client().ask(api::BodyQuery{one.id}).result()) == body) {
            QTEST(one.destination.queue, "destination");
            return;
        }
    }
    QFAIL("It was not taken.");
}

void TestRabbitMqDialects::itGoesBackToWhereItFailedLast_data()
{
    QTest::addColumn<int>("waits"); // in ms; x-death has whole seconds
    QTest::newRow("within a second") << 1;
    QTest::newRow("one second after the other") << 1100;
}

// Two consumers reject it, and it waits after each of them. Only the first entry of x-death is in its place up to 3.12.
void TestRabbitMqDialects::itGoesBackToWhereItFailedLast()
{
    QFETCH(int, waits);
    const QStringList way{QStringLiteral("first"), QStringLiteral("first.wait"), QStringLiteral("second"),
                          QStringLiteral("second.wait"), errorQueue};
    for (qsizetype i = 0; i < way.size() - 1; ++i) {
        QCborMap arguments{{QStringLiteral("x-dead-letter-exchange"), QString()},
                           {QStringLiteral("x-dead-letter-routing-key"), way.at(i + 1)}};
        if (i % 2 == 1)
            arguments.insert(QStringLiteral("x-message-ttl"), waits);
        m_admin->makeQueue(way.at(i), arguments);
    }
    const QByteArray body = QByteArray("rejected twice: ") + QTest::currentDataTag();
    m_admin->publish(way.at(0), {message(body, {})});
    reject(way.at(0));
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(way.at(2)), 1, timeoutMs);
    reject(way.at(2));
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(errorQueue), 1, timeoutMs);
    for (qsizetype i = 0; i < way.size() - 1; ++i)
        m_admin->removeQueue(way.at(i));
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->fresh, 1);
    QCOMPARE(deathsOf(QString::fromLatin1(body)).size(), 4);
    for (const records::FailedMessage &one : m_console->messages(records::MessageStatus::Unresolved)) {
        if (test::must(m_console->client().ask(api::BodyQuery{one.id}).result()) == body) {
            QCOMPARE(one.destination.queue, way.at(2));
            QCOMPARE(one.destination.certainty, records::Certainty::Exact);
            return;
        }
    }
    QFAIL("It was not taken.");
}

void TestRabbitMqDialects::aHeaderThatIsNestedTooDeepHidesNothing()
{
    QCborValue deep(7);
    for (int i = 0; i < 70; ++i)
        deep = QCborArray{deep};
    m_admin->publish(errorQueue, {message("before", {}), message("deep", {{QStringLiteral("x-deep"), deep}}),
                                  message("after", {text("tenant", "a")})});
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->fresh, 3);
    QCOMPARE(m_admin->depth(errorQueue), 0);
    int deepOnes = 0;
    for (const records::FailedMessage &one : m_console->messages(records::MessageStatus::Unresolved)) {
        const QByteArray body = test::must(m_console->client().ask(api::BodyQuery{one.id}).result());
        if (body != "deep")
            continue;
        ++deepOnes;
        QVERIFY(one.flags.testFlag(records::MessageFlag::NotFaithful)); // no retry sends a text in its place
    }
    QCOMPARE(deepOnes, 1);
}

REDRIVE_TEST(TestRabbitMqDialects)
#include "tst_rabbitmq_dialects.moc"
