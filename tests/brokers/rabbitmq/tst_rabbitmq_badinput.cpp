// What a person may give us and a broker may do to us, on the RabbitMQ of Debian, through the engine's client: each time one
// clear sentence, and nothing lost.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/retries.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/arrivals.h"
#include "tests/support/rabbit/failedorders.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"
#include "tests/support/testmain/testmain.h"

#include <QRegularExpression>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

using support::Arrivals;
using support::FailedOrders;
using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;

namespace {

constexpr int messages = 80;
constexpr int timeoutMs = 100000;
const QString errorQueue = QStringLiteral("error");
const QString user = QStringLiteral("support/team");
const QString everything = QStringLiteral(".*");
const QRegularExpression nameOfOurs(QStringLiteral("redrive\\.[0-9a-f]"));

// "What failed, on what, what to do." and no more; nothing of the protocol around it.
QString faultOf(const QString &sentence)
{
    const QString text = sentence.trimmed();
    if (text.size() < 20 || text.size() > 300)
        return QStringLiteral("has %1 characters").arg(text.size());
    // What happened, to what, and what to do.
    if (!text.endsWith(u'.') || text.count(QLatin1String(". ")) > 2 || text.contains(u'\n'))
        return QStringLiteral("is not one to three sentences");
    if (text.contains(QLatin1String("guest")))
        return QStringLiteral("holds the password");
    return {};
}

QByteArray withFault(const QString &sentence)
{
    return QStringLiteral("\"%1\" %2").arg(sentence, faultOf(sentence)).toUtf8();
}

} // namespace

class TestRabbitMqBadInput final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theConnectionTestSaysWhatIsWrong_data();
    void theConnectionTestSaysWhatIsWrong();
    void aServerThatIsAwayIsNamed();
    void theConnectionTestPromisesNothingThatIsRefusedLater_data();
    void theConnectionTestPromisesNothingThatIsRefusedLater();
    void whatMayBeRefusedIsCalledNotKnown();
    void withoutRightsNothingIsTakenAndNothingLost_data();
    void withoutRightsNothingIsTakenAndNothingLost();
    void rightsTakenAwayInTheMiddleHoldTheRetry_data();
    void rightsTakenAwayInTheMiddleHoldTheRetry();
    void aQueueDeletedAfterThePlanBringsItsMessagesBack();
    void anErrorQueueThatIsGoneIsNamed();
    void policiesOfUsersDoNotReachOurQueues_data();
    void policiesOfUsersDoNotReachOurQueues();
    void policiesOfOperatorsAreRefusedByName_data();
    void policiesOfOperatorsAreRefusedByName();
    void withoutThePluginItSaysSo();

private:
    // A virtual host of its own with queues, failed messages and an account.
    void makeVhost();
    [[nodiscard]] records::Connection connection() const;
    [[nodiscard]] api::ConnectionTest tested(const QString &userName);
    [[nodiscard]] QString refusalOf(const records::Connection &connection, const QString &password);
    void open();
    void completes(int expectedSent);

    RabbitServer m_server;
    QString m_vhost;
    int m_vhosts = 0;
    const FailedOrders m_orders{messages};
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RabbitConsole> m_console;
};

void TestRabbitMqBadInput::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    makeVhost();
    open();
}

void TestRabbitMqBadInput::makeVhost()
{
    m_vhost = QStringLiteral("bad/%1").arg(++m_vhosts);
    m_admin = std::make_unique<RabbitAdmin>(m_server, m_vhost);
    m_admin->makeVhost();
    m_admin->makeUser(user, RabbitConsole::password, QStringLiteral("policymaker,monitoring"));
    for (const QString &queue : FailedOrders::destinations() + QStringList{errorQueue})
        m_admin->makeQueue(queue);
    m_admin->publish(errorQueue, m_orders.envelopes());
}

records::Connection TestRabbitMqBadInput::connection() const
{
    records::Connection one;
    one.name = QStringLiteral("shop");
    one.environment = records::Environment::Test;
    one.errorQueues = {errorQueue};
    one.url = m_server.url();
    one.url.setUserName(user);
    one.url.setPath(QLatin1Char('/') + QString::fromLatin1(QUrl::toPercentEncoding(m_vhost)), QUrl::TolerantMode);
    one.url.setQuery(QStringLiteral("decimals=none")); // the failed orders have doubles in their headers
    return one;
}

void TestRabbitMqBadInput::open()
{
    m_console.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_console = std::make_unique<RabbitConsole>(m_folder->filePath(QStringLiteral("store/redrive.db")), connection());
    m_console->open();
    static_cast<void>(m_console->connection());
}

