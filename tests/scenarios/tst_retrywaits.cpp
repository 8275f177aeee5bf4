#include "tests/scenarios/worldquestions.h"

#include <QTest>

using records::BatchStage;
using records::HandOver;
using records::Outcome;
using scenario::anyBatchIn;
using scenario::bothHandOvers;
using scenario::count;
using scenario::isQuietEnd;
using scenario::RetryWorld;
using scenario::Settings;

// What keeps a retry waiting, how that is said, and what ends it.
class TestRetryWaits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFullDestinationCostsOneBatchAndTheRestWaits_data();
    void aFullDestinationCostsOneBatchAndTheRestWaits();
    void aFullDestinationKeepsTheLedgerFromNothingElse_data();
    void aFullDestinationKeepsTheLedgerFromNothingElse();
    void whatIsSetAsideDoesNotGoWithTheRestOfItsBatch();
    void whatKeepsAllWaitingIsSaidAtOnceAndLookedAtAgainWhenWoken_data();
    void whatKeepsAllWaitingIsSaidAtOnceAndLookedAtAgainWhenWoken();
    void aWishOfTheBrokerIsNotShortened();
    void theLedgerWorksWithALineThatFailsNowAndThen();
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
    RetryWorld world(18, settings);
    world.fillUp(true);
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return count(world, Outcome::Sent) == 20; }));
    const qint64 ejected = count(world, Outcome::Ejected);
    QVERIFY(ejected > 0 && ejected <= settings.batchMembers);
    QVERIFY(world.runUntil([&] { return count(world, Outcome::Claimed) == 20 - ejected; }));
    QVERIFY(world.operations().first().waitingReason.contains(QStringLiteral("Queue billing refuses, full.")));

    // It is tried again with one copy at a time, which is not lost to the operation.
    const core::TimePoint begun = world.clock.now();
    bool tried = false;
    if (storeFalters) {
        world.process->decide = [&world, asked = 0](int) mutable {
            const bool fails = anyBatchIn(world, BatchStage::Forwarding) && ++asked % 2 == 1;
            return fails ? support::FaultyStore::Fault::RollBack : support::FaultyStore::Fault::None;
        };
    }
    QVERIFY(world.runUntil(
        [&] {
            tried = tried || anyBatchIn(world, BatchStage::Forwarding);
            return world.clock.now() - begun > std::chrono::minutes(4);
        },
        100000));
    QVERIFY(tried);
    QCOMPARE(count(world, Outcome::Ejected), ejected);
    QVERIFY(world.operations().first().waitingReason.contains(QStringLiteral("Queue billing refuses, full.")));

    world.process->decide = {};
    world.fillUp(false);
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 40 - ejected);
    QCOMPARE(count(world, Outcome::Ejected), ejected);
}

void TestRetryWaits::aFullDestinationKeepsTheLedgerFromNothingElse_data()
{
    QTest::addColumn<bool>("mayList");
    QTest::newRow("all queues are listed") << true;
    QTest::newRow("only the named ones are, and counted") << false;
}

// The broker says of each message that its destination is full: none is lost to the operation, and none is tried in vain.
void TestRetryWaits::aFullDestinationKeepsTheLedgerFromNothingElse()
{
    QFETCH(bool, mayList);
    Settings settings;
    settings.handOver = HandOver::Ledger;
    settings.messages = 40; // every other one for billing
    RetryWorld world(18, settings);
    if (!mayList)
        world.broker->onlyNamed = QStringList{QStringLiteral("error")};
    world.fillUp(true);
    world.start();
    world.request();
    const auto allRest = [&world] { return count(world, Outcome::Sent) == 20 && count(world, Outcome::Claimed) == 20; };
    QVERIFY(world.runUntil(allRest));
    QVERIFY(world.operations().first().waitingReason.contains(QStringLiteral("Queue billing refuses, full.")));

    const core::TimePoint begun = world.clock.now();
    const int before = world.broker->refusedSends;
    QVERIFY(world.runUntil([&] { return world.clock.now() - begun > std::chrono::minutes(4); }, 100000));
    const int tries = world.broker->refusedSends - before;
    QVERIFY2(tries >= 3 && tries <= 5, qPrintable(QString::number(tries))); // one message a minute
    QVERIFY(world.runUntil(allRest));
    QVERIFY(world.operations().first().waitingReason.contains(QStringLiteral("Queue billing refuses, full.")));

    world.fillUp(false);
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 40);
}

