// Intake over a broker in memory: crashes, lost locks, bad input; every message is stored once and none is lost.
#include "backend/core/limits.h"
#include "tests/backend/intake/intakefixture.h"
#include "tests/support/testmain/testmain.h"

using core::ErrorKind;
using test::FaultPoint;
using test::IntakeFixture;

class TestIntake final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void takesAllPageByPage_data();
    void takesAllPageByPage();
    void takesNoMoreThanAsked();
    void aFailedCallBesideOthersIsNoEmptyQueue_data();
    void aFailedCallBesideOthersIsNoEmptyQueue();
    void theNextPageIsHeldWhileThisOneIsTaken();
    void whatAnInterruptionGaveTwiceIsDoubtfulInBothHoldingQueues();
    void anyPointMayFail_data();
    void anyPointMayFail();
    void aCrashAtAnyPointChangesNothing_data();
    void aCrashAtAnyPointChangesNothing();
    void lostLocksAreTakenAgainAndRecognised();
    void whatIsNeverRemovedEndsTheIntake();
    void whatIsNotRemovedIsKnownToTheNextIntake();
    void betweenTwoPagesOthersGetTheirTurn_data();
    void betweenTwoPagesOthersGetTheirTurn();
    void theRestIsTakenOnlyWhereItMayStillBe_data();
    void theRestIsTakenOnlyWhereItMayStillBe();
    void whatNobodyWantsAnyMoreEndsAfterWhatIsHeld_data();
    void whatNobodyWantsAnyMoreEndsAfterWhatIsHeld();
    void refusals_data();
    void refusals();
    void aRefusedIntakeEnds();
    void anIntakeThatTheBrokerRefusesToRemoveEnds();
    void aFullDiskStopsAfterWhatIsHeld();
    void oneMessageThatTheStoreRefusesIsKeptAsItIs();
};

namespace {

constexpr int some = 7;
constexpr int smallPage = 2; // so that two holding queues take turns

// Half of the messages have ids that are unique, half have none.
QByteArrayList fill(IntakeFixture &fixture, int count)
{
    QByteArrayList bodies;
    for (int i = 0; i < count; ++i) {
        const QByteArray body = "body " + QByteArray::number(i).rightJustified(6, '0');
        fixture.broker.put(i % 2 == 0 ? test::failedMessage(QString::number(i), body) : test::plainMessage(body));
        bodies.append(body);
    }
    return bodies;
}

void kinds()
{
    QTest::addColumn<bool>("locks");
    QTest::newRow("holding queue") << false;
    QTest::newRow("locks") << true;
}

void kindsAndPages()
{
    QTest::addColumn<bool>("locks");
    QTest::addColumn<int>("page");
    QTest::newRow("holding queue") << false << core::limits::intakePage;
    QTest::newRow("two holding queues") << false << smallPage;
    QTest::newRow("locks") << true << core::limits::intakePage;
    QTest::newRow("locks, several pages") << true << smallPage;
}

void verifyEnd(IntakeFixture &fixture, const QByteArrayList &bodies)
{
    QCOMPARE(fixture.bodies(), bodies);
    for (const records::FailedMessage &message : fixture.stored()) {
        QCOMPARE(message.attempts, 1);
        QVERIFY(!message.flags.testFlag(records::MessageFlag::PossibleDuplicate));
    }
    QCOMPARE(fixture.broker.messagesLeft(), 0);
    QVERIFY(fixture.broker.holdsNothing());
}

} // namespace

void TestIntake::takesAllPageByPage_data()
{
    kinds();
}

void TestIntake::takesAllPageByPage()
{
    QFETCH(bool, locks);
    IntakeFixture fixture(locks);
    const QByteArrayList bodies = fill(fixture, 2100);
    const auto counts = fixture.take();
    QVERIFY(counts.has_value());
    QCOMPARE(*counts, (records::IntakeCounts{2100, 2100, 0, 0, 0}));
    QCOMPARE(fixture.broker.takes, 3);
    verifyEnd(fixture, bodies);
    QVERIFY(fixture.openRuns().isEmpty());
}

