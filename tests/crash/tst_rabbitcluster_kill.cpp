// A node of a cluster is killed, stopped or cut off at each stage of taking and returning, and comes back: nothing is lost, what
// came twice is flagged, and nothing of ours is left. All rows share one cluster of three; Redrive talks to node 1.
#include "backend/api/requests/connections.h"
#include "tests/crash/campaign/verdict.h"
#include "tests/support/must.h"
#include "tests/support/network/faultyproxy.h"
#include "tests/support/rabbit/arrivals.h"
#include "tests/support/rabbit/failedorders.h"
#include "tests/support/rabbit/rabbitcluster.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;
using support::Arrivals;
using support::FailedOrders;
using support::FaultyProxy;
using support::RabbitAdmin;
using support::RabbitCluster;
using support::RabbitConsole;
using support::RabbitServer;

namespace {

constexpr int nodes = 3;
constexpr int messagesPerRow = 400;
constexpr quint64 seed = 20261128;
constexpr int timeoutMs = 240000;
constexpr int copiesBeforeStrike = 40;
constexpr core::Milliseconds downFor{4000};
constexpr core::Milliseconds silentFor{12000}; // longer than the others wait for a silent node
constexpr core::Milliseconds healedWithin{30000};
constexpr core::Milliseconds wholeWithin{120000};
const QString vhost = QStringLiteral("clu/ster");
const QString onOneNode = QStringLiteral("error"); // classic, on node 2
const QString onAllNodes = QStringLiteral("error-replicated"); // quorum

enum class Strike { Kill, Stop, Isolate };

struct Stage
{
    const char *name;
    const char *request; // before the broker hears of it
    int nth;
};

constexpr Stage moving{"page moved", "^GET /api/parameters/shovel/[^/]+/redrive", 1};
constexpr Stage reading{"page read", "^POST /api/queues/[^/]+/redrive[^/]*/get", 1};
constexpr Stage removing{"page removed", "^DELETE /api/queues/[^/]+/redrive[^/]*/contents", 1};
constexpr Stage staging{"staging", "^POST /api/exchanges/[^/]+/redrive[^/]*/publish", copiesBeforeStrike};
constexpr Stage forwarding{"forwarding", "^GET /api/shovels/", 1};
constexpr Stage accounting{"accounting", "^DELETE /api/bindings/", 1};
constexpr Stage discarding{"discarding", "^DELETE /api/exchanges/", 1};

} // namespace

class TestRabbitClusterKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void whileTaking_data();
    void whileTaking();
    void whileReturning_data();
    void whileReturning();
    void aNodeDiesBehindALoadBalancer_data();
    void aNodeDiesBehindALoadBalancer();
    void copiesThatANodeLostAreNotCalledSent_data();
    void copiesThatANodeLostAreNotCalledSent();

private:
    [[nodiscard]] records::Connection connection(const QString &errorQueue) const;
    void arm(const Stage &stage);
    void comeBack();
    // Takes until nothing stops it.
    void takeAll(RabbitConsole &console);
    // In the store: each message, and those that are there twice but for one flagged.
    void allAreInTheStore(RabbitConsole &console, const FailedOrders &orders);
    void judgeArrivals(RabbitConsole &console, const QList<int> &expected);
    void nothingOfOursIsLeft();

    std::unique_ptr<RabbitCluster> m_cluster;
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<FaultyProxy> m_proxy;
    QString m_errorQueue;
    int m_node = 0;
    Strike m_strike = Strike::Kill;
    int m_nextNumber = 0;
};

void TestRabbitClusterKill::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    m_cluster = std::make_unique<RabbitCluster>(nodes);
    QVERIFY2(m_cluster->start(), qPrintable(m_cluster->error()));
    m_admin = std::make_unique<RabbitAdmin>(*m_cluster, vhost);
    m_admin->makeVhost();
    const QStringList destinations = FailedOrders::destinations();
    const QCborMap classic{{QStringLiteral("x-queue-type"), QStringLiteral("classic")}};
    const QCborMap replicated{{QStringLiteral("x-queue-type"), QStringLiteral("quorum")}};
    RabbitAdmin second(m_cluster->node(1), vhost);
    RabbitAdmin third(m_cluster->node(2), vhost);
    second.makeQueue(onOneNode, classic);
    third.makeQueue(onAllNodes, replicated);
    third.makeQueue(destinations.at(0), classic);
    second.makeQueue(destinations.at(1), replicated);
    for (qsizetype i = 2; i < destinations.size(); ++i)
        second.makeQueue(destinations.at(i), classic);
    m_proxy = std::make_unique<FaultyProxy>(m_cluster->node(0).httpPort(), seed);
}

