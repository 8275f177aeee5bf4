// The program is killed (SIGKILL) at random moments of intake, freezing and sending over RabbitMQ, and started again, while
// messages fail, are retried, fail again and are retried once more.
#include "tests/crash/campaign/killrows.h"
#include "tests/support/brokerrig/rabbitrig.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestRabbitMqCampaign final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void killedAtAnyMomentNothingIsLost_data() { killing::addRows(); }
    void killedAtAnyMomentNothingIsLost() { killing::runRow(m_rig, seed); }

private:
    static constexpr quint64 seed = 20261127;
    support::RabbitRig m_rig;
};

void TestRabbitMqCampaign::initTestCase()
{
    if (const QString missing = support::RabbitRig::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_rig.start(), qPrintable(m_rig.error()));
}

REDRIVE_TEST(TestRabbitMqCampaign)
#include "tst_rabbitrig_kill.moc"