void TestIntake::takesNoMoreThanAsked()
{
    IntakeFixture fixture(false);
    const QByteArrayList bodies = fill(fixture, 5);
    QCOMPARE(fixture.take(2)->taken, 2);
    QCOMPARE(fixture.bodies(), bodies.mid(0, 2));
    QCOMPARE(fixture.broker.messagesLeft(), 3);
    QVERIFY(fixture.broker.holdsNothing());
    QVERIFY(fixture.openRuns().isEmpty());
}

void TestIntake::aFailedCallBesideOthersIsNoEmptyQueue_data()
{
    QTest::addColumn<core::ErrorKind>("kind");
    QTest::addColumn<bool>("told");
    QTest::newRow("refused: nothing is hidden") << core::ErrorKind::Throttled << false;
    QTest::newRow("answer lost: messages may be hidden") << core::ErrorKind::UnknownOutcome << true;
    QTest::newRow("answer not readable") << core::ErrorKind::Corrupt << true;
}

void TestIntake::aFailedCallBesideOthersIsNoEmptyQueue()
{
    QFETCH(core::ErrorKind, kind);
    QFETCH(bool, told);
    IntakeFixture fixture(true);
    const QByteArrayList bodies = fill(fixture, 5);
    fixture.broker.troubleBeside = core::Error{kind, QStringLiteral("One call failed."), {}, {}};
    const auto counts = fixture.take();
    QCOMPARE(!counts, told);
    if (told) {
        QVERIFY(counts.error().kind == kind && counts.error().message.endsWith(QLatin1String("One call failed.")));
        QVERIFY2(counts.error().message.startsWith(QLatin1String("Messages taken from error: 5. ")),
                 qPrintable(counts.error().message));
    }
    verifyEnd(fixture, bodies);
    QVERIFY(fixture.take().has_value()); // that was that intake's trouble
}

void TestIntake::theNextPageIsHeldWhileThisOneIsTaken()
{
    IntakeFixture fixture(false, smallPage);
    const QByteArrayList bodies = fill(fixture, some);
    QList<qsizetype> held;
    fixture.broker.onRelease = [&] {
        if (fixture.broker.holdingQueues() == 0) // the proof that the run that was begun last made nothing
            return;
        QVERIFY(fixture.openRuns().size() == fixture.broker.holdingQueues() || held.size() == 3);
        held.append(fixture.broker.holdingQueues());
    };
    QCOMPARE(*fixture.take(), (records::IntakeCounts{some, some, 0, 0, 0}));
    QCOMPARE(held, (QList<qsizetype>{2, 2, 2, 1}));
    verifyEnd(fixture, bodies);
    QVERIFY(fixture.openRuns().isEmpty());
}

// The broker restarts while the second holding queue fills: it may have forgotten what it gave into either.
void TestIntake::whatAnInterruptionGaveTwiceIsDoubtfulInBothHoldingQueues()
{
    IntakeFixture fixture(false, smallPage);
    for (const char *body : {"a", "b", "c", "d", "a", "e", "f"})
        fixture.broker.put(test::plainMessage(body));
    int asked = 0;
    intake::Order order;
    order.queue = QStringLiteral("error");
    order.wanted = [&] {
        if (++asked == 2) // before the second one
            fixture.broker.doubleIntoHolding();
        return true;
    };
    QVERIFY(test::ended(fixture.intake->take(order)));
    QByteArrayList flagged;
    for (const records::FailedMessage &message : fixture.stored()) {
        if (message.flags.testFlag(records::MessageFlag::PossibleDuplicate))
            flagged.append(fixture.bodyOf(message.id));
    }
    std::sort(flagged.begin(), flagged.end());
    QCOMPARE(flagged, (QByteArrayList{"a", "c", "d"}));
    QCOMPARE(fixture.bodies(), (QByteArrayList{"a", "a", "b", "c", "c", "d", "d", "e", "f"}));
    QVERIFY(fixture.broker.holdsNothing());
    QVERIFY(fixture.openRuns().isEmpty());
}

