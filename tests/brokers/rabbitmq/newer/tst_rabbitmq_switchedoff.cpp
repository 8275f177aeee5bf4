// A RabbitMQ on which its administrator has switched off what newer versions deprecate: Redrive needs none of it but the statistics,
// and says so where these are missing.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/core/random.h"
#include "tests/brokers/rabbitmq/newer/newerrabbit.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::MessageStatus;
using support::NewerRabbit;
using support::RabbitServer;
using test::must;

namespace {

constexpr int timeoutMs = NewerRabbit::timeoutMs;
const QString errors = NewerRabbit::errors;

} // namespace

class TestRabbitMqSwitchedOff final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup() { m_rabbit.reset(); }
    void withoutDeprecatedFeaturesAllWorks();
    void withoutStatisticsNothingIsTakenAndThatIsSaid();

private:
    [[nodiscard]] bool start(const QByteArray &config, bool hasStatistics = true);

    std::unique_ptr<NewerRabbit> m_rabbit;
};

void TestRabbitMqSwitchedOff::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
}

// With failed messages in the error queue, and the program. False: skipped or failed.
bool TestRabbitMqSwitchedOff::start(const QByteArray &config, bool hasStatistics)
{
    RabbitServer::Member alone;
    alone.config = config;
    alone.hasStatistics = hasStatistics;
    m_rabbit = std::make_unique<NewerRabbit>(alone);
    if (!m_rabbit->start({}, ""))
        return false;
    m_rabbit->makeHost();
    m_rabbit->makeQueues();
    m_rabbit->admin().publish(errors, {NewerRabbit::failed(1), NewerRabbit::failed(2)});
    m_rabbit->openConsole();
    return true;
}

// Our own queues are durable, and so are those of the tests.
void TestRabbitMqSwitchedOff::withoutDeprecatedFeaturesAllWorks()
{
    QByteArray config;
    for (const char *feature :
         {"transient_nonexcl_queues", "global_qos", "queue_master_locator", "classic_queue_mirroring", "ram_node_type"})
        config += QByteArray("deprecated_features.permit.") + feature + " = false\n";
    m_rabbit = std::make_unique<NewerRabbit>();
    if (!m_rabbit->start(QVersionNumber(4), "RabbitMQ has no such list before 3.12"))
        return;
    m_rabbit.reset();
    if (!start(config))
        return;
    must(m_rabbit->console().takeAll());
    QCOMPARE(m_rabbit->console().count(MessageStatus::Unresolved), 2);
    const core::Result<core::OperationId> id = m_rabbit->console().retryGroup(NewerRabbit::exception);
    QVERIFY2(id, test::why(id).constData());
    QTRY_VERIFY_WITH_TIMEOUT(m_rabbit->console().allCompleted(), timeoutMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_rabbit->admin().depth(NewerRabbit::orders), 2, timeoutMs);
}

void TestRabbitMqSwitchedOff::withoutStatisticsNothingIsTakenAndThatIsSaid()
{
    if (!start("management_agent.disable_metrics_collector = true\n", false))
        return;
    const core::Result<records::IntakeCounts> refused = m_rabbit->console().takeAll();
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(QLatin1String("statistics")), qPrintable(refused.error().message));
    core::SystemRandom random;
    broker::rabbitmq::Settings settings = m_rabbit->server().settings(m_rabbit->vhost());
    settings.errorQueues = {errors};
    broker::RabbitMq rabbit(m_rabbit->server().client(), m_rabbit->server().clock(), random, settings);
    const broker::Capabilities can = must(m_rabbit->server().wait(rabbit.probe()));
    QVERIFY(!can.canTake && !can.offersSteps && can.canBrowse);
    QVERIFY(can.handOver == records::HandOver::IntentLog);
    QTRY_COMPARE_WITH_TIMEOUT(must(m_rabbit->server().wait(rabbit.browse(errors, 10))).messages.size(), 2, timeoutMs);
    const broker::Listing listing =
        must(m_rabbit->server().wait(rabbit.queues())); // live totals, which are no statistics
    for (const broker::QueueInfo &queue : listing.queues) {
        if (queue.name == errors)
            QCOMPARE(queue.depth, std::optional<qint64>(2));
    }
}

REDRIVE_TEST(TestRabbitMqSwitchedOff)
#include "tst_rabbitmq_switchedoff.moc"
