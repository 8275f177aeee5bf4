// Three engines on one shared store and one RabbitMQ. Whoever holds the store is killed (SIGKILL) or stopped past its lease and
// continued, and the database is restarted: each message arrives once, or a person is told.
#include "backend/core/random.h"
#include "backend/records/address/connectionurl.h"
#include "backend/records/retries/retry.h"
#include "tests/crash/campaign/verdict.h"
#include "tests/support/pipeline/postgresserver.h"
#include "tests/support/rabbit/arrivals.h"
#include "tests/support/rabbit/failedorders.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QProcess>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>
#include <vector>

using support::Arrivals;
using support::FailedOrders;
using support::RabbitAdmin;
using support::RabbitServer;

namespace {

constexpr int engines = 3;
constexpr int limitMs = 300'000;
const QString errorQueue = QStringLiteral("error");

enum class Fault { KillHolder, StopHolder, RestartDatabase };

struct Ended
{
    int code = -1;
    QByteArray out;
    QByteArray err;
};

// The others have no queue to go back to.
QList<int> deliverable(const FailedOrders &orders)
{
    QList<int> causes;
    for (int cause = 0; cause < FailedOrders::causes; ++cause)
        causes.append(cause);
    return orders.numbers(causes, true);
}

} // namespace

class TestSharedStoreKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void whoeverHoldsTheStoreMayGo();

private:
    [[nodiscard]] std::unique_ptr<QProcess> start(const QStringList &arguments, int number);
    [[nodiscard]] Ended run(const QStringList &arguments);
    void startEngine(int number);
    [[nodiscard]] QSqlQuery ask(const QString &sql);
    [[nodiscard]] qint64 number(const QString &sql) { return ask(sql).value(0).toLongLong(); }
    // The engine that holds the store now; nothing: none does.
    [[nodiscard]] QProcess *holder();
    [[nodiscard]] bool until(const std::function<bool()> &done) { return QTest::qWaitFor(done, limitMs); }
    void strike(Fault fault);
    void prepare(const FailedOrders &orders);
    void endedWell(const FailedOrders &orders);

    RabbitServer m_rabbit;
    support::PostgresServer m_postgres;
    std::unique_ptr<RabbitAdmin> m_admin;
    QTemporaryDir m_folder;
    QSqlDatabase m_database;
    std::vector<std::unique_ptr<QProcess>> m_engines;
    int m_takeovers = 0;
    int m_strikes = 0;
};

void TestSharedStoreKill::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    if (!support::PostgresServer::isInstalled())
        QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
    QVERIFY2(m_rabbit.start(), qPrintable(m_rabbit.error()));
    QVERIFY2(m_postgres.start(), qPrintable(m_postgres.error()));
    m_admin = std::make_unique<RabbitAdmin>(m_rabbit, QStringLiteral("team"));
    m_admin->makeVhost();
    for (const QString &queue : FailedOrders::destinations() + QStringList{errorQueue})
        m_admin->makeQueue(queue);
}

