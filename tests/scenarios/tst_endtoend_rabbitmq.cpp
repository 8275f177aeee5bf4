// The whole program but its window over the RabbitMQ of Debian: 10,000 failed messages are taken, grouped and two
// groups of them sent back, once by staging queue and shovel, once, without the plugin, by intent log.
#include "tests/support/rabbit/arrivals.h"
#include "tests/support/rabbit/failedorders.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"

#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

using support::Arrivals;
using support::FailedOrders;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;

namespace {

constexpr int messages = 10000;
constexpr int timeoutMs = 240000;
constexpr int decoys = 3;

// The decoy in "/" has the same name: a shovel whose address lacks the virtual host would drain it.
const QStringList errorQueues{QStringLiteral("error"), QStringLiteral("Fehler / 100% \"late\"")};

} // namespace

class TestEndToEndRabbitMq final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void takesAllOfThem();
    void groupsThemByCause();
    void sendsAGroupBackByStagingQueue();
    void sendsAGroupBackFromTheIntentLogWithoutThePlugin();
    void theOthersAreUntouched();

private:
    void arrivedOnce(const QList<int> &expected);
    [[nodiscard]] records::RetryOperation retried(int cause);

    RabbitServer m_server;
    QTemporaryDir m_folder;
    FailedOrders m_orders{messages};
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<RabbitAdmin> m_decoy;
    std::unique_ptr<RabbitConsole> m_console;
};

void TestEndToEndRabbitMq::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    m_decoy = std::make_unique<RabbitAdmin>(m_server, QStringLiteral("/"));
    m_decoy->makeQueue(errorQueues.first());
    m_decoy->publish(errorQueues.first(), FailedOrders(decoys).envelopes());
    m_admin = std::make_unique<RabbitAdmin>(m_server, QStringLiteral("pro/duction"));
    m_admin->makeVhost();
    for (const QString &queue : errorQueues + FailedOrders::destinations())
        m_admin->makeQueue(queue);
    const QList<records::Envelope> all = m_orders.envelopes();
    m_admin->publish(errorQueues.first(), all.mid(0, messages / 2));
    m_admin->publish(errorQueues.last(), all.mid(messages / 2));

    const records::Connection connection = m_server.connection(QStringLiteral("pro/duction"), errorQueues);
    m_console = std::make_unique<RabbitConsole>(m_folder.filePath(QStringLiteral("store/redrive.db")), connection);
    m_console->open();
}

void TestEndToEndRabbitMq::takesAllOfThem()
{
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->taken, messages);
    QCOMPARE(taken->fresh, messages);
    QCOMPARE(taken->undecodable, 0);
    QCOMPARE(m_console->numbers(records::MessageStatus::Unresolved), m_orders.numbers());
    for (const QString &queue : errorQueues)
        QCOMPARE(m_admin->depth(queue), 0);
    QCOMPARE(m_admin->ours(), QStringList());
}

void TestEndToEndRabbitMq::groupsThemByCause()
{
    const core::Result<api::GroupPage> page = m_console->client().ask(api::GroupQuery{}).result();
    QVERIFY2(page, test::why(page).constData());
    QCOMPARE(page->rows.size(), FailedOrders::causes);
    for (int cause = 0; cause < FailedOrders::causes; ++cause) {
        const std::optional<api::GroupRow> group = m_console->group(FailedOrders::exceptionOf(cause));
        QVERIFY(group);
        QCOMPARE(group->count, m_orders.numbers({cause}, false).size());
    }
}

records::RetryOperation TestEndToEndRabbitMq::retried(int cause)
{
    const core::Result<core::OperationId> operation = m_console->retryGroup(FailedOrders::exceptionOf(cause));
    if (!operation) {
        qWarning("%s", test::why(operation).constData());
        return {};
    }
    if (!QTest::qWaitFor([this] { return m_console->allCompleted(); }, timeoutMs))
        qWarning("%s", qPrintable(m_console->operations().first().waitingReason));
    return m_console->operations().first();
}

// At the destinations: each of these messages once and unchanged, and nothing else.
void TestEndToEndRabbitMq::arrivedOnce(const QList<int> &expected)
{
    const Arrivals arrived(*m_admin);
    QVERIFY2(arrived.faults().isEmpty(), qPrintable(arrived.faults().join(QLatin1Char('\n'))));
    QCOMPARE(arrived.twice(), QSet<int>());
    QCOMPARE(arrived.numbers(), expected);
    QCOMPARE(m_console->flagged(), QSet<int>());
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->ours(), QStringList(), timeoutMs);
}

void TestEndToEndRabbitMq::sendsAGroupBackByStagingQueue()
{
    const QList<int> expected = m_orders.numbers({0}, true);
    const records::RetryOperation operation = retried(0);
    QVERIFY(operation.state == records::OperationState::Completed);
    QCOMPARE(operation.handOver, records::HandOver::StagingQueue);
    QCOMPARE(operation.counts.sent, expected.size());
    QCOMPARE(operation.counts.sum(), operation.total);
    arrivedOnce(expected);
}

void TestEndToEndRabbitMq::sendsAGroupBackFromTheIntentLogWithoutThePlugin()
{
    m_console->close();
    m_server.stop();
    m_server.enableShovel(false);
    QVERIFY2(m_server.restart(), qPrintable(m_server.error()));
    m_console->open();

    const QList<int> expected = m_orders.numbers({1}, true);
    const records::RetryOperation operation = retried(1);
    QVERIFY(operation.state == records::OperationState::Completed);
    QCOMPARE(operation.handOver, records::HandOver::IntentLog);
    QCOMPARE(operation.counts.sent, expected.size());
    QCOMPARE(operation.counts.sum(), operation.total);
    arrivedOnce(expected);
    const core::Result<records::IntakeCounts> refused = m_console->takeAll();
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(QLatin1String("rabbitmq_shovel")), qPrintable(refused.error().message));
}

// Includes the messages of the two groups without an existing destination.
void TestEndToEndRabbitMq::theOthersAreUntouched()
{
    QSet<int> sent;
    for (const int number : m_orders.numbers({0, 1}, true))
        sent.insert(number);
    QList<int> others = m_orders.numbers();
    erase_if(others, [&](int number) { return sent.contains(number); });
    QCOMPARE(m_console->numbers(records::MessageStatus::Unresolved), others);

    api::MessageQuery query;
    query.filter.status = records::MessageStatus::Unresolved;
    query.limit = 1000;
    const core::Result<api::MessagePage> page = m_console->client().ask(query).result();
    QVERIFY2(page, test::why(page).constData());
    for (const records::FailedMessage &message : page->rows) {
        QCOMPARE(message.attempts, 1);
        const int number = FailedOrders::numberOf(message.messageId).value_or(-1);
        QCOMPARE(m_console->client().ask(api::BodyQuery{message.id}).result().value_or("?"),
                 FailedOrders::bodyOf(number));
    }
    QCOMPARE(m_decoy->depth(errorQueues.first()), decoys);
    QCOMPARE(m_decoy->drain(errorQueues.first()).size(), decoys);
}

REDRIVE_TEST(TestEndToEndRabbitMq)
#include "tst_endtoend_rabbitmq.moc"
