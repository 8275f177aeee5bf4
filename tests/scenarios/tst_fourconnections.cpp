// One console with a connection of each kind: RabbitMQ, Service Bus, Storage Queues and SQS. One of them, each in turn,
// is slow: intakes and retries on the other three end while it still works, and then it ends, too.
#include "tests/support/brokerrig/azurequeuerig.h"
#include "tests/support/brokerrig/rabbitrig.h"
#include "tests/support/brokerrig/servicebusrig.h"
#include "tests/support/brokerrig/sqsrig.h"
#include "tests/support/must.h"
#include "tests/support/network/slowproxy.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;
using support::BrokerRig;
using support::Console;

namespace {

constexpr int messages = 60; // on each
constexpr int timeoutMs = 300000;
constexpr core::Milliseconds slowAnswer{50}; // when it answers again

} // namespace

class TestFourConnections final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theSlowOneDoesNotDelayTheOthers_data();
    void theSlowOneDoesNotDelayTheOthers();

private:
    void takeAll(Console &console, int slow, support::SlowProxy &proxy);
    void retryAll(Console &console, int slow, support::SlowProxy &proxy);
    [[nodiscard]] static QList<api::ConfirmRetry> commandsFor(Console &console, int account);
    // Every message that can be sent was sent.
    [[nodiscard]] bool hasEnded(Console &console, int account);
    [[nodiscard]] static QString whatIsLeft(Console &console);
    void allHasArrived(Console &console);

    support::RabbitRig m_rabbit;
    support::ServiceBusRig m_bus;
    support::AzureQueueRig m_storage;
    support::SqsRig m_sqs;
    const QList<BrokerRig *> m_all{&m_rabbit, &m_bus, &m_storage, &m_sqs};
};

void TestFourConnections::initTestCase()
{
    if (!support::RabbitRig::isInstalled() || !m_storage.isInstalled() || !m_sqs.isInstalled())
        QSKIP("one of rabbitmq-server, azurite and fauxqs is not installed");
    QVERIFY2(m_rabbit.start(), qPrintable(m_rabbit.error()));
    QVERIFY(m_bus.start());
    QVERIFY2(m_storage.start(), qPrintable(m_storage.error()));
    QVERIFY2(m_sqs.start(), qPrintable(m_sqs.error()));
}

void TestFourConnections::theSlowOneDoesNotDelayTheOthers_data()
{
    QTest::addColumn<int>("slow");
    const char *const names[] = {"RabbitMQ", "Service Bus", "Storage Queues", "SQS"};
    for (int i = 0; i < m_all.size(); ++i)
        QTest::newRow(names[i]) << i;
}

void TestFourConnections::theSlowOneDoesNotDelayTheOthers()
{
    QFETCH(int, slow);
    QList<int> numbers;
    for (int number = 0; number < messages; ++number)
        numbers.append(number);
    QList<Console::Account> accounts;
    for (BrokerRig *rig : m_all) {
        rig->publish(numbers);
        accounts.append(rig->account());
    }
    QUrl &url = accounts[slow].connection.url;
    support::SlowProxy proxy(quint16(url.port()));
    url.setPort(proxy.port());

    const QTemporaryDir folder;
    Console console(folder.filePath(QStringLiteral("store/redrive.db")), accounts);
    console.open();
    takeAll(console, slow, proxy);
    if (!QTest::currentTestFailed())
        retryAll(console, slow, proxy);
    proxy.letGo();
    if (!QTest::currentTestFailed())
        allHasArrived(console);
}

void TestFourConnections::takeAll(Console &console, int slow, support::SlowProxy &proxy)
{
    for (int i = 0; i < m_all.size(); ++i)
        static_cast<void>(console.connection(i));
    proxy.delay(slowAnswer);
    proxy.prefetch();
    QList<api::Answer<records::IntakeCounts>> taking{console.startTaking(slow)};
    for (int i = 0; i < m_all.size(); ++i) {
        if (i != slow)
            taking.append(console.startTaking(i));
    }
    for (const api::Answer<records::IntakeCounts> &other : taking.mid(1)) {
        QVERIFY(QTest::qWaitFor([&other] { return other.isFinished(); }, timeoutMs));
        QVERIFY2(other.result(), test::why(other.result()).constData());
        QCOMPARE(other.result()->fresh, messages);
    }
    QVERIFY(!taking.constFirst().isFinished());
    proxy.letGo();
    QVERIFY(QTest::qWaitFor([&taking] { return taking.constFirst().isFinished(); }, timeoutMs));
    QVERIFY2(taking.constFirst().result(), test::why(taking.constFirst().result()).constData());
    QCOMPARE(console.count(records::MessageStatus::Unresolved), messages * m_all.size());
}