QString TestRabbitMqBadInput::refusalOf(const records::Connection &connection, const QString &password)
{
    api::ConnectionDraft draft;
    draft.connection = connection;
    draft.secret = password;
    const core::Result<api::ConnectionTest> tested = m_console->client().ask(api::TestConnection{draft}).result();
    return tested ? QString() : tested.error().message;
}

void TestRabbitMqBadInput::theConnectionTestSaysWhatIsWrong_data()
{
    QTest::addColumn<QString>("userName");
    QTest::addColumn<QString>("tags"); // "-": there is no such user
    QTest::addColumn<QString>("password");
    QTest::addColumn<QString>("vhost"); // "": the right one
    QTest::addColumn<QString>("words");
    const QString right = RabbitConsole::password;
    QTest::newRow("wrong password") << user << QString() << QStringLiteral("wrong") << QString()
                                    << QStringLiteral("refuses the user name or the password");
    QTest::newRow("no password") << user << QString() << QString() << QString()
                                 << QStringLiteral("refuses the user name or the password");
    QTest::newRow("wrong user") << QStringLiteral("nobody") << QStringLiteral("-") << right << QString()
                                << QStringLiteral("refuses the user name or the password");
    QTest::newRow("user of applications only") << QStringLiteral("app") << QStringLiteral("none") << right << QString()
                                               << QStringLiteral("may not use the management interface");
    QTest::newRow("no such virtual host")
        << QStringLiteral("admin") << QStringLiteral("administrator") << right << QStringLiteral("bad/none")
        << QStringLiteral("no virtual host \"bad/none\"");
    QTest::newRow("virtual host of others")
        << user << QString() << right << QStringLiteral("/") << QStringLiteral("no access to the virtual host \"/\"");
}

void TestRabbitMqBadInput::theConnectionTestSaysWhatIsWrong()
{
    QFETCH(QString, userName);
    QFETCH(QString, tags);
    QFETCH(QString, password);
    QFETCH(QString, vhost);
    QFETCH(QString, words);
    if (!tags.isEmpty() && tags != QLatin1String("-"))
        m_admin->makeUser(userName, RabbitConsole::password, tags == QLatin1String("none") ? QString() : tags);
    records::Connection draft = connection();
    draft.url.setUserName(userName);
    if (!vhost.isEmpty())
        draft.url.setPath(QLatin1Char('/') + QString::fromLatin1(QUrl::toPercentEncoding(vhost)), QUrl::TolerantMode);
    const QString refusal = refusalOf(draft, password);
    QVERIFY2(refusal.contains(words), qPrintable(refusal));
    QVERIFY2(faultOf(refusal).isEmpty(), withFault(refusal).constData());
}

void TestRabbitMqBadInput::aServerThatIsAwayIsNamed()
{
    QTcpServer reserved; // never accepts, so its port answers nobody else
    QVERIFY(reserved.listen(QHostAddress::LocalHost));
    const quint16 port = reserved.serverPort();
    reserved.close();
    records::Connection away = connection();
    away.url.setPort(port);
    const QString refusal = refusalOf(away, RabbitConsole::password);
    QVERIFY2(refusal.contains(QLatin1String("127.0.0.1")), qPrintable(refusal));
    QVERIFY2(faultOf(refusal).isEmpty(), withFault(refusal).constData());

    away.url.setHost(QStringLiteral("rabbit.invalid"));
    const QString unknown = refusalOf(away, RabbitConsole::password);
    QVERIFY2(unknown.contains(QLatin1String("rabbit.invalid")), qPrintable(unknown));
    QVERIFY2(faultOf(unknown).isEmpty(), withFault(unknown).constData());
}

api::ConnectionTest TestRabbitMqBadInput::tested(const QString &userName)
{
    api::ConnectionDraft draft;
    draft.connection = connection();
    draft.connection.url.setUserName(userName);
    draft.secret = RabbitConsole::password;
    return test::must(m_console->client().ask(api::TestConnection{draft}).result());
}

