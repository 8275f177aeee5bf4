// Real frameworks at the other end of the RabbitMQ of Debian: a message of theirs fails as often as they try it and is dead-lettered;
// it goes back, is tried as often again, is known again, goes back once more and is done once.
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using support::RabbitAdmin;
using support::RabbitConsole;
using support::RabbitServer;

namespace {

constexpr int timeoutMs = 60000;
constexpr int orders = 6;
constexpr int budget = 3; // tries of each before it is given up
const QString errorQueue = QStringLiteral("failed");

// A shop on a framework; its file says how it is started.
struct Peer
{
    QString program;
    QStringList arguments; // before command, address, folder
    QStringList check; // ends with 0 where the framework is there
    QString missing;
    QString dialect;
    QString title; // of the group
    QString type;
    QString words; // of the cause
    QString destination;
    QString delayQueue; // through which its retries went; empty: none
};

QString path(const char *file)
{
    return QStringLiteral(REDRIVE_PEERS "/") + QLatin1StringView(file);
}

Peer celery()
{
    Peer peer;
    peer.program = QStringLiteral("/usr/bin/python3"); // Debian's: another one has other packages
    peer.arguments = QStringList{path("celeryshop.py")};
    peer.check = QStringList{QStringLiteral("-c"), QStringLiteral("import celery")};
    peer.missing = QStringLiteral("Celery is not installed: install the package python3-celery.");
    peer.dialect = QStringLiteral("Celery");
    peer.title = QStringLiteral("shop.charge: no cause recorded");
    peer.type = QStringLiteral("shop.charge");
    peer.words = QStringLiteral("Celery does not write the cause into its messages. See the log of its worker.");
    peer.destination = QStringLiteral("tasks");
    return peer;
}

Peer rascal()
{
    const QString packages = QStringLiteral(REDRIVE_TESTSERVERS "/node_modules");
    Peer peer;
    peer.program = QStandardPaths::findExecutable(QStringLiteral("node"));
    peer.arguments = QStringList{path("rascalshop.cjs"), packages};
    peer.check =
        QStringList{QStringLiteral("-e"), QStringLiteral("require('%1/rascal'); require('%1/amqplib')").arg(packages)};
    peer.missing = QStringLiteral("rascal is not installed: packaging/install-testservers.sh installs it.");
    peer.dialect = QStringLiteral("rascal");
    peer.title = QStringLiteral("no truck today");
    peer.type = QStringLiteral("shop.parcel");
    peer.words = QStringLiteral("no truck today");
    peer.destination = QStringLiteral("parcels");
    return peer;
}

Peer symfony()
{
    Peer peer;
    peer.program = QStandardPaths::findExecutable(QStringLiteral("php"));
    peer.arguments = QStringList{path("symfonyshop.php"), QStringLiteral("json")};
    peer.check = QStringList{QStringLiteral("-r"),
                             QStringLiteral("exit(class_exists('AMQPConnection') && stream_resolve_include_path("
                                            "'Symfony/Component/Messenger/Bridge/Amqp/autoload.php') ? 0 : 1);")};
    peer.missing = QStringLiteral("Symfony Messenger is not installed: packaging/install-deps.sh installs it.");
    peer.dialect = QStringLiteral("Symfony Messenger");
    peer.title = QStringLiteral("NoStock: {closure}()");
    peer.type = QStringLiteral("SendParcel");
    peer.words = QStringLiteral("none left");
    peer.destination = QStringLiteral("shop_orders");
    peer.delayQueue = QStringLiteral("delay_shop_messages_shop_orders_200_retry");
    return peer;
}

// Its default serializer: the whole envelope with its stamps is the body.
Peer symfonyPhp()
{
    Peer peer = symfony();
    peer.arguments.last() = QStringLiteral("php");
    peer.type = QStringLiteral("SendCrate");
    return peer;
}

QProcessEnvironment environment()
{
    QProcessEnvironment found = QProcessEnvironment::systemEnvironment();
    found.remove(QStringLiteral("LD_PRELOAD")); // a sanitizer's is not for them
    return found;
}

bool isInstalled(const Peer &peer)
{
    QProcess check;
    check.setProcessEnvironment(environment());
    check.start(peer.program, peer.check);
    return check.waitForFinished(timeoutMs) && check.exitStatus() == QProcess::NormalExit && check.exitCode() == 0;
}

// A worker with the folder it shares with the test. Ends with its scope.
class Shop
{
public:
    Shop(const Peer &peer, const QString &address)
        : m_peer(peer)
        , m_address(address)
    {
    }
    ~Shop() { close(); }
    Shop(const Shop &) = delete;
    Shop &operator=(const Shop &) = delete;