void TestFourConnections::retryAll(Console &console, int slow, support::SlowProxy &proxy)
{
    proxy.delay(0ms); // a person has seen all plans before
    QList<QList<api::ConfirmRetry>> commands;
    for (int i = 0; i < m_all.size(); ++i)
        commands.append(commandsFor(console, i));
    proxy.delay(slowAnswer);
    proxy.prefetch();
    QList<api::Answer<core::OperationId>> retrying;
    for (const api::ConfirmRetry &command : commands.at(slow))
        retrying.append(console.client().ask(command));
    commands[slow].clear();
    for (const QList<api::ConfirmRetry> &some : commands) {
        for (const api::ConfirmRetry &command : some)
            retrying.append(console.client().ask(command));
    }
    for (int i = 0; i < m_all.size(); ++i) {
        const bool ended = i == slow || QTest::qWaitFor([&] { return hasEnded(console, i); }, timeoutMs);
        QVERIFY2(ended, qPrintable(whatIsLeft(console)));
    }
    QVERIFY(!hasEnded(console, slow));
    QTRY_VERIFY_WITH_TIMEOUT(proxy.waiting() > 0, timeoutMs); // it has started
    QVERIFY(!hasEnded(console, slow));
    proxy.letGo();
    QVERIFY(QTest::qWaitFor([&] { return hasEnded(console, slow); }, timeoutMs));
    for (const api::Answer<core::OperationId> &one : std::as_const(retrying))
        QVERIFY2(one.isFinished() && one.result(), test::why(one.result()).constData());
}

QString TestFourConnections::whatIsLeft(Console &console)
{
    QStringList lines;
    const QList<records::RetryOperation> operations = console.operations();
    for (const records::RetryOperation &one : operations) {
        lines += QStringLiteral("operation %1 of connection %2: %3, %4 of %5 sent, %6 in doubt, %7 ejected; %8 %9")
                     .arg(one.id.value)
                     .arg(one.connection.value)
                     .arg(records::toString(one.state))
                     .arg(one.counts.sent)
                     .arg(one.total)
                     .arg(one.counts.inDoubt)
                     .arg(one.counts.ejected)
                     .arg(one.waitingReason, one.stoppedBecause);
    }
    return lines.join(QLatin1Char('\n'));
}

// One plan for each group with messages that can be sent.
QList<api::ConfirmRetry> TestFourConnections::commandsFor(Console &console, int account)
{
    QList<api::ConfirmRetry> commands;
    const QList<api::GroupRow> groups = console.groups();
    for (const api::GroupRow &group : groups) {
        if (group.connection != console.connection(account))
            continue;
        core::Result<api::ConfirmRetry> command = console.plan(group); // refused if none of its messages can be sent
        if (!command || command->expectedCount == 0)
            continue;
        // A server may close an idle connection just when something is sent on it: then it is unknown whether that
        // arrived.
        command->draft.plan.onUnknown = records::OnUnknown::SendAgain;
        commands.append(*command);
    }
    return commands;
}

bool TestFourConnections::hasEnded(Console &console, int account)
{
    qint64 wanted = 0;
    for (int number = 0; number < messages; ++number)
        wanted += m_all.at(account)->goesBack(number) ? 1 : 0;
    qint64 sent = 0;
    const QList<records::RetryOperation> operations = console.operations();
    for (const records::RetryOperation &operation : operations) {
        if (operation.connection != console.connection(account))
            continue;
        if (operation.state != records::OperationState::Completed)
            return false;
        sent += operation.counts.sent;
    }
    return sent == wanted;
}

void TestFourConnections::allHasArrived(Console &console)
{
    for (int i = 0; i < m_all.size(); ++i) {
        BrokerRig *rig = m_all.at(i);
        QList<int> expected;
        for (int number = 0; number < messages; ++number) {
            if (rig->goesBack(number))
                expected.append(rig->countedAs(number));
        }
        QList<int> arrived;
        const QList<support::Copy> copies = rig->drain();
        for (const support::Copy &copy : copies) {
            QVERIFY2(copy.fault.isEmpty(), qPrintable(copy.fault));
            arrived.append(copy.number);
        }
        std::sort(expected.begin(), expected.end());
        std::sort(arrived.begin(), arrived.end());
        qint64 flagged = 0; // sent again for lack of an answer: twice at most
        const QList<records::RetryOperation> operations = console.operations();
        for (const records::RetryOperation &operation : operations)
            flagged += operation.connection == console.connection(i) ? operation.counts.possibleDuplicates : 0;
        if (flagged == 0)
            QCOMPARE(arrived, expected);
        QVERIFY(std::includes(arrived.cbegin(), arrived.cend(), expected.cbegin(), expected.cend()));
        QVERIFY(arrived.size() - expected.size() <= flagged);
    }
}

REDRIVE_TEST(TestFourConnections)
#include "tst_fourconnections.moc"
