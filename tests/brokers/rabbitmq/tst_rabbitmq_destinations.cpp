// What kinds of queues get messages back, what a full one does with them and with those of others, and a queue that is made anew
// with another type between plan and send.
#include "backend/api/requests/retries.h"
#include "backend/api/requests/retryplan.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using core::Result;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;
using test::must;

namespace {

constexpr int timeoutMs = 180000;
constexpr int count = 12;
const QString errors = QStringLiteral("error");
const QString orders = QStringLiteral("orders");
const QString dead = QStringLiteral("dead");
const QString exception = QStringLiteral("TimeoutException");
const QList<int> ofOthers{100, 101, 102, 103, 104};

records::Envelope numbered(int number)
{
    records::Envelope one;
    one.properties = {{QStringLiteral("delivery_mode"), 2}};
    one.body = QByteArray::number(number);
    return one;
}

records::Envelope failed(int number)
{
    records::Envelope one = numbered(number);
    one.headers = {{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("order-%1").arg(number)},
                   {QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), QStringLiteral("Shop.") + exception},
                   {QStringLiteral("NServiceBus.FailedQ"), orders},
                   {QStringLiteral("NServiceBus.TimeOfFailure"), QStringLiteral("2026-01-02 03:04:05:000000 Z")}};
    return one;
}

QList<records::Envelope> failures()
{
    QList<records::Envelope> all;
    for (int i = 0; i < count; ++i)
        all.append(failed(i));
    return all;
}

QList<int> sorted(const QList<records::Envelope> &messages)
{
    QList<int> numbers;
    for (const records::Envelope &one : messages)
        numbers.append(one.body.toInt());
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

QCborMap ofType(const char *type, QCborMap arguments = {})
{
    arguments.insert(QStringLiteral("x-queue-type"), QLatin1String(type));
    return arguments;
}

QCborMap deadLettering(QCborMap arguments)
{
    arguments.insert(QStringLiteral("x-dead-letter-exchange"), QString());
    arguments.insert(QStringLiteral("x-dead-letter-routing-key"), dead);
    return arguments;
}

} // namespace

class TestRabbitMqDestinations final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void eachMessageArrivesOnce_data();
    void eachMessageArrivesOnce();
    void aFullQueueLosesAndDoublesNothing_data();
    void aFullQueueLosesAndDoublesNothing();
    void nothingIsSentToAStream();
    void aQueueMadeAnewAsAnotherTypeGetsTheMessages();
    void aQueueMadeAnewAsAStreamGetsNothing();

private:
    void openConsole();
    [[nodiscard]] api::PlanPreview preview();
    // Confirms a plan, and lets it go only after the destination was deleted and made anew.
    void retryWhileMadeAnew(const QCborMap &arguments);

    std::unique_ptr<RabbitServer> m_server; // one for all tests: it takes seconds to start
    QString m_vhost;
    int m_vhosts = 0;
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RabbitConsole> m_console;
};

void TestRabbitMqDestinations::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    m_server = std::make_unique<RabbitServer>();
    QVERIFY2(m_server->start(), qPrintable(m_server->error()));
}

void TestRabbitMqDestinations::init()
{
    m_vhost = QStringLiteral("to/%1").arg(++m_vhosts);
    m_admin = std::make_unique<RabbitAdmin>(*m_server, m_vhost);
    m_admin->makeVhost();
    m_admin->makeQueue(errors, ofType("classic"));
    m_admin->makeQueue(dead, ofType("classic"));
    m_folder = std::make_unique<QTemporaryDir>();
}

void TestRabbitMqDestinations::cleanup()
{
    m_console.reset();
    m_admin.reset();
}

// And takes what has failed.
void TestRabbitMqDestinations::openConsole()
{
    m_admin->publish(errors, failures());
    m_console = std::make_unique<RabbitConsole>(m_folder->filePath(QStringLiteral("redrive.db")),
                                                m_server->connection(m_vhost, {errors}));
    m_console->open();
    const Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->taken, count);
}