void TestRabbitClusterKill::init()
{
    m_errorQueue = onOneNode;
}

records::Connection TestRabbitClusterKill::connection(const QString &errorQueue) const
{
    records::Connection connection = m_cluster->node(0).connection(vhost, {errorQueue});
    connection.url.setPort(m_proxy->port());
    return connection;
}

void TestRabbitClusterKill::arm(const Stage &stage)
{
    const auto strike = [this] {
        if (m_strike == Strike::Kill)
            m_cluster->killNode(m_node);
        else if (m_strike == Strike::Stop)
            m_cluster->stopNode(m_node);
        else if (!m_cluster->isolate(m_node))
            qFatal("The node cannot be cut off.");
    };
    m_proxy->strikeAt(QRegularExpression(QString::fromLatin1(stage.request)), stage.nth, strike);
}

void TestRabbitClusterKill::comeBack()
{
    m_cluster->pause(m_strike == Strike::Kill ? downFor : silentFor);
    if (m_strike == Strike::Kill)
        QVERIFY2(m_cluster->restartNode(m_node), qPrintable(m_cluster->error()));
    else if (m_strike == Strike::Stop)
        m_cluster->goOn(m_node);
    else
        QVERIFY(m_cluster->heal(m_node));
    // RabbitMQ 3.10 does not always pause a node that was silent: then a person has to start it again.
    if (!m_cluster->waitUntilWhole(m_strike == Strike::Kill ? wholeWithin : healedWithin)) {
        qInfo("the node is started again");
        QVERIFY2(m_cluster->restartNode(m_node), qPrintable(m_cluster->error()));
    }
    QVERIFY2(m_cluster->waitUntilWhole(wholeWithin), qPrintable(m_cluster->error()));
}

void TestRabbitClusterKill::takeAll(RabbitConsole &console)
{
    core::Result<records::IntakeCounts> taken = console.takeAll();
    QString said;
    QVERIFY2(QTest::qWaitFor(
                 [&] {
                     if (!taken) {
                         if (said != taken.error().message)
                             qInfo("taking: %s", qPrintable(said = taken.error().message));
                         taken = console.takeAll();
                     }
                     return taken.has_value();
                 },
                 timeoutMs),
             test::why(taken).constData());
}

void TestRabbitClusterKill::allAreInTheStore(RabbitConsole &console, const FailedOrders &orders)
{
    QMap<int, int> sure;
    QSet<int> flagged;
    for (const records::FailedMessage &message : console.messages(records::MessageStatus::Unresolved)) {
        const int number = FailedOrders::numberOf(message.messageId).value_or(-1);
        if (message.flags.testFlag(records::MessageFlag::PossibleDuplicate))
            flagged.insert(number);
        else
            ++sure[number];
    }
    qInfo("%lld possible duplicates in the store", qint64(flagged.size()));
    QCOMPARE(sure.keys(), orders.numbers());
    for (auto one = sure.cbegin(); one != sure.cend(); ++one)
        QVERIFY2(one.value() == 1, qPrintable(QStringLiteral("message %1").arg(one.key())));
}

void TestRabbitClusterKill::judgeArrivals(RabbitConsole &console, const QList<int> &expected)
{
    const Arrivals arrived(*m_admin);
    QVERIFY2(arrived.faults().isEmpty(), qPrintable(arrived.faults().join(u'\n')));
    killing::Evidence evidence;
    evidence.expected = killing::oneOfEach(expected);
    evidence.arrived = arrived.copies();
    evidence.flagged = console.flagged();
    for (const int number : console.inDoubt())
        ++evidence.inDoubt[number];
    const killing::Verdict verdict = killing::verdictOn(evidence);
    qInfo("%s", qPrintable(verdict.words()));
    QVERIFY2(verdict.isGood(), qPrintable(verdict.words()));
}

void TestRabbitClusterKill::nothingOfOursIsLeft()
{
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->ours(), QStringList(), timeoutMs);
}

