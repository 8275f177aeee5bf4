// The queues of live work on a real RabbitMQ, as teams build retries and delays, beside one named error queue: nothing but
// that queue is taken from, browsed or subscribed, however messages get into the others.
#include "backend/api/requests/connections.h"
#include "tests/brokers/rabbitmq/liveconsumer.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/failedorders.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using core::ErrorKind;
using records::QueueFact;
using support::deadLettersTo;
using support::FailedOrders;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;

namespace {

constexpr int timeoutMs = 60000;
constexpr int hour = 3600000;

// How many messages lie where. Of the loop, the delay queue and the consumer's queue, nothing is a failure.
const QMap<QString, int> live{{QStringLiteral("orders"), 3},     {QStringLiteral("orders.wait"), 4},
                              {QStringLiteral("mail"), 2},       {QStringLiteral("mail.delay"), 3},
                              {QStringLiteral("slow"), 2},       {QStringLiteral("slow.delay"), 1},
                              {QStringLiteral("orders.dlq"), 5}, {QStringLiteral("imports"), 1}};
const QString error = QStringLiteral("error");

} // namespace

class TestRabbitMqLiveQueues final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void theOfferSaysWhatSpeaksAgainstThem();
    void onlyTheNamedQueueIsSubscribedAndBrowsed();
    void onlyTheNamedQueueIsTakenFrom();
    void aQueueThatNobodyNamedIsRefused();
    void aChosenQueueIsTakenFrom();

private:
    void makeQueues();
    void startConsumer();
    [[nodiscard]] QMap<QString, int> depths();
    [[nodiscard]] api::ConnectionTest tested();

    RabbitServer m_server;
    QTemporaryDir m_folder;
    QProcess m_consumer;
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<RabbitConsole> m_console;
    records::Connection m_connection;
};

void TestRabbitMqLiveQueues::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    m_admin = std::make_unique<RabbitAdmin>(m_server, QStringLiteral("live/work"));
    m_admin->makeVhost();
    makeQueues();
    startConsumer();
    m_connection = m_server.connection(QStringLiteral("live/work"), {error});
    m_console = std::make_unique<RabbitConsole>(m_folder.filePath(QStringLiteral("store/redrive.db")), m_connection);
    m_console->open();
    m_connection.id = m_console->connection();
}

void TestRabbitMqLiveQueues::cleanupTestCase()
{
    if (m_console)
        m_console->close();
    m_consumer.kill();
    m_consumer.waitForFinished();
}

void TestRabbitMqLiveQueues::makeQueues()
{
    m_admin->makeQueue(error);
    m_admin->makeQueue(QStringLiteral("orders"), deadLettersTo(QStringLiteral("orders.wait")));
    m_admin->makeQueue(QStringLiteral("orders.wait"), deadLettersTo(QStringLiteral("orders"), hour));
    m_admin->makeQueue(QStringLiteral("mail"));
    m_admin->makeQueue(QStringLiteral("mail.delay"), deadLettersTo(QStringLiteral("mail"), hour));
    m_admin->makeQueue(QStringLiteral("slow"));
    m_admin->makeQueue(QStringLiteral("slow.delay"), deadLettersTo(QStringLiteral("slow"), hour));
    m_admin->makeQueue(QStringLiteral("orders.dlq"));
    m_admin->makeQueue(QStringLiteral("imports"));
    m_admin->makePolicy(QStringLiteral("imports"), QStringLiteral("^imports$"),
                        {{QStringLiteral("dead-letter-exchange"), QString()},
                         {QStringLiteral("dead-letter-routing-key"), QStringLiteral("orders.dlq")}},
                        1);
    const QList<records::Envelope> all = FailedOrders(10).envelopes();
    m_admin->publish(error, all.mid(0, 1));
    for (auto queue = live.cbegin(); queue != live.cend(); ++queue)
        m_admin->publish(queue.key(), all.mid(1, *queue));
}

void TestRabbitMqLiveQueues::startConsumer()
{
    support::startConsumer(m_consumer, m_server, QStringLiteral("live/work"), QStringLiteral("slow"));
    if (!m_consumer.waitForReadyRead(timeoutMs))
        QSKIP("python3-amqp, which consumes from a queue, is not installed");
    QCOMPARE(m_consumer.readAllStandardOutput().trimmed(), QByteArray("got"));
}

QMap<QString, int> TestRabbitMqLiveQueues::depths()
{
    QMap<QString, int> found;
    for (auto queue = live.cbegin(); queue != live.cend(); ++queue)
        found.insert(queue.key(), int(m_admin->depth(queue.key())));
    return found;
}

