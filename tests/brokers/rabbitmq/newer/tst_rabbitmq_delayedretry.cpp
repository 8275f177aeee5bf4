// Quorum queues in which messages wait after they were returned (delayed-retry of RabbitMQ 4.3): none is hidden by Redrive itself,
// and none that waits counts as taken.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/broker/rabbitmq/staging/topology.h"
#include "backend/core/random.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using broker::rabbitmq::DelayedRetry;
using core::ErrorKind;
using records::MessageStatus;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;
using test::must;

namespace {

constexpr int timeoutMs = 120000;
const QString errors = QStringLiteral("error");

QCborMap delays(const QString &type)
{
    return {{QStringLiteral("delayed-retry-type"), type},
            {QStringLiteral("delayed-retry-min"), 15000},
            {QStringLiteral("delayed-retry-max"), 20000}};
}

QCborArray policyWith(const QCborMap &definition)
{
    return {QCborMap{{QStringLiteral("pattern"), QStringLiteral("error")},
                     {QStringLiteral("apply-to"), QStringLiteral("queues")},
                     {QStringLiteral("priority"), 1},
                     {QStringLiteral("definition"), definition}}};
}

records::Envelope failed(int number)
{
    records::Envelope one;
    one.body = QByteArray::number(number);
    one.properties = {{QStringLiteral("delivery_mode"), 2}};
    return one;
}

} // namespace

class TestRabbitMqDelayedRetry final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void settingsAreReadAsRabbitMqReadsThem();
    void aLookHidesNoMessageFromTheIntake();
    void whatWaitsIsCountedAndNotTaken();
    void aBrowseThatWouldHideMessagesIsRefused();
    void cleanup();

private:
    [[nodiscard]] bool begin(const QString &type);

    std::unique_ptr<RabbitServer> m_server; // one for all tests
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RabbitConsole> m_console;
    QString m_vhost;
    int m_vhosts = 0;
};

void TestRabbitMqDelayedRetry::cleanup()
{
    m_console.reset();
    m_admin.reset();
}

// A virtual host with such a queue. False: skipped or failed.
bool TestRabbitMqDelayedRetry::begin(const QString &type)
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty()) {
        QTest::qSkip(qPrintable(missing), __FILE__, __LINE__);
        return false;
    }
    if (!m_server)
        m_server = std::make_unique<RabbitServer>();
    if (m_server->nodePid() == 0 && !m_server->start()) {
        QTest::qFail(qPrintable(m_server->error()), __FILE__, __LINE__);
        return false;
    }
    m_vhost = QStringLiteral("delays%1").arg(++m_vhosts);
    m_admin = std::make_unique<RabbitAdmin>(*m_server, m_vhost);
    if (m_admin->version() < QVersionNumber(4, 3)) {
        QTest::qSkip("RabbitMQ has no delayed-retry before 4.3", __FILE__, __LINE__);
        return false;
    }
    m_admin->makeVhost();
    m_admin->makePolicy(QStringLiteral("delays"), QStringLiteral("^error$"), delays(type), 1);
    m_admin->makeQueue(errors, {{QStringLiteral("x-queue-type"), QStringLiteral("quorum")}});
    m_folder = std::make_unique<QTemporaryDir>();
    m_console = std::make_unique<RabbitConsole>(m_folder->filePath(QStringLiteral("redrive.db")),
                                                m_server->connection(m_vhost, {errors}));
    return true;
}

