// A program that takes in small steps is killed (SIGKILL) in mid-take and started again, over RabbitMQ: every message is in the store once. REDRIVE_KILLS says how often.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/core/time/systemclock.h"
#include "backend/http/qnamhttpclient.h"
#include "backend/http/retryingclient.h"
#include "backend/intake/intake.h"
#include "backend/records/takinginsteps.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/testmain/testmain.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdio>

using namespace std::chrono_literals;
using core::Result;
using records::IntakeCounts;
using test::must;

namespace {

const QString vhost = QStringLiteral("kill/steps");
const QString user = QStringLiteral("support");
constexpr int messages = 2000;
constexpr quint64 seed = 20261128;

records::Envelope failed(int number)
{
    records::Envelope envelope;
    envelope.body = "order " + QByteArray::number(10000 + number);
    envelope.properties = {{QStringLiteral("delivery_mode"), 2}};
    return envelope;
}

// Says each removal before it is sent.
class TellingClient final : public http::HttpClient
{
public:
    explicit TellingClient(http::HttpClient &client)
        : m_client(client)
    {
    }
    [[nodiscard]] core::Task<Result<http::Response>> send(http::Request request) override
    {
        if (request.body.contains("ack_requeue_false")) {
            std::fputs("removes\n", stdout);
            std::fflush(stdout);
        }
        Result<http::Response> answer = co_await m_client.send(std::move(request));
        co_return answer;
    }
    void cancelAll() override { m_client.cancelAll(); }

private:
    http::HttpClient &m_client;
};

// The program that is killed: finishes what the one before left, and takes the rest.
core::Task<> takeAll(intake::Intake &intake, QString queue, int &code)
{
    intake::Order order;
    order.queue = queue;
    const Result<IntakeCounts> recovered = co_await intake.recover();
    Result<IntakeCounts> taken = co_await intake.take(order);
    if (!recovered || !taken)
        std::fprintf(stderr, "%s\n", qPrintable((recovered ? taken : recovered).error().message));
    code = recovered && taken ? 0 : 1;
    QCoreApplication::exit(code);
}

int take(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList given = QCoreApplication::arguments();
    const std::unique_ptr<store::Store> store = std::move(*store::openSqliteStore(given.at(2)));
    const QList<records::Connection> connections = must(
        store->read<QList<records::Connection>>([](store::Session &session) { return session.connections().all(); }));
    core::SystemClock clock;
    core::SystemRandom random;
    http::QnamHttpClient client;
    TellingClient telling(client);
    http::RetryingClient line(telling, clock, random);
    broker::rabbitmq::Settings settings = broker::rabbitmq::Settings::from(connections.first(), user);
    broker::RabbitMq rabbit(line, clock, random, settings);
    broker::BrokerState state(rabbit, clock);
    intake::Intake intake(connections.first(), state, *store, clock, random, [] { return 1.0; });
    int code = -1;
    const core::Task<> running = takeAll(intake, given.at(3), code);
    return code >= 0 ? code : QCoreApplication::exec();
}

// Returns what was sent.
QByteArrayList fill(support::RabbitAdmin &admin, const QString &queue)
{
    admin.makeVhost();
    admin.makeUser(user, user, QStringLiteral("monitoring"));
    admin.makeQueue(queue, {{QStringLiteral("x-queue-type"), QStringLiteral("classic")}});
    QByteArrayList sent;
    QList<records::Envelope> some;
    for (int i = 0; i < messages; ++i) {
        some.append(failed(i));
        sent.append(some.last().body);
        if (some.size() == 100 || i + 1 == messages)
            admin.publish(queue, std::exchange(some, {}));
    }
    return sent;
}

void makeStore(const QString &path, records::Connection connection)
{
    const std::unique_ptr<store::Store> store = std::move(*store::openSqliteStore(path));
    connection.name = QStringLiteral("shop");
    connection.url.setUserName(user);
    connection.url.setQuery(QStringLiteral("take=steps"));
    must(store->transact([&](store::Session &session) -> Result<> {
        must(session.connections().add(connection));
        return {};
    }));
}

} // namespace

class TestRabbitMqStepKills final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void killedInMidTakeEveryMessageIsStoredOnce();
};

void TestRabbitMqStepKills::killedInMidTakeEveryMessageIsStoredOnce()
{
    if (const QString missing = support::RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    const int asked = qEnvironmentVariableIntValue("REDRIVE_KILLS");
    const int wanted = asked > 0 ? asked : 5;
    support::RabbitServer server;
    server.enableShovel(false);
    QVERIFY2(server.start(), qPrintable(server.error()));
    support::RabbitAdmin admin(server, vhost);
    const QString queue = QStringLiteral("failed.orders");
    const QByteArrayList sent = fill(admin, queue);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("redrive.db"));
    makeStore(path, server.connection(vhost, {queue}));
    core::SeededRandom random(seed);
    int kills = 0;
    for (int starts = 0;; ++starts) {
        QVERIFY(starts < 4 * wanted);
        QProcess program;
        program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        program.start(QCoreApplication::applicationFilePath(),
                      {QStringLiteral("tst_rabbitmq_stepkills"), QStringLiteral("--take"), path, queue});
        QVERIFY(program.waitForStarted());
        if (kills < wanted) {
            qsizetype steps = 1 + qsizetype(random.below(4));
            while (steps > 0 && program.waitForReadyRead(120000))
                steps -= program.readAll().count('\n');
            QTest::qWait(int(random.below(30)));
        }
        const bool isAtWork = kills < wanted && program.state() == QProcess::Running;
        if (isAtWork)
            ::kill(pid_t(program.processId()), SIGKILL);
        QVERIFY(program.waitForFinished(240000) || program.state() == QProcess::NotRunning);
        if (isAtWork && program.exitStatus() == QProcess::CrashExit) {
            ++kills;
            continue;
        }
        QCOMPARE(program.exitCode(), 0);
        break;
    }
    qInfo("%d kills", kills);
    QCOMPARE(kills, wanted);
    QByteArrayList stored;
    int flagged = 0;
    const std::unique_ptr<store::Store> store = std::move(*store::openSqliteStore(path));
    must(store->read([&](store::Session &session) -> Result<> {
        for (const core::MessageId id : must(session.messages().slice({}, {}, 20000)).ids) {
            stored.append(must(session.messages().loadEnvelope(id)).body);
            flagged +=
                must(session.messages().load(id)).flags.testFlag(records::MessageFlag::PossibleDuplicate) ? 1 : 0;
        }
        return {};
    }));
    std::sort(stored.begin(), stored.end());
    QCOMPARE(stored.size(), sent.size());
    QCOMPARE(stored, sent);
    QVERIFY(flagged <= kills * records::stepMessages); // of requests that RabbitMQ cut short when their sender died
    QCOMPARE(admin.drain(queue).size(), 0);
}

static int runOrTake(int argc, char **argv)
{
    if (argc == 4 && qstrcmp(argv[1], "--take") == 0)
        return take(argc, argv);
    return testmain::run<TestRabbitMqStepKills, QCoreApplication>(argc, argv);
}

REDRIVE_TEST_RUN(runOrTake)
#include "tst_rabbitmq_stepkills.moc"
