// Redrive is killed (SIGKILL) at random moments while it takes what the framework that REDRIVE_PEER names gave up, and sends it back:
// every message is processed once, or in doubt. REDRIVE_KILLS and REDRIVE_SEED change what runs.
#include "tests/peers/chosenpeer.h"
#include "tests/peers/peercampaign.h"
#include "tests/support/testmain/testmain.h"

#include <QCoreApplication>
#include <QTest>

class TestPeersKill final : public QObject
{
    Q_OBJECT

public:
    explicit TestPeersKill(const peers::Peer &peer)
        : m_run(peer)
    {
    }

private Q_SLOTS:
    void initTestCase();
    void survivesKills();

private:
    peers::PeerRun m_run;
};

void TestPeersKill::initTestCase()
{
    const QString missing = m_run.missing();
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
    const QString wrong = m_run.start();
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void TestPeersKill::survivesKills()
{
    constexpr int usualKills = 20;
    constexpr quint64 usualSeed = 20261128;
    const int kills = qEnvironmentVariableIntValue("REDRIVE_KILLS");
    const int seed = qEnvironmentVariableIntValue("REDRIVE_SEED");
    peers::PeerCampaign campaign(m_run, seed > 0 ? quint64(seed) : usualSeed);
    const QString wrong = campaign.run(kills > 0 ? kills : usualKills);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    qInfo("%s", qPrintable(campaign.summary()));
}

static int runOnThePeer(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const std::optional<peers::Peer> peer = peers::chosenPeer();
    if (!peer)
        return 2;
    TestPeersKill test(*peer);
    return QTest::qExec(&test, argc, argv);
}

REDRIVE_TEST_RUN(runOnThePeer)
#include "tst_peers_kill.moc"
