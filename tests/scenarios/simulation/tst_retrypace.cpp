// Rate, start time and the limit of waiting messages: no retry is faster than its plan allows, also after a crash.
#include "tests/scenarios/simulation/simulationquestions.h"

#include "backend/retry/gates/ratelimiter.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Milliseconds;
using records::BatchStage;
using records::HandOver;
using records::OperationState;
using records::Outcome;
using scenario::bothHandOvers;
using scenario::count;
using scenario::isQuietEnd;
using scenario::RetrySimulation;
using scenario::Settings;

namespace {

Settings settingsOf(HandOver handOver, int messages)
{
    Settings settings;
    settings.handOver = handOver;
    settings.messages = messages;
    return settings;
}

// The size of the largest batch given to the broker, without those in `before`.
int largestHandedOver(RetrySimulation &simulation, const QList<core::BatchId> &before = {})
{
    int most = 0;
    for (const records::RetryOperation &operation : simulation.operations()) {
        for (const records::RetryBatch &batch : simulation.batches(operation.id)) {
            if (!before.contains(batch.id))
                most = std::max(most, batch.stagedCount);
        }
    }
    return most;
}

} // namespace

// The rate of a retry, and its start time.
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
    RetrySimulation simulation(31, settingsOf(handOver, 12));
    simulation.start();
    RetrySimulation::UserAction action;
    action.perMinute = 120;
    simulation.request(action);
    std::optional<core::TimePoint> first;
    bool tooFast = false;
    QVERIFY(simulation.runUntil(
        [&] {
            const qint64 sent = count(simulation, Outcome::Sent);
            if (sent > 0 && !first)
                first = simulation.clock.now();
            // One share was sent at once; one more may be made up.
            if (first)
                tooFast = tooFast || sent > 2 * ((simulation.clock.now() - *first) / Milliseconds{1000}) + 2 * 2;
            return sent == 12;
        },
        100000));
    QVERIFY(!tooFast);
    QVERIFY(simulation.clock.now() - *first >= std::chrono::seconds(4));
    QCOMPARE(largestHandedOver(simulation), 2);
    QVERIFY(isQuietEnd(simulation));
}

void TestRetryPace::aRateThatIsSetLaterHoldsForBatchesOfBefore()
{
    QFETCH(const HandOver, handOver);
    Settings settings = settingsOf(handOver, 24);
    settings.batchMembers = 8;
    RetrySimulation simulation(32, settings);
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return scenario::anyBatchIn(simulation, BatchStage::Forwarding); }));
    const core::OperationId id = simulation.operations().first().id;
    QList<core::BatchId> before; // with the broker already
    for (const records::RetryBatch &batch : simulation.batches(id)) {
        if (batch.stage == BatchStage::Forwarding || batch.stage == BatchStage::Done)
            before.append(batch.id);
    }
    QVERIFY(count(simulation, Outcome::Sent) < 24);
    QVERIFY(simulation.processor->setPerMinute(id, 180).has_value());
    QCOMPARE(simulation.operations().first().plan.perMinute, std::optional<qint64>(180));
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 24);
    const int largest = largestHandedOver(simulation, before);
    QVERIFY2(largest > 0 && largest <= 3, qPrintable(QString::number(largest)));
}

void TestRetryPace::withoutItsRateItGoesAtFullSpeed()
{
    QFETCH(const HandOver, handOver);
    RetrySimulation simulation(33, settingsOf(handOver, 20));
    simulation.start();
    RetrySimulation::UserAction action;
    action.perMinute = 1;
    simulation.request(action);
    QVERIFY(simulation.runUntil([&] { return count(simulation, Outcome::Sent) == 1; }, 100000));
    const core::OperationId id = simulation.operations().first().id;
    QVERIFY(simulation.processor->setPerMinute(id, std::nullopt).has_value());
    const core::TimePoint freed = simulation.clock.now();
    QVERIFY(simulation.runUntil([&] { return count(simulation, Outcome::Sent) == 20; }, 100000));
    QVERIFY(simulation.clock.now() - freed < std::chrono::minutes(1));
    QVERIFY(isQuietEnd(simulation));
}

