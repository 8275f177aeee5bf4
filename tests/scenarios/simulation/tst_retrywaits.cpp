// What a retry waits for, and what ends the wait: full and missing destinations, a broker that is away.
#include "tests/scenarios/simulation/simulationquestions.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::BatchStage;
using records::HandOver;
using records::Outcome;
using scenario::anyBatchIn;
using scenario::bothHandOvers;
using scenario::count;
using scenario::isQuietEnd;
using scenario::RetrySimulation;
using scenario::Settings;

// Why a retry waits, how it says so, and what ends the wait.
class TestRetryWaits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFullDestinationCostsOneBatchAndTheRestWaits_data();
    void aFullDestinationCostsOneBatchAndTheRestWaits();
    void aFullDestinationKeepsTheIntentLogFromNothingElse_data();
    void aFullDestinationKeepsTheIntentLogFromNothingElse();
    void whatIsSetAsideDoesNotGoWithTheRestOfItsBatch();
    void whatKeepsAllWaitingIsSaidAtOnceAndLookedAtAgainWhenWoken_data();
    void whatKeepsAllWaitingIsSaidAtOnceAndLookedAtAgainWhenWoken();
    void aWishOfTheBrokerIsNotShortened();
    void theIntentLogWorksWithALineThatFailsNowAndThen();
};

void TestRetryWaits::aFullDestinationCostsOneBatchAndTheRestWaits_data()
{
    QTest::addColumn<bool>("storeFalters");
    QTest::newRow("the store works") << false;
    QTest::newRow("transactions are rolled back while it is tried") << true;
}

void TestRetryWaits::aFullDestinationCostsOneBatchAndTheRestWaits()
{
    QFETCH(bool, storeFalters);
    Settings settings;
    settings.messages = 40; // every other one for billing
    RetrySimulation simulation(18, settings);
    simulation.fillUp(true);
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return count(simulation, Outcome::Sent) == 20; }));
    const qint64 ejected = count(simulation, Outcome::Ejected);
    QVERIFY(ejected > 0 && ejected <= settings.batchMembers);
    QVERIFY(simulation.runUntil([&] { return count(simulation, Outcome::Claimed) == 20 - ejected; }));
    QVERIFY(simulation.operations().first().waitingReason.contains(QStringLiteral("Queue billing refuses, full.")));

    // It is tried again with one copy at a time; no copy is lost.
    const core::TimePoint begun = simulation.clock.now();
    bool tried = false;
    if (storeFalters) {
        simulation.process->decide = [&simulation, asked = 0](int) mutable {
            const bool fails = anyBatchIn(simulation, BatchStage::Forwarding) && ++asked % 2 == 1;
            return fails ? support::FaultyStore::Fault::RollBack : support::FaultyStore::Fault::None;
        };
    }
    QVERIFY(simulation.runUntil(
        [&] {
            tried = tried || anyBatchIn(simulation, BatchStage::Forwarding);
            return simulation.clock.now() - begun > std::chrono::minutes(4);
        },
        100000));
    QVERIFY(tried);
    QCOMPARE(count(simulation, Outcome::Ejected), ejected);
    QVERIFY(simulation.operations().first().waitingReason.contains(QStringLiteral("Queue billing refuses, full.")));

    simulation.process->decide = {};
    simulation.fillUp(false);
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 40 - ejected);
    QCOMPARE(count(simulation, Outcome::Ejected), ejected);
}

void TestRetryWaits::aFullDestinationKeepsTheIntentLogFromNothingElse_data()
{
    QTest::addColumn<bool>("mayList");
    QTest::newRow("all queues are listed") << true;
    QTest::newRow("only the named ones are, and counted") << false;
}

// The broker reports for each message that its destination is full: none is lost, and none is tried in vain.
void TestRetryWaits::aFullDestinationKeepsTheIntentLogFromNothingElse()
{
    QFETCH(bool, mayList);
    Settings settings;
    settings.handOver = HandOver::IntentLog;
    settings.messages = 40; // every other one for billing
    RetrySimulation simulation(18, settings);
    if (!mayList)
        simulation.broker->onlyNamed = QStringList{QStringLiteral("error")};
    simulation.fillUp(true);
    simulation.start();
    simulation.request();
    const auto allRest = [&simulation] {
        return count(simulation, Outcome::Sent) == 20 && count(simulation, Outcome::Claimed) == 20;
    };
    QVERIFY(simulation.runUntil(allRest));
    QVERIFY(simulation.operations().first().waitingReason.contains(QStringLiteral("Queue billing refuses, full.")));

    const core::TimePoint begun = simulation.clock.now();
    const int before = simulation.broker->refusedSends;
    QVERIFY(simulation.runUntil([&] { return simulation.clock.now() - begun > std::chrono::minutes(4); }, 100000));
    const int tries = simulation.broker->refusedSends - before;
    QVERIFY2(tries >= 3 && tries <= 5, qPrintable(QString::number(tries))); // one message a minute
    QVERIFY(simulation.runUntil(allRest));
    QVERIFY(simulation.operations().first().waitingReason.contains(QStringLiteral("Queue billing refuses, full.")));

    simulation.fillUp(false);
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 40);
}