void TestIntake::anyPointMayFail_data()
{
    kindsAndPages();
}

// The n-th call or commit fails, before or after its effect; then the person asks again.
void TestIntake::anyPointMayFail()
{
    QFETCH(bool, locks);
    QFETCH(int, page);
    int failures = 0;
    for (int at = 1;; ++at) {
        IntakeFixture fixture(locks, page);
        const QByteArrayList bodies = fill(fixture, some);
        fixture.fate.at = at;
        const auto first = fixture.take();
        if (fixture.fate.passed < at)
            break;
        failures += first ? 0 : 1;
        fixture.broker.expireLocks();
        const auto second = fixture.take();
        QVERIFY2(second.has_value(), qPrintable(QString::number(at)));
        verifyEnd(fixture, bodies);
        if (QTest::currentTestFailed())
            return;
    }
    QVERIFY(failures > 6);
}

void TestIntake::aCrashAtAnyPointChangesNothing_data()
{
    kindsAndPages();
}

void TestIntake::aCrashAtAnyPointChangesNothing()
{
    QFETCH(bool, locks);
    QFETCH(int, page);
    int crashes = 0;
    int withTwo = 0;
    for (int at = 1;; ++at) {
        IntakeFixture fixture(locks, page);
        const QByteArrayList bodies = fill(fixture, some);
        fixture.fate.kind = FaultPoint::Kind::Crash;
        fixture.fate.at = at;
        static_cast<void>(fixture.take());
        if (fixture.fate.passed < at)
            break;
        ++crashes;
        withTwo += fixture.openRuns().size() == 2 ? 1 : 0;
        fixture.restart();
        // A second crash while the first is being cleaned up.
        fixture.fate.at = fixture.fate.passed + 3;
        static_cast<void>(test::ended(fixture.intake->recover()));
        fixture.restart();
        QVERIFY(test::ended(fixture.intake->recover()).has_value());
        QVERIFY(fixture.take().has_value());
        fixture.clock.pass(std::chrono::seconds(20));
        QVERIFY(test::ended(fixture.intake->checkAgain()).has_value());
        QVERIFY(fixture.take().has_value());
        verifyEnd(fixture, bodies);
        if (!QTest::currentTestFailed()) // locks are forgotten by time
            QVERIFY(locks || fixture.openRuns().isEmpty());
        if (QTest::currentTestFailed()) {
            qWarning("crash at %d", at);
            return;
        }
    }
    QVERIFY(crashes > 10);
    QVERIFY(page != smallPage || locks || withTwo > 20);
}

void TestIntake::lostLocksAreTakenAgainAndRecognised()
{
    IntakeFixture fixture(true);
    const QByteArrayList bodies = fill(fixture, some);
    fixture.broker.locksLostOnRelease = true;
    const auto counts = fixture.take();
    QVERIFY(counts.has_value());
    QCOMPARE(counts->taken, some);
    verifyEnd(fixture, bodies);
}

// Some locks are always too short: this must not go on for ever.
void TestIntake::whatIsNeverRemovedEndsTheIntake()
{
    IntakeFixture fixture(true, smallPage);
    fill(fixture, smallPage);
    fixture.broker.onRelease = [&fixture] { fixture.broker.locksLostOnRelease = true; };
    const auto counts = fixture.take();
    QVERIFY(!counts);
    QVERIFY(counts.error().kind == ErrorKind::NotFound);
    QCOMPARE(fixture.stored().size(), smallPage);
    QCOMPARE(fixture.broker.takes, 1 + 3);
}

void TestIntake::whatIsNotRemovedIsKnownToTheNextIntake()
{
    IntakeFixture fixture(true);
    const QByteArrayList bodies = fill(fixture, some);
    int failed = 0;
    fixture.broker.removes = [&failed](const broker::ReceivedMessage &) { return failed++ % 2 == 0; };
    QCOMPARE(fixture.take()->taken, some);
    QCOMPARE(fixture.broker.messagesLeft(), some / 2);
    fixture.broker.removes = {};
    fixture.restart(); // the locks expire meanwhile
    const auto counts = fixture.take();
    QVERIFY(counts && *counts == records::IntakeCounts{});
    verifyEnd(fixture, bodies);
}