void TestRetryPace::othersDoNotWaitForAPacedOne()
{
    RetrySimulation simulation(34, settingsOf(HandOver::StagingQueue, 12));
    simulation.start();
    RetrySimulation::UserAction slow;
    slow.perMinute = 1;
    slow.filter.messages = {{1}, {2}, {3}, {4}};
    simulation.request(slow);
    QVERIFY(simulation.runUntil([&] { return count(simulation, Outcome::Sent) == 1; }, 100000));
    const core::TimePoint begun = simulation.clock.now();
    simulation.request(); // the other eight
    QVERIFY(simulation.runUntil([&] { return count(simulation, Outcome::Sent) >= 9; }, 100000));
    QVERIFY(simulation.clock.now() - begun < std::chrono::minutes(1));
    QVERIFY(isQuietEnd(simulation));
    QVERIFY(simulation.clock.now() - begun >= std::chrono::minutes(2));
}

void TestRetryPace::nothingBeginsBeforeItsTimeCrashesOrNot()
{
    QFETCH(const HandOver, handOver);
    RetrySimulation simulation(35, settingsOf(handOver, 6));
    simulation.start();
    RetrySimulation::UserAction action;
    action.notBefore = simulation.clock.now() + std::chrono::minutes(10);
    simulation.request(action);
    QVERIFY(simulation.runUntil([&] { return !simulation.isAsked(); }));
    bool early = false;
    const auto watch = [&] {
        const records::RetryOperation operation = simulation.operations().first();
        const bool touched = operation.started || operation.counts.pending != 6;
        early = early || (touched && simulation.clock.now() < *action.notBefore);
        return early || operation.counts.sent == 6;
    };
    const core::TimePoint half = simulation.clock.now() + std::chrono::minutes(5);
    QVERIFY(simulation.runUntil([&] { return watch() || simulation.clock.now() > half; }, 100000));
    QVERIFY(simulation.operations().first().state == OperationState::Waiting);
    simulation.crash();
    QVERIFY(simulation.runUntil(watch, 100000));
    QVERIFY(!early);
    // At the start time, not at the next idle tick.
    QVERIFY(*simulation.operations().first().started - *action.notBefore < std::chrono::seconds(2));
    QVERIFY(isQuietEnd(simulation));
}

void TestRetryPace::whatHasNotBegunCanBeCancelledAndHeld()
{
    RetrySimulation simulation(36, settingsOf(HandOver::StagingQueue, 6));
    simulation.start();
    RetrySimulation::UserAction action;
    action.notBefore = simulation.clock.now() + std::chrono::minutes(10);
    simulation.request(action);
    QVERIFY(simulation.runUntil([&] { return !simulation.isAsked(); }));
    const core::OperationId id = simulation.operations().first().id;
    QVERIFY(simulation.processor->change(id, retry::StateChange::Pause, {}).has_value());
    const core::TimePoint later = *action.notBefore + std::chrono::minutes(5);
    QVERIFY(simulation.runUntil([&] { return simulation.clock.now() > later; }, 100000));
    QCOMPARE(simulation.operations().first().counts.pending, 6); // held over its time
    QVERIFY(simulation.processor->change(id, retry::StateChange::Resume, {}).has_value());
    QVERIFY(simulation.runUntil([&] { return count(simulation, Outcome::Sent) == 6; }, 100000));
    QVERIFY(isQuietEnd(simulation));

    RetrySimulation other(37, settingsOf(HandOver::IntentLog, 6));
    other.start();
    action.notBefore = other.clock.now() + std::chrono::minutes(10);
    other.request(action);
    QVERIFY(other.runUntil([&] { return !other.isAsked(); }));
    QVERIFY(other.processor->change(other.operations().first().id, retry::StateChange::Cancel, {}).has_value());
    QVERIFY(isQuietEnd(other));
    QCOMPARE(count(other, Outcome::Cancelled), 6);
    QVERIFY(other.clock.now() < *action.notBefore);
}

void TestRetryPace::anEndedOneHasNoRate()
{
    RetrySimulation simulation(38, settingsOf(HandOver::IntentLog, 3));
    simulation.start();
    simulation.request();
    QVERIFY(isQuietEnd(simulation));
    const core::Result<> refused = simulation.processor->setPerMinute(simulation.operations().first().id, 60);
    QVERIFY(!refused && refused.error().kind == core::ErrorKind::Conflict);
}

REDRIVE_TEST(TestRetryPace)
#include "tst_retrypace.moc"
