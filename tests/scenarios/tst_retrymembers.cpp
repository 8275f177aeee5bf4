#include "tests/scenarios/worldquestions.h"

#include "backend/store/messagestore.h"
#include "backend/store/retrystore.h"

#include <QTest>

using records::HandOver;
using records::Outcome;
using scenario::bothHandOvers;
using scenario::count;
using scenario::isQuietEnd;
using scenario::losesAStagingPlace;
using scenario::RetryWorld;
using scenario::Settings;

// What people decide about members, and what keeps a member from being sent: each on the hand-overs that have it.
class TestRetryMembers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void assumingThatTheyWereSentSettlesADoubt();
    void whatWasArchivedIsNotSentAgainAndStaysInDoubt();
    void whatIsTakenBackCanBeRetriedAgain_data();
    void whatIsTakenBackCanBeRetriedAgain();
    void whatCannotBeSentUnchangedIsLeftOut_data();
    void whatCannotBeSentUnchangedIsLeftOut();
    void whatCannotBeSentUnchangedAnyMoreIsEjected_data();
    void whatCannotBeSentUnchangedAnyMoreIsEjected();
    void whereDoublesAreNotAllowedBatchesAreSmall();
    void aQueueThatIsThereAgainIsNotKeptOut_data();
    void aQueueThatIsThereAgainIsNotKeptOut();
    void cancellingABigSetLetsOthersHaveTheirTurn();
};

void TestRetryMembers::assumingThatTheyWereSentSettlesADoubt()
{
    Settings settings;
    settings.messages = 4;
    RetryWorld world(20, settings);
    QVERIFY(losesAStagingPlace(world));
    QVERIFY(world.runToEnd());
    const core::OperationId id = world.operations().first().id;
    const QList<store::RetryMember> doubtful = world.members(id);
    QVERIFY(world.processor->assumeSent(id, {doubtful.at(0).ordinal, doubtful.at(1).ordinal}).has_value());
    QCOMPARE(world.operations().first().counts.sent, 2);
    QCOMPARE(world.operations().first().counts.inDoubt, 2);
    QVERIFY(world.processor->assumeSent(id, {}).has_value());
    QVERIFY(world.runToEnd());
    QCOMPARE(world.operations().first().counts.sent, 4);
    QCOMPARE(world.operations().first().counts.inDoubt, 0);
    QCOMPARE(world.operations().first().counts.possibleDuplicates, 4);
    for (const store::RetryMember &member : world.members(id)) {
        QVERIFY(world.message(member.message).status == records::MessageStatus::RetryIssued);
        QVERIFY(world.deliveries(member.uniqueId, id) <= 1); // assumed, not sent once more
    }
}

void TestRetryMembers::whatWasArchivedIsNotSentAgainAndStaysInDoubt()
{
    Settings settings;
    settings.messages = 4;
    RetryWorld world(22, settings);
    QVERIFY(losesAStagingPlace(world));
    QCOMPARE(count(world, Outcome::InDoubt), 4);
    const core::OperationId id = world.operations().first().id;
    QVERIFY(world.processor->sendAgain(id, {}).has_value());
    QCOMPARE(world.decide(scenario::Decision::Archive, {{1}}).value_or(0), 1);
    QVERIFY(world.runUntil([&] { return count(world, Outcome::Sent) == 3; }));
    QVERIFY(world.runToEnd());
    QCOMPARE(world.operations().first().counts.inDoubt, 1);

    QVERIFY(world.processor->sendAgain(id, {}).has_value()); // nobody says that it arrived, and nobody may send it
    QVERIFY(world.runToEnd());
    QCOMPARE(world.operations().first().counts.inDoubt, 1);
    QCOMPARE(world.operations().first().counts.sent, 3);
    const store::RetryMember archived = world.members(id).constFirst();
    QVERIFY(archived.outcome == Outcome::InDoubt);
    QCOMPARE(archived.reason, QStringLiteral("The message was archived before it was sent."));

    QVERIFY(world.processor->assumeSent(id, {archived.ordinal}).has_value());
    QCOMPARE(world.operations().first().counts.inDoubt, 0);
}

void TestRetryMembers::whatIsTakenBackCanBeRetriedAgain_data()
{
    bothHandOvers();
}

