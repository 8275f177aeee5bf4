// The program is killed (SIGKILL) at random moments of intake, freezing and sending over queues of the Service Bus protocol, and
// started again, while messages fail, are retried, fail again and are retried once more.
#include "tests/crash/campaign/killrows.h"
#include "tests/support/brokerrig/servicebusrig.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestServiceBusCampaign final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void killedAtAnyMomentNothingIsLost_data() { killing::addRows(); }
    void killedAtAnyMomentNothingIsLost() { killing::runRow(m_rig, seed); }

private:
    static constexpr quint64 seed = 20261126;
    support::ServiceBusRig m_rig;
};

void TestServiceBusCampaign::initTestCase()
{
    QVERIFY(m_rig.start());
}

REDRIVE_TEST(TestServiceBusCampaign)
#include "tst_servicebus_kill.moc"
