// Several consoles and a server on one shared store: who works, who takes over, and what the others can ask meanwhile.
#include "app/host/storeaccess.h"
#include "backend/api/requests/retries.h"
#include "tests/support/must.h"
#include "tests/support/store/leasedstore.h"
#include "tests/support/testmain/testmain.h"

#include <QSqlQuery>
#include <QTest>

using app::StoreAccess;
using Kind = store::LeaseHolder::Kind;
using Limit = app::StoreAccess::WaitLimit;

namespace {

constexpr int timeoutMs = 60'000; // a lease that nobody gives up lasts 15 s

// A program on the store, with the newest that it shows.
struct Program
{
    Program(const records::StoreAddress &store, Kind kind, Limit limit = Limit::OfAWindow)
        : access(settingsFor(store, kind), limit)
    {
        const core::Result<> opened = access.open();
        if (!opened)
            qFatal("%s", test::why(opened).constData());
        access.client().listen([this](api::SnapshotPtr snapshot) { newest = std::move(snapshot); });
    }
    [[nodiscard]] static app::EngineHostSettings settingsFor(const records::StoreAddress &store, Kind kind)
    {
        app::EngineHostSettings settings;
        settings.store = store;
        settings.kind = kind;
        settings.keychain = false;
        return settings;
    }
    [[nodiscard]] bool works() const
    {
        return access.isInProcess() && newest && newest->engine != api::EngineState::Viewer
               && newest->engine != api::EngineState::Starting;
    }
    [[nodiscard]] bool looks() const
    {
        return !access.isInProcess() && newest && newest->engine == api::EngineState::Viewer;
    }

    StoreAccess access;
    api::SnapshotPtr newest;
};

} // namespace

class TestSharedAccess final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void oneWorksAndCarriesOutWhatTheOthersAsk();
    void theNextOneTakesOver();
    void aServerGetsTheStoreFromAWindowThatMayYield();
    void whoLosesItsLeaseBecomesOneOfTheOthers();
    void whoMayOnlyAskStaysThroughATakeover();
    void aDatabaseThatIsGoneForLongEndsNothing();
};

void TestSharedAccess::initTestCase()
{
    if (!support::PostgresServer::isInstalled())
        QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
}

void TestSharedAccess::oneWorksAndCarriesOutWhatTheOthersAsk()
{
    const support::LeasedStore store;
    const Program first(store.address(), Kind::Window);
    Program second(store.address(), Kind::Window);
    QTRY_VERIFY_WITH_TIMEOUT(first.works() && second.looks(), timeoutMs);
    const auto paused = second.access.client().ask(api::PauseAll{true});
    QTRY_VERIFY_WITH_TIMEOUT(paused.isFinished(), timeoutMs);
    QVERIFY2(paused.result(), test::why(paused.result()).constData());
    QTRY_COMPARE_WITH_TIMEOUT(first.newest->engine, api::EngineState::Paused, timeoutMs);
    QVERIFY(second.newest->engineText.contains(QString::number(QCoreApplication::applicationPid()))); // who works
}

void TestSharedAccess::theNextOneTakesOver()
{
    const support::LeasedStore store;
    auto first = std::make_unique<Program>(store.address(), Kind::Window);
    const Program second(store.address(), Kind::Window);
    QTRY_VERIFY_WITH_TIMEOUT(first->works() && second.looks(), timeoutMs);
    first.reset();
    QTRY_VERIFY_WITH_TIMEOUT(second.works(), timeoutMs);
}

void TestSharedAccess::aServerGetsTheStoreFromAWindowThatMayYield()
{
    const support::LeasedStore store;
    Program window(store.address(), Kind::Window);
    bool mayYield = false;
    int asked = 0;
    window.access.onWanted([&mayYield, &asked] {
        ++asked;
        return mayYield;
    });
    QTRY_VERIFY_WITH_TIMEOUT(window.works(), timeoutMs);
    const Program server(store.address(), Kind::Server);
    QTRY_VERIFY_WITH_TIMEOUT(asked > 0, timeoutMs);
    QVERIFY(window.works() && !server.works()); // it sends something
    mayYield = true;
    QTRY_VERIFY_WITH_TIMEOUT(server.works() && window.looks(), timeoutMs);
}

// Another process took the store over, while this one slept.
void TestSharedAccess::whoLosesItsLeaseBecomesOneOfTheOthers()
{
    const support::LeasedStore store;
    const Program sleeper(store.address(), Kind::Window);
    QTRY_VERIFY_WITH_TIMEOUT(sleeper.works(), timeoutMs);
    QSqlDatabase raw = support::LeasedStore::server().connect();
    QSqlQuery query(raw);
    QVERIFY(query.exec(
        QStringLiteral("UPDATE \"%1\".engine_lease SET expires_at = '-infinity'").arg(store.address().schema)));
    const Program other(store.address(), Kind::Window);
    QTRY_VERIFY_WITH_TIMEOUT(other.works() && sleeper.looks(), timeoutMs);
}

// It tries to work for the store meanwhile, and may not.
void TestSharedAccess::whoMayOnlyAskStaysThroughATakeover()
{
    support::LeasedStore store;
    store.giveRoles();
    auto first = std::make_unique<Program>(store.address(QStringLiteral("worker")), Kind::Window);
    Program alice(store.address(QStringLiteral("alice")), Kind::Window);
    QTRY_VERIFY_WITH_TIMEOUT(first->works() && alice.looks(), timeoutMs);
    first.reset();
    QTest::qWait(3000); // so long nobody works
    const Program second(store.address(QStringLiteral("worker")), Kind::Window);
    QTRY_VERIFY_WITH_TIMEOUT(second.works() && alice.looks(), timeoutMs);
    const auto paused = alice.access.client().ask(api::PauseAll{true});
    QTRY_VERIFY_WITH_TIMEOUT(paused.isFinished(), timeoutMs);
    QVERIFY2(paused.result(), test::why(paused.result()).constData());
}

void TestSharedAccess::aDatabaseThatIsGoneForLongEndsNothing()
{
    const support::LeasedStore store;
    const Program window(store.address(), Kind::Window);
    QTRY_VERIFY_WITH_TIMEOUT(window.works(), timeoutMs);
    support::LeasedStore::server().stop();
    QTRY_VERIFY_WITH_TIMEOUT(!window.access.isInProcess(), timeoutMs); // its lease ended, as far as it knows
    QVERIFY2(support::LeasedStore::server().start(), qPrintable(support::LeasedStore::server().error()));
    QTRY_VERIFY_WITH_TIMEOUT(window.works(), timeoutMs);
}

REDRIVE_TEST(TestSharedAccess)
#include "tst_sharedaccess.moc"