void TestIntake::betweenTwoPagesOthersGetTheirTurn_data()
{
    kinds();
}

void TestIntake::betweenTwoPagesOthersGetTheirTurn()
{
    QFETCH(bool, locks);
    IntakeFixture fixture(locks, smallPage);
    const QByteArrayList bodies = fill(fixture, 3 * smallPage);
    QList<qsizetype> stored;
    qint64 recovered = 0;
    intake::Order order;
    order.queue = QStringLiteral("error");
    order.pause = [&]() -> core::Task<> {
        stored.append(fixture.stored().size());
        // What was interrupted is finished meanwhile, but not what only pauses.
        const auto found = test::ended(fixture.intake->recover());
        recovered += found ? found->taken : -1;
        co_return;
    };
    QCOMPARE(test::ended(fixture.intake->take(order))->taken, 3 * smallPage);
    QCOMPARE(stored, (QList<qsizetype>{smallPage, 2 * smallPage}));
    QCOMPARE(recovered, 0);
    verifyEnd(fixture, bodies);
}

void TestIntake::theRestIsTakenOnlyWhereItMayStillBe_data()
{
    kinds();
}

void TestIntake::theRestIsTakenOnlyWhereItMayStillBe()
{
    QFETCH(bool, locks);
    IntakeFixture fixture(locks, smallPage);
    const int taken = locks ? smallPage : 2 * smallPage; // the next page was held already
    fill(fixture, taken + 20);
    intake::Order order;
    order.queue = QStringLiteral("error");
    order.progress = [&fixture](const records::IntakeCounts &) {
        fixture.fate.dead = true;
    }; // a crash after the first page
    QVERIFY(!test::ended(fixture.intake->take(order)));
    fixture.connection.rights = {};
    fixture.restart();
    QVERIFY(test::ended(fixture.intake->recover()).has_value());
    QCOMPARE(fixture.stored().size(), taken);
    QCOMPARE(fixture.broker.messagesLeft(), 20);
    fixture.connection.rights = records::Right::Take;
    fixture.restart();
    QVERIFY(test::ended(fixture.intake->recover()).has_value()); // it was given up, not put off
    QCOMPARE(fixture.broker.messagesLeft(), 20);
}

void TestIntake::whatNobodyWantsAnyMoreEndsAfterWhatIsHeld_data()
{
    kinds();
}

void TestIntake::whatNobodyWantsAnyMoreEndsAfterWhatIsHeld()
{
    QFETCH(bool, locks);
    IntakeFixture fixture(locks, smallPage);
    const int held = locks ? smallPage : 2 * smallPage;
    fill(fixture, held + 20);
    intake::Order order;
    order.queue = QStringLiteral("error");
    order.wanted = [&fixture] { return fixture.stored().isEmpty(); };
    const core::Result<records::IntakeCounts> taken = test::ended(fixture.intake->take(order));
    QVERIFY(taken);
    QCOMPARE(taken->taken, held);
    QCOMPARE(fixture.broker.messagesLeft(), 20);
    QVERIFY(fixture.broker.holdsNothing());
}

void TestIntake::refusals_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("word");
    QTest::newRow("right") << 0 << QStringLiteral("does not allow taking");
    QTest::newRow("browse only") << 1 << QStringLiteral("shovel plugin");
    QTest::newRow("queue") << 2 << QStringLiteral("operator policy");
    QTest::newRow("work queue") << 3 << QStringLiteral("not an error queue");
    QTest::newRow("no such queue") << 4 << QStringLiteral("does not exist");
}

