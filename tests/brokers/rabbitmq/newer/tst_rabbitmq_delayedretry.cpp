// Quorum queues in which messages wait after they were returned (delayed-retry of RabbitMQ 4.3): none is hidden by Redrive itself,
// and none that waits counts as taken.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/broker/rabbitmq/staging/topology.h"
#include "backend/core/random.h"
#include "tests/brokers/rabbitmq/newer/newerrabbit.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QTest>

#include <algorithm>

using broker::rabbitmq::DelayedRetry;
using core::ErrorKind;
using records::MessageStatus;
using support::NewerRabbit;
using test::must;

namespace {

constexpr int timeoutMs = NewerRabbit::timeoutMs;
const QString errors = NewerRabbit::errors;

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

} // namespace

class TestRabbitMqDelayedRetry final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void settingsAreReadAsRabbitMqReadsThem();
    void aLookHidesNoMessageFromTheIntake();
    void whatWaitsIsCountedAndNotTaken();
    void aBrowseThatWouldHideMessagesIsRefused();
    void cleanup() { m_rabbit.close(); }

private:
    [[nodiscard]] bool begin(const QString &type);

    NewerRabbit m_rabbit; // one for all tests
};

// A virtual host with such a queue. False: skipped or failed.
bool TestRabbitMqDelayedRetry::begin(const QString &type)
{
    if (!m_rabbit.start(QVersionNumber(4, 3), "RabbitMQ has no delayed-retry before 4.3"))
        return false;
    m_rabbit.makeHost();
    m_rabbit.admin().makePolicy(QStringLiteral("delays"), QStringLiteral("^error$"), delays(type), 1);
    m_rabbit.makeQueues({{QStringLiteral("x-queue-type"), QStringLiteral("quorum")}});
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
    m_rabbit.admin().publish(errors, {NewerRabbit::failed(1)});
    m_rabbit.openConsole();
    must(m_rabbit.console().takeAll());
    QCOMPARE(m_rabbit.console().count(MessageStatus::Unresolved), 1);
    QTRY_COMPARE_WITH_TIMEOUT(m_rabbit.admin().depth(errors), 0, timeoutMs);
}

void TestRabbitMqDelayedRetry::whatWaitsIsCountedAndNotTaken()
{
    if (!begin(QStringLiteral("returned")))
        return;
    m_rabbit.admin().publish(errors, {NewerRabbit::failed(1), NewerRabbit::failed(2), NewerRabbit::failed(3)});
    const broker::rabbitmq::PeekOptions two{2};
    QCOMPARE(must(m_rabbit.server().wait(m_rabbit.admin().api().peek(errors, two))).size(),
             2); // as a consumer that returns them
    m_rabbit.openConsole();
    must(m_rabbit.console().takeAll());
    QCOMPARE(m_rabbit.console().count(MessageStatus::Unresolved), 1);
    QTRY_COMPARE_WITH_TIMEOUT(m_rabbit.console().onBrokers(), std::optional<qint64>(2), timeoutMs);
    const QList<api::QueueView> &queues = m_rabbit.console().snapshot()->queues;
    const auto view = std::find_if(queues.cbegin(), queues.cend(), [](const auto &one) { return one.name == errors; });
    QVERIFY(view != queues.cend());
    const QString told = view->loss.retention.also.join(u' ');
    QVERIFY2(told.contains(QLatin1String("15 s")) && told.contains(QLatin1String("20 s")), qPrintable(told));

    const auto takenNow = [this] {
        must(m_rabbit.console().takeAll());
        return m_rabbit.console().count(MessageStatus::Unresolved);
    };
    QTRY_COMPARE_WITH_TIMEOUT(takenNow(), 3, timeoutMs);
}

void TestRabbitMqDelayedRetry::aBrowseThatWouldHideMessagesIsRefused()
{
    if (!begin(QStringLiteral("all")))
        return;
    m_rabbit.admin().publish(errors, {NewerRabbit::failed(1)});
    core::SystemRandom random;
    broker::RabbitMq rabbit(m_rabbit.server().client(), m_rabbit.server().clock(), random,
                            m_rabbit.server().settings(m_rabbit.vhost()));
    must(m_rabbit.server().wait(rabbit.probe()));
    const core::Result<broker::ReceivedPage> refused = m_rabbit.server().wait(rabbit.browse(errors, 10));
    QVERIFY(!refused);
    QVERIFY2(refused.error().kind == ErrorKind::Refused && refused.error().message.contains(QLatin1String("20 s")),
             qPrintable(refused.error().message));
    m_rabbit.admin().makePolicy(QStringLiteral("delays"), QStringLiteral("^error$"), delays(QStringLiteral("failed")),
                                1);
    QCOMPARE(must(m_rabbit.server().wait(rabbit.browse(errors, 10))).messages.size(), 1);
    QCOMPARE(must(m_rabbit.server().wait(rabbit.browse(errors, 10))).messages.size(), 1); // it did not hide it
}

REDRIVE_TEST(TestRabbitMqDelayedRetry)
#include "tst_rabbitmq_delayedretry.moc"