// The batch was read as a whole, with the messages for the full destination; that has room again before their turn.
void TestRetryWaits::whatIsSetAsideDoesNotGoWithTheRestOfItsBatch()
{
    Settings settings;
    settings.handOver = HandOver::IntentLog;
    settings.batchMembers = 12;
    RetrySimulation simulation(19, settings);
    simulation.fillUp(true);
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return simulation.broker->refusedSends > 0; }));
    simulation.fillUp(false);
    QVERIFY(isQuietEnd(simulation)); // no destination gets two copies: I4
    QCOMPARE(count(simulation, Outcome::Sent), 12);
}

void TestRetryWaits::whatKeepsAllWaitingIsSaidAtOnceAndLookedAtAgainWhenWoken_data()
{
    bothHandOvers();
}

void TestRetryWaits::whatKeepsAllWaitingIsSaidAtOnceAndLookedAtAgainWhenWoken()
{
    QFETCH(HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.faults.transient = 1000; // nothing ever answers
    RetrySimulation simulation(16, settings);
    simulation.start();
    const auto pass = [&simulation](core::Milliseconds time) {
        const core::TimePoint begun = simulation.clock.now();
        return simulation.runUntil([&simulation, begun, time] { return simulation.clock.now() - begun > time; },
                                   100000);
    };
    QVERIFY(pass(std::chrono::minutes(3)));
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return !simulation.isAsked(); }));
    const auto reason = [&simulation] { return simulation.operations().first().waitingReason; };
    QCOMPARE(reason(), QStringLiteral("The broker did not answer."));

    // Each wake tries at once instead of waiting for the back-off of up to a minute.
    for (int wakes = 0; wakes < 5; ++wakes) {
        QVERIFY(pass(std::chrono::milliseconds(30))); // the last try is over
        const core::TimePoint woken = simulation.clock.now();
        const int calls = simulation.broker->probes;
        simulation.processor->wake();
        QVERIFY(simulation.runUntil([&] { return simulation.broker->probes > calls; }));
        QCOMPARE(simulation.clock.now(), woken);
        QCOMPARE(reason(), QStringLiteral("The broker did not answer."));
    }
    simulation.calm();
    simulation.processor->wake();
    QVERIFY(isQuietEnd(simulation));
    QVERIFY(reason().isEmpty());
}

void TestRetryWaits::aWishOfTheBrokerIsNotShortened()
{
    RetrySimulation simulation(17, {});
    simulation.start();
    const core::TimePoint begun = simulation.clock.now();
    QVERIFY(simulation.runUntil(
        [&] { return simulation.clock.now() - begun > std::chrono::seconds(1); })); // all else is quiet
    support::FakeBroker::Faults slow;
    slow.throttled = 1000; // each answer: not before two minutes
    simulation.broker->setFaults(slow);
    simulation.broker->throttledFor = std::chrono::minutes(2);
    simulation.request();
    QVERIFY(simulation.runUntil(
        [&] { return !simulation.isAsked() && !simulation.operations().first().waitingReason.isEmpty(); }));
    const core::TimePoint said = simulation.clock.now();
    const int calls = simulation.broker->calls;
    simulation.processor->wake();
    QVERIFY(simulation.runUntil([&] { return simulation.broker->calls > calls; }));
    QVERIFY(simulation.clock.now() - said >= std::chrono::minutes(2));
}

// Each failure left its message in doubt, and none delayed the others for long.
void TestRetryWaits::theIntentLogWorksWithALineThatFailsNowAndThen()
{
    Settings settings;
    settings.handOver = HandOver::IntentLog;
    settings.messages = 120;
    settings.batchMembers = 120;
    RetrySimulation simulation(19, settings);
    simulation.start();
    support::FakeBroker::Faults faults;
    faults.lostBefore = 60;
    faults.lostAfter = 60;
    simulation.broker->setFaults(faults);
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return !simulation.isAsked(); }));
    const core::TimePoint begun = simulation.clock.now();
    QVERIFY(simulation.runUntil([&] { return simulation.operations().first().finished.has_value(); }, 200000));
    QVERIFY(simulation.clock.now() - begun < std::chrono::minutes(1));
    QVERIFY(count(simulation, Outcome::InDoubt) > 4);
    QCOMPARE(count(simulation, Outcome::InDoubt) + count(simulation, Outcome::Sent), qint64{120});
}

REDRIVE_TEST(TestRetryWaits)
#include "tst_retrywaits.moc"
