// What the RabbitMQ of Debian drops and cannot carry, and what a retry does about it.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/retryplan.h"
#include "backend/broker/rabbitmq/http/bodylimit.h"
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/core/random.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using broker::SendOutcome;
using broker::Verdict;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;

namespace {

constexpr int timeoutMs = 180000;
const QString errors = QStringLiteral("error");
const QString orders = QStringLiteral("orders");
const QString exception = QStringLiteral("TimeoutException"); // of all failed messages

// As NServiceBus leaves it in its error queue.
records::Envelope failed(int number)
{
    records::Envelope one;
    one.headers = {{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("order-%1").arg(number)},
                   {QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), QStringLiteral("Shop.") + exception},
                   {QStringLiteral("NServiceBus.ExceptionInfo.Message"), QStringLiteral("too late")},
                   {QStringLiteral("NServiceBus.FailedQ"), orders},
                   {QStringLiteral("NServiceBus.TimeOfFailure"), QStringLiteral("2026-01-02 03:04:05:000000 Z")}};
    one.properties = {{QStringLiteral("delivery_mode"), 2}};
    one.body = QByteArray::number(number);
    return one;
}

QList<records::Envelope> failures(int count)
{
    QList<records::Envelope> all;
    for (int i = 0; i < count; ++i)
        all.append(failed(i));
    return all;
}

records::Envelope fresh(const QByteArray &body)
{
    records::Envelope one;
    one.body = body;
    return one;
}

QList<int> numbersOf(const QList<records::Envelope> &messages)
{
    QList<int> numbers;
    for (const records::Envelope &one : messages)
        numbers.append(one.body.toInt());
    return numbers;
}

} // namespace

class TestRabbitMqLimits final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void limitsComeFromArgumentsAndPolicies();
    void aQueueThatDropsItsOldestLosesNothing();
    void messagesThatExpireAtOnceNeedAWord();
    void theLimitOfAPublishIsKnown();
    void theOrderIsKeptWhereThePlanAsksForIt();
    void aShareOfTheBrokerIsOfferedAndKept();

private:
    void openConsole();

    RabbitServer m_server;
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RabbitConsole> m_console;
    int m_vhosts = 0;
};

void TestRabbitMqLimits::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
}

void TestRabbitMqLimits::init()
{
    m_admin = std::make_unique<RabbitAdmin>(m_server, QStringLiteral("shop%1").arg(++m_vhosts));
    m_admin->makeVhost();
    m_admin->makeQueue(errors);
    m_folder = std::make_unique<QTemporaryDir>();
}

void TestRabbitMqLimits::cleanup()
{
    m_console.reset();
    m_admin.reset();
}

// And takes what has failed.
void TestRabbitMqLimits::openConsole()
{
    m_console = std::make_unique<RabbitConsole>(m_folder->filePath(QStringLiteral("redrive.db")),
                                                m_server.connection(QStringLiteral("shop%1").arg(m_vhosts), {errors}));
    m_console->open();
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
}

void TestRabbitMqLimits::limitsComeFromArgumentsAndPolicies()
{
    m_admin->makeQueue(orders, {{QStringLiteral("x-max-length"), 20}, {QStringLiteral("x-message-ttl"), 60000}});
    m_admin->makePolicy(QStringLiteral("most"), QStringLiteral("^orders$"), {{QStringLiteral("max-length"), 10}}, 1);
    m_admin->makePolicy(QStringLiteral("least"), QStringLiteral("^orders$"),
                        {{QStringLiteral("max-length-bytes"), 5000}}, 1, true);
    core::SystemRandom random;
    broker::RabbitMq rabbit(m_server.client(), m_server.clock(), random,
                            m_server.settings(QStringLiteral("shop%1").arg(m_vhosts)));
    const broker::Listing listing = test::must(m_server.wait(rabbit.queues()));
    const auto found = std::find_if(listing.queues.cbegin(), listing.queues.cend(),
                                    [](const broker::QueueInfo &queue) { return queue.name == orders; });
    QVERIFY(found != listing.queues.cend());
    QCOMPARE(found->limits.messages, std::optional<qint64>(10));
    QCOMPARE(found->limits.bytes, std::optional<qint64>(5000));
    QVERIFY(found->limits.keeps == core::Milliseconds{60000});
    QVERIFY(found->limits.dropsOldest());
    QVERIFY(!found->limits.deadLetters);
    // Asked for, because it decides whether messages are lost. RabbitMQ counts the consumers of a new queue after seconds.
    const auto consumers = [&] {
        const broker::Listing again = test::must(m_server.wait(rabbit.queues()));
        const auto one = std::find_if(again.queues.cbegin(), again.queues.cend(),
                                      [](const broker::QueueInfo &queue) { return queue.name == orders; });
        return one == again.queues.cend() ? std::nullopt : one->consumers;
    };
    QTRY_COMPARE_WITH_TIMEOUT(consumers(), std::optional<int>(0), 30000);
}

void TestRabbitMqLimits::aQueueThatDropsItsOldestLosesNothing()
{
    m_admin->makeQueue(orders);
    m_admin->makePolicy(QStringLiteral("short"), QStringLiteral("^orders$"), {{QStringLiteral("max-length"), 10}}, 1);
    m_admin->publish(errors, failures(12));
    m_admin->publish(orders, {fresh("100"), fresh("101"), fresh("102"), fresh("103"), fresh("104")});
    openConsole();
    const core::Result<core::OperationId> id = m_console->retryGroup(exception);
    QVERIFY2(id, test::why(id).constData());
    QTRY_VERIFY_WITH_TIMEOUT(m_console->operations().first().waitingReason.contains(orders), timeoutMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(orders), 9, timeoutMs); // with what is on its way
    QList<int> arrived;
    while (!m_console->allCompleted()) {
        arrived += numbersOf(m_admin->drain(orders));
        QTRY_VERIFY_WITH_TIMEOUT(m_console->allCompleted() || m_admin->depth(orders) > 0, timeoutMs);
    }
    arrived += numbersOf(m_admin->drain(orders));
    std::sort(arrived.begin(), arrived.end());
    QCOMPARE(arrived, (QList<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 100, 101, 102, 103, 104}));
}

