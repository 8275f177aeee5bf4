// RabbitMQ is killed, or stopped in order, and started again while the engine takes from it or sends to it: nothing is lost, and
// what came twice is flagged as a possible duplicate.
#include "backend/api/requests/connections.h"
#include "tests/support/must.h"
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

constexpr int messagesPerRow = 1600;
constexpr quint64 seed = 20260103;
constexpr int timeoutMs = 200000;
const QString errorQueue = QStringLiteral("error");

enum class End { Killed, Stopped };

} // namespace

class TestRabbitMqKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void interruptedWhileTaking_data();
    void interruptedWhileTaking();
    void interruptedWhileSending_data();
    void interruptedWhileSending();

private:
    [[nodiscard]] std::unique_ptr<RabbitConsole> newConsole(const QString &folder) const;
    // While a shovel of ours is at work.
    void interruptInAMove(End end);
    void interrupt(End end);
    // Takes until nothing stops it.
    void takeAll(RabbitConsole &console);
    // In the store: each message, and those that are there twice but for one flagged.
    void allAreInTheStore(RabbitConsole &console, const FailedOrders &orders);

    RabbitServer m_server;
    core::SeededRandom m_random{seed};
    std::unique_ptr<RabbitAdmin> m_admin;
    int m_nextNumber = 0;
};

void TestRabbitMqKill::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    m_admin = std::make_unique<RabbitAdmin>(m_server, QStringLiteral("kill/ed"));
    m_admin->makeVhost();
    for (const QString &queue : FailedOrders::destinations() + QStringList{errorQueue})
        m_admin->makeQueue(queue);
}

std::unique_ptr<RabbitConsole> TestRabbitMqKill::newConsole(const QString &folder) const
{
    auto console = std::make_unique<RabbitConsole>(folder + QStringLiteral("/store/redrive.db"),
                                                   m_server.connection(QStringLiteral("kill/ed"), {errorQueue}));
    console->open();
    static_cast<void>(console->connection());
    return console;
}

void TestRabbitMqKill::interrupt(End end)
{
    if (end == End::Killed)
        m_server.kill();
    else
        m_server.stop();
    QVERIFY2(m_server.restart(), qPrintable(m_server.error()));
}

void TestRabbitMqKill::interruptInAMove(End end)
{
    static_cast<void>(m_server.until([this] { return m_admin->ours().join(u' ').contains(QLatin1String("shovels")); },
                                     10s)); // else at any moment
    m_server.pause(core::Milliseconds(m_random.below(200)));
    interrupt(end);
}

void TestRabbitMqKill::takeAll(RabbitConsole &console)
{
    core::Result<records::IntakeCounts> taken = console.takeAll();
    QVERIFY2(QTest::qWaitFor(
                 [&] {
                     if (!taken)
                         taken = console.takeAll();
                     return taken.has_value();
                 },
                 timeoutMs),
             test::why(taken).constData());
}

void TestRabbitMqKill::allAreInTheStore(RabbitConsole &console, const FailedOrders &orders)
{
    QMap<int, int> sure;
    QSet<int> flagged;
    api::MessageQuery query;
    query.limit = 1000;
    do {
        const api::MessagePage page = test::must(console.client().ask(query).result());
        for (const records::FailedMessage &message : page.rows) {
            const int number = FailedOrders::numberOf(message.messageId).value_or(-1);
            if (message.flags.testFlag(records::MessageFlag::PossibleDuplicate))
                flagged.insert(number);
            else
                ++sure[number];
        }
        query.after = page.next;
    } while (!query.after.isEmpty());
    qInfo("%lld possible duplicates in the store", qint64(flagged.size()));
    QCOMPARE(sure.keys(), orders.numbers());
    for (auto one = sure.cbegin(); one != sure.cend(); ++one)
        QVERIFY2(one.value() == 1, qPrintable(QStringLiteral("message %1").arg(one.key())));
}

void TestRabbitMqKill::interruptedWhileTaking_data()
{
    QTest::addColumn<int>("end");
    QTest::newRow("killed") << int(End::Killed);
    QTest::newRow("stopped in order") << int(End::Stopped);
}