void TestSharedStoreKill::cleanupTestCase()
{
    for (const std::unique_ptr<QProcess> &engine : m_engines) {
        ::kill(pid_t(engine->processId()), SIGCONT);
        engine->kill();
        engine->waitForFinished(10'000);
    }
}

// Each has a home of its own, as on machines of their own.
std::unique_ptr<QProcess> TestSharedStoreKill::start(const QStringList &arguments, int number)
{
    auto process = std::make_unique<QProcess>();
    const QString home = m_folder.filePath(QString::number(number));
    QDir().mkpath(home);
    QFile::setPermissions(home, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *variable : {"HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
        environment.insert(QString::fromLatin1(variable), home);
    environment.remove(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"));
    environment.insert(QStringLiteral("REDRIVE_SECRET_STORE"), support::PostgresServer::password());
    environment.insert(QStringLiteral("REDRIVE_SECRET_TEAM"), QStringLiteral("guest"));
    process->setProcessEnvironment(environment);
    process->start(QStringLiteral(REDRIVE_PROGRAM),
                   QStringList{QStringLiteral("--store"), m_postgres.url(), QStringLiteral("--json")} + arguments);
    return process;
}

Ended TestSharedStoreKill::run(const QStringList &arguments)
{
    const std::unique_ptr<QProcess> process = start(arguments, 0);
    process->waitForFinished(limitMs);
    return {process->exitCode(), process->readAllStandardOutput(), process->readAllStandardError()};
}

void TestSharedStoreKill::startEngine(int number)
{
    m_engines.push_back(start({QStringLiteral("run")}, number));
    m_engines.back()->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QVERIFY(m_engines.back()->waitForStarted());
}

QSqlQuery TestSharedStoreKill::ask(const QString &sql)
{
    QSqlQuery query(m_database);
    if (!query.exec(sql)) { // it was restarted
        m_database.close();
        m_database = m_postgres.connect();
        query = QSqlQuery(m_database);
        query.exec(QStringLiteral("SET search_path TO redrive"));
        query.exec(sql);
    }
    query.next();
    return query;
}

QProcess *TestSharedStoreKill::holder()
{
    const qint64 pid =
        number(QStringLiteral("SELECT pid FROM redrive.engine_lease WHERE expires_at > clock_timestamp()"));
    const auto found = std::find_if(m_engines.begin(), m_engines.end(),
                                    [pid](const auto &engine) { return engine->processId() == pid; });
    return found == m_engines.end() ? nullptr : found->get();
}

void TestSharedStoreKill::prepare(const FailedOrders &orders)
{
    m_admin->publish(errorQueue, orders.envelopes());
    m_database = m_postgres.connect();
    const records::Connection connection = m_rabbit.connection(QStringLiteral("team"), {errorQueue});
    const Ended added =
        run({QStringLiteral("connection"), QStringLiteral("add"), QStringLiteral("team"),
             records::connectionUrlText(connection.kind, connection.url), QStringLiteral("--environment"),
             QStringLiteral("test"), QStringLiteral("--error-queue"), errorQueue});
    QVERIFY2(added.code == 0, added.err.constData());
    for (int i = 1; i <= engines; ++i)
        startEngine(i);
    QVERIFY(until([this] { return holder() != nullptr; }));
    const Ended taken = run({QStringLiteral("intake"), QStringLiteral("--once")});
    QVERIFY2(taken.code == 0, taken.err.constData());
    QCOMPARE(number(QStringLiteral("SELECT count(*) FROM redrive.failed_message")), orders.count());
}

void TestSharedStoreKill::strike(Fault fault)
{
    QVERIFY(until([this] { return holder() != nullptr; }));
    QProcess *const struck = holder();
    ++m_strikes;
    const qint64 fence = number(QStringLiteral("SELECT fence FROM redrive.engine_lease"));
    const auto isReplaced = [this, fence] {
        return number(QStringLiteral("SELECT fence FROM redrive.engine_lease")) > fence && holder() != nullptr;
    };
    switch (fault) {
    case Fault::KillHolder: {
        struck->kill();
        struck->waitForFinished();
        QVERIFY(until(isReplaced));
        std::erase_if(m_engines, [struck](const auto &engine) { return engine.get() == struck; });
        startEngine(engines + ++m_takeovers);
        break;
    }
    case Fault::StopHolder:
        ::kill(pid_t(struck->processId()), SIGSTOP);
        QVERIFY(until(isReplaced));
        ::kill(pid_t(struck->processId()), SIGCONT); // it goes on where it was, and must not
        ++m_takeovers;
        break;
    case Fault::RestartDatabase:
        m_postgres.stop();
        QVERIFY2(m_postgres.start(), qPrintable(m_postgres.error()));
        break;
    }
}

void TestSharedStoreKill::whoeverHoldsTheStoreMayGo()
{
    const int asked = qEnvironmentVariableIntValue("REDRIVE_MESSAGES");
    const int faults = std::max(6, qEnvironmentVariableIntValue("REDRIVE_FAULTS"));
    const FailedOrders orders(asked > 0 ? asked : 240);
    prepare(orders);
    if (QTest::currentTestFailed())
        return;
    // So slowly that all faults fall into it.
    const int perMinute = std::max(60, int(deliverable(orders).size()) * 60 / (faults * 12));
    const Ended begun =
        run({QStringLiteral("retry"), QStringLiteral("--all"), QStringLiteral("--on-unknown"), QStringLiteral("doubt"),
             QStringLiteral("--rate"), QStringLiteral("%1/min").arg(perMinute), QStringLiteral("--confirm"),
             QString::number(deliverable(orders).size()), QStringLiteral("--reason"), QStringLiteral("mended")});
    QVERIFY2(begun.code == 0, begun.err.constData());
    core::SeededRandom random(41);
    for (int i = 0; i < faults && !QTest::currentTestFailed(); ++i) {
        QTest::qWait(1000 + int(random.below(3000)));
        strike(i % 3 == 2 ? Fault::RestartDatabase : i % 2 == 0 ? Fault::KillHolder : Fault::StopHolder);
    }
    if (QTest::currentTestFailed())
        return;
    QCOMPARE(m_strikes, faults);
    QVERIFY(m_takeovers >= faults / 2);
    QVERIFY(until([this] {
        return number(QStringLiteral("SELECT count(*) FROM redrive.retry_operation WHERE finished IS NULL")) == 0;
    }));
    endedWell(orders);
}

void TestSharedStoreKill::endedWell(const FailedOrders &orders)
{
    QVERIFY(number(QStringLiteral("SELECT fence FROM redrive.engine_lease")) > m_takeovers);
    QList<int> doubtful;
    QSet<int> flagged;
    QSqlQuery members(m_database);
    QVERIFY(
        members.exec(QStringLiteral("SELECT f.message_id, m.outcome, m.possible_duplicate FROM redrive.retry_member m"
                                    " JOIN redrive.failed_message f ON f.id = m.message")));
    while (members.next()) {
        const std::optional<int> order = FailedOrders::numberOf(members.value(0).toString());
        QVERIFY(order);
        if (members.value(1).toInt() == int(records::Outcome::InDoubt))
            doubtful.append(*order);
        if (members.value(2).toInt() != 0)
            flagged.insert(*order);
    }
    const Arrivals arrived(*m_admin);
    QCOMPARE(arrived.faults(), QStringList());
    const killing::Verdict verdict = killing::verdictOn(
        {killing::oneOfEach(deliverable(orders)), arrived.copies(), killing::oneOfEach(doubtful), flagged});
    QVERIFY2(verdict.isGood(), qPrintable(verdict.words()));
    qInfo("%d takeovers, %lld in doubt, %lld flagged, %lld twice", m_takeovers, qlonglong(doubtful.size()),
          qlonglong(flagged.size()), qlonglong(verdict.duplicated.size()));
    QCOMPARE(number(QStringLiteral("SELECT count(*) FROM redrive.event_log WHERE who LIKE '%role redrive%'")) > 0,
             true);
    const Ended verified = run({QStringLiteral("events"), QStringLiteral("--verify")});
    QVERIFY2(verified.code == 0, verified.err.constData());
}

REDRIVE_TEST(TestSharedStoreKill)
#include "tst_sharedstore_kill.moc"