namespace {

const char *const strikes[] = {"killed", "stopped", "cut off"};

bool allRowsAreWanted()
{
    return qEnvironmentVariableIsSet("REDRIVE_ALL_ROWS");
}

// The rows that differ most are in every run; REDRIVE_ALL_ROWS: all. `usual`: their names.
void addRows(const QList<Stage> &stages, const QStringList &usual, bool withQueues)
{
    QTest::addColumn<int>("stage");
    QTest::addColumn<int>("node");
    QTest::addColumn<int>("strike");
    QTest::addColumn<bool>("replicated");
    for (int stage = 0; stage < int(stages.size()); ++stage) {
        for (int strike = 0; strike < 3; ++strike) {
            for (int node = 0; node < nodes; ++node) {
                for (const bool replicated : {false, true}) {
                    if (replicated && (!withQueues || node == 0))
                        continue;
                    const QString name = QStringLiteral("%1, node %2 %3%4")
                                             .arg(QString::fromLatin1(stages.at(stage).name), QString::number(node + 1),
                                                  QString::fromLatin1(strikes[strike]),
                                                  replicated ? QStringLiteral(", quorum") : QString());
                    if (usual.contains(name) || allRowsAreWanted())
                        QTest::newRow(qPrintable(name)) << stage << node << strike << replicated;
                }
            }
        }
    }
}

const QList<Stage> stagesOfTaking{moving, reading, removing};
const QList<Stage> stagesOfReturning{staging, forwarding, accounting, discarding};

} // namespace

void TestRabbitClusterKill::whileTaking_data()
{
    addRows(stagesOfTaking,
            {QStringLiteral("page moved, node 2 killed"), QStringLiteral("page moved, node 3 cut off, quorum")}, true);
}

void TestRabbitClusterKill::whileTaking()
{
    QFETCH(int, stage);
    QFETCH(int, node);
    QFETCH(int, strike);
    QFETCH(bool, replicated);
    m_errorQueue = replicated ? onAllNodes : onOneNode;
    m_node = node;
    m_strike = Strike(strike);
    const FailedOrders orders(messagesPerRow, m_nextNumber);
    m_nextNumber += messagesPerRow;
    m_admin->publish(m_errorQueue, orders.envelopes());
    const QTemporaryDir folder;
    RabbitConsole console(folder.path() + QStringLiteral("/store/redrive.db"), connection(m_errorQueue));
    console.open();
    arm(stagesOfTaking.at(stage));
    const api::Answer<records::IntakeCounts> first = console.startTaking();
    QTRY_VERIFY_WITH_TIMEOUT(m_proxy->hasStruck(), timeoutMs);
    comeBack();
    QVERIFY(QTest::qWaitFor([&first] { return first.isFinished(); }, timeoutMs));
    takeAll(console);
    allAreInTheStore(console, orders);
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(m_errorQueue), 0, timeoutMs);
    nothingOfOursIsLeft();
}

void TestRabbitClusterKill::whileReturning_data()
{
    addRows(stagesOfReturning, {QStringLiteral("accounting, node 3 cut off")}, false);
}

void TestRabbitClusterKill::whileReturning()
{
    QFETCH(int, stage);
    QFETCH(int, node);
    QFETCH(int, strike);
    m_node = node;
    m_strike = Strike(strike);
    const FailedOrders orders(messagesPerRow, m_nextNumber);
    m_nextNumber += messagesPerRow;
    m_admin->publish(m_errorQueue, orders.envelopes());
    const QTemporaryDir folder;
    RabbitConsole console(folder.path() + QStringLiteral("/store/redrive.db"), connection(m_errorQueue));
    console.open();
    takeAll(console);
    arm(stagesOfReturning.at(stage));
    records::Plan plan;
    plan.onUnknown = records::OnUnknown::SendAgain;
    for (const int cause : {0, 1}) {
        const core::Result<core::OperationId> retried = console.retryGroup(FailedOrders::exceptionOf(cause), plan);
        QVERIFY2(retried, test::why(retried).constData());
    }
    QTRY_VERIFY_WITH_TIMEOUT(m_proxy->hasStruck(), timeoutMs);
    comeBack();
    QString said;
    QVERIFY2(QTest::qWaitFor(
                 [&] {
                     const QString reason = console.operations().first().waitingReason;
                     if (reason != said && !reason.isEmpty())
                         qInfo("waiting: %s", qPrintable(reason));
                     said = reason;
                     return console.allCompleted();
                 },
                 timeoutMs),
             qPrintable(said));
    judgeArrivals(console, orders.numbers({0, 1}, true));
    QList<int> others = orders.numbers();
    const QList<int> expected = orders.numbers({0, 1}, true);
    erase_if(others, [&](int number) { return std::binary_search(expected.begin(), expected.end(), number); });
    QCOMPARE(console.numbers(records::MessageStatus::Unresolved), others);
    nothingOfOursIsLeft();
}