void TestRabbitMqLimits::messagesThatExpireAtOnceNeedAWord()
{
    m_admin->makeQueue(orders, {{QStringLiteral("x-message-ttl"), 1000}});
    m_admin->publish(errors, failures(3));
    openConsole();
    const core::Result<core::OperationId> refused = m_console->retryGroup(exception);
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == core::ErrorKind::Refused);
    QVERIFY(refused.error().message.contains(orders));
    records::Plan accepting;
    accepting.acceptDrops = true;
    const core::Result<core::OperationId> id = m_console->retryGroup(exception, accepting);
    QVERIFY2(id, test::why(id).constData());
    QTRY_VERIFY_WITH_TIMEOUT(m_console->allCompleted(), timeoutMs);
    QCOMPARE(m_console->operations().first().counts.sent, 3);
}

// What is said to fit does, what does not fit is not even sent, and its neighbours go on.
void TestRabbitMqLimits::theLimitOfAPublishIsKnown()
{
    core::SystemRandom random;
    broker::RabbitMq rabbit(m_server.client(), m_server.clock(), random,
                            m_server.settings(QStringLiteral("shop%1").arg(m_vhosts)));
    const broker::Capabilities can = test::must(m_server.wait(rabbit.probe()));
    QVERIFY(can.largestBody > 1024 * 1024);
    const broker::StagingPlace place{QStringLiteral("redrive.store.1.large"), {errors}, 0};
    test::must(m_server.wait(rabbit.stagingQueue()->open(place)));
    QList<broker::Outgoing> copies(3);
    for (qsizetype i = 0; i < copies.size(); ++i) {
        copies[i].ordinal = i;
        copies[i].destination = errors;
        copies[i].envelope = fresh("small");
    }
    copies[0].envelope.body = QByteArray(qsizetype(can.largestBody), 'x');
    copies[1].envelope.body = QByteArray(qsizetype(can.largestBody) + 1024 * 1024, 'x');
    const QList<SendOutcome> outcomes = m_server.wait(rabbit.stagingQueue()->stage(place, copies));
    QVERIFY2(outcomes.at(0).verdict == Verdict::Accepted, qPrintable(outcomes.at(0).error.message));
    QVERIFY(outcomes.at(1).verdict == Verdict::TooLarge);
    QVERIFY(outcomes.at(2).verdict == Verdict::Accepted);
    test::must(m_server.wait(rabbit.stagingQueue()->discard(place)));
}

void TestRabbitMqLimits::theOrderIsKeptWhereThePlanAsksForIt()
{
    constexpr int count = 200;
    m_admin->makeQueue(orders, {{QStringLiteral("x-single-active-consumer"), true}});
    for (int i = 0; i < count; ++i) // one at a time, so that they fail in order
        m_admin->publish(errors, {failed(i)});
    openConsole();
    records::Plan inOrder;
    inOrder.keepOrder = true;
    const core::Result<core::OperationId> id = m_console->retryGroup(exception, inOrder);
    QVERIFY2(id, test::why(id).constData());
    QTRY_VERIFY_WITH_TIMEOUT(m_console->allCompleted(), timeoutMs);
    const QList<int> arrived = numbersOf(m_admin->drain(orders));
    QCOMPARE(arrived.size(), count);
    QVERIFY(std::is_sorted(arrived.cbegin(), arrived.cend()));
}

// The retry ends with every message sent once, in small batches, and a restart of the program knows the share.
void TestRabbitMqLimits::aShareOfTheBrokerIsOfferedAndKept()
{
    constexpr int count = 260;
    m_admin->makeQueue(orders);
    m_admin->publish(errors, failures(count));
    openConsole();
    // RabbitMQ tells its load some seconds after its start.
    const auto obstacle = [this] {
        test::must(m_console->client().ask(api::RefreshQueues{}).result());
        const std::optional<api::GroupRow> group = m_console->group(exception);
        const core::Result<api::ConfirmRetry> confirm = m_console->plan(*group);
        return test::must(m_console->client().ask(api::PreviewRetry{confirm->draft}).result()).cannotShareBroker;
    };
    QTRY_COMPARE_WITH_TIMEOUT(obstacle(), QString(), timeoutMs);
    records::Plan gentle;
    gentle.brokerShare = 60;
    const core::Result<core::OperationId> id = m_console->retryGroup(exception, gentle);
    QVERIFY2(id, test::why(id).constData());
    m_console->close();
    m_console->open();
    QCOMPARE(m_console->operations().first().plan.brokerShare, std::optional<qint64>(60));
    QTRY_VERIFY_WITH_TIMEOUT(m_console->allCompleted(), timeoutMs);
    QCOMPARE(m_console->operations().first().counts.sent, count);
    QList<int> arrived = numbersOf(m_admin->drain(orders));
    std::sort(arrived.begin(), arrived.end());
    QCOMPARE(arrived.size(), count);
    QCOMPARE(arrived.last(), count - 1);
}

REDRIVE_TEST(TestRabbitMqLimits)
#include "tst_rabbitmq_limits.moc"