// As get_delayed_retry_config and merge_policy_value of 4.3.6: of the type the policy of operators comes first, then that of users, then
// the argument; of min the larger policy, then the smaller of it and the argument; of max the smallest.
void TestRabbitMqDelayedRetry::settingsAreReadAsRabbitMqReadsThem()
{
    broker::rabbitmq::LiveQueue queue;
    queue.name = errors;
    queue.type = QStringLiteral("quorum");
    QVERIFY(!broker::rabbitmq::delayedRetryOf(queue, {}, {}));
    queue.arguments = {{QStringLiteral("x-delayed-retry-type"), QStringLiteral("all")},
                       {QStringLiteral("x-delayed-retry-min"), 5000},
                       {QStringLiteral("x-delayed-retry-max"), 25000}};
    const std::optional<DelayedRetry> byArgument = broker::rabbitmq::delayedRetryOf(queue, {}, {});
    QVERIFY(byArgument && byArgument->afterLooks);
    QVERIFY(byArgument->most == core::Milliseconds{25000});
    const std::optional<DelayedRetry> both =
        broker::rabbitmq::delayedRetryOf(queue, policyWith(delays(QStringLiteral("failed"))), {});
    QVERIFY(both && !both->afterLooks);
    QVERIFY(both->least == core::Milliseconds{5000} && both->most == core::Milliseconds{20000});
    const QString min = QStringLiteral("delayed-retry-min");
    const std::optional<DelayedRetry> less =
        broker::rabbitmq::delayedRetryOf(queue, policyWith(delays(QStringLiteral("all"))), policyWith({{min, 2000}}));
    QVERIFY(less && less->least == core::Milliseconds{5000});
    queue.arguments.remove(QStringLiteral("x-delayed-retry-min"));
    const std::optional<DelayedRetry> ofPolicies =
        broker::rabbitmq::delayedRetryOf(queue, policyWith(delays(QStringLiteral("all"))), policyWith({{min, 2000}}));
    QVERIFY(ofPolicies && ofPolicies->least == core::Milliseconds{15000});
    QVERIFY(!broker::rabbitmq::delayedRetryOf(queue, {}, {})); // a type and a longest time alone
    QVERIFY(!broker::rabbitmq::delayedRetryOf(queue, policyWith({{min, 0}}), {}));
    queue.arguments.remove(QStringLiteral("x-delayed-retry-max"));
    const std::optional<DelayedRetry> onlyMin = broker::rabbitmq::delayedRetryOf(queue, policyWith({{min, 7000}}), {});
    QVERIFY(onlyMin && onlyMin->most == core::Milliseconds{7000});
    QVERIFY(!broker::rabbitmq::delayedRetryOf(
        queue, policyWith(delays(QStringLiteral("failed"))),
        policyWith({{QStringLiteral("delayed-retry-type"), QStringLiteral("disabled")}})));
    queue.type = QStringLiteral("classic");
    QVERIFY(!broker::rabbitmq::delayedRetryOf(queue, {}, {}));
}

// A look at the first message would make it wait, so that the shovel does not find it.
void TestRabbitMqDelayedRetry::aLookHidesNoMessageFromTheIntake()
{
    if (!begin(QStringLiteral("all")))
        return;
    m_admin->publish(errors, {failed(1)});
    m_console->open();
    must(m_console->takeAll());
    QCOMPARE(m_console->count(MessageStatus::Unresolved), 1);
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(errors), 0, timeoutMs);
}

void TestRabbitMqDelayedRetry::whatWaitsIsCountedAndNotTaken()
{
    if (!begin(QStringLiteral("returned")))
        return;
    m_admin->publish(errors, {failed(1), failed(2), failed(3)});
    const broker::rabbitmq::PeekOptions two{2};
    QCOMPARE(must(m_server->wait(m_admin->api().peek(errors, two))).size(), 2); // as a consumer that returns them
    m_console->open();
    must(m_console->takeAll());
    QCOMPARE(m_console->count(MessageStatus::Unresolved), 1);
    QTRY_COMPARE_WITH_TIMEOUT(m_console->onBrokers(), std::optional<qint64>(2), timeoutMs);
    const QList<api::QueueView> &queues = m_console->snapshot()->queues;
    const auto view = std::find_if(queues.cbegin(), queues.cend(), [](const auto &one) { return one.name == errors; });
    QVERIFY(view != queues.cend());
    const QString told = view->loss.retention.also.join(u' ');
    QVERIFY2(told.contains(QLatin1String("15 s")) && told.contains(QLatin1String("20 s")), qPrintable(told));

    const auto takenNow = [this] {
        must(m_console->takeAll());
        return m_console->count(MessageStatus::Unresolved);
    };
    QTRY_COMPARE_WITH_TIMEOUT(takenNow(), 3, timeoutMs);
}

void TestRabbitMqDelayedRetry::aBrowseThatWouldHideMessagesIsRefused()
{
    if (!begin(QStringLiteral("all")))
        return;
    m_admin->publish(errors, {failed(1)});
    core::SystemRandom random;
    broker::RabbitMq rabbit(m_server->client(), m_server->clock(), random, m_server->settings(m_vhost));
    must(m_server->wait(rabbit.probe()));
    const core::Result<broker::ReceivedPage> refused = m_server->wait(rabbit.browse(errors, 10));
    QVERIFY(!refused);
    QVERIFY2(refused.error().kind == ErrorKind::Refused && refused.error().message.contains(QLatin1String("20 s")),
             qPrintable(refused.error().message));
    m_admin->makePolicy(QStringLiteral("delays"), QStringLiteral("^error$"), delays(QStringLiteral("failed")), 1);
    QCOMPARE(must(m_server->wait(rabbit.browse(errors, 10))).messages.size(), 1);
    QCOMPARE(must(m_server->wait(rabbit.browse(errors, 10))).messages.size(), 1); // it did not hide it
}

REDRIVE_TEST(TestRabbitMqDelayedRetry)
#include "tst_rabbitmq_delayedretry.moc"
