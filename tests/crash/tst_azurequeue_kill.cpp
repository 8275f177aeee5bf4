// The program is killed (SIGKILL) at random moments of intake, freezing and sending over Storage Queues, and started again, while
// messages fail, are retried, fail again and are retried once more. On azurite; skipped where it is missing.
#include "tests/crash/campaign/killrows.h"
#include "tests/support/brokerrig/azurequeuerig.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestAzureQueueKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!m_rig.isInstalled())
            QSKIP("azurite is not installed");
        QVERIFY2(m_rig.start(), qPrintable(m_rig.error()));
    }
    void killedAtAnyMomentNothingIsLost_data() { killing::addRows(); }
    void killedAtAnyMomentNothingIsLost() { killing::runRow(m_rig, seed); }

private:
    static constexpr quint64 seed = 20261124;
    support::AzureQueueRig m_rig;
};

REDRIVE_TEST(TestAzureQueueKill)
#include "tst_azurequeue_kill.moc"
