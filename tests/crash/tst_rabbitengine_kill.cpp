// The program is killed (SIGKILL) at random moments of intake (also in small steps), freezing, staging and forwarding over the RabbitMQ of Debian and
// started again; then RabbitMQ itself is. Whatever was killed when: the same end state as without it.
#include "backend/records/address/connectionurl.h"
#include "tests/crash/campaign/enginescenario.h"
#include "tests/crash/campaign/killedprogram.h"
#include "tests/crash/campaign/verdict.h"
#include "tests/support/rabbit/arrivals.h"
#include "tests/support/rabbit/failedorders.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;
using support::Arrivals;
using support::FailedOrders;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;

namespace {

enum class Way { StagingQueue, IntentLog, SmallSteps };

constexpr int messagesPerRound = 600;
constexpr int killsPerRound = 30;
constexpr int stepKillsPerRound = 4;
constexpr int roundsAtMost = 40;
constexpr quint64 seed = 20260102;
constexpr int sendsInFlight = 24; // rabbitmq::Settings: what a kill on the intent log path can leave without an answer
constexpr core::Milliseconds limit{150000};
constexpr int decoys = 3;
const QString errorQueue = QStringLiteral("error");
const QString supportUser = QStringLiteral("support"); // cannot hold messages on the broker

} // namespace

class TestRabbitEngineKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void killedAtAnyMomentEveryMessageArrivesOnce_data();
    void killedAtAnyMomentEveryMessageArrivesOnce();
    void theDecoyIsUntouched();

private:
    // Runs the child until it says that it is done, killing it on the way. False: it never does.
    [[nodiscard]] bool runKilled(const killing::EngineScenario &scenario, Way way, int &kills);
    void endedAsWithoutKills(const FailedOrders &orders, const QString &store, bool doublesAllowed, int kills);
    [[nodiscard]] records::Connection connection() const;
    [[nodiscard]] killing::EngineScenario scenarioOf(Way way, const QString &store) const;

    RabbitServer m_server;
    core::SeededRandom m_random{seed};
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<RabbitAdmin> m_decoy;
    int m_nextNumber = 0;
};

records::Connection TestRabbitEngineKill::connection() const
{
    return m_server.connection(QStringLiteral("kill/ed"), {errorQueue});
}

void TestRabbitEngineKill::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    m_decoy = std::make_unique<RabbitAdmin>(m_server, QStringLiteral("/"));
    m_decoy->makeQueue(errorQueue);
    m_decoy->publish(errorQueue, FailedOrders(decoys).envelopes());
    m_admin = std::make_unique<RabbitAdmin>(m_server, QStringLiteral("kill/ed"));
    m_admin->makeVhost();
    m_admin->makeUser(supportUser, supportUser, QStringLiteral("monitoring"));
    for (const QString &queue : FailedOrders::destinations() + QStringList{errorQueue})
        m_admin->makeQueue(queue);
}

killing::EngineScenario TestRabbitEngineKill::scenarioOf(Way way, const QString &store) const
{
    killing::EngineScenario scenario{store, {connection(), RabbitConsole::password}};
    scenario.account.connection.doublesAllowed = way == Way::StagingQueue;
    if (way != Way::SmallSteps)
        return scenario;
    scenario.account.connection.url.setUserName(supportUser);
    scenario.account.connection.url = records::withSteps(scenario.account.connection.url, true);
    scenario.account.secret = supportUser;
    scenario.duplicates = true; // RabbitMQ may have removed only a part of what a dead program asked for
    return scenario;
}

bool TestRabbitEngineKill::runKilled(const killing::EngineScenario &scenario, Way way, int &kills)
{
    killing::Orders orders;
    orders.program = QStringLiteral("engine_child");
    orders.arguments = {scenario.toArgument()};
    orders.kills = killsPerRound;
    // The moments spread over everything that a start does. After small steps it first waits for what may arrive late.
    orders.moment = [this, way](int number) {
        const core::Milliseconds waits = way == Way::SmallSteps && number % 2 == 1 ? 10000ms : 0ms;
        return killing::Moment{{}, waits + 150ms + core::Milliseconds(m_random.below(1000))};
    };
    if (way == Way::SmallSteps)
        orders.kills = stepKillsPerRound;
    std::optional<killing::Run> run = killing::runKilled(orders);
    if (!run)
        return false;
    kills = run->kills;
    // What recordOutcomes allows to be deleted is deleted while it still runs.
    const bool isClean = m_server.until([this] { return m_admin->ours().isEmpty(); }, limit);
    killing::end(run->program);
    return isClean;
}

