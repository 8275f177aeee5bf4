// The share of the broker's time that a retry takes: how it grows, what makes it shrink, and that it is never exceeded.
#include "backend/core/limits.h"
#include "backend/records/rules/pace.h"
#include "backend/retry/gates/brokerpace.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using broker::LoadReading;
using core::Milliseconds;
using retry::BrokerPace;

namespace {

records::RetryOperation gentle(qint64 percent, qint64 id = 1)
{
    records::RetryOperation operation;
    operation.id = core::OperationId{id};
    operation.plan.brokerShare = percent;
    return operation;
}

} // namespace

class TestBrokerPace final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void itBeginsWithAQuarterAndGrowsWithEachCalmMeasurement();
    void tooMuchToDoHalvesItDownToOnePercent();
    void aBatchIsPaidForBeforeTheNextGoes();
    void itIsNeverExceededHoweverLongABatchTook();
    void whatElseIsAskedDoesNotStarveIt();
    void aRestComesToAnEnd();
    void anOperationThatWasHeldBeginsAnew();
    void theSameMeasurementCountsOnce();
    void whatCannotBeMeasuredSlowsItDown();
    void withoutACurrentMeasurementNothingGoes();
    void oneWithoutAShareIsLeftAlone();
    void twoOperationsPayForAllThatIsSent();

private:
    void measure(qint64 waiting);

    std::unique_ptr<support::FakeClock> m_clock;
    std::unique_ptr<BrokerPace> m_pace;
    int m_samples = 0;
};

void TestBrokerPace::init()
{
    m_clock = std::make_unique<support::FakeClock>();
    m_pace = std::make_unique<BrokerPace>(*m_clock);
    m_samples = 0;
}

// The next one that is due, of a broker with four processors.
void TestBrokerPace::measure(qint64 waiting)
{
    m_clock->advance(BrokerPace::measureAgain);
    m_pace->measured(LoadReading{QStringLiteral("rabbit@a"), waiting, 4, QString::number(++m_samples)});
}

void TestBrokerPace::itBeginsWithAQuarterAndGrowsWithEachCalmMeasurement()
{
    const records::RetryOperation operation = gentle(40);
    const records::Plan plan = operation.plan;
    QCOMPARE(m_pace->shareOf(plan), 10.0);
    for (const double share : {20.0, 30.0, 40.0, 40.0}) {
        measure(4); // as many as it has processors
        QCOMPARE(m_pace->shareOf(plan), share);
        QVERIFY(m_pace->reason(operation).isEmpty());
    }
}

void TestBrokerPace::tooMuchToDoHalvesItDownToOnePercent()
{
    const records::RetryOperation operation = gentle(32);
    const records::Plan plan = operation.plan;
    for (int i = 0; i < 3; ++i)
        measure(0);
    for (const double share : {16.0, 8.0, 4.0, 2.0, 2.0}) {
        measure(5);
        QCOMPARE(m_pace->shareOf(plan), share);
        QVERIFY(m_pace->reason(operation).contains(QLatin1String("rabbit@a")));
    }
    QCOMPARE(m_pace->shareOf(gentle(8).plan), 1.0);
    measure(0);
    QCOMPARE(m_pace->shareOf(plan), 10.0);
}

void TestBrokerPace::aBatchIsPaidForBeforeTheNextGoes()
{
    const records::RetryOperation operation = gentle(20);
    for (int i = 0; i < 3; ++i)
        measure(0);
    QCOMPARE(m_pace->untilNext(operation, Milliseconds{1000}), Milliseconds{0});
    m_pace->begun(operation, Milliseconds{1000});
    m_clock->advance(Milliseconds{600});
    QCOMPARE(m_pace->untilNext(operation, Milliseconds{1500}), Milliseconds{2500 - 600}); // 500 ms are a fifth of it
    m_clock->advance(Milliseconds{1900});
    QCOMPARE(m_pace->untilNext(operation, Milliseconds{1500}), Milliseconds{0});
    QCOMPARE(m_pace->untilNext(operation, Milliseconds{1600}), Milliseconds{0}); // what others ask after it does not count
    m_pace->forget(operation.id);
    QCOMPARE(m_pace->untilNext(operation, Milliseconds{1600}), Milliseconds{0});
}

