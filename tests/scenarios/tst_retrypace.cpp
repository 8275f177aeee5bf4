#include "tests/scenarios/worldquestions.h"

#include "backend/retry/pacing.h"

#include <QTest>

using core::Milliseconds;
using records::BatchStage;
using records::HandOver;
using records::OperationState;
using records::Outcome;
using scenario::bothHandOvers;
using scenario::count;
using scenario::isQuietEnd;
using scenario::RetryWorld;
using scenario::Settings;

namespace {

Settings settingsOf(HandOver handOver, int messages)
{
    Settings settings;
    settings.handOver = handOver;
    settings.messages = messages;
    return settings;
}

// The most members that any batch handed to the broker had, of those that are not in `before`.
int largestHandedOver(RetryWorld &world, const QList<core::BatchId> &before = {})
{
    int most = 0;
    for (const records::RetryOperation &operation : world.operations()) {
        for (const records::RetryBatch &batch : world.batches(operation.id)) {
            if (!before.contains(batch.id))
                most = std::max(most, batch.stagedCount);
        }
    }
    return most;
}

} // namespace

// How fast a retry goes, and when it begins.
class TestRetryPace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noMoreGoThanTheRateAllows_data() { bothHandOvers(); }
    void noMoreGoThanTheRateAllows();
    void aRateThatIsSetLaterHoldsForBatchesOfBefore_data() { bothHandOvers(); }
    void aRateThatIsSetLaterHoldsForBatchesOfBefore();
    void withoutItsRateItGoesAtFullSpeed_data() { bothHandOvers(); }
    void withoutItsRateItGoesAtFullSpeed();
    void othersDoNotWaitForAPacedOne();
    void nothingBeginsBeforeItsTimeCrashesOrNot_data() { bothHandOvers(); }
    void nothingBeginsBeforeItsTimeCrashesOrNot();
    void whatHasNotBegunCanBeCancelledAndHeld();
    void anEndedOneHasNoRate();
};

void TestRetryPace::noMoreGoThanTheRateAllows()
{
    QFETCH(const HandOver, handOver);
    RetryWorld world(31, settingsOf(handOver, 12));
    world.start();
    RetryWorld::Wish wish;
    wish.perMinute = 120;
    world.request(wish);
    std::optional<core::TimePoint> first;
    bool tooFast = false;
    QVERIFY(world.runUntil(
        [&] {
            const qint64 sent = count(world, Outcome::Sent);
            if (sent > 0 && !first)
                first = world.clock.now();
            // A share went at once; one more may be caught up with.
            if (first)
                tooFast = tooFast || sent > 2 * ((world.clock.now() - *first) / Milliseconds{1000}) + 2 * 2;
            return sent == 12;
        },
        100000));
    QVERIFY(!tooFast);
    QVERIFY(world.clock.now() - *first >= std::chrono::seconds(4));
    QCOMPARE(largestHandedOver(world), 2);
    QVERIFY(isQuietEnd(world));
}

void TestRetryPace::aRateThatIsSetLaterHoldsForBatchesOfBefore()
{
    QFETCH(const HandOver, handOver);
    Settings settings = settingsOf(handOver, 24);
    settings.batchMembers = 8;
    RetryWorld world(32, settings);
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return scenario::anyBatchIn(world, BatchStage::Forwarding); }));
    const core::OperationId id = world.operations().first().id;
    QList<core::BatchId> before; // with the broker already
    for (const records::RetryBatch &batch : world.batches(id)) {
        if (batch.stage == BatchStage::Forwarding || batch.stage == BatchStage::Done)
            before.append(batch.id);
    }
    QVERIFY(count(world, Outcome::Sent) < 24);
    QVERIFY(world.processor->setPerMinute(id, 180).has_value());
    QCOMPARE(world.operations().first().plan.perMinute, std::optional<qint64>(180));
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 24);
    const int largest = largestHandedOver(world, before);
    QVERIFY2(largest > 0 && largest <= 3, qPrintable(QString::number(largest)));
}

void TestRetryPace::withoutItsRateItGoesAtFullSpeed()
{
    QFETCH(const HandOver, handOver);
    RetryWorld world(33, settingsOf(handOver, 20));
    world.start();
    RetryWorld::Wish wish;
    wish.perMinute = 1;
    world.request(wish);
    QVERIFY(world.runUntil([&] { return count(world, Outcome::Sent) == 1; }, 100000));
    const core::OperationId id = world.operations().first().id;
    QVERIFY(world.processor->setPerMinute(id, std::nullopt).has_value());
    const core::TimePoint freed = world.clock.now();
    QVERIFY(world.runUntil([&] { return count(world, Outcome::Sent) == 20; }, 100000));
    QVERIFY(world.clock.now() - freed < std::chrono::minutes(1));
    QVERIFY(isQuietEnd(world));
}