void TestRabbitMqKill::interruptedWhileTaking()
{
    QFETCH(int, end);
    const FailedOrders orders(messagesPerRow, m_nextNumber);
    m_nextNumber += messagesPerRow;
    m_admin->publish(errorQueue, orders.envelopes());
    const QTemporaryDir folder;
    const std::unique_ptr<RabbitConsole> console = newConsole(folder.path());
    api::TakeMessages request;
    request.connection = console->connection();
    const api::Answer<records::IntakeCounts> first = console->client().ask(request);
    interruptInAMove(End(end));
    QVERIFY(QTest::qWaitFor([&first] { return first.isFinished(); }, timeoutMs));
    takeAll(*console);
    allAreInTheStore(*console, orders);
    QCOMPARE(m_admin->depth(errorQueue), 0);
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->ours(), QStringList(), timeoutMs);
}

void TestRabbitMqKill::interruptedWhileSending_data()
{
    QTest::addColumn<bool>("shovel");
    QTest::addColumn<int>("end");
    QTest::addColumn<int>("times");
    QTest::newRow("staging queue, killed") << true << int(End::Killed) << 2;
    QTest::newRow("staging queue, stopped in order") << true << int(End::Stopped) << 1;
    QTest::newRow("intent log, killed") << false << int(End::Killed) << 1;
}

void TestRabbitMqKill::interruptedWhileSending()
{
    QFETCH(bool, shovel);
    QFETCH(int, end);
    QFETCH(int, times);
    const FailedOrders orders(messagesPerRow, m_nextNumber);
    m_nextNumber += messagesPerRow;
    m_admin->publish(errorQueue, orders.envelopes());
    const QTemporaryDir folder;
    const std::unique_ptr<RabbitConsole> console = newConsole(folder.path());
    takeAll(*console);
    if (!shovel) { // then the same connection forwards by intent log
        console->close();
        m_server.stop();
        m_server.enableShovel(false);
        QVERIFY2(m_server.restart(), qPrintable(m_server.error()));
        console->open();
    }
    records::Plan plan;
    plan.onUnknown = records::OnUnknown::SendAgain;
    for (const int cause : {0, 1}) {
        const core::Result<core::OperationId> retried = console->retryGroup(FailedOrders::exceptionOf(cause), plan);
        QVERIFY2(retried, test::why(retried).constData());
    }
    int interruptions = 0;
    for (; interruptions < times && !console->allCompleted(); ++interruptions) {
        if (shovel) {
            interruptInAMove(End(end));
        } else {
            m_server.pause(core::Milliseconds(m_random.below(1000)));
            interrupt(End(end));
        }
        // Back-off is over and something moves again.
        const qint64 before =
            console->operations().first().counts.ended() + console->operations().last().counts.ended();
        QVERIFY(QTest::qWaitFor(
            [&] {
                const QList<records::RetryOperation> now = console->operations();
                return now.first().counts.ended() + now.last().counts.ended() > before || console->allCompleted();
            },
            timeoutMs));
    }
    QVERIFY(interruptions > 0);
    QVERIFY2(QTest::qWaitFor([&] { return console->allCompleted(); }, timeoutMs),
             qPrintable(console->operations().first().waitingReason));

    const QList<int> expected = orders.numbers({0, 1}, true);
    const Arrivals arrived(*m_admin);
    QCOMPARE(arrived.faults(), QStringList());
    QCOMPARE(arrived.numbers(), expected);
    const QSet<int> flagged = console->flagged();
    qInfo("%d interruptions, %d copies twice, %lld members flagged", interruptions, arrived.surplus(),
          qint64(flagged.size()));
    QVERIFY(flagged.contains(arrived.twice()));
    QList<int> others = orders.numbers();
    erase_if(others, [&](int number) { return std::binary_search(expected.begin(), expected.end(), number); });
    QCOMPARE(console->numbers(records::MessageStatus::Unresolved), others);
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->ours(), QStringList(), timeoutMs);
}

REDRIVE_TEST(TestRabbitMqKill)
#include "tst_rabbitmq_kill.moc"
