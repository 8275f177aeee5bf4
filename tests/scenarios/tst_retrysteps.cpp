#include "backend/store/retrystore.h"
#include "tests/scenarios/worldquestions.h"

#include <QTest>

using core::Milliseconds;
using records::HandOver;
using records::OperationState;
using records::Outcome;
using scenario::bothHandOvers;
using scenario::count;
using scenario::isQuietEnd;
using scenario::RetryWorld;
using scenario::Settings;

namespace {

constexpr int manySteps = 100000;

Settings settingsOf(HandOver handOver, int messages)
{
    Settings settings;
    settings.handOver = handOver;
    settings.messages = messages;
    return settings;
}

RetryWorld::Wish inSteps(QList<qint64> steps)
{
    RetryWorld::Wish wish;
    wish.ramp = records::Ramp{std::move(steps), true};
    wish.stopWhen = records::StopWhen{1, false};
    return wish;
}

// Members that are out of the set, whatever became of them.
qint64 gone(RetryWorld &world)
{
    const records::RetryOperation operation = world.operations().first();
    return operation.total - operation.counts.pending;
}

bool waitFor(RetryWorld &world, Milliseconds span)
{
    const core::SteadyTime end = world.clock.steady() + span;
    return world.runUntil([&] { return world.clock.steady() >= end; }, manySteps);
}

bool sentInAll(RetryWorld &world, qint64 messages)
{
    return world.runUntil([&] { return count(world, Outcome::Sent) >= messages; }, manySteps);
}

// What a broker says of its queues, for the engine to see.
struct Queues
{
    qint64 waiting = 0; // in billing; sales is always empty
    int consumers = 1;
    QString blind;

    [[nodiscard]] retry::Outlook seen(core::SteadyTime now) const
    {
        retry::Outlook outlook;
        for (const char *name : {"billing", "sales"}) {
            broker::QueueInfo queue;
            queue.name = QString::fromLatin1(name);
            queue.depth = queue.name == QLatin1String("billing") ? waiting : 0;
            queue.consumers = consumers;
            outlook.queues.append(queue);
        }
        outlook.asOf = now;
        outlook.blind = blind;
        return outlook;
    }
};

void lookAt(RetryWorld &world, Queues &queues)
{
    world.outlook = [&](const store::Returns &returns) {
        // Where returns are to be seen, the queues that the messages lay in are named, and those they go to.
        const store::Returns expected{{QStringLiteral("error")}, {QStringLiteral("billing"), QStringLiteral("sales")}};
        const bool right = returns == store::Returns{} || returns == expected;
        return right ? queues.seen(world.clock.steady()) : retry::Outlook{};
    };
}

} // namespace

// A retry that begins with a few, goes on with evidence, and pauses by itself when too many come back.
class TestRetrySteps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachStepWaitsUntilTheOneBeforeWasQuiet_data();
    void eachStepWaitsUntilTheOneBeforeWasQuiet();
    void aCrashCostsOnlyTime_data() { bothHandOvers(); }
    void aCrashCostsOnlyTime();
    void aStepTakesFromEveryGroupAndDestination();
    void whatIsAcknowledgedNeedsNoWaiting();
    void withoutConsumersOrWithAGrowingQueueNothingMoreGoes();
    void whatCannotBeSeenKeepsItWaiting_data() { bothHandOvers(); }
    void whatCannotBeSeenKeepsItWaiting();
    void oneOfTheFirstStepComesBackAndItPauses_data() { bothHandOvers(); }
    void oneOfTheFirstStepComesBackAndItPauses();
    void aShareOfManyStopsItWithoutARamp();
    void whatAPersonLetGoOnIsNotCountedAgain();
    void nothingIsStoppedThatHasEnded();
    void aCrowdedDestinationGetsNothingMore_data() { bothHandOvers(); }
    void aCrowdedDestinationGetsNothingMore();
    void whatWentLatelyCountsThoughTheBrokerDoesNotSayItYet();
};