api::PlanPreview TestRabbitMqDestinations::preview()
{
    api::RetryDraft draft;
    draft.filter.connection = m_console->connection();
    return must(m_console->client().ask(api::PreviewRetry{draft}).result());
}

void TestRabbitMqDestinations::eachMessageArrivesOnce_data()
{
    QTest::addColumn<QCborMap>("arguments");
    QTest::newRow("classic") << ofType("classic");
    QTest::newRow("lazy") << ofType("classic", {{QStringLiteral("x-queue-mode"), QStringLiteral("lazy")}});
    QTest::newRow("priority") << ofType("classic", {{QStringLiteral("x-max-priority"), 5}});
    QTest::newRow("quorum") << ofType("quorum");
    QTest::newRow("delivery limit") << ofType("quorum", deadLettering({{QStringLiteral("x-delivery-limit"), 0}}));
    QTest::newRow("single active consumer") << ofType("quorum", {{QStringLiteral("x-single-active-consumer"), true}});
    QTest::newRow("at least once") << ofType(
        "quorum", deadLettering({{QStringLiteral("x-dead-letter-strategy"), QStringLiteral("at-least-once")},
                                 {QStringLiteral("x-overflow"), QStringLiteral("reject-publish")}}));
}

void TestRabbitMqDestinations::eachMessageArrivesOnce()
{
    QFETCH(const QCborMap, arguments);
    m_admin->makeQueue(orders, arguments);
    openConsole();
    QVERIFY(preview().drops.isEmpty());
    const Result<core::OperationId> id = m_console->retryGroup(exception);
    QVERIFY2(id, test::why(id).constData());
    QTRY_VERIFY_WITH_TIMEOUT(m_console->allCompleted(), timeoutMs);
    QCOMPARE(m_console->operations().first().counts.sent, count);
    if (arguments.contains(QLatin1String("x-single-active-consumer"))) // a quorum queue with it gives nothing to `get`
        QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(orders), count, timeoutMs);
    else
        QCOMPARE(sorted(m_admin->drain(orders)), (QList<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
    QCOMPARE(m_admin->drain(dead).size(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->ours(), QStringList(), timeoutMs);
}

void TestRabbitMqDestinations::aFullQueueLosesAndDoublesNothing_data()
{
    QTest::addColumn<QCborMap>("arguments");
    QTest::addColumn<QString>("ofPolicy"); // overflow
    QTest::addColumn<bool>("isHeldBack"); // only what fits is sent, and the plan says so
    const QString none;
    const QString dropHead = QStringLiteral("drop-head");
    const QString reject = QStringLiteral("reject-publish");
    const QString rejectDlx = QStringLiteral("reject-publish-dlx");
    const auto full = [](const char *type, const QString &overflow, bool deadLetters = false) {
        QCborMap arguments = ofType(type, {{QStringLiteral("x-max-length"), 10}});
        if (!overflow.isEmpty())
            arguments.insert(QStringLiteral("x-overflow"), overflow);
        return deadLetters ? deadLettering(arguments) : arguments;
    };
    QTest::newRow("classic, drop-head") << full("classic", none) << none << true;
    QTest::newRow("quorum, drop-head") << full("quorum", dropHead) << none << true;
    QTest::newRow("quorum, drop-head by policy") << full("quorum", reject) << dropHead << true;
    QTest::newRow("quorum, reject-publish-dlx") << full("quorum", rejectDlx, true) << none << true;
    QTest::newRow("classic, reject-publish-dlx") << full("classic", rejectDlx, true) << none << true;
    QTest::newRow("classic, reject-publish") << full("classic", reject) << none << false;
    QTest::newRow("quorum, reject-publish") << full("quorum", reject) << none << false;
}

void TestRabbitMqDestinations::aFullQueueLosesAndDoublesNothing()
{
    QFETCH(const QCborMap, arguments);
    QFETCH(const QString, ofPolicy);
    QFETCH(const bool, isHeldBack);
    if (!ofPolicy.isEmpty())
        m_admin->makePolicy(QStringLiteral("full"), QStringLiteral("^orders$"),
                            {{QStringLiteral("overflow"), ofPolicy}}, 1);
    m_admin->makeQueue(orders, arguments);
    QList<records::Envelope> others;
    for (const int number : ofOthers)
        others.append(numbered(number));
    m_admin->publish(orders, others);
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->depth(orders), others.size(),
                              timeoutMs); // that of a quorum queue is seconds old
    openConsole();
    const api::PlanPreview shown = preview();
    QCOMPARE(shown.drops.size(), isHeldBack ? 1 : 0);
    if (isHeldBack)
        QCOMPARE(shown.drops.first().forecast.dropped, others.size() + count - 10);
    const Result<core::OperationId> id = m_console->retryGroup(exception);
    QVERIFY2(id, test::why(id).constData());
    const auto counts = [&] { return m_console->operations().first().counts; };
    if (isHeldBack) {
        QTRY_COMPARE_WITH_TIMEOUT(counts().sent, 4, timeoutMs); // nine tenths of ten, less those that wait there
        QTRY_VERIFY_WITH_TIMEOUT(m_console->operations().first().waitingReason.contains(orders), timeoutMs);
    } else {
        QTRY_VERIFY_WITH_TIMEOUT(m_console->allCompleted(), timeoutMs);
        QCOMPARE(counts().sent + counts().ejected, count);
    }
    const qint64 sent = counts().sent;
    QList<int> arrived = sorted(m_admin->drain(orders));
    const qsizetype all = arrived.size();
    QCOMPARE(all, others.size() + sent);
    QCOMPARE(arrived.mid(sent), ofOthers);
    arrived.erase(std::unique(arrived.begin(), arrived.end()), arrived.end());
    QCOMPARE(arrived.size(), all);
    QCOMPARE(m_admin->drain(dead).size(), 0);
}

void TestRabbitMqDestinations::nothingIsSentToAStream()
{
    m_admin->makeQueue(orders, ofType("stream"));
    openConsole();
    const api::PlanPreview shown = preview();
    QCOMPARE(shown.frozenCount, 0);
    QCOMPARE(shown.leftOut[records::LeftOut::NoSuchQueue], count);
    QCOMPARE(shown.missingDestinations.size(), 1);
    QVERIFY2(shown.missingDestinations.first().cannotSend.contains(QLatin1String("stream")),
             qPrintable(shown.missingDestinations.first().cannotSend));
}

void TestRabbitMqDestinations::retryWhileMadeAnew(const QCborMap &arguments)
{
    m_admin->makeQueue(orders, ofType("classic"));
    openConsole();
    QVERIFY(m_console->client().ask(api::PauseAll{true}).result());
    const Result<core::OperationId> id = m_console->retryGroup(exception);
    QVERIFY2(id, test::why(id).constData());
    m_admin->removeQueue(orders);
    m_admin->makeQueue(orders, arguments);
    QVERIFY(m_console->client().ask(api::PauseAll{false}).result());
    QTRY_VERIFY_WITH_TIMEOUT(m_console->allCompleted(), timeoutMs);
}

void TestRabbitMqDestinations::aQueueMadeAnewAsAnotherTypeGetsTheMessages()
{
    retryWhileMadeAnew(ofType("quorum"));
    QCOMPARE(m_console->operations().first().counts.sent, count);
    QCOMPARE(sorted(m_admin->drain(orders)).size(), count);
}

void TestRabbitMqDestinations::aQueueMadeAnewAsAStreamGetsNothing()
{
    retryWhileMadeAnew(ofType("stream"));
    QCOMPARE(m_console->operations().first().counts.ejected, count);
    for (const records::RetryMember &member : m_console->members())
        QVERIFY2(member.reason.contains(QLatin1String("stream")), qPrintable(member.reason));
    m_server->pause(core::Milliseconds{6000}); // it counts by then
    QVERIFY(m_admin->depth(orders) <= 0); // an empty stream has no count
}

REDRIVE_TEST(TestRabbitMqDestinations)
#include "tst_rabbitmq_destinations.moc"