// Many batches of any length, any readings, and other requests beside and between them: what was used while batches went is at
// most the share of the time that passed.
void TestBrokerPace::itIsNeverExceededHoweverLongABatchTook()
{
    constexpr qint64 percent = 25;
    const records::RetryOperation operation = gentle(percent);
    Milliseconds busy{0};
    Milliseconds ofOthers{0};
    const core::SteadyTime begin = m_clock->steady();
    for (int i = 0; i < 200; ++i) {
        m_pace->measured(LoadReading{{}, (i * 7) % 11, 4, QString::number(i)});
        const Milliseconds wait = m_pace->untilNext(operation, busy);
        m_clock->advance(wait);
        busy += wait / 2; // lists of queues while it rests
        ofOthers += wait / 2;
        QVERIFY(wait < core::Milliseconds{100'000});
        QVERIFY(m_pace->untilNext(operation, busy) <= Milliseconds{1}); // or it waits for a measurement
        const Milliseconds used{(i * 37) % 900};
        const Milliseconds passed = m_clock->steady() - begin;
        QVERIFY2((busy - ofOthers).count() * 100 <= (passed.count() + 1) * percent, qPrintable(QString::number(i)));
        m_pace->begun(operation, busy);
        m_clock->advance(used);
        busy += used;
    }
}

// Lists and measurements alone take more than a share of 1 %.
void TestBrokerPace::whatElseIsAskedDoesNotStarveIt()
{
    const records::RetryOperation operation = gentle(1);
    measure(0);
    m_pace->begun(operation, Milliseconds{0});
    m_clock->advance(Milliseconds{100});
    Milliseconds busy{100};
    QCOMPARE(m_pace->untilNext(operation, busy), Milliseconds{9900});
    m_clock->advance(BrokerPace::measureAgain);
    busy += Milliseconds{2000};
    QCOMPARE(m_pace->untilNext(operation, busy), Milliseconds{4900});
    QVERIFY(m_pace->reason(operation).contains(QLatin1String("1 %"))); // without too much to do
    measure(0);
    busy += Milliseconds{2000};
    QCOMPARE(m_pace->untilNext(operation, busy), Milliseconds{0});
    m_pace->begun(operation, busy);
    QVERIFY(!m_pace->reason(operation).isEmpty()); // it does not come and go with each batch
}

// The share that shrank, and batches of others, hold an operation for a minute at most; what its plan allows holds always.
void TestBrokerPace::aRestComesToAnEnd()
{
    const records::RetryOperation operation = gentle(80);
    for (int i = 0; i < 8; ++i)
        measure(9);
    QCOMPARE(m_pace->shareOf(operation.plan), 5.0);
    m_pace->begun(operation, Milliseconds{0});
    m_clock->advance(Milliseconds{8000});
    QCOMPARE(m_pace->untilNext(operation, Milliseconds{8000}), BrokerPace::longestRest); // not 152 s
    const records::RetryOperation other = gentle(1, 2);
    m_pace->begun(other, Milliseconds{8000});
    m_clock->advance(Milliseconds{2000});
    QCOMPARE(m_pace->untilNext(other, Milliseconds{10'000}), Milliseconds{198'000});
}

void TestBrokerPace::anOperationThatWasHeldBeginsAnew()
{
    const records::RetryOperation operation = gentle(40);
    measure(0);
    m_pace->begun(operation, Milliseconds{0});
    m_pace->forget(operation.id);
    m_clock->advance(Milliseconds{4000});
    const records::RetryOperation other = gentle(40, 2);
    m_pace->begun(other, Milliseconds{4000});
    m_clock->advance(Milliseconds{100});
    QCOMPARE(m_pace->untilNext(operation, Milliseconds{4100}), Milliseconds{0});
    QCOMPARE(m_pace->untilNext(other, Milliseconds{4100}), Milliseconds{400});
}

void TestBrokerPace::theSameMeasurementCountsOnce()
{
    const records::RetryOperation operation = gentle(40);
    const LoadReading reading{QStringLiteral("rabbit@a"), 9, 4, QStringLiteral("17")};
    m_pace->measured(reading);
    const double once = m_pace->shareOf(operation.plan);
    QVERIFY(once < 10.0);
    m_pace->measured(reading);
    QCOMPARE(m_pace->shareOf(operation.plan), once);
    static_cast<void>(m_pace->untilNext(operation, {}));
    QVERIFY(!m_pace->isMeasurementDue());
    m_clock->advance(BrokerPace::measureAgain);
    QVERIFY(m_pace->isMeasurementDue());
}

void TestBrokerPace::whatCannotBeMeasuredSlowsItDown()
{
    const records::RetryOperation operation = gentle(40);
    const records::Plan plan = operation.plan;
    measure(0);
    m_clock->advance(BrokerPace::measureAgain);
    m_pace->measured(core::fail(core::ErrorKind::Unauthorized, QStringLiteral("no tag")));
    QCOMPARE(m_pace->shareOf(plan), 10.0);
    QVERIFY(m_pace->reason(operation).contains(QLatin1String("no tag")));
}

void TestBrokerPace::withoutACurrentMeasurementNothingGoes()
{
    const records::RetryOperation operation = gentle(40);
    QVERIFY(!m_pace->isMeasurementDue()); // nobody waits for one
    QVERIFY(m_pace->untilNext(operation, {}) > Milliseconds{0});
    QVERIFY(m_pace->isMeasurementDue());
    for (int i = 0; i < 3; ++i)
        measure(0);
    QCOMPARE(m_pace->untilNext(operation, {}), Milliseconds{0});
    m_clock->advance(BrokerPace::outOfDate);
    QVERIFY(m_pace->untilNext(operation, {}) > Milliseconds{0});
    measure(0);
    QCOMPARE(m_pace->shareOf(operation.plan), 20.0); // it begins again
}

void TestBrokerPace::oneWithoutAShareIsLeftAlone()
{
    records::RetryOperation operation = gentle(40);
    operation.plan.brokerShare.reset();
    QCOMPARE(m_pace->untilNext(operation, Milliseconds{5000}), Milliseconds{0});
    QVERIFY(!m_pace->isMeasurementDue());
    QCOMPARE(records::largestBatch(operation.plan), core::limits::batchMembers);
    QVERIFY(records::largestBatch(gentle(40).plan) < core::limits::batchMembers);
    QVERIFY(!records::isUnthrottled(gentle(40).plan));
}

void TestBrokerPace::twoOperationsPayForAllThatIsSent()
{
    const records::RetryOperation one = gentle(50);
    const records::RetryOperation other = gentle(50, 2);
    for (int i = 0; i < 3; ++i)
        measure(0);
    m_pace->begun(one, Milliseconds{0});
    m_clock->advance(Milliseconds{300});
    QCOMPARE(m_pace->untilNext(other, Milliseconds{300}), Milliseconds{0});
    m_pace->begun(other, Milliseconds{300});
    m_clock->advance(Milliseconds{300});
    QCOMPARE(m_pace->untilNext(one, Milliseconds{600}), Milliseconds{600});
    QCOMPARE(m_pace->untilNext(other, Milliseconds{600}), Milliseconds{300});
}

REDRIVE_TEST(TestBrokerPace)
#include "tst_brokerpace.moc"