// The node of the holding queue is down, another one answers, and the program is started again: the page is not given up, although
// RabbitMQ 4.0 lists no queue of a node that is down.
void TestRabbitClusterKill::aNodeDiesBehindALoadBalancer_data()
{
    QTest::addColumn<int>("stage");
    if (allRowsAreWanted())
        QTest::newRow("page read") << 1;
    QTest::newRow("page removed") << 2;
}

void TestRabbitClusterKill::aNodeDiesBehindALoadBalancer()
{
    QFETCH(int, stage);
    m_node = 0;
    m_strike = Strike::Kill;
    const FailedOrders orders(messagesPerRow, m_nextNumber);
    m_nextNumber += messagesPerRow;
    m_admin->publish(m_errorQueue, orders.envelopes());
    const QTemporaryDir folder;
    RabbitConsole console(folder.path() + QStringLiteral("/store/redrive.db"), connection(m_errorQueue));
    console.open();
    const Stage when = stagesOfTaking.at(stage);
    m_proxy->strikeAt(QRegularExpression(QString::fromLatin1(when.request)), when.nth, [this] {
        m_cluster->killNode(m_node);
        m_proxy->leadTo(m_cluster->node(1).httpPort());
    });
    const api::Answer<records::IntakeCounts> first = console.startTaking();
    QTRY_VERIFY_WITH_TIMEOUT(m_proxy->hasStruck(), timeoutMs);
    QVERIFY(QTest::qWaitFor([&first] { return first.isFinished(); }, timeoutMs));
    for (int tries = 0; tries < 2; ++tries) {
        console.close();
        console.open();
        const core::Result<records::IntakeCounts> taken = console.takeAll();
        if (!taken)
            qInfo("taking: %s", qPrintable(taken.error().message));
        m_cluster->pause(core::Milliseconds{10000}); // what is sent late has arrived then
    }
    comeBack();
    m_proxy->leadTo(m_cluster->node(0).httpPort());
    takeAll(console);
    allAreInTheStore(console, orders);
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(m_errorQueue), 0, timeoutMs);
    nothingOfOursIsLeft();
}

// The node of the staging queue comes back without its messages, but with the queue, its arguments and its bindings.
void TestRabbitClusterKill::copiesThatANodeLostAreNotCalledSent_data()
{
    QTest::addColumn<int>("stage");
    if (allRowsAreWanted())
        QTest::newRow("before they are forwarded") << 0;
    QTest::newRow("while they are forwarded") << 1;
    if (allRowsAreWanted())
        QTest::newRow("its disk is lost") << 2;
}

void TestRabbitClusterKill::copiesThatANodeLostAreNotCalledSent()
{
    QFETCH(int, stage);
    const Stage when = stage == 0 ? Stage{"", "^PUT /api/exchanges/[^/]+/redrive[^/]*return", 3} : forwarding;
    m_node = 0;
    m_strike = Strike::Kill;
    const FailedOrders orders(messagesPerRow, m_nextNumber);
    m_nextNumber += messagesPerRow;
    m_admin->publish(m_errorQueue, orders.envelopes());
    const QTemporaryDir folder;
    RabbitConsole console(folder.path() + QStringLiteral("/store/redrive.db"), connection(m_errorQueue));
    console.open();
    takeAll(console);
    arm(when);
    records::Plan plan;
    plan.onUnknown = records::OnUnknown::SendAgain;
    const core::Result<core::OperationId> retried = console.retryGroup(FailedOrders::exceptionOf(0), plan);
    QVERIFY2(retried, test::why(retried).constData());
    QTRY_VERIFY_WITH_TIMEOUT(m_proxy->hasStruck(), timeoutMs);
    m_cluster->node(m_node).kill();
    if (stage == 2) {
        QVERIFY2(m_cluster->comeBackEmpty(m_node), qPrintable(m_cluster->error()));
    } else {
        m_cluster->loseMessages(m_node);
        comeBack();
    }
    QTRY_VERIFY_WITH_TIMEOUT(console.allCompleted(), timeoutMs);
    judgeArrivals(console, orders.numbers({0}, true));
    nothingOfOursIsLeft();
}

REDRIVE_TEST(TestRabbitClusterKill)
#include "tst_rabbitcluster_kill.moc"