void TestRetryPace::othersDoNotWaitForAPacedOne()
{
    RetryWorld world(34, settingsOf(HandOver::StagingQueue, 12));
    world.start();
    RetryWorld::Wish slow;
    slow.perMinute = 1;
    slow.filter.messages = {{1}, {2}, {3}, {4}};
    world.request(slow);
    QVERIFY(world.runUntil([&] { return count(world, Outcome::Sent) == 1; }, 100000));
    const core::TimePoint begun = world.clock.now();
    world.request(); // the other eight
    QVERIFY(world.runUntil([&] { return count(world, Outcome::Sent) >= 9; }, 100000));
    QVERIFY(world.clock.now() - begun < std::chrono::minutes(1));
    QVERIFY(isQuietEnd(world));
    QVERIFY(world.clock.now() - begun >= std::chrono::minutes(2));
}

void TestRetryPace::nothingBeginsBeforeItsTimeCrashesOrNot()
{
    QFETCH(const HandOver, handOver);
    RetryWorld world(35, settingsOf(handOver, 6));
    world.start();
    RetryWorld::Wish wish;
    wish.notBefore = world.clock.now() + std::chrono::minutes(10);
    world.request(wish);
    QVERIFY(world.runUntil([&] { return !world.isAsked(); }));
    bool early = false;
    const auto watch = [&] {
        const records::RetryOperation operation = world.operations().first();
        const bool touched = operation.started || operation.counts.pending != 6;
        early = early || (touched && world.clock.now() < *wish.notBefore);
        return early || operation.counts.sent == 6;
    };
    const core::TimePoint half = world.clock.now() + std::chrono::minutes(5);
    QVERIFY(world.runUntil([&] { return watch() || world.clock.now() > half; }, 100000));
    QVERIFY(world.operations().first().state == OperationState::Waiting);
    world.crash();
    QVERIFY(world.runUntil(watch, 100000));
    QVERIFY(!early);
    // At its time, not with the next of the idle ticks.
    QVERIFY(*world.operations().first().started - *wish.notBefore < std::chrono::seconds(2));
    QVERIFY(isQuietEnd(world));
}

void TestRetryPace::whatHasNotBegunCanBeCancelledAndHeld()
{
    RetryWorld world(36, settingsOf(HandOver::StagingQueue, 6));
    world.start();
    RetryWorld::Wish wish;
    wish.notBefore = world.clock.now() + std::chrono::minutes(10);
    world.request(wish);
    QVERIFY(world.runUntil([&] { return !world.isAsked(); }));
    const core::OperationId id = world.operations().first().id;
    QVERIFY(world.processor->change(id, retry::StateChange::Pause, {}).has_value());
    const core::TimePoint later = *wish.notBefore + std::chrono::minutes(5);
    QVERIFY(world.runUntil([&] { return world.clock.now() > later; }, 100000));
    QCOMPARE(world.operations().first().counts.pending, 6); // held over its time
    QVERIFY(world.processor->change(id, retry::StateChange::Resume, {}).has_value());
    QVERIFY(world.runUntil([&] { return count(world, Outcome::Sent) == 6; }, 100000));
    QVERIFY(isQuietEnd(world));

    RetryWorld other(37, settingsOf(HandOver::Ledger, 6));
    other.start();
    wish.notBefore = other.clock.now() + std::chrono::minutes(10);
    other.request(wish);
    QVERIFY(other.runUntil([&] { return !other.isAsked(); }));
    QVERIFY(other.processor->change(other.operations().first().id, retry::StateChange::Cancel, {}).has_value());
    QVERIFY(isQuietEnd(other));
    QCOMPARE(count(other, Outcome::Cancelled), 6);
    QVERIFY(other.clock.now() < *wish.notBefore);
}

void TestRetryPace::anEndedOneHasNoRate()
{
    RetryWorld world(38, settingsOf(HandOver::Ledger, 3));
    world.start();
    world.request();
    QVERIFY(isQuietEnd(world));
    const core::Result<> refused = world.processor->setPerMinute(world.operations().first().id, 60);
    QVERIFY(!refused && refused.error().kind == core::ErrorKind::Conflict);
}

QTEST_GUILESS_MAIN(TestRetryPace)
#include "tst_retrypace.moc"