void TestRabbitEngineKill::killedAtAnyMomentEveryMessageArrivesOnce_data()
{
    QTest::addColumn<Way>("way");
    QTest::addColumn<int>("wantedKills");
    const int asked = qEnvironmentVariableIntValue("REDRIVE_KILLS"); // for each row
    QTest::newRow("staging queue") << Way::StagingQueue << (asked > 0 ? asked : 24);
    QTest::newRow("intent log, left in doubt") << Way::IntentLog << (asked > 0 ? asked : 16);
    QTest::newRow("in small steps, and intent log") << Way::SmallSteps << (asked > 0 ? asked : 8);
}

void TestRabbitEngineKill::killedAtAnyMomentEveryMessageArrivesOnce()
{
    QFETCH(Way, way);
    QFETCH(int, wantedKills);
    int allKills = 0;
    for (int round = 1; allKills < wantedKills && round <= std::max(roundsAtMost, wantedKills); ++round) {
        const QTemporaryDir folder;
        const QString store = folder.filePath(QStringLiteral("store/redrive.db"));
        const FailedOrders orders(messagesPerRound, m_nextNumber);
        m_nextNumber += messagesPerRound;
        m_admin->publish(errorQueue, orders.envelopes());
        int kills = 0;
        killing::EngineScenario scenario = scenarioOf(way, store);
        scenario.titles = {FailedOrders::exceptionOf(0), FailedOrders::exceptionOf(1)};
        scenario.known = messagesPerRound;
        scenario.sent = orders.numbers({0, 1}, true).size();
        QVERIFY2(runKilled(scenario, way, kills), qPrintable(m_admin->ours().join(u' ')));
        endedAsWithoutKills(orders, store, way == Way::StagingQueue, kills);
        if (QTest::currentTestFailed()) {
            qWarning("round %d, %d kills", round, kills);
            return;
        }
        allKills += kills;
    }
    qInfo("%d kills", allKills);
    QVERIFY2(allKills >= wantedKills, qPrintable(QStringLiteral("only %1 kills").arg(allKills)));
}

void TestRabbitEngineKill::endedAsWithoutKills(const FailedOrders &orders, const QString &store, bool doublesAllowed,
                                               int kills)
{
    RabbitConsole console(store, connection());
    console.open();
    const QList<int> expected = orders.numbers({0, 1}, true);
    qint64 sent = 0;
    qint64 inDoubt = 0;
    for (const records::RetryOperation &operation : console.operations()) {
        QCOMPARE(operation.counts.sum(), operation.total);
        sent += operation.counts.sent;
        inDoubt += operation.counts.inDoubt;
    }
    QCOMPARE(sent + inDoubt, expected.size());
    QList<int> others = orders.numbers();
    erase_if(others, [&](int number) { return std::binary_search(expected.begin(), expected.end(), number); });
    QCOMPARE(console.numbers(records::MessageStatus::Unresolved), others);
    QCOMPARE(console.numbers(records::MessageStatus::RetryIssued), expected);
    QCOMPARE(m_admin->depth(errorQueue), 0);

    const Arrivals arrived(*m_admin);
    QCOMPARE(arrived.faults(), QStringList());
    const QSet<int> flagged = console.flagged();
    const killing::Verdict verdict = killing::verdictOn(
        {killing::oneOfEach(expected), arrived.copies(), killing::oneOfEach(console.inDoubt().values()), flagged});
    QVERIFY2(verdict.isGood() && verdict.duplicated.isEmpty(), qPrintable(verdict.words()));
    if (doublesAllowed) {
        QCOMPARE(flagged, QSet<int>());
        QCOMPARE(inDoubt, 0);
    } else {
        QVERIFY2(inDoubt <= kills * sendsInFlight, qPrintable(QString::number(inDoubt)));
    }
}

void TestRabbitEngineKill::theDecoyIsUntouched()
{
    QCOMPARE(m_decoy->drain(errorQueue).size(), decoys);
}

REDRIVE_TEST(TestRabbitEngineKill)
#include "tst_rabbitengine_kill.moc"
