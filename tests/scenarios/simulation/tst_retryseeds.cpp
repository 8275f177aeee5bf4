#include "tests/scenarios/simulation/simulatedrun.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

// More seeds of tst_retrysimulation, where they cost a tenth: without sanitizers. REDRIVE_SEEDS=1-100000 runs that
// many.
class TestRetrySeeds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySeedKeepsTheInvariants_data() { scenario::seedRows(201, 2500); }
    void everySeedKeepsTheInvariants();
};

void TestRetrySeeds::everySeedKeepsTheInvariants()
{
    QFETCH(quint64, from);
    QFETCH(quint64, to);
    QVERIFY(scenario::allKeepTheInvariants(from, to));
}

REDRIVE_TEST(TestRetrySeeds)
#include "tst_retryseeds.moc"