// The batch was read as a whole, those for the full destination with it; it has room again before their turn would come.
void TestRetryWaits::whatIsSetAsideDoesNotGoWithTheRestOfItsBatch()
{
    Settings settings;
    settings.handOver = HandOver::Ledger;
    settings.batchMembers = 12;
    RetryWorld world(19, settings);
    world.fillUp(true);
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return world.broker->refusedSends > 0; }));
    world.fillUp(false);
    QVERIFY(isQuietEnd(world)); // no destination gets two copies: I4
    QCOMPARE(count(world, Outcome::Sent), 12);
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
    RetryWorld world(16, settings);
    world.start();
    const auto pass = [&world](core::Milliseconds time) {
        const core::TimePoint begun = world.clock.now();
        return world.runUntil([&world, begun, time] { return world.clock.now() - begun > time; }, 100000);
    };
    QVERIFY(pass(std::chrono::minutes(3)));
    world.request();
    QVERIFY(world.runUntil([&] { return !world.isAsked(); }));
    const auto reason = [&world] { return world.operations().first().waitingReason; };
    QCOMPARE(reason(), QStringLiteral("The broker did not answer."));

    // Each wake is a try at once, where the back-off would have it wait for up to a minute.
    for (int wakes = 0; wakes < 5; ++wakes) {
        QVERIFY(pass(std::chrono::milliseconds(30))); // the last try is over
        const core::TimePoint woken = world.clock.now();
        const int calls = world.broker->probes;
        world.processor->wake();
        QVERIFY(world.runUntil([&] { return world.broker->probes > calls; }));
        QCOMPARE(world.clock.now(), woken);
        QCOMPARE(reason(), QStringLiteral("The broker did not answer."));
    }
    world.calm();
    world.processor->wake();
    QVERIFY(isQuietEnd(world));
    QVERIFY(reason().isEmpty());
}

void TestRetryWaits::aWishOfTheBrokerIsNotShortened()
{
    RetryWorld world(17, {});
    world.start();
    const core::TimePoint begun = world.clock.now();
    QVERIFY(world.runUntil([&] { return world.clock.now() - begun > std::chrono::seconds(1); })); // all else is quiet
    support::FakeBroker::Faults slow;
    slow.throttled = 1000; // each answer: not before two minutes
    world.broker->setFaults(slow);
    world.broker->throttledFor = std::chrono::minutes(2);
    world.request();
    QVERIFY(world.runUntil([&] { return !world.isAsked() && !world.operations().first().waitingReason.isEmpty(); }));
    const core::TimePoint said = world.clock.now();
    const int calls = world.broker->calls;
    world.processor->wake();
    QVERIFY(world.runUntil([&] { return world.broker->calls > calls; }));
    QVERIFY(world.clock.now() - said >= std::chrono::minutes(2));
}

// Each failure left its message in doubt, and none of them made the others wait for long.
void TestRetryWaits::theLedgerWorksWithALineThatFailsNowAndThen()
{
    Settings settings;
    settings.handOver = HandOver::Ledger;
    settings.messages = 120;
    settings.batchMembers = 120;
    RetryWorld world(19, settings);
    world.start();
    support::FakeBroker::Faults faults;
    faults.lostBefore = 60;
    faults.lostAfter = 60;
    world.broker->setFaults(faults);
    world.request();
    QVERIFY(world.runUntil([&] { return !world.isAsked(); }));
    const core::TimePoint begun = world.clock.now();
    QVERIFY(world.runUntil([&] { return world.operations().first().finished.has_value(); }, 200000));
    QVERIFY(world.clock.now() - begun < std::chrono::minutes(1));
    QVERIFY(count(world, Outcome::InDoubt) > 4);
    QCOMPARE(count(world, Outcome::InDoubt) + count(world, Outcome::Sent), qint64{120});
}

QTEST_GUILESS_MAIN(TestRetryWaits)
#include "tst_retrywaits.moc"
