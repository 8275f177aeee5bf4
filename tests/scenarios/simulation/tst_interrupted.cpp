// The program or the broker stops in the middle of a retry: what is flagged as a possible duplicate and what is not.
#include "tests/scenarios/simulation/simulationquestions.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::Outcome;
using scenario::count;
using scenario::isQuietEnd;
using scenario::losesAStagingPlace;
using scenario::RetrySimulation;
using scenario::Settings;

// A broker that fails, or loses a staging queue, while it forwards: what is then known about each message, and what is
// not.
class TestInterrupted : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aBrokerRestartFlagsPossibleDuplicates();
    void whatIsRefusedAfterABrokerRestartIsInDoubt_data();
    void whatIsRefusedAfterABrokerRestartIsInDoubt();
    void whatIsRefusedAfterABrokerRestartIsSentAgainWhereThePlanSaysSo();
    void aVanishedStagingPlaceLeavesItsMembersInDoubt();
};

void TestInterrupted::aBrokerRestartFlagsPossibleDuplicates()
{
    RetrySimulation simulation(10, {});
    simulation.broker->pumpAtOnce = 1;
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return simulation.broker->depthOf(QStringLiteral("sales")) > 0; }));
    ++simulation.restarts;
    simulation.broker->restart();
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 12);
    QCOMPARE(simulation.operations().first().counts.possibleDuplicates, 5); // the one batch that was on its way
}

void TestInterrupted::whatIsRefusedAfterABrokerRestartIsInDoubt_data()
{
    QTest::addColumn<bool>("onTrial");
    QTest::newRow("the first time") << false;
    QTest::newRow("as the copy that tries a destination again") << true;
}

// The refused copy may be the second one: the first arrived when the broker failed, before that was recorded.
void TestInterrupted::whatIsRefusedAfterABrokerRestartIsInDoubt()
{
    QFETCH(bool, onTrial);
    RetrySimulation simulation(13, {});
    simulation.broker->pumpAtOnce = 1;
    simulation.fillUp(onTrial);
    simulation.start();
    simulation.request();
    if (onTrial)
        QVERIFY(simulation.runUntil([&] { return count(simulation, Outcome::Ejected) > 0; }));
    const qint64 ejected = count(simulation, Outcome::Ejected);
    simulation.fillUp(false);
    QVERIFY(simulation.runUntil([&] { return simulation.broker->depthOf(QStringLiteral("billing")) == 1; }));
    ++simulation.restarts;
    simulation.broker->restart();
    simulation.fillUp(true);
    QVERIFY(simulation.runUntil([&] { return count(simulation, Outcome::InDoubt) > 0; }));
    simulation.fillUp(false);
    QVERIFY(isQuietEnd(simulation));

    QCOMPARE(count(simulation, Outcome::Ejected), ejected);
    QCOMPARE(count(simulation, Outcome::Sent) + count(simulation, Outcome::InDoubt), 12 - ejected);
    for (const store::RetryMember &member : simulation.members(simulation.operations().first().id)) {
        if (member.outcome != Outcome::InDoubt)
            continue;
        QVERIFY(member.possibleDuplicate);
        QVERIFY2(member.reason.contains(QStringLiteral("an earlier copy may have arrived")), qPrintable(member.reason));
        QVERIFY(simulation.message(member.message).status == records::MessageStatus::RetryIssued);
    }
}

void TestInterrupted::whatIsRefusedAfterABrokerRestartIsSentAgainWhereThePlanSaysSo()
{
    Settings settings;
    settings.onUnknown = records::OnUnknown::SendAgain;
    RetrySimulation simulation(13, settings);
    simulation.broker->pumpAtOnce = 1;
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return simulation.broker->depthOf(QStringLiteral("billing")) == 1; }));
    ++simulation.restarts;
    simulation.broker->restart();
    simulation.fillUp(true);
    const auto flagged = [&simulation] {
        const QList<store::RetryMember> all = simulation.members(simulation.operations().first().id);
        return std::count_if(all.begin(), all.end(), [](const auto &one) { return one.possibleDuplicate; });
    };
    QVERIFY(simulation.runUntil([&] { return flagged() > 0; }));
    simulation.fillUp(false);
    QVERIFY(isQuietEnd(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 12);
    QVERIFY(flagged() < 12); // the one batch that was on its way
}

void TestInterrupted::aVanishedStagingPlaceLeavesItsMembersInDoubt()
{
    Settings settings;
    settings.messages = 4;
    RetrySimulation simulation(11, settings);
    QVERIFY(losesAStagingPlace(simulation));
    QVERIFY(simulation.runToEnd());
    const core::OperationId id = simulation.operations().first().id;
    QCOMPARE(simulation.operations().first().counts.inDoubt, 4);

    QVERIFY(simulation.processor->sendAgain(id, {}).has_value());
    QVERIFY(simulation.runToEnd());
    QCOMPARE(simulation.operations().first().counts.sent, 4);
    QCOMPARE(simulation.operations().first().counts.possibleDuplicates, 4);
    for (const store::RetryMember &member : simulation.members(id))
        QCOMPARE(member.attempt, 1);
}

REDRIVE_TEST(TestInterrupted)
#include "tst_interrupted.moc"
