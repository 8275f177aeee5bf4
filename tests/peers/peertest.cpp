#include "tests/peers/peertest.h"

#include "tests/support/must.h"

#include <QTest>

namespace peers {

namespace {

constexpr int timeoutMs = 60000;
constexpr int orders = 6;

Shop::Counts each(const QList<int> &numbers, int times)
{
    Shop::Counts counts;
    for (const int number : numbers)
        counts.insert(number, times);
    return counts;
}

Shop::Counts only(const QList<int> &numbers, const Shop::Counts &of)
{
    Shop::Counts counts;
    for (const int number : numbers) {
        if (of.contains(number))
            counts.insert(number, of.value(number));
    }
    return counts;
}

QList<core::MessageId> idsOf(const QList<records::FailedMessage> &messages)
{
    QList<core::MessageId> ids;
    for (const records::FailedMessage &one : messages)
        ids.append(one.id);
    std::sort(ids.begin(), ids.end());
    return ids;
}

} // namespace

PeerTest::PeerTest(const Peer &peer)
    : m_run(peer)
{
}

void PeerTest::initTestCase()
{
    const QString missing = m_run.missing();
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
    const QString wrong = m_run.start();
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

// A quorum queue with x-expires goes that long after it was made, whatever waits in it: declaring it again, as Symfony does for each
// try, does not renew it (4.0.5; a classic queue is renewed). So no test relies on one that an earlier test made.
void PeerTest::removeDelayQueues()
{
    for (const QString &queue : m_run.peer().delayQueues)
        m_run.broker().removeQueue(queue);
}

std::unique_ptr<support::Console> PeerTest::consoleWith(qsizetype messages)
{
    m_folder = std::make_unique<QTemporaryDir>();
    auto console = std::make_unique<support::Console>(m_folder->filePath(QStringLiteral("store/redrive.db")),
                                                      QList{m_run.broker().account()});
    console->open();
    const core::Result<records::IntakeCounts> taken = console->takeAll();
    if (!taken || taken->fresh != messages)
        return nullptr;
    return console;
}

void PeerTest::checkRead(support::Console &console, const Messages &messages, int failures)
{
    const Peer &peer = m_run.peer();
    QCOMPARE(messages.size(), orders);
    const QList<api::GroupRow> groups = console.groups();
    QCOMPARE(groups.size(), 1);
    QCOMPARE(groups.constFirst().title, peer.title);
    for (const records::FailedMessage &one : messages) {
        QCOMPARE(one.dialect, peer.dialect);
        QCOMPARE(one.messageType, peer.type);
        QCOMPARE(one.failure.exceptionType, peer.exception);
        QCOMPARE(one.failure.exceptionMessage, peer.cause);
        QCOMPARE(one.attempts, failures);
        QVERIFY(!one.flags);
        const api::MessageDetail detail = test::must(console.client().ask(api::MessageDetailQuery{one.id}).result());
        dialect::Arrival arrival;
        arrival.broker = m_run.broker().account().connection.kind;
        arrival.queue = one.queue;
        arrival.envelope = detail.envelope;
        QCOMPARE(dialect::read(arrival).attempts, peer.attempts);
    }
}

void PeerTest::recognised()
{
    const QList<int> numbers = m_run.failOrders(orders);
    QVERIFY2(!numbers.isEmpty(), m_run.shop().log().constData());
    QCOMPARE(only(numbers, m_run.shop().tries()), each(numbers, m_run.peer().budget));
    const std::unique_ptr<support::Console> console = consoleWith(orders);
    QVERIFY(console);
    checkRead(*console, console->messages(records::MessageStatus::Unresolved), 1);
}

// Also when the queues through which its tries went exist no more, as it is with Symfony after ten seconds.
void PeerTest::destination()
{
    const QList<int> numbers = m_run.failOrders(orders);
    QVERIFY2(!numbers.isEmpty(), m_run.shop().log().constData());
    QCOMPARE(m_run.comeToRest(), QString());
    removeDelayQueues();
    const std::unique_ptr<support::Console> console = consoleWith(orders);
    QVERIFY(console);
    const Messages messages = console->messages(records::MessageStatus::Unresolved);
    for (const records::FailedMessage &one : messages) {
        QCOMPARE(one.destination.queue, m_run.peer().destination.queue);
        QVERIFY(one.destination.certainty == m_run.peer().destination.certainty);
        QCOMPARE(one.destination.knownFrom, m_run.peer().destination.knownFrom);
    }
}

void PeerTest::returnAll(support::Console &console)
{
    api::RetryDraft draft;
    draft.filter.connection = console.connection();
    const api::PlanPreview plan = test::must(console.client().ask(api::PreviewRetry{draft}).result());
    QCOMPARE(plan.frozenCount, orders);
    api::ConfirmRetry command;
    command.draft = draft;
    command.draft.asOfChange = plan.asOfChange;
    command.expectedCount = plan.frozenCount;
    (void)test::must(console.client().ask(command).result());
    QTRY_VERIFY_WITH_TIMEOUT(console.allCompleted(), timeoutMs);
    QCOMPARE(console.operations().constFirst().counts.sent, orders);
}

// The worker comes back when the retry is over: its own tries need nothing that Redrive had on the broker for the time of the retry.
void PeerTest::fullBudgetAfterReturn()
{
    const QList<int> numbers = m_run.failOrders(orders);
    QVERIFY2(!numbers.isEmpty(), m_run.shop().log().constData());
    const std::unique_ptr<support::Console> console = consoleWith(orders);
    QVERIFY(console);
    const Messages before = console->messages(records::MessageStatus::Unresolved);
    m_run.shop().close();
    returnAll(*console);
    removeDelayQueues();
    QVERIFY(m_run.shop().open());
    QVERIFY2(m_run.untilFailed(orders), m_run.shop().log().constData());
    QCOMPARE(only(numbers, m_run.shop().tries()), each(numbers, 2 * m_run.peer().budget));

    const core::Result<records::IntakeCounts> taken = console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    const Messages after = console->messages(records::MessageStatus::Unresolved);
    const bool isSame = m_run.broker().recognisesReturns();
    QCOMPARE(taken->fresh, isSame ? 0 : orders);
    if (isSame)
        QCOMPARE(idsOf(after), idsOf(before));
    checkRead(*console, after, isSame ? 2 : 1);
}

void PeerTest::returnedAndProcessedOnce()
{
    const QList<int> numbers = m_run.failOrders(orders);
    QVERIFY2(!numbers.isEmpty(), m_run.shop().log().constData());
    const std::unique_ptr<support::Console> console = consoleWith(orders);
    QVERIFY(console);
    m_run.shop().repair();
    returnAll(*console);
    QTRY_COMPARE_WITH_TIMEOUT(only(numbers, m_run.shop().processed()), each(numbers, 1), timeoutMs);
    QCOMPARE(m_run.comeToRest(), QString());
    m_run.shop().close(); // whatever it still had under way is written down now
    QCOMPARE(only(numbers, m_run.shop().processed()), each(numbers, 1));
    QCOMPARE(only(numbers, m_run.shop().tries()), each(numbers, m_run.peer().budget + 1));
    QCOMPARE(m_run.broker().depth(m_run.peer().errorQueue), 0);
    QVERIFY(m_run.shop().open());
}

} // namespace peers

#include "moc_peertest.cpp"