    void open() { start(m_worker, QStringLiteral("work"), {}); }
    // As its service does it: what is under way is finished.
    void close()
    {
        m_worker.terminate();
        if (m_worker.state() != QProcess::NotRunning && !m_worker.waitForFinished(timeoutMs))
            m_worker.kill();
    }
    [[nodiscard]] bool send(int count)
    {
        QProcess sender;
        start(sender, QStringLiteral("send"), {QString::number(count)});
        return sender.waitForFinished(timeoutMs) && sender.exitCode() == 0;
    }
    void breakDown()
    {
        QFile file(m_folder.filePath(QStringLiteral("broken")));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    void repair() { QVERIFY(QFile::remove(m_folder.filePath(QStringLiteral("broken")))); }
    // How often each order was tried, in the order of their numbers.
    [[nodiscard]] QList<int> tries() const
    {
        QList<int> counts(orders, 0);
        QFile file(m_folder.filePath(QStringLiteral("tries")));
        if (!file.open(QIODevice::ReadOnly))
            return counts;
        for (const QByteArray &line : file.readAll().trimmed().split('\n'))
            ++counts[std::clamp(line.toInt(), 0, orders - 1)];
        return counts;
    }
    [[nodiscard]] QByteArray log()
    {
        QFile file(m_folder.filePath(QStringLiteral("log")));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private:
    void start(QProcess &process, const QString &command, const QStringList &more)
    {
        process.setProcessEnvironment(environment());
        process.setWorkingDirectory(m_folder.path());
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.setStandardOutputFile(m_folder.filePath(QStringLiteral("log")), QIODevice::Append);
        process.start(m_peer.program, m_peer.arguments + QStringList{command, m_address, m_folder.path()} + more);
        QVERIFY2(process.waitForStarted(timeoutMs), qPrintable(process.errorString()));
    }

    const Peer m_peer;
    const QString m_address;
    QTemporaryDir m_folder;
    QProcess m_worker;
};

QList<int> each(int tries)
{
    return QList<int>(orders, tries);
}

} // namespace

class TestRabbitMqPeers final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void whatIsGivenUpGoesBackWithAllItsTries_data();
    void whatIsGivenUpGoesBackWithAllItsTries();

private:
    void checkRecords(RabbitConsole &console, const Peer &peer);
    void retryAll(RabbitConsole &console);

    RabbitServer m_server;
};

void TestRabbitMqPeers::initTestCase()
{
    if (!RabbitServer::isInstalled())
        QSKIP("rabbitmq-server is not installed");
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
}

void TestRabbitMqPeers::checkRecords(RabbitConsole &console, const Peer &peer)
{
    const QList<api::GroupRow> groups = console.groups();
    QCOMPARE(groups.size(), 1);
    QCOMPARE(groups.constFirst().title, peer.title);
    const QList<records::FailedMessage> messages = console.messages(records::MessageStatus::Unresolved);
    QCOMPARE(messages.size(), orders);
    for (const records::FailedMessage &one : messages) {
        QCOMPARE(one.dialect, peer.dialect);
        QCOMPARE(one.messageType, peer.type);
        QCOMPARE(one.failure.exceptionMessage, peer.words);
        QCOMPARE(one.destination.queue, peer.destination);
        QVERIFY(one.destination.certainty == records::Certainty::Exact);
        QVERIFY(!one.flags);
    }
}

void TestRabbitMqPeers::retryAll(RabbitConsole &console)
{
    api::RetryDraft request;
    request.filter.connection = console.connection();
    const api::PlanPreview plan = test::must(console.client().ask(api::PreviewRetry{request}).result());
    QCOMPARE(plan.frozenCount, orders);
    api::ConfirmRetry command;
    command.draft = request;
    command.draft.asOfChange = plan.asOfChange;
    command.expectedCount = plan.frozenCount;
    (void)test::must(console.client().ask(command).result());
    QTRY_VERIFY_WITH_TIMEOUT(console.allCompleted(), timeoutMs);
    QCOMPARE(console.operations().constFirst().counts.sent, orders);
}

void TestRabbitMqPeers::whatIsGivenUpGoesBackWithAllItsTries_data()
{
    QTest::addColumn<Peer>("peer");
    QTest::newRow("celery") << celery();
    QTest::newRow("rascal") << rascal();
    QTest::newRow("symfony") << symfony();
    QTest::newRow("symfony-php") << symfonyPhp();
}

void TestRabbitMqPeers::whatIsGivenUpGoesBackWithAllItsTries()
{
    QFETCH(Peer, peer);
    if (!isInstalled(peer))
        QSKIP(qPrintable(peer.missing));
    const QString vhost = QString::fromLatin1(QTest::currentDataTag());
    RabbitAdmin admin(m_server, vhost);
    admin.makeVhost();
    admin.makeQueue(errorQueue);
    Shop shop(peer, m_server.amqpUrl(vhost));
    shop.breakDown();
    shop.open();
    QVERIFY2(shop.send(orders), shop.log().constData());
    QTRY_VERIFY2_WITH_TIMEOUT(admin.depth(errorQueue) == orders, shop.log().constData(), timeoutMs);
    QCOMPARE(shop.tries(), each(budget));
    if (!peer.delayQueue.isEmpty()) {
        QCOMPARE(admin.depth(peer.delayQueue), 0);
        admin.removeQueue(peer.delayQueue); // as it goes by itself ten seconds later; the next time it is still there
    }

    QTemporaryDir folder;
    RabbitConsole console(folder.filePath(QStringLiteral("store/redrive.db")),
                          m_server.connection(vhost, QStringList{errorQueue}));
    console.open();
    core::Result<records::IntakeCounts> taken = console.takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->fresh, orders);
    checkRecords(console, peer);
    retryAll(console);
    QTRY_VERIFY2_WITH_TIMEOUT(admin.depth(errorQueue) == orders, shop.log().constData(), timeoutMs);
    QCOMPARE(shop.tries(), each(2 * budget));

    taken = console.takeAll();
    QVERIFY2(taken, test::why(taken).constData());
    QCOMPARE(taken->fresh, 0);
    checkRecords(console, peer);
    shop.repair();
    retryAll(console);
    QTRY_COMPARE_WITH_TIMEOUT(shop.tries(), each(2 * budget + 1), timeoutMs);
    QTRY_COMPARE_WITH_TIMEOUT(admin.depth(peer.destination), 0, timeoutMs); // nothing is under way any more
    shop.close();
    QCOMPARE(shop.tries(), each(2 * budget + 1));
    QCOMPARE(admin.depth(errorQueue), 0);
}

QTEST_GUILESS_MAIN(TestRabbitMqPeers)
#include "tst_rabbitmq_peers.moc"
