// Ramp and stop rule: a step waits for its evidence, and the retry pauses when too many messages come back.
#include "backend/store/retry/claimstore.h"
#include "tests/scenarios/simulation/simulationquestions.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Milliseconds;
using records::HandOver;
using records::OperationState;
using records::Outcome;
using scenario::bothHandOvers;
using scenario::count;
using scenario::isQuietEnd;
using scenario::RetrySimulation;
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

RetrySimulation::UserAction inSteps(QList<qint64> steps)
{
    RetrySimulation::UserAction action;
    action.ramp = records::Ramp{std::move(steps), true};
    action.stopWhen = records::StopWhen{1, false};
    return action;
}

// Members that are no longer pending, whatever their outcome.
qint64 gone(RetrySimulation &simulation)
{
    const records::RetryOperation operation = simulation.operations().first();
    return operation.total - operation.counts.pending;
}

bool waitFor(RetrySimulation &simulation, Milliseconds span)
{
    const core::SteadyTime end = simulation.clock.steady() + span;
    return simulation.runUntil([&] { return simulation.clock.steady() >= end; }, manySteps);
}

bool sentInAll(RetrySimulation &simulation, qint64 messages)
{
    return simulation.runUntil([&] { return count(simulation, Outcome::Sent) >= messages; }, manySteps);
}

// The queues that the broker reports to the engine.
struct Queues
{
    qint64 waiting = 0; // in billing; sales is always empty
    int consumers = 1;
    QString blind;

    [[nodiscard]] retry::QueueObservation seen(core::SteadyTime now) const
    {
        retry::QueueObservation observation;
        for (const char *name : {"billing", "sales"}) {
            broker::QueueInfo queue;
            queue.name = QString::fromLatin1(name);
            queue.depth = queue.name == QLatin1String("billing") ? waiting : 0;
            queue.consumers = consumers;
            observation.queues.append(queue);
        }
        observation.asOf = now;
        observation.blind = blind;
        return observation;
    }
};

void lookAt(RetrySimulation &simulation, Queues &queues)
{
    simulation.observe = [&](const store::Returns &returns) {
        // To see returns, the engine names the queues that the messages came from and their destinations.
        const store::Returns expected{{QStringLiteral("error")}, {QStringLiteral("billing"), QStringLiteral("sales")}};
        const bool right = returns == store::Returns{} || returns == expected;
        return right ? queues.seen(simulation.clock.steady()) : retry::QueueObservation{};
    };
}

} // namespace

// A retry with a ramp: it starts with a few messages, continues when they do not come back, and pauses when too many
// do.
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
    QTest::newRow("intent log") << HandOver::IntentLog << Milliseconds{0} << Milliseconds{0};
    QTest::newRow("the clock is set back") << HandOver::IntentLog << -hour << Milliseconds{0};
    QTest::newRow("the clock is set forward") << HandOver::IntentLog << hour << Milliseconds{0};
    QTest::newRow("the machine sleeps, and nobody watches") << HandOver::IntentLog << Milliseconds{0} << hour;
}

void TestRetrySteps::eachStepWaitsUntilTheOneBeforeWasQuiet()
{
    QFETCH(const HandOver, handOver);
    QFETCH(const Milliseconds, clockSet);
    QFETCH(const Milliseconds, sleeps);
    RetrySimulation simulation(61, settingsOf(handOver, 14));
    simulation.start();
    simulation.request(inSteps({1, 3}));
    QVERIFY(sentInAll(simulation, 1));
    const core::SteadyTime out = simulation.clock.steady();
    QVERIFY(waitFor(simulation, records::quietTime / 2));
    simulation.clock.jump(clockSet);
    simulation.clock.suspend(sleeps);
    QVERIFY(waitFor(simulation, records::quietTime / 2 - Milliseconds{2000}));
    QCOMPARE(gone(simulation), 1);
    QVERIFY(simulation.operations().first().waitingReason.contains(QStringLiteral("Step 1")));
    QVERIFY(sentInAll(simulation, 4));
    QVERIFY(simulation.clock.steady() - out >= records::quietTime);
    QVERIFY(simulation.clock.steady() - out < 2 * records::quietTime);
    QVERIFY(waitFor(simulation, records::quietTime - Milliseconds{2000}));
    QCOMPARE(gone(simulation), 4);
    QVERIFY(sentInAll(simulation, 14));
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(simulation.operations().first().provedSteps, 2);
    QVERIFY(simulation.operations().first().waitingReason.isEmpty());
}

