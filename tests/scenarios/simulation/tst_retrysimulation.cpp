// Whole retries in the simulation, one seed after the other: random errors, crashes and restarts, and every invariant
// after each step.
#include "tests/scenarios/simulation/simulatedrun.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using scenario::simulate;

class TestRetrySimulation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySeedKeepsTheInvariants_data();
    void everySeedKeepsTheInvariants();
    void theSameSeedGivesTheSameTrace();
};

// Seeds beyond these, and a crash at every few steps of one run, are in the release build: tst_retryseeds.
void TestRetrySimulation::everySeedKeepsTheInvariants_data()
{
    scenario::seedRows(1, 200);
}

void TestRetrySimulation::everySeedKeepsTheInvariants()
{
    QFETCH(quint64, from);
    QFETCH(quint64, to);
    QVERIFY(scenario::allKeepTheInvariants(from, to));
}

void TestRetrySimulation::theSameSeedGivesTheSameTrace()
{
    for (const quint64 seed : {3ULL, 17ULL, 91ULL})
        QCOMPARE(simulate(seed).hash, simulate(seed).hash);
}

REDRIVE_TEST(TestRetrySimulation)
#include "tst_retrysimulation.moc"
