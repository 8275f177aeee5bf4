// What the listing of a real RabbitMQ says of its queues, as teams build retries and delays: which one may be taken from,
// and what an offer of the others says. tst_rabbitmq_livequeues takes messages there.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/intake/intakepreconditions.h"
#include "tests/brokers/rabbitmq/liveconsumer.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/testmain/testmain.h"

#include <QProcess>
#include <QTest>

using broker::QueueInfo;
using broker::QueueRole;
using records::QueueFact;
using support::deadLettersTo;
using support::RabbitAdmin;
using support::RabbitServer;

namespace {

constexpr int timeoutMs = 60000;
constexpr int hour = 3600000;

const QString error = QStringLiteral("error");
const QString vhost = QStringLiteral("live/work");

} // namespace

class TestRabbitMqCandidates final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void onlyTheNamedQueueMayBeTakenFrom();
    void theOthersComeWithTheirFacts();
    void aConsumerSpeaksAgainst();

private:
    [[nodiscard]] QList<QueueInfo> listed();
    [[nodiscard]] QueueInfo info(const QString &name);

    RabbitServer m_server;
    QProcess m_consumer;
    std::unique_ptr<RabbitAdmin> m_admin;
};

void TestRabbitMqCandidates::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    m_admin = std::make_unique<RabbitAdmin>(m_server, vhost);
    m_admin->makeVhost();
    m_admin->makeQueue(error);
    m_admin->makeQueue(QStringLiteral("orders"), deadLettersTo(QStringLiteral("orders.wait")));
    m_admin->makeQueue(QStringLiteral("orders.wait"), deadLettersTo(QStringLiteral("orders"), hour));
    m_admin->makeQueue(QStringLiteral("mail"));
    m_admin->makeQueue(QStringLiteral("mail.delay"), deadLettersTo(QStringLiteral("mail"), hour));
    m_admin->makeQueue(QStringLiteral("imports.dlq"));
    m_admin->makeQueue(QStringLiteral("imports"));
    m_admin->makePolicy(QStringLiteral("imports"), QStringLiteral("^imports$"),
                        {{QStringLiteral("dead-letter-exchange"), QString()},
                         {QStringLiteral("dead-letter-routing-key"), QStringLiteral("imports.dlq")}},
                        1);
    m_admin->publish(QStringLiteral("mail"), {records::Envelope{}});
}

void TestRabbitMqCandidates::cleanupTestCase()
{
    m_consumer.kill();
    m_consumer.waitForFinished();
}

// A new broker, which knows nothing from before.
QList<QueueInfo> TestRabbitMqCandidates::listed()
{
    broker::rabbitmq::Settings settings = m_server.settings(vhost);
    settings.errorQueues = {error};
    core::SystemRandom random;
    broker::RabbitMq rabbit(m_server.client(), m_server.clock(), random, settings);
    (void)test::must(m_server.wait(rabbit.probe()));
    return test::must(m_server.wait(rabbit.queues())).queues;
}

QueueInfo TestRabbitMqCandidates::info(const QString &name)
{
    const QList<QueueInfo> all = listed();
    const auto found = std::find_if(all.begin(), all.end(), [&name](const QueueInfo &one) { return one.name == name; });
    return found == all.end() ? QueueInfo{} : *found;
}

// Whatever takes or browses asks admitQueue first. Four of the other six queues were taken from when every target
// of dead letters counted as an error queue.
void TestRabbitMqCandidates::onlyTheNamedQueueMayBeTakenFrom()
{
    records::Connection connection;
    connection.name = QStringLiteral("shop");
    connection.errorQueues = {error};
    const broker::Listing listing{listed(), true};
    QCOMPARE(listing.queues.size(), 7);
    for (const QueueInfo &queue : listing.queues)
        QCOMPARE(intake::admitQueue(connection, listing, queue.name).has_value(), queue.name == error);
}

void TestRabbitMqCandidates::theOthersComeWithTheirFacts()
{
    QVERIFY(info(error).role == QueueRole::ErrorQueue);
    QVERIFY(info(QStringLiteral("mail.delay")).role == QueueRole::Work);
    QVERIFY(info(QStringLiteral("imports")).role == QueueRole::Work);
    for (const char *name : {"orders", "orders.wait", "mail", "imports.dlq"}) {
        const QueueInfo candidate = info(QLatin1String(name));
        QVERIFY2(candidate.role == QueueRole::Candidate, name);
        QCOMPARE(records::isRecommended(candidate.facts), candidate.name == u"imports.dlq");
    }
    QVERIFY(info(QStringLiteral("orders"))
                .facts.contains(QueueFact{QueueFact::Kind::LoopsBack, QStringLiteral("orders.wait"), 0}));
    QVERIFY(info(QStringLiteral("mail"))
                .facts.contains(QueueFact{QueueFact::Kind::AfterWaiting, QStringLiteral("mail.delay"), 0}));
}

void TestRabbitMqCandidates::aConsumerSpeaksAgainst()
{
    support::startConsumer(m_consumer, m_server, vhost, QStringLiteral("mail"));
    if (!m_consumer.waitForReadyRead(timeoutMs))
        QSKIP("python3-amqp, which consumes from a queue, is not installed");
    QTRY_VERIFY_WITH_TIMEOUT(
        info(QStringLiteral("mail")).facts.contains(QueueFact{QueueFact::Kind::HasConsumers, {}, 1}), timeoutMs);
}

REDRIVE_TEST(TestRabbitMqCandidates)
#include "tst_rabbitmq_candidates.moc"
