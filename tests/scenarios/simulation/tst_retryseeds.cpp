// More of tst_retrysimulation, where it costs a tenth: without sanitizers. REDRIVE_SEEDS=1-100000 runs that many seeds.
#include "tests/scenarios/simulation/simulatedrun.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using scenario::finish;
using scenario::RetrySimulation;
using scenario::Settings;

namespace {

// A run with one fault: the engine dies this many steps after the set was frozen. 0: never.
struct OneCrash
{
    QMap<QString, QString> end;
    QStringList wrong;
    QStringList doubtful; // the first copy may have arrived and the second was refused: the outcome is unknown
    int steps = 0;
};

OneCrash crashAt(int step, const Settings &settings)
{
    RetrySimulation simulation(77, settings);
    simulation.start();
    simulation.request();
    OneCrash run;
    simulation.runUntil([&] { return !simulation.isAsked(); });
    while (simulation.problems().isEmpty() && !simulation.isOver() && simulation.step()) {
        if (++run.steps == step)
            simulation.crash();
    }
    finish(simulation);
    run.end = simulation.endState();
    for (const records::RetryOperation &operation : simulation.operations()) {
        for (const store::RetryMember &member : simulation.members(operation.id)) {
            if (member.outcome == records::Outcome::InDoubt && member.possibleDuplicate)
                run.doubtful += member.uniqueId;
        }
    }
    run.wrong = simulation.finalFaults();
    return run;
}

} // namespace

class TestRetrySeeds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySeedKeepsTheInvariants_data() { scenario::seedRows(201, 2500); }
    void everySeedKeepsTheInvariants();
    void aCrashAnywhereEndsAsARunWithoutOne_data();
    void aCrashAnywhereEndsAsARunWithoutOne();
};

void TestRetrySeeds::everySeedKeepsTheInvariants()
{
    QFETCH(quint64, from);
    QFETCH(quint64, to);
    QVERIFY(scenario::allKeepTheInvariants(from, to));
}

// I9. The intent log that may leave members in doubt is left out: there a crash can put messages in doubt.
void TestRetrySeeds::aCrashAnywhereEndsAsARunWithoutOne_data()
{
    QTest::addColumn<int>("handOver");
    QTest::addColumn<bool>("trouble");
    QTest::newRow("staging queue") << int(records::HandOver::StagingQueue) << false;
    QTest::newRow("staging queue, missing destination and poison") << int(records::HandOver::StagingQueue) << true;
    QTest::newRow("intent log") << int(records::HandOver::IntentLog) << false;
    QTest::newRow("intent log, missing destination and poison") << int(records::HandOver::IntentLog) << true;
}

void TestRetrySeeds::aCrashAnywhereEndsAsARunWithoutOne()
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

REDRIVE_TEST(TestRetrySeeds)
#include "tst_retryseeds.moc"