void TestRetrySteps::eachStepWaitsUntilTheOneBeforeWasQuiet_data()
{
    QTest::addColumn<HandOver>("handOver");
    QTest::addColumn<Milliseconds>("clockSet");
    QTest::addColumn<Milliseconds>("sleeps");
    constexpr Milliseconds hour = std::chrono::hours(1);
    QTest::newRow("staging queue") << HandOver::StagingQueue << Milliseconds{0} << Milliseconds{0};
    QTest::newRow("ledger") << HandOver::Ledger << Milliseconds{0} << Milliseconds{0};
    QTest::newRow("the clock is set back") << HandOver::Ledger << -hour << Milliseconds{0};
    QTest::newRow("the clock is set forward") << HandOver::Ledger << hour << Milliseconds{0};
    QTest::newRow("the machine sleeps, and nobody watches") << HandOver::Ledger << Milliseconds{0} << hour;
}

void TestRetrySteps::eachStepWaitsUntilTheOneBeforeWasQuiet()
{
    QFETCH(const HandOver, handOver);
    QFETCH(const Milliseconds, clockSet);
    QFETCH(const Milliseconds, sleeps);
    RetryWorld world(61, settingsOf(handOver, 14));
    world.start();
    world.request(inSteps({1, 3}));
    QVERIFY(sentInAll(world, 1));
    const core::SteadyTime out = world.clock.steady();
    QVERIFY(waitFor(world, records::quietTime / 2));
    world.clock.jump(clockSet);
    world.clock.suspend(sleeps);
    QVERIFY(waitFor(world, records::quietTime / 2 - Milliseconds{2000}));
    QCOMPARE(gone(world), 1);
    QVERIFY(world.operations().first().waitingReason.contains(QStringLiteral("Step 1")));
    QVERIFY(sentInAll(world, 4));
    QVERIFY(world.clock.steady() - out >= records::quietTime);
    QVERIFY(world.clock.steady() - out < 2 * records::quietTime);
    QVERIFY(waitFor(world, records::quietTime - Milliseconds{2000}));
    QCOMPARE(gone(world), 4);
    QVERIFY(sentInAll(world, 14));
    QVERIFY(isQuietEnd(world));
    QCOMPARE(world.operations().first().provedSteps, 2);
    QVERIFY(world.operations().first().waitingReason.isEmpty());
}

void TestRetrySteps::aCrashCostsOnlyTime()
{
    QFETCH(const HandOver, handOver);
    RetryWorld world(62, settingsOf(handOver, 12));
    world.start();
    world.request(inSteps({2, 4}));
    QVERIFY(sentInAll(world, 2));
    QVERIFY(waitFor(world, records::quietTime / 2));
    world.crash();
    const core::TimePoint restarted = world.clock.now();
    QVERIFY(waitFor(world, records::quietTime - Milliseconds{2000}));
    QCOMPARE(gone(world), 2); // it waits anew
    QVERIFY(sentInAll(world, 6));
    QVERIFY(world.clock.now() - restarted < records::quietTime + std::chrono::seconds(40));
    world.crash(); // in the second step
    QVERIFY(waitFor(world, records::quietTime - Milliseconds{2000}));
    QCOMPARE(gone(world), 6);
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 12);
}

void TestRetrySteps::aStepTakesFromEveryGroupAndDestination()
{
    RetryWorld world(63, settingsOf(HandOver::Ledger, 45));
    world.start();
    RetryWorld::Wish wish = inSteps({3});
    // Three of one cause for billing first; then one of that cause and one of another for sales.
    wish.filter.messages = {{1}, {15}, {29}, {36}, {44}};
    world.request(wish);
    QVERIFY(world.runUntil([&] { return !world.isAsked() && gone(world) == 3; }, manySteps));
    const core::OperationId id = world.operations().first().id;
    QList<qint64> first;
    for (const store::RetryMember &member : world.members(id)) {
        if (member.batch.isValid())
            first.append(member.message.value);
    }
    QCOMPARE(first, (QList<qint64>{1, 36, 44}));
    QCOMPARE(world.batches(id).first().size(), 3);
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 5);
}

void TestRetrySteps::whatIsAcknowledgedNeedsNoWaiting()
{
    RetryWorld world(64, settingsOf(HandOver::StagingQueue, 8));
    world.start();
    world.request(inSteps({2}));
    QVERIFY(sentInAll(world, 2));
    const core::TimePoint out = world.clock.now();
    for (const store::RetryMember &member : world.members(world.operations().first().id)) {
        if (member.outcome != Outcome::Sent)
            continue;
        const core::Result<> told = world.process->transact([&](store::Session &session) {
            return session.retries().confirmed(member.uniqueId, {store::Closure::Acknowledged, out, {}});
        });
        QVERIFY(told.has_value());
    }
    world.processor->wake();
    QVERIFY(sentInAll(world, 8));
    QVERIFY(world.clock.now() - out < records::quietTime);
    QVERIFY(isQuietEnd(world));
}

