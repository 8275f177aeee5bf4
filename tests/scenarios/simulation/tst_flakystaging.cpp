// Staging over a network that fails: only missing copies are sent again, and a late copy is never a second one.
#include "tests/scenarios/simulation/simulationquestions.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <array>

using records::Outcome;
using scenario::anyBatchIn;
using scenario::count;
using scenario::isQuietEnd;
using scenario::RetrySimulation;
using scenario::Settings;
using support::FakeBroker;
using FaultPoint = FakeBroker::SendFate;

namespace {

// When a copy that is late arrives.
enum class Arrival { BeforeTheEntranceCloses, AfterThat, WhileItIsForwarded, AtTheEnd, Never };

Settings oneBatch(int messages)
{
    Settings settings;
    settings.messages = messages;
    settings.batchMembers = messages;
    return settings;
}

// The first copy that is staged is late; `arrive` lets it come.
struct LateCopy
{
    explicit LateCopy(FakeBroker &broker)
    {
        broker.keepLate = [this](const std::function<void()> &comes) { arrive = comes; };
        broker.fateOf = [this](const broker::Outgoing &) { return isFirst() ? FaultPoint::Late : FaultPoint::Arrives; };
    }
    bool isFirst() { return !std::exchange(seen, true); }

    std::function<void()> arrive;
    bool seen = false;
};

bool eachOnce(RetrySimulation &simulation)
{
    const core::OperationId id = simulation.operations().first().id;
    const QList<store::RetryMember> members = simulation.members(id);
    return std::all_of(members.begin(), members.end(), [&](const store::RetryMember &member) {
        return member.outcome == Outcome::Sent && !member.possibleDuplicate
               && simulation.deliveries(member.uniqueId, id) == 1;
    });
}

} // namespace

// A network that sometimes fails while a staging queue is filled: unanswered copies are looked up and sent again if
// they are missing, and nothing arrives twice, however late.
class TestFlakyStaging : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLateCopyIsNoSecondOne_data();
    void aLateCopyIsNoSecondOne();
    void aQuestionWithoutAnAnswerIsAskedAgain_data();
    void aQuestionWithoutAnAnswerIsAskedAgain();
    void aCrashAfterALateCopyLeavesItInNoQueue_data();
    void aCrashAfterALateCopyLeavesItInNoQueue();
    void onePlaceIsEnoughAtEveryRate_data();
    void onePlaceIsEnoughAtEveryRate();
    void itIsSaidWhyARetryStands();
    void theShareIsSaidWhileItIsTrue();
};

void TestFlakyStaging::aLateCopyIsNoSecondOne_data()
{
    QTest::addColumn<Arrival>("arrival");
    QTest::addColumn<int>("wasted"); // copies that arrived after their entrance was closed
    QTest::newRow("before its entrance is closed") << Arrival::BeforeTheEntranceCloses << 0;
    QTest::newRow("after that") << Arrival::AfterThat << 1;
    QTest::newRow("while the batch is forwarded") << Arrival::WhileItIsForwarded << 1;
    QTest::newRow("when all is over") << Arrival::AtTheEnd << 1;
    QTest::newRow("never") << Arrival::Never << 0;
}

void TestFlakyStaging::aLateCopyIsNoSecondOne()
{
    QFETCH(Arrival, arrival);
    QFETCH(int, wasted);
    RetrySimulation simulation(21, oneBatch(6));
    LateCopy late(*simulation.broker);
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return bool(late.arrive); }));
    QCOMPARE(simulation.broker->entrancesClosed, 0);
    if (arrival == Arrival::AfterThat)
        QVERIFY(simulation.runUntil([&] { return simulation.broker->entrancesClosed == 1; }));
    if (arrival == Arrival::WhileItIsForwarded)
        QVERIFY(simulation.runUntil([&] { return anyBatchIn(simulation, records::BatchStage::Forwarding); }));
    if (arrival == Arrival::AtTheEnd)
        QVERIFY(simulation.runToEnd());
    if (arrival != Arrival::Never)
        late.arrive();
    QVERIFY(isQuietEnd(simulation));
    QVERIFY(eachOnce(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 6);
    QCOMPARE(simulation.broker->placesOpened, 1);
    QCOMPARE(simulation.broker->entrancesClosed, 1);
    QCOMPARE(simulation.broker->lateCopies, wasted);
}

void TestFlakyStaging::aQuestionWithoutAnAnswerIsAskedAgain_data()
{
    QTest::addColumn<int>("step"); // of closing, listing and opening
    QTest::newRow("it is not closed") << 0;
    QTest::newRow("it is closed, and nothing is listed") << 1;
    QTest::newRow("the next one is open, and the list is lost") << 2;
}