void TestRetrySteps::aCrashCostsOnlyTime()
{
    QFETCH(const HandOver, handOver);
    RetrySimulation simulation(62, settingsOf(handOver, 12));
    simulation.start();
    simulation.request(inSteps({2, 4}));
    QVERIFY(sentInAll(simulation, 2));
    QVERIFY(waitFor(simulation, records::quietTime / 2));
    simulation.crash();
    const core::TimePoint restarted = simulation.clock.now();
    QVERIFY(waitFor(simulation, records::quietTime - Milliseconds{2000}));
    QCOMPARE(gone(simulation), 2); // it waits again
    QVERIFY(sentInAll(simulation, 6));
    QVERIFY(simulation.clock.now() - restarted < records::quietTime + std::chrono::seconds(40));
    simulation.crash(); // in the second step
    QVERIFY(waitFor(simulation, records::quietTime - Milliseconds{2000}));
    QCOMPARE(gone(simulation), 6);
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 12);
}

void TestRetrySteps::aStepTakesFromEveryGroupAndDestination()
{
    RetrySimulation simulation(63, settingsOf(HandOver::IntentLog, 45));
    simulation.start();
    RetrySimulation::UserAction action = inSteps({3});
    // Three of one cause for billing first; then one of that cause and one of another for sales.
    action.filter.messages = {{1}, {15}, {29}, {36}, {44}};
    simulation.request(action);
    QVERIFY(simulation.runUntil([&] { return !simulation.isAsked() && gone(simulation) == 3; }, manySteps));
    const core::OperationId id = simulation.operations().first().id;
    QList<qint64> first;
    for (const store::RetryMember &member : simulation.members(id)) {
        if (member.batch.isValid())
            first.append(member.message.value);
    }
    QCOMPARE(first, (QList<qint64>{1, 36, 44}));
    QCOMPARE(simulation.batches(id).first().size(), 3);
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 5);
}

void TestRetrySteps::whatIsAcknowledgedNeedsNoWaiting()
{
    RetrySimulation simulation(64, settingsOf(HandOver::StagingQueue, 8));
    simulation.start();
    simulation.request(inSteps({2}));
    QVERIFY(sentInAll(simulation, 2));
    const core::TimePoint out = simulation.clock.now();
    for (const store::RetryMember &member : simulation.members(simulation.operations().first().id)) {
        if (member.outcome != Outcome::Sent)
            continue;
        const core::Result<> told = simulation.process->transact([&](store::Session &session) {
            return session.claims().acknowledged(member.uniqueId, out);
        });
        QVERIFY(told.has_value());
    }
    simulation.processor->wake();
    QVERIFY(sentInAll(simulation, 8));
    QVERIFY(simulation.clock.now() - out < records::quietTime);
    QVERIFY(isQuietEnd(simulation));
}

void TestRetrySteps::withoutConsumersOrWithAGrowingQueueNothingMoreGoes()
{
    RetrySimulation simulation(65, settingsOf(HandOver::StagingQueue, 8));
    Queues queues;
    queues.waiting = 3;
    lookAt(simulation, queues);
    simulation.start();
    simulation.request(inSteps({2}));
    QVERIFY(sentInAll(simulation, 2));
    queues.consumers = 0;
    QVERIFY(waitFor(simulation, 3 * records::quietTime));
    QCOMPARE(gone(simulation), 2);
    QVERIFY2(simulation.operations().first().waitingReason.contains(QStringLiteral("billing has no consumers")),
             qPrintable(simulation.operations().first().waitingReason));
    queues.consumers = 2;
    queues.waiting = 5;
    QVERIFY(waitFor(simulation, records::quietTime));
    QCOMPARE(gone(simulation), 2);
    QVERIFY(simulation.operations().first().waitingReason.contains(
        QStringLiteral("the message count of billing rose from 3 to 5")));
    queues.waiting = 3;
    QVERIFY(sentInAll(simulation, 8));
    QVERIFY(isQuietEnd(simulation));
}

