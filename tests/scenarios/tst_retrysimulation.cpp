#include "tests/scenarios/retryworld.h"

#include <QTest>

using scenario::RetryWorld;
using scenario::Settings;

namespace {

constexpr quint64 seedsInCi = 500;
constexpr quint64 seedsInPart = 50;

struct Run
{
    QStringList wrong;
    QStringList log;
    QByteArray hash;
    int crashes = 0;
    int deletions = 0;
    int strangers = 0;
    int redirected = 0; // members that were frozen for another queue than they say
};

// What people and fate do to a run, each once in so many steps; 0: never.
struct Trouble
{
    int crash = 0;
    int restart = 0;
    int person = 0;
    int vanish = 0;
    int full = 0;
};

bool happens(core::SeededRandom &chance, int onceIn)
{
    return onceIn > 0 && chance.below(quint64(onceIn)) == 0;
}

Settings settingsOf(core::SeededRandom &chance)
{
    Settings settings;
    settings.handOver = chance.below(2) == 0 ? records::HandOver::StagingQueue : records::HandOver::Ledger;
    settings.onUnknown = chance.below(2) == 0 ? records::OnUnknown::LeaveInDoubt : records::OnUnknown::SendAgain;
    settings.messages = 1 + int(chance.below(16));
    settings.batchMembers = 2 + int(chance.below(6));
    settings.missingDestination = chance.below(3) == 0;
    settings.poison = chance.below(4) == 0;
    settings.failsAgain = int(chance.below(4));
    settings.strangers = int(chance.below(4));
    if (chance.below(4) != 0)
        settings.faults = {int(chance.below(60)), int(chance.below(40)), int(chance.below(30)),
                           int(chance.below(30)), int(chance.below(40)), int(chance.below(30))};
    settings.storeFaults = chance.below(3) == 0 ? int(chance.below(30)) : 0;
    settings.nowhereToGo = chance.below(3) == 0 ? 2 + int(chance.below(4)) : 0;
    if (chance.below(4) == 0)
        settings.standing.insert(QStringLiteral("billing"), QStringLiteral("spare"));
    if (chance.below(4) == 0)
        settings.standing.insert(QStringLiteral("nowhere"), QStringLiteral("sales"));
    return settings;
}

// Of a person who sends some of them, or all, elsewhere.
QList<records::Redirect> redirectsOf(core::SeededRandom &chance)
{
    using Of = records::Redirect::Of;
    QList<records::Redirect> redirects;
    if (chance.below(6) == 0)
        redirects.append({Of::Queue, QStringLiteral("sales"), QStringLiteral("billing")});
    if (chance.below(6) == 0)
        redirects.append({Of::Queue, QStringLiteral("billing"), QStringLiteral("billing")}); // past a standing one
    if (chance.below(6) == 0)
        redirects.append({Of::Unknown, {}, QStringLiteral("spare")});
    if (chance.below(8) == 0)
        redirects.prepend({Of::Everything, {}, QStringLiteral("spare")});
    return redirects;
}

RetryWorld::Wish wishOf(core::SeededRandom &chance, core::TimePoint now)
{
    RetryWorld::Wish wish;
    if (chance.below(3) == 0)
        wish.limit = 1 + qint64(chance.below(10));
    if (chance.below(4) == 0)
        wish.perMinute = 30 + qint64(chance.below(600));
    if (chance.below(6) == 0)
        wish.notBefore = now + std::chrono::seconds(chance.below(20));
    if (chance.below(12) == 0) { // seldom: waiting for evidence takes many steps
        wish.ramp = records::Ramp{{1 + qint64(chance.below(3)), 2}, chance.below(2) == 0};
        wish.stopWhen = records::StopWhen{1 + qint64(chance.below(3)), false};
    } else if (chance.below(4) == 0) {
        wish.stopWhen = records::StopWhen{1 + qint64(chance.below(60)), true};
    }
    wish.redirects = redirectsOf(chance);
    switch (chance.below(6)) {
    case 0:
        wish.filter.messageType = QStringLiteral("Acme.Orders.PlaceOrder%1").arg(chance.below(4));
        break;
    case 1:
        wish.filter.messages = {{1}, {2}, {3}, {7}, {99}};
        break;
    case 2:
        wish.filter.except = {{1}, {4}, {5}};
        break;
    default:
        break;
    }
    return wish;
}

// Refusals are part of the run: a person clicks at any time.
void click(RetryWorld &world, core::SeededRandom &chance)
{
    for (const records::RetryOperation &operation : world.operations()) {
        switch (chance.below(9)) {
        case 8:
            (void)world.processor->setPerMinute(
                operation.id, chance.below(2) == 0 ? std::nullopt : std::optional(30 + qint64(chance.below(600))));
            break;
        case 0:
            (void)world.processor->cancel(operation.id);
            break;
        case 1:
            (void)world.processor->sendAgain(operation.id, {});
            break;
        case 2:
        case 3:
            (void)world.processor->pause(operation.id);
            break;
        default:
            (void)world.processor->resume(operation.id);
            break;
        }
    }
}

void disturb(RetryWorld &world, core::SeededRandom &chance, const Trouble &trouble)
{
    if (happens(chance, trouble.crash))
        world.crash();
    if (happens(chance, trouble.restart)) {
        ++world.restarts;
        world.broker->restart();
    }
    if (happens(chance, trouble.vanish))
        world.vanishSomething();
    if (happens(chance, trouble.full))
        world.fillUp(chance.below(2) == 0);
    if (happens(chance, trouble.person))
        click(world, chance);
}

// A person who lets go on what paused by itself, as often as it does. In a part of the runs rates stay to the end, so that
// what stands still shows.
void finish(RetryWorld &world, bool freed = true)
{
    world.calm();
    for (const records::RetryOperation &operation : world.operations()) {
        (void)world.processor->resume(operation.id);
        if (freed)
            (void)world.processor->setPerMinute(operation.id, std::nullopt);
    }
    constexpr int patience = 30000;
    constexpr int glance = 20;
    for (int i = 0; i < patience && world.problems().isEmpty() && !world.isOver() && world.step(); ++i) {
        if (i % glance != 0)
            continue;
        for (const records::RetryOperation &operation : world.operations()) {
            if (!operation.stoppedBecause.isEmpty())
                (void)world.processor->resume(operation.id);
        }
    }
    world.runToEnd();
}

// Everything about a run comes from its seed.
Run simulate(quint64 seed)
{
    core::SeededRandom chance(seed * 7919);
    RetryWorld world(seed, settingsOf(chance));
    const Trouble trouble{chance.below(4) == 0 ? 0 : 20 + int(chance.below(200)), chance.below(4) == 0 ? 200 : 0,
                          chance.below(3) == 0 ? 60 : 0, chance.below(3) == 0 ? 25 : 0, chance.below(5) == 0 ? 40 : 0};
    world.start();
    world.request(wishOf(chance, world.clock.now()));
    if (chance.below(3) == 0)
        world.request(wishOf(chance, world.clock.now()));
    for (int i = 0; i < 1500 && world.problems().isEmpty() && !world.isOver(); ++i) {
        if (!world.step())
            break;
        disturb(world, chance, trouble);
    }
    finish(world, chance.below(8) != 0);
    return {world.finalFaults(), world.log(),       world.hash(),      world.crashes,
            world.deletions,     world.strangers(), world.redirected()};
}

// A run without faults but one: the engine dies after so many steps from the moment the set was frozen. 0: never.
struct OneCrash
{
    QMap<QString, QString> end;
    QStringList wrong;
    QStringList doubtful; // a first copy may have been taken and the second was refused: nobody can know
    int steps = 0;
};

OneCrash crashAt(int step, const Settings &settings)
{
    RetryWorld world(77, settings);
    world.start();
    world.request();
    OneCrash run;
    world.runUntil([&] { return !world.isAsked(); });
    while (world.problems().isEmpty() && !world.isOver() && world.step()) {
        if (++run.steps == step)
            world.crash();
    }
    finish(world);
    run.end = world.endState();
    for (const records::RetryOperation &operation : world.operations()) {
        for (const store::RetryMember &member : world.members(operation.id)) {
            if (member.outcome == records::Outcome::InDoubt && member.possibleDuplicate)
                run.doubtful += member.uniqueId;
        }
    }
    run.wrong = world.finalFaults();
    return run;
}

} // namespace