void TestRetryMembers::whatIsTakenBackCanBeRetriedAgain()
{
    QFETCH(HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.messages = 3;
    RetryWorld world(21, settings);
    world.start();
    world.request();
    QVERIFY(isQuietEnd(world));
    const core::OperationId first = world.operations().first().id;
    const core::MessageId message = world.members(first).first().message;
    int taken = 0;
    const core::Result<> done = world.process->transact([&](store::Session &session) -> core::Result<> {
        const core::Result<int> back = session.retries().close({message}, {store::Closure::TakenBack, {}, {}});
        if (!back)
            return core::fail(back.error());
        taken = *back;
        return {};
    });
    QVERIFY(done.has_value());
    QCOMPARE(taken, 1);
    QVERIFY(world.message(message).status == records::MessageStatus::Unresolved);
    QVERIFY(world.members(first).first().possibleDuplicate);
    QVERIFY(world.members(first).first().outcome == Outcome::Sent);

    world.request();
    QVERIFY(world.runUntil([&] { return world.operations().size() == 2; }));
    QVERIFY(world.runToEnd());
    const records::RetryOperation second = world.operations().first();
    QCOMPARE(second.total, 1);
    QCOMPARE(second.counts.sent, 1);
    QCOMPARE(world.members(second.id).first().attempt, 2);
}

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
    RetryWorld world(22, settings);
    world.start();
    world.request();
    QVERIFY(isQuietEnd(world));
    QCOMPARE(world.operations().first().total, 3);
    QCOMPARE(count(world, Outcome::Sent), 3);
}

void TestRetryMembers::whatCannotBeSentUnchangedAnyMoreIsEjected_data()
{
    bothHandOvers();
}

// It failed again between the freeze and its batch, now with headers that HTTP cannot carry.
void TestRetryMembers::whatCannotBeSentUnchangedAnyMoreIsEjected()
{
    QFETCH(HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.messages = 4;
    settings.batchMembers = 1;
    RetryWorld world(22, settings);
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return !world.operations().isEmpty(); }));
    const core::OperationId id = world.operations().first().id;
    const core::MessageId last = world.members(id).last().message;
    QVERIFY(world.members(id).last().outcome == Outcome::Pending);
    const core::Result<> failed = world.failUnfaithfully(last);
    QVERIFY(failed.has_value());
    QVERIFY(isQuietEnd(world));
    const store::RetryMember odd = world.members(id).last();
    QVERIFY(odd.outcome == Outcome::Ejected);
    QVERIFY(odd.reason.contains(u"headers"));
    QCOMPARE(world.deliveries(odd.uniqueId, id), 0);
    QVERIFY(world.message(odd.message).status == records::MessageStatus::Unresolved);
    QCOMPARE(count(world, Outcome::Sent), 3);
}

void TestRetryMembers::whereDoublesAreNotAllowedBatchesAreSmall()
{
    Settings settings;
    settings.messages = 230;
    settings.batchMembers = 1000;
    settings.doublesAllowed = false;
    RetryWorld world(23, settings);
    world.broker->pumpAtOnce = 50;
    world.start();
    world.request();
    QVERIFY(isQuietEnd(world));
    QList<int> sizes; // an interruption can double one batch at most
    for (const records::RetryBatch &batch : world.batches(world.operations().first().id))
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
    settings.messages = 10; // the third and the eighth go nowhere
    settings.missingDestination = true;
    RetryWorld world(24, settings);
    world.start();
    world.request();
    QVERIFY(isQuietEnd(world));
    QCOMPARE(count(world, Outcome::Ejected), 2);

    world.broker->addQueue(QStringLiteral("nowhere"));
    world.request(); // at once: long before any rest would be over
    QVERIFY(world.runUntil([&] { return world.operations().size() == 2; }));
    QVERIFY(world.runToEnd());
    QCOMPARE(world.problems(), QStringList{});
    QCOMPARE(world.operations().first().total, 2);
    QCOMPARE(world.operations().first().counts.sent, 2);
}

void TestRetryMembers::cancellingABigSetLetsOthersHaveTheirTurn()
{
    Settings settings;
    settings.handOver = HandOver::Ledger;
    settings.messages = 2300;
    settings.batchMembers = 1000;
    RetryWorld world(25, settings);
    world.start();
    world.request();
    QVERIFY(world.runUntil([&] { return count(world, Outcome::Sent) > 0; }));
    QVERIFY(world.processor->change(world.operations().first().id, retry::StateChange::Cancel, {}).has_value());
    QList<qint64> steps; // how many were cancelled, after each turn of the clock
    const auto isCancelled = [&] {
        const qint64 cancelled = world.operations().first().counts.cancelled;
        if (cancelled > (steps.isEmpty() ? 0 : steps.last()))
            steps.append(cancelled);
        return world.operations().first().finished.has_value();
    };
    QVERIFY(world.runUntil(isCancelled));
    QVERIFY(steps.size() >= 3);
    for (qsizetype i = 1; i < steps.size(); ++i)
        QVERIFY(steps.at(i) - steps.at(i - 1) <= 1000);
    QVERIFY(steps.first() <= 1000);
}

QTEST_GUILESS_MAIN(TestRetryMembers)
#include "tst_retrymembers.moc"
