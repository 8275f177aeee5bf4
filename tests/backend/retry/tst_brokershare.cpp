// A retry with a share of the broker's time, as a whole: its batches begin to count where they are staged.
#include "backend/retry/processor.h"
#include "tests/backend/retry/retrystorefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Milliseconds;

class TestBrokerShare final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachBatchIsPaidForBeforeTheNextOneGoes();
};

void TestBrokerShare::eachBatchIsPaidForBeforeTheNextOneGoes()
{
    constexpr int messages = 6;
    constexpr qint64 percent = 40;
    constexpr Milliseconds cost{1000};
    test::RetryStoreFixture fixture;
    support::FakeBroker &broker = fixture.broker;
    broker.can().handOver = records::HandOver::IntentLog;
    broker.reading = broker::LoadReading{QStringLiteral("rabbit@a"), 1, 4, QStringLiteral("1")};
    for (int i = 0; i < 3; ++i)
        broker.addQueue(QStringLiteral("orders.%1").arg(i));
    QList<core::SteadyTime> arrivals;
    broker.delivered = [&](const support::FakeBroker::Delivery &) {
        arrivals.append(fixture.clock.steady());
        broker.worked += cost;
    };
    records::Plan plan;
    plan.brokerShare = percent;
    static_cast<void>(fixture.addOperation(messages, plan));

    retry::ProcessorDependencies dependencies = fixture.dependencies();
    dependencies.batchMembers = 1;
    retry::Processor processor(fixture.connection, std::move(dependencies));
    processor.start();
    for (int steps = 0; steps < 10'000 && arrivals.size() < messages; ++steps)
        QVERIFY(fixture.clock.step());
    QCOMPARE(arrivals.size(), messages);
    for (qsizetype i = 1; i < arrivals.size(); ++i) {
        const Milliseconds passed = std::chrono::duration_cast<Milliseconds>(arrivals.at(i) - arrivals.first());
        QVERIFY2(i * cost.count() * 100 <= (passed + broker.slowest).count() * percent,
                 qPrintable(QStringLiteral("message %1 after %2 ms").arg(i + 1).arg(passed.count())));
    }
    processor.stop();
    broker.cancelAll();
    for (int steps = 0; steps < 1'000 && processor.isRunning(); ++steps)
        static_cast<void>(fixture.clock.step());
    QVERIFY(!processor.isRunning());
}

REDRIVE_TEST(TestBrokerShare)
#include "tst_brokershare.moc"
