// What keeps messages of a retry from being sent, in how many batches they go, and what cancelling a big set costs others.
#include "tests/scenarios/simulation/simulationquestions.h"

#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::HandOver;
using records::Outcome;
using scenario::bothHandOvers;
using scenario::count;
using scenario::isQuietEnd;
using scenario::RetrySimulation;
using scenario::Settings;

class TestRetryMembers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatCannotBeSentUnchangedIsLeftOut_data();
    void whatCannotBeSentUnchangedIsLeftOut();
    void whatCannotBeSentUnchangedAnyMoreIsEjected_data();
    void whatCannotBeSentUnchangedAnyMoreIsEjected();
    void whereDoublesAreNotAllowedBatchesAreSmall();
    void aQueueThatIsThereAgainIsNotKeptOut_data();
    void aQueueThatIsThereAgainIsNotKeptOut();
    void cancellingABigSetLetsOthersHaveTheirTurn();
};

void TestRetryMembers::whatCannotBeSentUnchangedIsLeftOut_data()
{
    bothHandOvers();
}

void TestRetryMembers::whatCannotBeSentUnchangedIsLeftOut()
{
    QFETCH(HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.messages = 4;
    settings.notFaithful = 2;
    RetrySimulation simulation(22, settings);
    simulation.start();
    simulation.request();
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(simulation.operations().first().total, 3);
    QCOMPARE(count(simulation, Outcome::Sent), 3);
}

void TestRetryMembers::whatCannotBeSentUnchangedAnyMoreIsEjected_data()
{
    bothHandOvers();
}

// It came back between the freeze and its batch, with headers that HTTP cannot carry.
void TestRetryMembers::whatCannotBeSentUnchangedAnyMoreIsEjected()
{
    QFETCH(HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.messages = 4;
    settings.batchMembers = 1;
    RetrySimulation simulation(22, settings);
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return !simulation.operations().isEmpty(); }));
    const core::OperationId id = simulation.operations().first().id;
    const core::MessageId last = simulation.members(id).last().message;
    QVERIFY(simulation.members(id).last().outcome == Outcome::Pending);
    const core::Result<> failed = simulation.failUnfaithfully(last);
    QVERIFY(failed.has_value());
    QVERIFY(isQuietEnd(simulation));
    const store::RetryMember odd = simulation.members(id).last();
    QVERIFY(odd.outcome == Outcome::Ejected);
    QVERIFY(odd.reason.contains(u"headers"));
    QCOMPARE(simulation.deliveries(odd.uniqueId, id), 0);
    QVERIFY(simulation.message(odd.message).status == records::MessageStatus::Unresolved);
    QCOMPARE(count(simulation, Outcome::Sent), 3);
}

void TestRetryMembers::whereDoublesAreNotAllowedBatchesAreSmall()
{
    Settings settings;
    settings.messages = 230;
    settings.batchMembers = 1000;
    settings.doublesAllowed = false;
    RetrySimulation simulation(23, settings);
    simulation.broker->pumpAtOnce = 50;
    simulation.start();
    simulation.request();
    QVERIFY(isQuietEnd(simulation));
    QList<int> sizes; // an outage can duplicate at most one batch
    for (const records::RetryBatch &batch : simulation.batches(simulation.operations().first().id))
        sizes.append(batch.stagedCount);
    QCOMPARE(sizes, (QList<int>{100, 100, 30}));
}

void TestRetryMembers::aQueueThatIsThereAgainIsNotKeptOut_data()
{
    bothHandOvers();
}

void TestRetryMembers::aQueueThatIsThereAgainIsNotKeptOut()
{
    QFETCH(HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.messages = 10; // the third and the eighth have no destination
    settings.missingDestination = true;
    RetrySimulation simulation(24, settings);
    simulation.start();
    simulation.request();
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Ejected), 2);

    simulation.broker->addQueue(QStringLiteral("nowhere"));
    simulation.request(); // at once, without waiting for a back-off
    QVERIFY(simulation.runUntil([&] { return simulation.operations().size() == 2; }));
    QVERIFY(simulation.runToEnd());
    QCOMPARE(simulation.problems(), QStringList{});
    QCOMPARE(simulation.operations().first().total, 2);
    QCOMPARE(simulation.operations().first().counts.sent, 2);
}

void TestRetryMembers::cancellingABigSetLetsOthersHaveTheirTurn()
{
    Settings settings;
    settings.handOver = HandOver::IntentLog;
    settings.messages = 2300;
    settings.batchMembers = 1000;
    RetrySimulation simulation(25, settings);
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return count(simulation, Outcome::Sent) > 0; }));
    QVERIFY(
        simulation.processor->change(simulation.operations().first().id, retry::StateChange::Cancel, {}).has_value());
    QList<qint64> steps; // how many were cancelled, after each turn of the clock
    const auto isCancelled = [&] {
        const qint64 cancelled = simulation.operations().first().counts.cancelled;
        if (cancelled > (steps.isEmpty() ? 0 : steps.last()))
            steps.append(cancelled);
        return simulation.operations().first().finished.has_value();
    };
    QVERIFY(simulation.runUntil(isCancelled));
    QVERIFY(steps.size() >= 3);
    for (qsizetype i = 1; i < steps.size(); ++i)
        QVERIFY(steps.at(i) - steps.at(i - 1) <= 1000);
    QVERIFY(steps.first() <= 1000);
}

REDRIVE_TEST(TestRetryMembers)
#include "tst_retrymembers.moc"