class TestRetrySimulation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySeedKeepsTheInvariants_data();
    void everySeedKeepsTheInvariants();
    void theSameSeedGivesTheSameTrace();
    void aCrashAnywhereEndsAsARunWithoutOne_data();
    void aCrashAnywhereEndsAsARunWithoutOne();
};

// In parts, so that a slow machine does not run into the time that Qt Test gives one function. REDRIVE_SEEDS="from-to" runs
// others, for example one that failed.
void TestRetrySimulation::everySeedKeepsTheInvariants_data()
{
    QTest::addColumn<quint64>("from");
    QTest::addColumn<quint64>("to");
    const QStringList range = qEnvironmentVariable("REDRIVE_SEEDS").split(u'-', Qt::SkipEmptyParts);
    const quint64 first = range.isEmpty() ? 1 : range.first().toULongLong();
    const quint64 last = range.isEmpty() ? seedsInCi : range.last().toULongLong();
    for (quint64 from = first; from <= last; from += seedsInPart) {
        const quint64 to = std::min(last, from + seedsInPart - 1);
        QTest::addRow("seeds %llu to %llu", static_cast<unsigned long long>(from), static_cast<unsigned long long>(to))
            << from << to;
    }
}

void TestRetrySimulation::everySeedKeepsTheInvariants()
{
    QFETCH(quint64, from);
    QFETCH(quint64, to);
    Run all;
    QList<quint64> failed;
    for (quint64 seed = from; seed <= to; ++seed) {
        const Run run = simulate(seed);
        all.crashes += run.crashes;
        all.deletions += run.deletions;
        all.strangers += run.strangers;
        all.redirected += run.redirected;
        if (run.wrong.isEmpty())
            continue;
        failed.append(seed);
        if (failed.size() > 3)
            continue;
        qWarning().noquote() << "seed" << seed << "failed:\n" << run.wrong.mid(0, 5).join(u'\n');
        if (failed.size() == 1)
            qWarning().noquote() << run.log.mid(std::max<qsizetype>(0, run.log.size() - 150)).join(u'\n');
        qWarning().noquote() << QStringLiteral("again with: REDRIVE_SEEDS=%1 tst_retrysimulation").arg(seed);
    }
    qInfo() << all.crashes << "crashes," << all.deletions << "deleted queues," << all.strangers << "strangers,"
            << all.redirected << "redirected; failed:" << failed;
    QVERIFY(failed.isEmpty());
    QVERIFY(to - from < 20 || (all.crashes > 0 && all.deletions > 0 && all.strangers > 0 && all.redirected > 0));
}