void TestRetrySteps::withoutConsumersOrWithAGrowingQueueNothingMoreGoes()
{
    RetryWorld world(65, settingsOf(HandOver::StagingQueue, 8));
    Queues queues;
    queues.waiting = 3;
    lookAt(world, queues);
    world.start();
    world.request(inSteps({2}));
    QVERIFY(sentInAll(world, 2));
    queues.consumers = 0;
    QVERIFY(waitFor(world, 3 * records::quietTime));
    QCOMPARE(gone(world), 2);
    QVERIFY(world.operations().first().waitingReason.contains(QStringLiteral("nobody consumes from")));
    queues.consumers = 2;
    queues.waiting = 5;
    QVERIFY(waitFor(world, records::quietTime));
    QCOMPARE(gone(world), 2);
    QVERIFY(world.operations().first().waitingReason.contains(QStringLiteral("5 wait in billing, where 3 did before")));
    queues.waiting = 3;
    QVERIFY(sentInAll(world, 8));
    QVERIFY(isQuietEnd(world));
}

void TestRetrySteps::whatCannotBeSeenKeepsItWaiting()
{
    QFETCH(const HandOver, handOver);
    RetryWorld world(66, settingsOf(handOver, 20));
    Queues queues;
    queues.blind = QStringLiteral("the disk is full");
    lookAt(world, queues);
    world.start();
    RetryWorld::Wish wish;
    wish.stopWhen = records::StopWhen{50, true};
    world.request(wish);
    QVERIFY(world.runUntil([&] { return !world.isAsked(); }, manySteps));
    QVERIFY(waitFor(world, std::chrono::minutes(2)));
    QCOMPARE(gone(world), 0);
    QVERIFY(world.operations().first().waitingReason.contains(QStringLiteral("the disk is full")));
    queues.blind.clear();
    QVERIFY(world.runUntil([&] { return gone(world) > 0; }, manySteps));
    queues.blind = QStringLiteral("the disk is full"); // what was marked before waits, too
    const qint64 already = count(world, Outcome::Sent) + count(world, Outcome::Staged);
    QVERIFY(waitFor(world, std::chrono::minutes(2)));
    QVERIFY(count(world, Outcome::Sent) <= already + 5);
    QVERIFY(count(world, Outcome::Sent) < 20);
    queues.blind.clear();
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 20);
}

void TestRetrySteps::oneOfTheFirstStepComesBackAndItPauses()
{
    QFETCH(const HandOver, handOver);
    Settings settings = settingsOf(handOver, 14);
    settings.failsAgain = 1; // the first message
    RetryWorld world(67, settings);
    world.start();
    world.request(inSteps({1, 3}));
    QVERIFY(world.runUntil(
        [&] { return !world.isAsked() && world.operations().first().state == OperationState::Paused; }, manySteps));
    const records::RetryOperation stopped = world.operations().first();
    QCOMPARE(stopped.counts.cameBack, 1);
    QVERIFY2(stopped.stoppedBecause.contains(QStringLiteral("1 message came back, of 1 sent")),
             qPrintable(stopped.stoppedBecause));
    QVERIFY(waitFor(world, 2 * records::quietTime));
    QCOMPARE(gone(world), 1);
    world.crash();
    QVERIFY(waitFor(world, records::quietTime));
    QVERIFY(world.operations().first().state == OperationState::Paused);
    QVERIFY(!world.operations().first().stoppedBecause.isEmpty());
    QVERIFY(world.processor->change(stopped.id, retry::StateChange::Resume, {}).has_value());
    QVERIFY(world.operations().first().stoppedBecause.isEmpty());
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 14);
}

