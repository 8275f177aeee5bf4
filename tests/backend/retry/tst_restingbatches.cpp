// Which members of an attempt a refusing destination keeps out, and how long they wait.
#include "backend/retry/gates/restingbatches.h"
#include "tests/backend/retry/retrystorefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::BrokerKind;
using Cause = retry::DestinationCircuitBreaker::Cause;

class TestRestingBatches final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void oneCopyTriesARefusingDestination();
    void nothingWaitsForAMissingDestination();
    void namesAreComparedAsTheBrokerDoes_data();
    void namesAreComparedAsTheBrokerDoes();

private:
    void connectTo(BrokerKind kind);
    [[nodiscard]] retry::Attempt attempt(int members) const;

    const QString m_queue = QStringLiteral("billing");
    const core::BatchId m_batch{7};
    std::unique_ptr<test::RetryStoreFixture> m_fixture;
    std::unique_ptr<retry::ProcessorContext> m_context;
    std::unique_ptr<retry::RestingBatches> m_resting;
};

void TestRestingBatches::init()
{
    m_fixture = std::make_unique<test::RetryStoreFixture>();
    connectTo(BrokerKind::RabbitMq);
}

void TestRestingBatches::cleanup()
{
    m_resting.reset();
    m_context.reset();
    m_fixture.reset();
}

void TestRestingBatches::connectTo(BrokerKind kind)
{
    m_resting.reset();
    records::Connection connection = m_fixture->connection;
    connection.kind = kind;
    m_context = std::make_unique<retry::ProcessorContext>(connection, m_fixture->dependencies());
    m_resting = std::make_unique<retry::RestingBatches>(*m_context);
}

retry::Attempt TestRestingBatches::attempt(int members) const
{
    retry::Attempt attempt;
    for (int ordinal = 1; ordinal <= members; ++ordinal) {
        store::RetryMember member;
        member.ordinal = ordinal;
        member.destination = m_queue;
        attempt.members.append(member);
    }
    return attempt;
}

void TestRestingBatches::oneCopyTriesARefusingDestination()
{
    m_resting->breaker().refused(m_queue, QStringLiteral("full"), Cause::Refusing);
    m_resting->add(m_batch, core::OperationId{1}, {m_queue});
    retry::Attempt refused = attempt(3);
    QCOMPARE(m_resting->keepOut(refused).resting.size(), 3);
    QCOMPARE(refused.members.size(), 0);
    QCOMPARE(m_resting->waiting(), QList<core::BatchId>{m_batch});

    m_fixture->clock.advance(core::limits::backoffCap);
    QVERIFY(m_resting->waiting().isEmpty()); // one of its members may try
    retry::Attempt trying = attempt(3);
    const retry::RestingBatches::KeptOut out = m_resting->keepOut(trying);
    QCOMPARE(trying.members.size(), 1);
    QCOMPARE(out.trials, QStringList{m_queue});
    QCOMPARE(out.resting.size(), 2);
}

void TestRestingBatches::nothingWaitsForAMissingDestination()
{
    m_resting->breaker().refused(m_queue, QStringLiteral("it does not exist"), Cause::Missing);
    m_resting->add(m_batch, core::OperationId{1}, {m_queue});
    QVERIFY(m_resting->waiting().isEmpty());
    retry::Attempt missing = attempt(2);
    const retry::RestingBatches::KeptOut out = m_resting->keepOut(missing);
    QCOMPARE(out.missing.size(), 2);
    QVERIFY(out.resting.isEmpty());
}

void TestRestingBatches::namesAreComparedAsTheBrokerDoes_data()
{
    QTest::addColumn<BrokerKind>("kind");
    QTest::addColumn<bool>("isMissing");
    QTest::newRow("RabbitMQ tells Billing from billing") << BrokerKind::RabbitMq << true;
    QTest::newRow("Service Bus does not") << BrokerKind::ServiceBus << false;
}

void TestRestingBatches::namesAreComparedAsTheBrokerDoes()
{
    QFETCH(const BrokerKind, kind);
    QFETCH(const bool, isMissing);
    connectTo(kind);
    m_fixture->broker.addQueue(QStringLiteral("Billing"));
    m_resting->breaker().refused(m_queue, QStringLiteral("it does not exist"), Cause::Missing);
    bool isChecked = false;
    const core::Task<> checking = [](retry::RestingBatches *resting, bool *done) -> core::Task<> {
        co_await resting->checkDestinations();
        *done = true;
    }(m_resting.get(), &isChecked);
    m_fixture->clock.advance(std::chrono::minutes{1});
    QVERIFY(isChecked);
    QCOMPARE(m_resting->breaker().isMissing(m_queue), isMissing);
}

REDRIVE_TEST(TestRestingBatches)
#include "tst_restingbatches.moc"
