// A RabbitMQ on which its administrator has switched off what newer versions deprecate: Redrive needs none of it but the statistics,
// and says so where these are missing.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/core/random.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using records::MessageStatus;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;
using test::must;

namespace {

constexpr int timeoutMs = 120000;
const QString vhost = QStringLiteral("shop");
const QString errors = QStringLiteral("error");
const QString orders = QStringLiteral("orders");
const QString exception = QStringLiteral("TimeoutException");

records::Envelope failed(int number)
{
    records::Envelope one;
    one.headers = {{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("order-%1").arg(number)},
                   {QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), QStringLiteral("Shop.") + exception},
                   {QStringLiteral("NServiceBus.FailedQ"), orders}};
    one.properties = {{QStringLiteral("delivery_mode"), 2}};
    return one;
}

} // namespace

class TestRabbitMqSwitchedOff final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void withoutDeprecatedFeaturesAllWorks();
    void withoutStatisticsNothingIsTakenAndThatIsSaid();

private:
    [[nodiscard]] bool start(const QByteArray &config, bool hasStatistics = true);

    std::unique_ptr<RabbitServer> m_server;
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RabbitConsole> m_console;
};

void TestRabbitMqSwitchedOff::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
}

void TestRabbitMqSwitchedOff::cleanup()
{
    m_console.reset();
    m_admin.reset();
    m_server.reset();
}

// With failed messages in the error queue, and the program.
bool TestRabbitMqSwitchedOff::start(const QByteArray &config, bool hasStatistics)
{
    RabbitServer::Member alone;
    alone.config = config;
    alone.hasStatistics = hasStatistics;
    m_server = std::make_unique<RabbitServer>(RabbitServer::chosenSuite(), alone);
    if (!m_server->start()) {
        QTest::qFail(qPrintable(m_server->error()), __FILE__, __LINE__);
        return false;
    }
    m_admin = std::make_unique<RabbitAdmin>(*m_server, vhost);
    m_admin->makeVhost();
    m_admin->makeQueue(errors);
    m_admin->makeQueue(orders);
    m_admin->publish(errors, {failed(1), failed(2)});
    m_folder = std::make_unique<QTemporaryDir>();
    m_console = std::make_unique<RabbitConsole>(m_folder->filePath(QStringLiteral("redrive.db")),
                                                m_server->connection(vhost, {errors}));
    m_console->open();
    return true;
}

// Our own queues are durable, and so are those of the tests.
void TestRabbitMqSwitchedOff::withoutDeprecatedFeaturesAllWorks()
{
    QByteArray config;
    for (const char *feature :
         {"transient_nonexcl_queues", "global_qos", "queue_master_locator", "classic_queue_mirroring", "ram_node_type"})
        config += QByteArray("deprecated_features.permit.") + feature + " = false\n";
    {
        RabbitServer plain;
        QVERIFY2(plain.start(), qPrintable(plain.error()));
        if (RabbitAdmin(plain, QStringLiteral("/")).version() < QVersionNumber(4))
            QSKIP("RabbitMQ has no such list before 3.12");
    }
    QVERIFY(start(config));
    must(m_console->takeAll());
    QCOMPARE(m_console->count(MessageStatus::Unresolved), 2);
    const core::Result<core::OperationId> id = m_console->retryGroup(exception);
    QVERIFY2(id, test::why(id).constData());
    QTRY_VERIFY_WITH_TIMEOUT(m_console->allCompleted(), timeoutMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(orders), 2, timeoutMs);
}

void TestRabbitMqSwitchedOff::withoutStatisticsNothingIsTakenAndThatIsSaid()
{
    QVERIFY(start("management_agent.disable_metrics_collector = true\n", false));
    const core::Result<records::IntakeCounts> refused = m_console->takeAll();
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(QLatin1String("statistics")), qPrintable(refused.error().message));
    core::SystemRandom random;
    broker::rabbitmq::Settings settings = m_server->settings(vhost);
    settings.errorQueues = {errors};
    broker::RabbitMq rabbit(m_server->client(), m_server->clock(), random, settings);
    const broker::Capabilities can = must(m_server->wait(rabbit.probe()));
    QVERIFY(!can.canTake && !can.offersSteps && can.canBrowse);
    QVERIFY(can.handOver == records::HandOver::IntentLog);
    QTRY_COMPARE_WITH_TIMEOUT(must(m_server->wait(rabbit.browse(errors, 10))).messages.size(), 2, timeoutMs);
    const broker::Listing listing = must(m_server->wait(rabbit.queues())); // live totals, which are no statistics
    for (const broker::QueueInfo &queue : listing.queues) {
        if (queue.name == errors)
            QCOMPARE(queue.depth, std::optional<qint64>(2));
    }
}

REDRIVE_TEST(TestRabbitMqSwitchedOff)
#include "tst_rabbitmq_switchedoff.moc"