void TestRabbitMqBadInput::theConnectionTestPromisesNothingThatIsRefusedLater_data()
{
    QTest::addColumn<QString>("configure");
    QTest::addColumn<QString>("write");
    QTest::addColumn<QString>("read");
    QTest::addColumn<QString>("can");
    QTest::addColumn<QString>("missing"); // parts, with |
    const QString own = QStringLiteral("^app-");
    const QString browse = QStringLiteral("see queues and failed messages");
    const QString take = browse + QStringLiteral("|take failed messages after storing a durable copy");
    const QString intentLog = QStringLiteral("|send messages back, each one recorded in the store's intent log");
    QTest::newRow("all") << everything << everything << everything
                         << take + QStringLiteral("|send messages back through a staging queue on the broker")
                         << QString();
    QTest::newRow("none") << QString() << QString() << QString() << QString()
                          << QStringLiteral("right to configure|right to write to queues|right to read queues|right to "
                                            "write to the exchange amq.default|right to read the queue error");
    QTest::newRow("too narrow") << own << own << everything << browse
                                << QStringLiteral("right to configure|right to write to queues|right to write to the "
                                                  "exchange amq.default");
    QTest::newRow("nothing of ours is made")
        << own << everything << everything << browse + intentLog << QStringLiteral("right to configure");
    QTest::newRow("nothing is sent") << everything << QStringLiteral("^redrive\\.") << everything << take
                                     << QStringLiteral("right to write to the exchange amq.default");
    QTest::newRow("narrow and enough")
        << QStringLiteral("^redrive\\.") << QStringLiteral("^(redrive\\.|amq\\.default$)")
        << QStringLiteral("^(redrive\\.|error$)")
        << take + QStringLiteral("|send messages back through a staging queue on the broker") << QString();
}

void TestRabbitMqBadInput::theConnectionTestPromisesNothingThatIsRefusedLater()
{
    QFETCH(QString, configure);
    QFETCH(QString, write);
    QFETCH(QString, read);
    QFETCH(QString, can);
    QFETCH(QString, missing);
    const QString chief = QStringLiteral("chief");
    m_admin->makeUser(chief, RabbitConsole::password, QStringLiteral("administrator"));
    m_admin->setRights(chief, configure, write, read);
    const api::ConnectionTest found = tested(chief);
    QCOMPARE(found.can.join(u'|'), can);
    QCOMPARE(found.notKnown, QStringList());
    const QStringList parts = missing.split(u'|', Qt::SkipEmptyParts);
    QVERIFY2(found.missing.size() == parts.size(), qPrintable(found.missing.join(u'\n')));
    for (qsizetype i = 0; i < parts.size(); ++i)
        QVERIFY2(found.missing.at(i).contains(parts.at(i)), qPrintable(found.missing.at(i)));
}

// RabbitMQ tells rights to administrators only: of others nothing can be promised.
void TestRabbitMqBadInput::whatMayBeRefusedIsCalledNotKnown()
{
    m_admin->setRights(user, {}, {}, {});
    const api::ConnectionTest found = tested(user);
    m_admin->setRights(user, everything, everything, everything);
    QCOMPARE(found.can, QStringList{QStringLiteral("see queues")});
    QCOMPARE(found.notKnown.size(), 3);
    QVERIFY(!found.notKnownReason.isEmpty());

    const QString seer = QStringLiteral("seer");
    m_admin->makeUser(seer, RabbitConsole::password, QStringLiteral("management"));
    const api::ConnectionTest seen = tested(seer);
    QCOMPARE(seen.can, QStringList{QStringLiteral("see queues")});
    QCOMPARE(seen.notKnown.size(), 2); // it lacks tags to take
    QCOMPARE(seen.missing.size(), 2);
}

void TestRabbitMqBadInput::withoutRightsNothingIsTakenAndNothingLost_data()
{
    QTest::addColumn<QString>("configure");
    QTest::addColumn<QString>("write");
    QTest::addColumn<QString>("read");
    QTest::addColumn<QString>("right");
    QTest::newRow("configure") << QStringLiteral("^$") << everything << everything
                               << QStringLiteral("the right to configure");
    QTest::newRow("write") << everything << QStringLiteral("^$") << everything << QStringLiteral("the right to write");
    QTest::newRow("read") << everything << everything << QStringLiteral("^$") << QStringLiteral("to read");
}

void TestRabbitMqBadInput::withoutRightsNothingIsTakenAndNothingLost()
{
    QFETCH(QString, configure);
    QFETCH(QString, write);
    QFETCH(QString, read);
    makeVhost();
    open();
    m_admin->setRights(user, configure, write, read);
    const core::Result<records::IntakeCounts> refused = m_console->takeAll();
    QVERIFY(!refused);
    QFETCH(QString, right);
    const QString words = refused.error().message;
    QVERIFY2(words.contains(right) && words.contains(QLatin1String("from error:")), qPrintable(words));
    QVERIFY2(!words.contains(nameOfOurs), qPrintable(words));
    QVERIFY2(faultOf(words).isEmpty(), withFault(words).constData());
    QCOMPARE(m_console->numbers(records::MessageStatus::Unresolved), QList<int>());

    m_admin->setRights(user, everything, everything, everything);
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(m_console->numbers(records::MessageStatus::Unresolved), m_orders.numbers());
    QCOMPARE(m_admin->ours(), QStringList());
}