void TestRetrySteps::whatCannotBeSeenKeepsItWaiting()
{
    QFETCH(const HandOver, handOver);
    RetrySimulation simulation(66, settingsOf(handOver, 20));
    Queues queues;
    queues.blind = QStringLiteral("the disk is full");
    lookAt(simulation, queues);
    simulation.start();
    RetrySimulation::UserAction action;
    action.stopWhen = records::StopWhen{50, true};
    simulation.request(action);
    QVERIFY(simulation.runUntil([&] { return !simulation.isAsked(); }, manySteps));
    QVERIFY(waitFor(simulation, std::chrono::minutes(2)));
    QCOMPARE(gone(simulation), 0);
    QVERIFY(simulation.operations().first().waitingReason.contains(QStringLiteral("the disk is full")));
    queues.blind.clear();
    QVERIFY(simulation.runUntil([&] { return gone(simulation) > 0; }, manySteps));
    queues.blind = QStringLiteral("the disk is full"); // batches that were marked before wait, too
    const qint64 already = count(simulation, Outcome::Sent) + count(simulation, Outcome::Staged);
    QVERIFY(waitFor(simulation, std::chrono::minutes(2)));
    QVERIFY(count(simulation, Outcome::Sent) <= already + 5);
    QVERIFY(count(simulation, Outcome::Sent) < 20);
    queues.blind.clear();
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 20);
}

void TestRetrySteps::oneOfTheFirstStepComesBackAndItPauses()
{
    QFETCH(const HandOver, handOver);
    Settings settings = settingsOf(handOver, 14);
    settings.failsAgain = 1; // the first message
    RetrySimulation simulation(67, settings);
    simulation.start();
    simulation.request(inSteps({1, 3}));
    QVERIFY(simulation.runUntil(
        [&] { return !simulation.isAsked() && simulation.operations().first().state == OperationState::Paused; },
        manySteps));
    const records::RetryOperation stopped = simulation.operations().first();
    QCOMPARE(stopped.counts.cameBack, 1);
    QVERIFY2(stopped.stoppedBecause.contains(QStringLiteral("1 of 1 sent messages came back")),
             qPrintable(stopped.stoppedBecause));
    QVERIFY(waitFor(simulation, 2 * records::quietTime));
    QCOMPARE(gone(simulation), 1);
    simulation.crash();
    QVERIFY(waitFor(simulation, records::quietTime));
    QVERIFY(simulation.operations().first().state == OperationState::Paused);
    QVERIFY(!simulation.operations().first().stoppedBecause.isEmpty());
    QVERIFY(simulation.processor->change(stopped.id, retry::StateChange::Resume, {}).has_value());
    QVERIFY(simulation.operations().first().stoppedBecause.isEmpty());
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 14);
}

void TestRetrySteps::aShareOfManyStopsItWithoutARamp()
{
    Settings settings = settingsOf(HandOver::IntentLog, 60);
    settings.failsAgain = 6;
    RetrySimulation simulation(68, settings);
    simulation.start();
    RetrySimulation::UserAction action;
    action.stopWhen = records::StopWhen{10, true}; // of 60, although only a few were sent when they come back
    action.perMinute = 60;
    simulation.request(action);
    QVERIFY(simulation.runUntil(
        [&] { return !simulation.isAsked() && simulation.operations().first().state == OperationState::Paused; },
        manySteps));
    QCOMPARE(simulation.operations().first().counts.cameBack, 6);
    QVERIFY(count(simulation, Outcome::Sent) < 40);
    QVERIFY(
        simulation.processor->change(simulation.operations().first().id, retry::StateChange::Resume, {}).has_value());
    QVERIFY(isQuietEnd(simulation));
}

