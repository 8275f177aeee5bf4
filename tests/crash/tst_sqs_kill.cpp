// The program is killed (SIGKILL) at random moments of intake, freezing and sending over SQS, and started again, while messages
// fail, are retried, fail again and are retried once more. On fauxqs; skipped where it is missing.
#include "tests/crash/campaign/killrows.h"
#include "tests/support/brokerrig/sqsrig.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestSqsKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!m_rig.isInstalled())
            QSKIP("fauxqs is not installed, or Node.js is older than 20");
        QVERIFY2(m_rig.start(), qPrintable(m_rig.error()));
    }
    void killedAtAnyMomentNothingIsLost_data() { killing::addRows(); }
    void killedAtAnyMomentNothingIsLost() { killing::runRow(m_rig, seed); }

private:
    static constexpr quint64 seed = 20261125;
    support::SqsRig m_rig;
};

REDRIVE_TEST(TestSqsKill)
#include "tst_sqs_kill.moc"