void TestRabbitMqBadInput::rightsTakenAwayInTheMiddleHoldTheRetry_data()
{
    withoutRightsNothingIsTakenAndNothingLost_data();
}

void TestRabbitMqBadInput::rightsTakenAwayInTheMiddleHoldTheRetry()
{
    QFETCH(QString, configure);
    QFETCH(QString, write);
    QFETCH(QString, read);
    makeVhost();
    open();
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    m_admin->setRights(user, configure, write, read);
    const core::Result<core::OperationId> operation = m_console->retryGroup(FailedOrders::exceptionOf(0));
    QVERIFY2(operation, test::why(operation).constData());
    QTRY_VERIFY_WITH_TIMEOUT(!m_console->operations().first().waitingReason.isEmpty() || m_console->allCompleted(),
                             timeoutMs);
    const QString reason = m_console->operations().first().waitingReason;
    QFETCH(QString, right);
    QVERIFY2(reason.contains(right) && !reason.contains(nameOfOurs), qPrintable(reason));
    QVERIFY2(faultOf(reason).isEmpty(), withFault(reason).constData());
    m_admin->setRights(user, everything, everything, everything);
    completes(int(m_orders.numbers({0}, true).size()));
}

// The one operation there is ends with so many sent, each arrives once, and nothing of ours is left.
void TestRabbitMqBadInput::completes(int expectedSent)
{
    QTRY_VERIFY_WITH_TIMEOUT(m_console->allCompleted(), timeoutMs);
    const records::RetryOperation operation = m_console->operations().first();
    QCOMPARE(operation.counts.sent, expectedSent);
    QCOMPARE(operation.counts.inDoubt, 0);
    QCOMPARE(operation.counts.sum(), operation.total);
    const Arrivals arrived(*m_admin);
    QCOMPARE(arrived.faults(), QStringList());
    QCOMPARE(arrived.surplus(), 0);
    QCOMPARE(arrived.numbers().size(), expectedSent);
    QCOMPARE(m_console->flagged(), QSet<int>());
    QTRY_COMPARE_WITH_TIMEOUT(m_admin->ours(), QStringList(), timeoutMs);
}

void TestRabbitMqBadInput::aQueueDeletedAfterThePlanBringsItsMessagesBack()
{
    makeVhost();
    open();
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QVERIFY(m_console->client().ask(api::PauseAll{true}).result());
    const core::Result<core::OperationId> operation = m_console->retryGroup(FailedOrders::exceptionOf(0));
    QVERIFY2(operation, test::why(operation).constData());
    const QString deleted = FailedOrders::destinations().at(1);
    m_admin->removeQueue(deleted);
    QVERIFY(m_console->client().ask(api::PauseAll{false}).result());
    QTRY_VERIFY_WITH_TIMEOUT(m_console->allCompleted(), timeoutMs);

    m_admin->makeQueue(deleted); // empty: nothing may come later
    QList<int> expected = m_orders.numbers({0}, true);
    erase_if(expected, [&](int number) { return FailedOrders::destinationOf(number) == deleted; });
    QSet<int> ejected;
    for (const records::RetryMember &member : m_console->members()) {
        if (member.outcome != records::Outcome::Ejected)
            continue;
        QVERIFY2(member.reason.contains(deleted) && faultOf(member.reason).isEmpty(),
                 withFault(member.reason).constData());
        const QList<records::FailedMessage> rows =
            test::must(m_console->client().ask(api::MessageRowQuery{{member.message}}).result());
        QVERIFY(rows.first().status == records::MessageStatus::Unresolved);
        ejected.insert(FailedOrders::numberOf(rows.first().messageId).value_or(-1));
    }
    QCOMPARE(ejected.size(), m_orders.numbers({0}, true).size() - expected.size());
    completes(int(expected.size()));
}

void TestRabbitMqBadInput::anErrorQueueThatIsGoneIsNamed()
{
    makeVhost();
    open();
    static_cast<void>(m_admin->drain(errorQueue));
    m_admin->removeQueue(errorQueue);
    const core::Result<records::IntakeCounts> refused = m_console->takeAll();
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(errorQueue), qPrintable(refused.error().message));
    QVERIFY2(faultOf(refused.error().message).isEmpty(), withFault(refused.error().message).constData());
    QCOMPARE(m_admin->depth(errorQueue), -1); // not made again by a shovel of ours
}