void TestRetrySimulation::theSameSeedGivesTheSameTrace()
{
    for (const quint64 seed : {3ULL, 17ULL, 91ULL})
        QCOMPARE(simulate(seed).hash, simulate(seed).hash);
}

// I9. A ledger that may leave members in doubt is left out: there a crash may be what it is in doubt about.
void TestRetrySimulation::aCrashAnywhereEndsAsARunWithoutOne_data()
{
    QTest::addColumn<int>("handOver");
    QTest::addColumn<bool>("trouble");
    QTest::newRow("staging queue") << int(records::HandOver::StagingQueue) << false;
    QTest::newRow("staging queue, missing destination and poison") << int(records::HandOver::StagingQueue) << true;
    QTest::newRow("ledger") << int(records::HandOver::Ledger) << false;
    QTest::newRow("ledger, missing destination and poison") << int(records::HandOver::Ledger) << true;
}

void TestRetrySimulation::aCrashAnywhereEndsAsARunWithoutOne()
{
    QFETCH(int, handOver);
    QFETCH(bool, trouble);
    Settings settings;
    settings.handOver = static_cast<records::HandOver>(handOver);
    settings.onUnknown = records::OnUnknown::SendAgain;
    settings.messages = 8;
    settings.batchMembers = 3;
    settings.failsAgain = 2;
    settings.missingDestination = trouble;
    settings.poison = trouble;
    const OneCrash whole = crashAt(0, settings);
    QCOMPARE(whole.wrong, QStringList());
    QVERIFY(whole.doubtful.isEmpty());
    constexpr int inFlight = 4; // two sends of two messages
    const int stride = std::max(1, whole.steps / 40);
    int compared = 0;
    for (int step = 1; step <= whole.steps; step += stride) {
        const OneCrash broken = crashAt(step, settings);
        const QString at = QStringLiteral("crash at step %1: ").arg(step);
        QVERIFY2(broken.wrong.isEmpty(), qPrintable(at + broken.wrong.join(u'\n')));
        QVERIFY2(broken.doubtful.size() <= inFlight, qPrintable(at + broken.doubtful.join(u' ')));
        QCOMPARE(broken.end.keys(), whole.end.keys());
        for (auto entry = whole.end.cbegin(); entry != whole.end.cend(); ++entry) {
            if (broken.doubtful.contains(entry.key()))
                continue;
            const QString now = broken.end.value(entry.key());
            QVERIFY2(now == *entry, qPrintable(at + entry.key() + u' ' + now + QStringLiteral("; without: ") + *entry));
            ++compared;
        }
    }
    QVERIFY(compared > 100);
}

QTEST_GUILESS_MAIN(TestRetrySimulation)
#include "tst_retrysimulation.moc"