void TestIntake::refusals()
{
    QFETCH(int, which);
    QFETCH(QString, word);
    IntakeFixture fixture(false);
    fill(fixture, 1);
    if (which == 0)
        fixture.connection.rights.setFlag(records::Right::Take, false);
    if (which == 1) {
        fixture.broker.capabilities.canTake = false;
        fixture.broker.capabilities.missing = QStringList{QStringLiteral("the shovel plugin")};
    }
    if (which == 2)
        fixture.broker.known[0].refusal = QStringLiteral("the operator policy \"ttl\" expires it");
    if (which == 3)
        fixture.broker.known[0].role = broker::QueueRole::Work;
    if (which == 4)
        fixture.broker.known.clear();
    fixture.restart();
    const auto taken = fixture.take();
    QVERIFY(!taken.has_value());
    QVERIFY2(taken.error().message.contains(word), qPrintable(taken.error().message));
    QCOMPARE(fixture.broker.takes, 0);
    QVERIFY(fixture.openRuns().isEmpty());
}

// The account may not create queues, which only the attempt tells.
void TestIntake::aRefusedIntakeEnds()
{
    IntakeFixture fixture(false);
    fill(fixture, 1);
    fixture.broker.mayConfigure = false;
    const auto taken = fixture.take();
    QVERIFY(!taken.has_value());
    QVERIFY(taken.error().kind == ErrorKind::Unauthorized);
    QVERIFY(fixture.openRuns().isEmpty()); // or the connection could never be removed
    fixture.broker.mayConfigure = true;
    QVERIFY(fixture.take().has_value());
    QCOMPARE(fixture.stored().size(), 1);
}

// The process died before it had the refusal.
void TestIntake::anIntakeThatTheBrokerRefusesToRemoveEnds()
{
    IntakeFixture fixture(false);
    fill(fixture, 1);
    fixture.broker.mayConfigure = false;
    fixture.broker.onRefused = [&fixture] { fixture.fate.dead = true; };
    QVERIFY(!fixture.take().has_value());
    fixture.broker.onRefused = {};
    QCOMPARE(fixture.openRuns().size(), 1);
    fixture.restart();
    static_cast<void>(test::ended(fixture.intake->recover())); // the rest is refused again
    QCOMPARE(fixture.openRuns().size(), 1); // its request may still arrive
    fixture.clock.pass(std::chrono::seconds(20));
    QVERIFY(test::ended(fixture.intake->checkAgain()).has_value());
    QVERIFY(fixture.openRuns().isEmpty());
    QCOMPARE(fixture.broker.messagesLeft(), 1);
}

void TestIntake::aFullDiskStopsAfterWhatIsHeld()
{
    IntakeFixture fixture(false);
    fill(fixture, 2500);
    intake::Order order;
    order.queue = QStringLiteral("error");
    order.progress = [&](const records::IntakeCounts &) { fixture.freeShare = 0.04; };
    const auto taken = test::ended(fixture.intake->take(order));
    QVERIFY(!taken.has_value());
    QVERIFY(taken.error().kind == ErrorKind::Refused);
    QCOMPARE(fixture.stored().size(), 2000);
    QCOMPARE(fixture.broker.messagesLeft(), 500);
    QVERIFY(fixture.broker.holdsNothing());
    QVERIFY(fixture.openRuns().isEmpty());
}

void TestIntake::oneMessageThatTheStoreRefusesIsKeptAsItIs()
{
    IntakeFixture fixture(false);
    records::Envelope odd = test::plainMessage("odd");
    for (int i = 0; i < 10001; ++i)
        odd.headers.append({QString::number(i), i});
    fixture.broker.put(test::failedMessage(QStringLiteral("1"), "a"));
    fixture.broker.put(odd);
    const auto counts = fixture.take();
    QVERIFY(counts.has_value());
    QCOMPARE(*counts, (records::IntakeCounts{2, 2, 0, 0, 1}));
    for (const records::FailedMessage &message : fixture.stored()) {
        const bool isOdd = message.bodySize == 3;
        QCOMPARE(message.flags.testFlag(records::MessageFlag::Undecodable), isOdd);
        QCOMPARE(message.dialect, isOdd ? QStringLiteral("unknown") : QStringLiteral("NServiceBus"));
    }
}

REDRIVE_TEST(TestIntake)
#include "tst_intake.moc"