void TestRabbitMqBadInput::policiesOfUsersDoNotReachOurQueues_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("value");
    QTest::newRow("message-ttl") << QStringLiteral("message-ttl") << 1;
    QTest::newRow("expires") << QStringLiteral("expires") << 1;
    QTest::newRow("max-length") << QStringLiteral("max-length") << 1;
    QTest::newRow("max-length-bytes") << QStringLiteral("max-length-bytes") << 1;
}

void TestRabbitMqBadInput::policiesOfUsersDoNotReachOurQueues()
{
    QFETCH(QString, key);
    QFETCH(int, value);
    makeVhost();
    open();
    // What the user does to their own queues is their own business: these are left alone.
    m_admin->makePolicy(QStringLiteral("own"), QStringLiteral("^(?!redrive\\.)"),
                        {{QStringLiteral("overflow"), QStringLiteral("drop-head")}}, 900);
    m_admin->makePolicy(QStringLiteral("tidy"), everything, {{key, value}}, 500);
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(m_console->numbers(records::MessageStatus::Unresolved), m_orders.numbers());
    const core::Result<core::OperationId> operation = m_console->retryGroup(FailedOrders::exceptionOf(0));
    QVERIFY2(operation, test::why(operation).constData());
    completes(int(m_orders.numbers({0}, true).size()));
}

void TestRabbitMqBadInput::policiesOfOperatorsAreRefusedByName_data()
{
    policiesOfUsersDoNotReachOurQueues_data();
}

void TestRabbitMqBadInput::policiesOfOperatorsAreRefusedByName()
{
    QFETCH(QString, key);
    makeVhost();
    open();
    // The rule comes while all is well: a connection that never was would wait out its back-off first.
    QTRY_VERIFY_WITH_TIMEOUT(!m_console->snapshot()->connections.isEmpty()
                                 && m_console->snapshot()->connections.first().health == api::Health::Connected,
                             timeoutMs);
    // Large enough to do no harm to the user's own queues while the test runs.
    m_admin->makePolicy(QStringLiteral("house rule"), everything, {{key, 100000000}}, 1, true);
    const QString refusal = refusalOf(connection(), RabbitConsole::password);
    QVERIFY2(refusal.contains(QLatin1String("house rule")) && refusal.contains(key), qPrintable(refusal));
    QVERIFY2(faultOf(refusal).isEmpty(), withFault(refusal).constData());
    const core::Result<records::IntakeCounts> refused = m_console->takeAll();
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(QLatin1String("house rule")), qPrintable(refused.error().message));
    QCOMPARE(m_admin->depth(errorQueue), messages);
    m_admin->removePolicy(QStringLiteral("house rule"), true);
    const core::Result<records::IntakeCounts> taken = m_console->takeAll();
    QVERIFY2(taken, test::why(taken).constData());

    m_admin->makePolicy(QStringLiteral("house rule"), everything, {{key, 100000000}}, 1, true);
    const core::Result<core::OperationId> operation = m_console->retryGroup(FailedOrders::exceptionOf(0));
    QVERIFY2(operation, test::why(operation).constData());
    QTRY_VERIFY_WITH_TIMEOUT(!m_console->operations().first().waitingReason.isEmpty() || m_console->allCompleted(),
                             timeoutMs);
    const QString reason = m_console->operations().first().waitingReason;
    QVERIFY2(reason.contains(QLatin1String("house rule")) && faultOf(reason).isEmpty(), withFault(reason).constData());
    m_admin->removePolicy(QStringLiteral("house rule"), true);
    completes(int(m_orders.numbers({0}, true).size()));
}

void TestRabbitMqBadInput::withoutThePluginItSaysSo()
{
    makeVhost();
    m_server.stop();
    m_server.enableShovel(false);
    QVERIFY2(m_server.restart(), qPrintable(m_server.error()));
    open();
    api::ConnectionDraft draft;
    draft.connection = connection();
    draft.secret = RabbitConsole::password;
    const core::Result<api::ConnectionTest> tested = m_console->client().ask(api::TestConnection{draft}).result();
    QVERIFY2(tested, test::why(tested).constData());
    QVERIFY2(tested->missing.join(u' ').contains(QLatin1String("rabbitmq_shovel")),
             qPrintable(tested->missing.join(u' ')));
    const core::Result<records::IntakeCounts> refused = m_console->takeAll();
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(QLatin1String("rabbitmq_shovel")), qPrintable(refused.error().message));
    QVERIFY2(faultOf(refused.error().message).isEmpty(), withFault(refused.error().message).constData());
    QCOMPARE(m_admin->depth(errorQueue), messages);
}

REDRIVE_TEST(TestRabbitMqBadInput)
#include "tst_rabbitmq_badinput.moc"