void TestRetrySteps::whatAPersonLetGoOnIsNotCountedAgain()
{
    Settings settings = settingsOf(HandOver::StagingQueue, 20);
    settings.failsAgain = 4;
    RetrySimulation simulation(69, settings);
    simulation.start();
    RetrySimulation::UserAction action;
    action.stopWhen = records::StopWhen{2, false};
    action.perMinute = 60;
    simulation.request(action);
    const auto stopped = [&] {
        return !simulation.isAsked() && simulation.operations().first().state == OperationState::Paused;
    };
    QVERIFY(simulation.runUntil(stopped, manySteps));
    QCOMPARE(simulation.operations().first().counts.cameBack, 2);
    QVERIFY(
        simulation.processor->change(simulation.operations().first().id, retry::StateChange::Resume, {}).has_value());
    QCOMPARE(simulation.operations().first().forgiven, 2);
    QVERIFY(simulation.runUntil(stopped, manySteps));
    QCOMPARE(simulation.operations().first().counts.cameBack, 4);
    QVERIFY(
        simulation.processor->change(simulation.operations().first().id, retry::StateChange::Resume, {}).has_value());
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 20);
}

void TestRetrySteps::nothingIsStoppedThatHasEnded()
{
    Settings settings = settingsOf(HandOver::IntentLog, 2);
    settings.failsAgain = 2;
    RetrySimulation simulation(70, settings);
    simulation.start();
    RetrySimulation::UserAction action;
    action.stopWhen = records::StopWhen{1, false};
    simulation.request(action);
    QVERIFY(isQuietEnd(simulation));
    const records::RetryOperation ended = simulation.operations().first();
    QVERIFY(ended.state == OperationState::Completed || !ended.stoppedBecause.isEmpty());
    QCOMPARE(ended.counts.cameBack, 2);
}

void TestRetrySteps::aCrowdedDestinationGetsNothingMore()
{
    QFETCH(const HandOver, handOver);
    RetrySimulation simulation(71, settingsOf(handOver, 20));
    Queues queues;
    queues.waiting = 7;
    lookAt(simulation, queues);
    simulation.start();
    RetrySimulation::UserAction action;
    action.mostWaiting = 7;
    simulation.request(action);
    QVERIFY(simulation.runUntil([&] { return !simulation.isAsked(); }, manySteps));
    QVERIFY(waitFor(simulation, std::chrono::minutes(3)));
    QCOMPARE(count(simulation, Outcome::Sent), 10); // all for sales, which waits behind no other
    const QList<store::RetryMember> members = simulation.members(simulation.operations().first().id);
    for (const store::RetryMember &member : members)
        QCOMPARE(member.outcome == Outcome::Sent, member.destination == QLatin1String("sales"));
    QVERIFY2(simulation.operations().first().waitingReason.contains(QStringLiteral("billing holds about 7 messages")),
             qPrintable(simulation.operations().first().waitingReason));
    queues.waiting = 0;
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 20);
    QVERIFY(simulation.operations().first().waitingReason.isEmpty());
}

void TestRetrySteps::whatWentLatelyCountsThoughTheBrokerDoesNotSayItYet()
{
    Settings settings = settingsOf(HandOver::StagingQueue, 40);
    settings.batchMembers = 4;
    RetrySimulation simulation(72, settings);
    Queues queues; // reported as always empty
    lookAt(simulation, queues);
    simulation.start();
    RetrySimulation::UserAction action;
    action.mostWaiting = 4;
    simulation.request(action);
    QVERIFY(sentInAll(simulation, 8));
    const core::TimePoint full = simulation.clock.now();
    QVERIFY(waitFor(simulation, retry::BackpressureGate::statisticsLag - Milliseconds{3000}));
    QVERIFY(count(simulation, Outcome::Sent) <= 12);
    QVERIFY(sentInAll(simulation, 16));
    QVERIFY(simulation.clock.now() - full >= retry::BackpressureGate::statisticsLag / 2);
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 40);
}

REDRIVE_TEST(TestRetrySteps)
#include "tst_retrysteps.moc"