void TestFlakyStaging::aQuestionWithoutAnAnswerIsAskedAgain()
{
    QFETCH(int, step);
    RetrySimulation simulation(22, oneBatch(6));
    LateCopy late(*simulation.broker);
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return bool(late.arrive); }));
    simulation.broker->failCall = simulation.broker->calls + step; // the first of them is on its way
    QVERIFY(!simulation.operations().first().waitingReason.isEmpty());
    QVERIFY(isQuietEnd(simulation));
    QVERIFY(simulation.broker->calls > simulation.broker->failCall);
    late.arrive();
    QVERIFY(eachOnce(simulation));
    QCOMPARE(simulation.broker->placesOpened, 1);
    QCOMPARE(simulation.broker->lateCopies, 1);
}

void TestFlakyStaging::aCrashAfterALateCopyLeavesItInNoQueue_data()
{
    QTest::addColumn<int>("steps"); // of the simulation, after the copy was sent
    for (const int steps : {0, 1, 2, 3, 4, 5, 6, 8, 10, 13})
        QTest::addRow("%d steps after it went", steps) << steps;
}

void TestFlakyStaging::aCrashAfterALateCopyLeavesItInNoQueue()
{
    QFETCH(int, steps);
    for (const bool comesBefore : {true, false}) {
        RetrySimulation simulation(23, oneBatch(6));
        LateCopy late(*simulation.broker);
        simulation.start();
        simulation.request();
        QVERIFY(simulation.runUntil([&] { return bool(late.arrive); }));
        for (int i = 0; i < steps; ++i)
            QVERIFY(simulation.step());
        simulation.crash();
        if (comesBefore)
            late.arrive();
        QVERIFY(isQuietEnd(simulation));
        if (!comesBefore)
            late.arrive();
        QVERIFY(eachOnce(simulation));
    }
}

void TestFlakyStaging::onePlaceIsEnoughAtEveryRate_data()
{
    QTest::addColumn<int>("failsOneIn");
    for (const int oneIn : {300, 50, 8, 2})
        QTest::addRow("1 in %d", oneIn) << oneIn;
}

// As long as listings are answered, no copy that is in the queue is given up.
void TestFlakyStaging::onePlaceIsEnoughAtEveryRate()
{
    QFETCH(int, failsOneIn);
    RetrySimulation simulation(24, oneBatch(400));
    core::SeededRandom chance(5);
    simulation.broker->fateOf = [&](const broker::Outgoing &) {
        constexpr std::array fates{FaultPoint::LostBefore, FaultPoint::LostAfter, FaultPoint::Late};
        return chance.below(quint64(failsOneIn)) == 0 ? fates.at(chance.below(fates.size())) : FaultPoint::Arrives;
    };
    simulation.start();
    simulation.request();
    QVERIFY(isQuietEnd(simulation));
    QVERIFY(eachOnce(simulation));
    QCOMPARE(count(simulation, Outcome::Sent), 400);
    QCOMPARE(simulation.stagedSeen, 400);
    QCOMPARE(simulation.broker->placesOpened, 1);
}

void TestFlakyStaging::itIsSaidWhyARetryStands()
{
    RetrySimulation simulation(25, oneBatch(6));
    simulation.broker->fateOf = [](const broker::Outgoing &) { return FaultPoint::LostBefore; };
    simulation.start();
    simulation.request();
    const auto reason = [&] {
        const QList<records::RetryOperation> all = simulation.operations();
        return all.isEmpty() ? QString() : all.first().waitingReason;
    };
    QVERIFY(simulation.runUntil([&] { return !reason().isEmpty(); }));
    constexpr int someMinutes = 20000;
    for (int i = 0; i < someMinutes; ++i) {
        QVERIFY(simulation.step());
        QVERIFY(!reason().isEmpty());
    }
    QVERIFY(simulation.broker->placesOpened > 1); // it does not try one place forever
    simulation.broker->fateOf = {};
    QVERIFY(isQuietEnd(simulation));
    QVERIFY(eachOnce(simulation));
    QCOMPARE(reason(), QString());
}

void TestFlakyStaging::theShareIsSaidWhileItIsTrue()
{
    RetrySimulation simulation(26, oneBatch(6));
    LateCopy late(*simulation.broker);
    simulation.line->setFailingShare([] { return 17; });
    simulation.start();
    simulation.request();
    QVERIFY(simulation.runUntil([&] { return bool(late.arrive); }));
    QVERIFY(simulation.operations().first().waitingReason.contains(QStringLiteral("17")));
    QVERIFY(simulation.runUntil([&] { return anyBatchIn(simulation, records::BatchStage::Forwarding); }));
    QCOMPARE(simulation.operations().first().waitingReason, QString());
    QVERIFY(isQuietEnd(simulation));
}

REDRIVE_TEST(TestFlakyStaging)
#include "tst_flakystaging.moc"
