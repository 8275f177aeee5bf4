#include "backend/core/limits.h"
#include "backend/retry/gates/ratelimiter.h"
#include "tests/support/clocksthatareset.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Milliseconds;
using retry::RateLimiter;

namespace {

records::RetryOperation paced(qint64 perMinute)
{
    records::RetryOperation operation;
    operation.id = core::OperationId{1};
    operation.plan.perMinute = perMinute;
    return operation;
}

} // namespace

class TestRateLimiter final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aBatchHoldsTheWorthOfASecond_data()
    {
        QTest::addColumn<qint64>("perMinute");
        QTest::addColumn<int>("share");
        QTest::newRow("less than one a second") << qint64(30) << 1;
        QTest::newRow("one a second") << qint64(60) << 1;
        QTest::newRow("not quite two") << qint64(119) << 1;
        QTest::newRow("twenty") << qint64(1200) << 20;
        QTest::newRow("more than a batch ever holds") << qint64(1'000'000'000) << 1000;
    }

    void aBatchHoldsTheWorthOfASecond()
    {
        QFETCH(const qint64, perMinute);
        QFETCH(const int, share);
        QCOMPARE(records::largestBatch(paced(perMinute).plan), share);
        QCOMPARE(records::largestBatch({}), core::limits::batchMembers);
    }

    void whatWentIsPaidForBeforeTheNextGoes()
    {
        support::FakeClock clock;
        RateLimiter rateLimiter(clock);
        const records::RetryOperation operation = paced(30);
        QCOMPARE(rateLimiter.untilNext(operation), Milliseconds{0});
        rateLimiter.handedOver(operation, 1);
        QCOMPARE(rateLimiter.untilNext(operation), Milliseconds{2000});
        clock.advance(Milliseconds{1500});
        QCOMPARE(rateLimiter.untilNext(operation), Milliseconds{500});
        rateLimiter.forget(operation.id);
        QCOMPARE(rateLimiter.untilNext(operation), Milliseconds{0});
    }

    // Staging takes its time too. Otherwise a rate of 20 would be 15 in truth; but a long rest is no credit for a burst.
    void beingLateIsCaughtUpWithByOneShareAtMost()
    {
        support::FakeClock clock;
        RateLimiter rateLimiter(clock);
        const records::RetryOperation operation = paced(1200);
        rateLimiter.handedOver(operation, 20);
        clock.advance(Milliseconds{1300});
        rateLimiter.handedOver(operation, 20);
        QCOMPARE(rateLimiter.untilNext(operation), Milliseconds{700});
        clock.advance(Milliseconds{60000});
        rateLimiter.handedOver(operation, 20);
        QCOMPARE(rateLimiter.untilNext(operation), Milliseconds{0});
        rateLimiter.handedOver(operation, 20);
        QCOMPARE(rateLimiter.untilNext(operation), Milliseconds{1000});
    }

    void aRaisedRateDoesNotLetItWaitForLong()
    {
        support::FakeClock clock;
        RateLimiter rateLimiter(clock);
        rateLimiter.handedOver(paced(1), 1);
        QCOMPARE(rateLimiter.untilNext(paced(1)), Milliseconds{60000});
        QCOMPARE(rateLimiter.untilNext(paced(600)), Milliseconds{1000});
        records::RetryOperation free = paced(1);
        free.plan.perMinute.reset();
        QCOMPARE(rateLimiter.untilNext(free), Milliseconds{0});
    }

    void aRateIsKeptThoughTheClockIsSet_data() { support::clocksThatAreSet(); }

    void aRateIsKeptThoughTheClockIsSet()
    {
        QFETCH(const Milliseconds, by);
        support::FakeClock clock;
        RateLimiter rateLimiter(clock);
        rateLimiter.handedOver(paced(1), 1);
        clock.jump(by);
        QCOMPARE(rateLimiter.untilNext(paced(1)), Milliseconds{60000});
        clock.advance(Milliseconds{60000});
        QCOMPARE(rateLimiter.untilNext(paced(1)), Milliseconds{0});
        rateLimiter.handedOver(paced(1), 1);
        clock.jump(by);
        rateLimiter.handedOver(paced(1), 1); // what is late is caught up with by one share at most
        QCOMPARE(rateLimiter.untilNext(paced(1)), Milliseconds{60000});
    }

    void itBeginsAtItsTimeAndOnlyTheFirstTime()
    {
        support::FakeClock clock;
        const RateLimiter rateLimiter(clock);
        records::RetryOperation operation;
        operation.id = core::OperationId{1};
        QCOMPARE(rateLimiter.untilBegin(operation), Milliseconds{0});
        operation.plan.notBefore = clock.now() + std::chrono::minutes(2);
        QCOMPARE(rateLimiter.untilBegin(operation), Milliseconds{120000});
        operation.started = clock.now();
        QCOMPARE(rateLimiter.untilBegin(operation), Milliseconds{0});
        operation.started.reset();
        clock.advance(std::chrono::minutes(5));
        QCOMPARE(rateLimiter.untilBegin(operation), Milliseconds{0});
    }
};

REDRIVE_TEST(TestRateLimiter)
#include "tst_ratelimiter.moc"
