#include "backend/core/limits.h"
#include "tests/backend/intake/intakeworld.h"

using core::ErrorKind;
using test::Fate;
using test::IntakeWorld;

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
    void locksAreRenewedAtHalfTheirTime_data();
    void locksAreRenewedAtHalfTheirTime();
    void theRestIsTakenOnlyWhereItMayStillBe_data();
    void theRestIsTakenOnlyWhereItMayStillBe();
    void whatNobodyWantsAnyMoreEndsAfterWhatIsHeld_data();
    void whatNobodyWantsAnyMoreEndsAfterWhatIsHeld();
    void refusals_data();
    void refusals();
    void aFullDiskStopsAfterWhatIsHeld();
    void oneMessageThatTheStoreRefusesIsKeptAsItIs();
};

namespace {

constexpr int some = 7;
constexpr int smallPage = 2; // so that two holding queues take turns

// Half of the messages have ids that are unique, half have none.
QByteArrayList fill(IntakeWorld &world, int count)
{
    QByteArrayList bodies;
    for (int i = 0; i < count; ++i) {
        const QByteArray body = "body " + QByteArray::number(i).rightJustified(6, '0');
        world.broker.put(i % 2 == 0 ? test::failedMessage(QString::number(i), body) : test::plainMessage(body));
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

void verifyEnd(IntakeWorld &world, const QByteArrayList &bodies)
{
    QCOMPARE(world.bodies(), bodies);
    for (const records::FailedMessage &message : world.stored()) {
        QCOMPARE(message.attempts, 1);
        QVERIFY(!message.flags.testFlag(records::MessageFlag::PossibleDuplicate));
    }
    QCOMPARE(world.broker.messagesLeft(), 0);
    QVERIFY(world.broker.holdsNothing());
}

} // namespace

void TestIntake::takesAllPageByPage_data()
{
    kinds();
}

void TestIntake::takesAllPageByPage()
{
    QFETCH(bool, locks);
    IntakeWorld world(locks);
    const QByteArrayList bodies = fill(world, 2100);
    const auto counts = world.take();
    QVERIFY(counts.has_value());
    QCOMPARE(*counts, (records::IntakeCounts{2100, 2100, 0, 0, 0}));
    QCOMPARE(world.broker.takes, 3);
    verifyEnd(world, bodies);
    QVERIFY(world.openRuns().isEmpty());
}

void TestIntake::takesNoMoreThanAsked()
{
    IntakeWorld world(false);
    const QByteArrayList bodies = fill(world, 5);
    QCOMPARE(world.take(2)->taken, 2);
    QCOMPARE(world.bodies(), bodies.mid(0, 2));
    QCOMPARE(world.broker.messagesLeft(), 3);
    QVERIFY(world.broker.holdsNothing());
    QVERIFY(world.openRuns().isEmpty());
}

void TestIntake::aFailedCallBesideOthersIsNoEmptyQueue_data()
{
    QTest::addColumn<core::ErrorKind>("kind");
    QTest::addColumn<bool>("told");
    QTest::newRow("refused: the next page knows") << core::ErrorKind::Throttled << false;
    QTest::newRow("answer lost: messages may be out of sight") << core::ErrorKind::UnknownOutcome << true;
    QTest::newRow("answer not readable") << core::ErrorKind::Corrupt << true;
}

void TestIntake::aFailedCallBesideOthersIsNoEmptyQueue()
{
    QFETCH(core::ErrorKind, kind);
    QFETCH(bool, told);
    IntakeWorld world(true);
    const QByteArrayList bodies = fill(world, 5);
    world.broker.troubleBeside = core::Error{kind, QStringLiteral("One call failed."), {}, {}};
    const auto counts = world.take();
    QCOMPARE(!counts, told);
    if (told) {
        QVERIFY(counts.error().kind == kind && counts.error().message.endsWith(QLatin1String("One call failed.")));
        QVERIFY2(counts.error().message.startsWith(QLatin1String("5 taken from error, and others ")),
                 qPrintable(counts.error().message));
    }
    QCOMPARE(world.broker.takes, 2);
    verifyEnd(world, bodies);
    QVERIFY(world.take().has_value()); // that was that intake's trouble
}

void TestIntake::theNextPageIsHeldWhileThisOneIsTaken()
{
    IntakeWorld world(false, smallPage);
    const QByteArrayList bodies = fill(world, some);
    QList<qsizetype> held;
    world.broker.onRelease = [&] {
        QVERIFY(world.openRuns().size() == world.broker.holdingQueues() || held.size() == 3);
        held.append(world.broker.holdingQueues());
    };
    QCOMPARE(*world.take(), (records::IntakeCounts{some, some, 0, 0, 0}));
    QCOMPARE(held, (QList<qsizetype>{2, 2, 2, 1}));
    verifyEnd(world, bodies);
    QVERIFY(world.openRuns().isEmpty());
}

// The broker restarts while the second holding queue fills: it may have forgotten what it gave into either.
void TestIntake::whatAnInterruptionGaveTwiceIsDoubtfulInBothHoldingQueues()
{
    IntakeWorld world(false, smallPage);
    for (const char *body : {"a", "b", "c", "d", "a", "e", "f"})
        world.broker.put(test::plainMessage(body));
    int asked = 0;
    intake::Order order;
    order.queue = QStringLiteral("error");
    order.wanted = [&] {
        if (++asked == 2) // before the second one
            world.broker.doubleIntoHolding();
        return true;
    };
    QVERIFY(test::ended(world.intake->take(order)));
    QByteArrayList flagged;
    for (const records::FailedMessage &message : world.stored()) {
        if (message.flags.testFlag(records::MessageFlag::PossibleDuplicate))
            flagged.append(world.bodyOf(message.id));
    }
    std::sort(flagged.begin(), flagged.end());
    QCOMPARE(flagged, (QByteArrayList{"a", "c", "d"}));
    QCOMPARE(world.bodies(), (QByteArrayList{"a", "a", "b", "c", "c", "d", "d", "e", "f"}));
    QVERIFY(world.broker.holdsNothing());
    QVERIFY(world.openRuns().isEmpty());
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
        IntakeWorld world(locks, page);
        const QByteArrayList bodies = fill(world, some);
        world.fate.at = at;
        const auto first = world.take();
        if (world.fate.passed < at)
            break;
        failures += first ? 0 : 1;
        world.broker.expireLocks();
        const auto second = world.take();
        QVERIFY2(second.has_value(), qPrintable(QString::number(at)));
        verifyEnd(world, bodies);
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
        IntakeWorld world(locks, page);
        const QByteArrayList bodies = fill(world, some);
        world.fate.kind = Fate::Kind::Crash;
        world.fate.at = at;
        static_cast<void>(world.take());
        if (world.fate.passed < at)
            break;
        ++crashes;
        withTwo += world.openRuns().size() == 2 ? 1 : 0;
        world.restart();
        // A second crash while the first is being cleaned up.
        world.fate.at = world.fate.passed + 3;
        static_cast<void>(test::ended(world.intake->adopt()));
        world.restart();
        QVERIFY(test::ended(world.intake->adopt()).has_value());
        QVERIFY(world.take().has_value());
        world.clock.pass(std::chrono::seconds(20));
        QVERIFY(test::ended(world.intake->lookAgain()).has_value());
        QVERIFY(world.take().has_value());
        verifyEnd(world, bodies);
        if (!QTest::currentTestFailed()) // locks are forgotten by time
            QVERIFY(locks || world.openRuns().isEmpty());
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
    IntakeWorld world(true);
    const QByteArrayList bodies = fill(world, some);
    world.broker.locksLostOnRelease = true;
    const auto counts = world.take();
    QVERIFY(counts.has_value());
    QCOMPARE(counts->taken, some);
    verifyEnd(world, bodies);
}

// They end at the broker while this machine sleeps, too.
void TestIntake::locksAreRenewedAtHalfTheirTime_data()
{
    QTest::addColumn<core::Milliseconds>("by");
    QTest::addColumn<core::Milliseconds>("sleeps");
    constexpr core::Milliseconds hour = std::chrono::hours(1);
    QTest::newRow("as it is") << core::Milliseconds{0} << core::Milliseconds{0};
    QTest::newRow("the clock is set back again and again") << -hour << core::Milliseconds{0};
    QTest::newRow("the clock is set forward again and again") << hour << core::Milliseconds{0};
    QTest::newRow("the machine sleeps") << core::Milliseconds{0} << core::Milliseconds{19000};
}

void TestIntake::locksAreRenewedAtHalfTheirTime()
{
    QFETCH(const core::Milliseconds, by);
    QFETCH(const core::Milliseconds, sleeps);
    IntakeWorld world(true);
    const QByteArrayList bodies = fill(world, 450);
    world.broker.lockedUntil = world.clock.boot() + std::chrono::seconds(60);
    world.broker.onRelease = [&] {
        world.clock.pass(std::chrono::seconds(20) - sleeps);
        world.clock.suspend(sleeps);
        world.clock.jump(by);
    };
    QVERIFY(world.take().has_value());
    QCOMPARE(world.broker.renewals, 2);
    verifyEnd(world, bodies);
}

void TestIntake::theRestIsTakenOnlyWhereItMayStillBe_data()
{
    kinds();
}

void TestIntake::theRestIsTakenOnlyWhereItMayStillBe()
{
    QFETCH(bool, locks);
    IntakeWorld world(locks, smallPage);
    const int taken = locks ? smallPage : 2 * smallPage; // the next page was held already
    fill(world, taken + 20);
    intake::Order order;
    order.queue = QStringLiteral("error");
    order.progress = [&world](const records::IntakeCounts &) {
        world.fate.dead = true;
    }; // a crash after the first page
    QVERIFY(!test::ended(world.intake->take(order)));
    world.connection.rights = {};
    world.restart();
    QVERIFY(test::ended(world.intake->adopt()).has_value());
    QCOMPARE(world.stored().size(), taken);
    QCOMPARE(world.broker.messagesLeft(), 20);
    world.connection.rights = records::Right::Take;
    world.restart();
    QVERIFY(test::ended(world.intake->adopt()).has_value()); // it was given up, not put off
    QCOMPARE(world.broker.messagesLeft(), 20);
}

void TestIntake::whatNobodyWantsAnyMoreEndsAfterWhatIsHeld_data()
{
    kinds();
}

void TestIntake::whatNobodyWantsAnyMoreEndsAfterWhatIsHeld()
{
    QFETCH(bool, locks);
    IntakeWorld world(locks, smallPage);
    const int held = locks ? smallPage : 2 * smallPage;
    fill(world, held + 20);
    intake::Order order;
    order.queue = QStringLiteral("error");
    order.wanted = [&world] { return world.stored().isEmpty(); };
    const core::Result<records::IntakeCounts> taken = test::ended(world.intake->take(order));
    QVERIFY(taken);
    QCOMPARE(taken->taken, held);
    QCOMPARE(world.broker.messagesLeft(), 20);
    QVERIFY(world.broker.holdsNothing());
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
    IntakeWorld world(false);
    fill(world, 1);
    if (which == 0)
        world.connection.rights.setFlag(records::Right::Take, false);
    if (which == 1) {
        world.broker.capabilities.canTake = false;
        world.broker.capabilities.missing = QStringList{QStringLiteral("the shovel plugin")};
    }
    if (which == 2)
        world.broker.known[0].refusal = QStringLiteral("the operator policy \"ttl\" expires it");
    if (which == 3)
        world.broker.known[0].role = broker::QueueRole::Work;
    if (which == 4)
        world.broker.known.clear();
    world.restart();
    const auto taken = world.take();
    QVERIFY(!taken.has_value());
    QVERIFY2(taken.error().message.contains(word), qPrintable(taken.error().message));
    QCOMPARE(world.broker.takes, 0);
    QVERIFY(world.openRuns().isEmpty());
}

void TestIntake::aFullDiskStopsAfterWhatIsHeld()
{
    IntakeWorld world(false);
    fill(world, 2500);
    intake::Order order;
    order.queue = QStringLiteral("error");
    order.progress = [&](const records::IntakeCounts &) { world.freeShare = 0.04; };
    const auto taken = test::ended(world.intake->take(order));
    QVERIFY(!taken.has_value());
    QVERIFY(taken.error().kind == ErrorKind::Refused);
    QCOMPARE(world.stored().size(), 2000);
    QCOMPARE(world.broker.messagesLeft(), 500);
    QVERIFY(world.broker.holdsNothing());
    QVERIFY(world.openRuns().isEmpty());
}

void TestIntake::oneMessageThatTheStoreRefusesIsKeptAsItIs()
{
    IntakeWorld world(false);
    records::Envelope odd = test::plainMessage("odd");
    for (int i = 0; i < 10001; ++i)
        odd.headers.append({QString::number(i), i});
    world.broker.put(test::failedMessage(QStringLiteral("1"), "a"));
    world.broker.put(odd);
    const auto counts = world.take();
    QVERIFY(counts.has_value());
    QCOMPARE(*counts, (records::IntakeCounts{2, 2, 0, 0, 1}));
    for (const records::FailedMessage &message : world.stored()) {
        const bool isOdd = message.bodySize == 3;
        QCOMPARE(message.flags.testFlag(records::MessageFlag::Undecodable), isOdd);
        QCOMPARE(message.dialect, isOdd ? QStringLiteral("unknown") : QStringLiteral("NServiceBus"));
    }
}

QTEST_GUILESS_MAIN(TestIntake)
#include "tst_intake.moc"
