// SIGKILL of the process that holds a shared store, again and again, while others ask: each request is carried out at most once,
// and whoever asked gets to know which may have been. The holder is a process of its own, and PostgreSQL is real.
#include "backend/api/requests/retries.h"
#include "backend/control/shared/sharedclient.h"
#include "backend/control/shared/sharedserver.h"
#include "tests/support/store/leasedstore.h"
#include "tests/support/testmain/testmain.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

#include <csignal>

using core::ErrorKind;

namespace {

constexpr int timeoutMs = 60000;
constexpr int atOnce = 8; // requests

// Where a holder kills itself.
enum class Death { Never, BeforeWork, AfterWork, AfterAnswer };

// Carries SetRate out: a row for each time, and its answer after it is there.
class Doer final : public api::EngineClient
{
public:
    // It dies at the request with this number, from 1, of those that it gets.
    Doer(Death death, int at)
        : m_death(death)
        , m_left(at)
    {
    }
    void listen(Listener) override {}
    void send(api::RequestPtr request) override
    {
        const auto &asked = static_cast<const api::Asked<api::SetRate> &>(*request);
        --m_left;
        dieAt(Death::BeforeWork);
        QSqlQuery query;
        if (!query.exec(QStringLiteral("INSERT INTO public.done VALUES (%1)").arg(asked.request.operation.value)))
            return;
        dieAt(Death::AfterWork);
        asked.reply.answer({});
        dieAt(Death::AfterAnswer); // which is still in this process
    }

private:
    void dieAt(Death here) const
    {
        if (m_death == here && m_left == 0)
            ::raise(SIGKILL);
    }

    Death m_death;
    int m_left;
};

int killsWanted()
{
    const int wanted = qEnvironmentVariableIntValue("REDRIVE_KILLS");
    return wanted > 0 ? wanted : 20;
}

} // namespace

class TestSharedKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!support::PostgresServer::isInstalled())
            QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
    }

    void eachRequestIsCarriedOutAtMostOnce()
    {
        support::LeasedStore store;
        store.sql(QStringLiteral("CREATE TABLE public.done (number bigint NOT NULL)"));
        QRandomGenerator random(7);
        std::vector<std::pair<qint64, api::Answer<>>> asked;
        control::SharedClient guest(store.open(), nullptr, QStringLiteral("alice"));
        int lost = 0;
        guest.onLost([&lost](const QString &) { ++lost; });
        const auto unanswered = [&asked] {
            return std::count_if(asked.cbegin(), asked.cend(),
                                 [](const auto &one) { return !one.second.isFinished(); });
        };
        const auto ask = [&] {
            while (unanswered() < atOnce) {
                const qint64 number = qint64(asked.size()) + 1;
                asked.emplace_back(number, guest.ask(api::SetRate{{number}, 90}));
            }
        };
        const int kills = killsWanted();
        for (int fence = 1; fence <= kills; ++fence) {
            store.hold(fence); // takes over
            const Death death = Death(1 + fence % 3);
            const auto holder = startHolder(store, fence, death, 1 + random.bounded(2 * atOnce));
            QVERIFY(holder->waitForStarted(timeoutMs));
            QTRY_VERIFY_WITH_TIMEOUT((ask(), holder->state() == QProcess::NotRunning), timeoutMs);
            QCOMPARE(holder->exitStatus(), QProcess::CrashExit);
        }
        store.hold(kills + 1);
        const auto last = startHolder(store, kills + 1, Death::Never, 0);
        QTRY_COMPARE_WITH_TIMEOUT(unanswered(), 0, timeoutMs);
        last->kill();
        QVERIFY(last->waitForFinished(timeoutMs));
        QCOMPARE(lost, 0); // there was always a next one
        int done = 0;
        int unknown = 0;
        for (const auto &[number, answer] : asked) {
            const qint64 times = store.count(QStringLiteral("public.done WHERE number = %1").arg(number));
            const core::Result<> result = answer.result();
            QVERIFY(result || result.error().kind == ErrorKind::Transient);
            QVERIFY2(result ? times == 1 : times <= 1, qPrintable(QString::number(number)));
            (result ? done : unknown) += 1;
        }
        qInfo("%d kills: %d requests done, of %d nobody knows", kills, done, unknown);
        QVERIFY(done > 0 && unknown >= kills / 3);
    }

private:
    [[nodiscard]] static std::unique_ptr<QProcess> startHolder(const support::LeasedStore &store, int fence,
                                                               Death death, int at)
    {
        auto holder = std::make_unique<QProcess>();
        holder->setProcessChannelMode(QProcess::ForwardedChannels);
        holder->start(QCoreApplication::applicationFilePath(),
                      {QStringLiteral("tst_sharedkill"), QStringLiteral("--hold"),
                       QString::number(support::LeasedStore::server().port()), store.schema(), QString::number(fence),
                       QString::number(int(death)), QString::number(at)});
        return holder;
    }
};

static int hold(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    records::StoreAddress address;
    address.url = QStringLiteral("postgresql://redrive@127.0.0.1:%1/postgres").arg(QLatin1String(argv[2]));
    address.password = support::PostgresServer::password();
    address.schema = QString::fromLocal8Bit(argv[3]);
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"));
    database.setHostName(QStringLiteral("127.0.0.1"));
    database.setPort(QByteArray(argv[2]).toInt());
    database.setUserName(QStringLiteral("redrive"));
    database.setPassword(address.password);
    database.setDatabaseName(QStringLiteral("postgres"));
    if (!database.open())
        return 1;
    Doer doer(Death(QByteArray(argv[5]).toInt()), QByteArray(argv[6]).toInt());
    control::SharedServer server(
        doer, [address] { return store::ControlTables::open(address); }, QByteArray(argv[4]).toLongLong());
    server.start();
    return QCoreApplication::exec(); // until it is killed
}

static int runOrHold(int argc, char **argv)
{
    if (argc == 7 && qstrcmp(argv[1], "--hold") == 0)
        return hold(argc, argv);
    return testmain::run<TestSharedKill, QCoreApplication>(argc, argv);
}

REDRIVE_TEST_RUN(runOrHold)
#include "tst_sharedkill.moc"