void TestRetrySteps::aShareOfManyStopsItWithoutARamp()
{
    Settings settings = settingsOf(HandOver::Ledger, 60);
    settings.failsAgain = 6;
    RetryWorld world(68, settings);
    world.start();
    RetryWorld::Wish wish;
    wish.stopWhen = records::StopWhen{10, true}; // of 60, though only a few went when they come back
    wish.perMinute = 60;
    world.request(wish);
    QVERIFY(world.runUntil(
        [&] { return !world.isAsked() && world.operations().first().state == OperationState::Paused; }, manySteps));
    QCOMPARE(world.operations().first().counts.cameBack, 6);
    QVERIFY(count(world, Outcome::Sent) < 40);
    QVERIFY(world.processor->change(world.operations().first().id, retry::StateChange::Resume, {}).has_value());
    QVERIFY(isQuietEnd(world));
}

void TestRetrySteps::whatAPersonLetGoOnIsNotCountedAgain()
{
    Settings settings = settingsOf(HandOver::StagingQueue, 20);
    settings.failsAgain = 4;
    RetryWorld world(69, settings);
    world.start();
    RetryWorld::Wish wish;
    wish.stopWhen = records::StopWhen{2, false};
    wish.perMinute = 60;
    world.request(wish);
    const auto stopped = [&] { return !world.isAsked() && world.operations().first().state == OperationState::Paused; };
    QVERIFY(world.runUntil(stopped, manySteps));
    QCOMPARE(world.operations().first().counts.cameBack, 2);
    QVERIFY(world.processor->change(world.operations().first().id, retry::StateChange::Resume, {}).has_value());
    QCOMPARE(world.operations().first().forgiven, 2);
    QVERIFY(world.runUntil(stopped, manySteps));
    QCOMPARE(world.operations().first().counts.cameBack, 4);
    QVERIFY(world.processor->change(world.operations().first().id, retry::StateChange::Resume, {}).has_value());
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 20);
}

void TestRetrySteps::nothingIsStoppedThatHasEnded()
{
    Settings settings = settingsOf(HandOver::Ledger, 2);
    settings.failsAgain = 2;
    RetryWorld world(70, settings);
    world.start();
    RetryWorld::Wish wish;
    wish.stopWhen = records::StopWhen{1, false};
    world.request(wish);
    QVERIFY(isQuietEnd(world));
    const records::RetryOperation ended = world.operations().first();
    QVERIFY(ended.state == OperationState::Completed || !ended.stoppedBecause.isEmpty());
    QCOMPARE(ended.counts.cameBack, 2);
}

void TestRetrySteps::aCrowdedDestinationGetsNothingMore()
{
    QFETCH(const HandOver, handOver);
    RetryWorld world(71, settingsOf(handOver, 20));
    Queues queues;
    queues.waiting = 7;
    lookAt(world, queues);
    world.start();
    RetryWorld::Wish wish;
    wish.mostWaiting = 7;
    world.request(wish);
    QVERIFY(world.runUntil([&] { return !world.isAsked(); }, manySteps));
    QVERIFY(waitFor(world, std::chrono::minutes(3)));
    QCOMPARE(count(world, Outcome::Sent), 0);
    QVERIFY2(world.operations().first().waitingReason.contains(QStringLiteral("billing holds about 7 messages")),
             qPrintable(world.operations().first().waitingReason));
    queues.waiting = 0;
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 20);
    QVERIFY(world.operations().first().waitingReason.isEmpty());
}

void TestRetrySteps::whatWentLatelyCountsThoughTheBrokerDoesNotSayItYet()
{
    Settings settings = settingsOf(HandOver::StagingQueue, 40);
    settings.batchMembers = 4;
    RetryWorld world(72, settings);
    Queues queues; // always empty, it says
    lookAt(world, queues);
    world.start();
    RetryWorld::Wish wish;
    wish.mostWaiting = 4;
    world.request(wish);
    QVERIFY(sentInAll(world, 8));
    const core::TimePoint full = world.clock.now();
    QVERIFY(waitFor(world, retry::Crowding::statisticsLag - Milliseconds{3000}));
    QVERIFY(count(world, Outcome::Sent) <= 12);
    QVERIFY(sentInAll(world, 16));
    QVERIFY(world.clock.now() - full >= retry::Crowding::statisticsLag / 2);
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 40);
}

QTEST_GUILESS_MAIN(TestRetrySteps)
#include "tst_retrysteps.moc"