api::ConnectionTest TestRabbitMqLiveQueues::tested()
{
    api::ConnectionDraft draft;
    draft.connection = m_connection;
    draft.secret = QString(RabbitConsole::password);
    return test::must(m_console->client().ask(api::TestConnection{draft}).result());
}

void TestRabbitMqLiveQueues::theOfferSaysWhatSpeaksAgainstThem()
{
    const QueueFact consumed{QueueFact::Kind::HasConsumers, {}, 1};
    const auto isConsumerKnown = [&] {
        const QList<api::CandidateQueue> candidates = tested().candidates;
        return !candidates.isEmpty() && candidates.last().facts.contains(consumed);
    };
    QTRY_VERIFY_WITH_TIMEOUT(isConsumerKnown(), timeoutMs); // RabbitMQ lists a consumer after some seconds
    const api::ConnectionTest found = tested();
    QCOMPARE(found.candidatesUnknown, QString());
    QStringList names;
    for (const api::CandidateQueue &one : found.candidates) {
        names.append(one.name);
        QCOMPARE(records::isRecommended(one.facts), one.name == u"orders.dlq");
        QCOMPARE(one.depth, std::optional<qint64>(live.value(one.name)));
    }
    QCOMPARE(names, QStringList({QStringLiteral("orders.dlq"), QStringLiteral("mail"), QStringLiteral("orders"),
                                 QStringLiteral("orders.wait"), QStringLiteral("slow")}));
    const records::QueueFacts slow = found.candidates.last().facts;
    QVERIFY(slow.contains(QueueFact{QueueFact::Kind::AfterWaiting, QStringLiteral("slow.delay"), 0}));
    QVERIFY(
        found.candidates.at(2).facts.contains(QueueFact{QueueFact::Kind::LoopsBack, QStringLiteral("orders.wait"), 0}));
    QCOMPARE(depths(), live);
}

void TestRabbitMqLiveQueues::onlyTheNamedQueueIsSubscribedAndBrowsed()
{
    const core::ConnectionId id = m_connection.id;
    const core::Result<records::BrowseCounts> browsed =
        m_console->client().ask(api::BrowseMessages{id, {}, {}}).result();
    QVERIFY2(browsed, test::why(browsed).constData());
    QCOMPARE(browsed->seen, 1);
    QVERIFY(!m_console->client().ask(api::BrowseMessages{id, QStringLiteral("mail"), {}}).result());
    QVERIFY(!m_console->client().ask(api::ChangeSubscription{id, QStringLiteral("orders.dlq"), true}).result());
    QCOMPARE(depths(), live);
}

// 15 messages of live work were taken here when every target of dead letters counted as an error queue.
void TestRabbitMqLiveQueues::onlyTheNamedQueueIsTakenFrom()
{
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->taken, 1);
    QCOMPARE(m_admin->depth(error), 0);
    QCOMPARE(depths(), live);
    // Now it keeps taking: nothing else comes in by that either.
    const core::ConnectionId id = m_connection.id;
    QVERIFY(m_console->client().ask(api::ChangeSubscription{id, {}, true}).result());
    m_admin->publish(error, FailedOrders(1).envelopes());
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(error), 0, timeoutMs);
    QCOMPARE(depths(), live);
    QVERIFY(m_console->client().ask(api::ChangeSubscription{id, {}, false}).result());
}

void TestRabbitMqLiveQueues::aQueueThatNobodyNamedIsRefused()
{
    for (const char *queue : {"mail", "orders.dlq"}) {
        const core::Result<records::IntakeCounts> taken =
            m_console->client().ask(api::TakeMessages{m_connection.id, QLatin1String(queue), {}}).result();
        QVERIFY(!taken && taken.error().kind == ErrorKind::Refused);
        QVERIFY(taken.error().message.contains(QLatin1String("--take ") + QLatin1String(queue)));
    }
    QCOMPARE(depths(), live);
}

void TestRabbitMqLiveQueues::aChosenQueueIsTakenFrom()
{
    const QString dlq = QStringLiteral("orders.dlq");
    const core::Result<> chosen = m_console->client().ask(api::ChooseErrorQueues{m_connection.id, {dlq}, {}}).result();
    QVERIFY2(chosen, test::why(chosen).constData());
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->taken, live.value(dlq));
    QMap<QString, int> left = live;
    left[dlq] = 0;
    QCOMPARE(depths(), left);
}

REDRIVE_TEST(TestRabbitMqLiveQueues)
#include "tst_rabbitmq_livequeues.moc"
