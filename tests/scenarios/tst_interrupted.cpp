#include "tests/scenarios/worldquestions.h"

#include "backend/store/retrystore.h"

#include <QTest>

using records::Outcome;
using scenario::count;
using scenario::isQuietEnd;
using scenario::losesAStagingPlace;
using scenario::RetryWorld;
using scenario::Settings;

// A broker that falls, or loses a staging queue, while it forwards: what is known of each message then, and what is not.
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
    RetryWorld world(10, {});
    world.broker->pumpAtOnce = 1;
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return world.broker->depthOf(QStringLiteral("sales")) > 0; }));
    ++world.restarts;
    world.broker->restart();
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 12);
    QCOMPARE(world.operations().first().counts.possibleDuplicates, 5); // the one batch that was on its way
}

void TestInterrupted::whatIsRefusedAfterABrokerRestartIsInDoubt_data()
{
    QTest::addColumn<bool>("onTrial");
    QTest::newRow("the first time") << false;
    QTest::newRow("as the copy that tries a destination again") << true;
}

// The copy that is refused may be the second one: the first had arrived when the broker fell, and nobody had noted it.
void TestInterrupted::whatIsRefusedAfterABrokerRestartIsInDoubt()
{
    QFETCH(bool, onTrial);
    RetryWorld world(13, {});
    world.broker->pumpAtOnce = 1;
    world.fillUp(onTrial);
    world.start();
    world.request();
    if (onTrial)
        QVERIFY(world.runUntil([&] { return count(world, Outcome::Ejected) > 0; }));
    const qint64 ejected = count(world, Outcome::Ejected);
    world.fillUp(false);
    QVERIFY(world.runUntil([&] { return world.broker->depthOf(QStringLiteral("billing")) == 1; }));
    ++world.restarts;
    world.broker->restart();
    world.fillUp(true);
    QVERIFY(world.runUntil([&] { return count(world, Outcome::InDoubt) > 0; }));
    world.fillUp(false);
    QVERIFY(isQuietEnd(world));

    QCOMPARE(count(world, Outcome::Ejected), ejected);
    QCOMPARE(count(world, Outcome::Sent) + count(world, Outcome::InDoubt), 12 - ejected);
    for (const store::RetryMember &member : world.members(world.operations().first().id)) {
        if (member.outcome != Outcome::InDoubt)
            continue;
        QVERIFY(member.possibleDuplicate);
        QVERIFY2(member.reason.contains(QStringLiteral("an earlier copy may have arrived")), qPrintable(member.reason));
        QVERIFY(world.message(member.message).status == records::MessageStatus::RetryIssued);
    }
}

void TestInterrupted::whatIsRefusedAfterABrokerRestartIsSentAgainWhereThePlanSaysSo()
{
    Settings settings;
    settings.onUnknown = records::OnUnknown::SendAgain;
    RetryWorld world(13, settings);
    world.broker->pumpAtOnce = 1;
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return world.broker->depthOf(QStringLiteral("billing")) == 1; }));
    ++world.restarts;
    world.broker->restart();
    world.fillUp(true);
    const auto flagged = [&world] {
        const QList<store::RetryMember> all = world.members(world.operations().first().id);
        return std::count_if(all.begin(), all.end(), [](const auto &one) { return one.possibleDuplicate; });
    };
    QVERIFY(world.runUntil([&] { return flagged() > 0; }));
    world.fillUp(false);
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Sent), 12);
    QVERIFY(flagged() < 12); // the one batch that was on its way
}

void TestInterrupted::aVanishedStagingPlaceLeavesItsMembersInDoubt()
{
    Settings settings;
    settings.messages = 4;
    RetryWorld world(11, settings);
    QVERIFY(losesAStagingPlace(world));
    QVERIFY(world.runToEnd());
    const core::OperationId id = world.operations().first().id;
    QCOMPARE(world.operations().first().counts.inDoubt, 4);

    QVERIFY(world.processor->sendAgain(id, {}).has_value());
    QVERIFY(world.runToEnd());
    QCOMPARE(world.operations().first().counts.sent, 4);
    QCOMPARE(world.operations().first().counts.possibleDuplicates, 4);
    for (const store::RetryMember &member : world.members(id))
        QCOMPARE(member.attempt, 1);
}

QTEST_GUILESS_MAIN(TestInterrupted)
#include "tst_interrupted.moc"
