// The thread of a shared store's control tables: what it does when the database freezes, goes or comes, and at its end.
#include "backend/control/shared/controlline.h"
#include "tests/support/store/leasedstore.h"
#include "tests/support/testmain/testmain.h"

#include <QDeadlineTimer>
#include <QScopeGuard>
#include <QTest>

namespace {

constexpr int timeoutMs = 60000;

class Looker final : public control::ControlWork
{
public:
    std::atomic<int> begun{0};
    std::atomic<int> looks{0};
    std::atomic<int> failures{0};
    std::atomic<int> left{0};
    core::Milliseconds lookFor{0}; // again and again
    int told = 0; // on the thread of the test

    core::Result<> begin(store::ControlTables &) override
    {
        ++begun;
        return {};
    }
    core::Result<> look(store::ControlTables &tables) override
    {
        const QDeadlineTimer until(lookFor);
        do {
            const auto seen = tables.holder();
            if (!seen)
                return core::fail(seen.error());
        } while (!until.hasExpired());
        ++looks;
        tell([this] { ++told; });
        return {};
    }
    core::Milliseconds pause() override { return core::Milliseconds(20); }
    void failed(const core::Error &error) override { failures += error.kind == core::ErrorKind::Transient ? 1 : 1000; }
    void leave(store::ControlTables &tables) override { left += tables.holder() ? 1 : 1000; }
};

} // namespace

class TestControlLine final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!support::PostgresServer::isInstalled())
            QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
    }

    void itLooksAgainAndAgainAndTells()
    {
        support::LeasedStore store;
        const auto work = std::make_shared<Looker>();
        control::ControlLine line(store.open(), work);
        QTRY_VERIFY_WITH_TIMEOUT(work->told > 2, timeoutMs);
        QCOMPARE(work->begun, 1);
        line.finish(core::Milliseconds(timeoutMs));
        QCOMPARE(work->left, 1); // it waited for that
    }

    void aFrozenConnectionIsGivenUp()
    {
        support::LeasedStore store;
        const auto work = std::make_shared<Looker>();
        control::ControlLine line(store.open(), work, core::Milliseconds(300));
        QTRY_VERIFY_WITH_TIMEOUT(work->looks > 0, timeoutMs);
        support::LeasedStore::server().freeze(true);
        const auto thaw = qScopeGuard([] { support::LeasedStore::server().freeze(false); });
        QTRY_VERIFY_WITH_TIMEOUT(work->failures > 0, timeoutMs);
        support::LeasedStore::server().freeze(false);
        const int before = work->looks;
        QTRY_VERIFY_WITH_TIMEOUT(work->looks > before, timeoutMs);
        QVERIFY(work->begun > 1);
    }

    void aSlowConnectionIsKept()
    {
        support::LeasedStore store;
        const auto work = std::make_shared<Looker>();
        work->lookFor = core::Milliseconds(2000); // much longer than it waits for one answer
        control::ControlLine line(store.open(), work, core::Milliseconds(500));
        QTRY_VERIFY_WITH_TIMEOUT(work->looks > 0, timeoutMs);
        QCOMPARE(work->begun, 1);
        QCOMPARE(work->failures, 0);
    }

    void itsEndDoesNotWaitForAFrozenDatabase()
    {
        support::LeasedStore store;
        const auto work = std::make_shared<Looker>();
        auto line = std::make_unique<control::ControlLine>(store.open(), work);
        QTRY_VERIFY_WITH_TIMEOUT(work->looks > 0, timeoutMs);
        support::LeasedStore::server().freeze(true);
        const auto thaw = qScopeGuard([] { support::LeasedStore::server().freeze(false); });
        const int told = work->told;
        line.reset(); // would hang here
        QCoreApplication::sendPostedEvents();
        QCOMPARE(work->told, told); // and nothing is told any more
    }

    void aLostConnectionIsOpenedAgain()
    {
        support::LeasedStore store;
        const auto work = std::make_shared<Looker>();
        control::ControlLine line(store.open(), work);
        QTRY_VERIFY_WITH_TIMEOUT(work->looks > 0, timeoutMs);
        store.sql(QStringLiteral("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                                 " WHERE pid <> pg_backend_pid() AND application_name = 'redrive'"));
        QTRY_VERIFY_WITH_TIMEOUT(work->begun > 1, timeoutMs);
        QCOMPARE(work->failures, 1);
    }
};

REDRIVE_TEST(TestControlLine)
#include "tst_controlline.moc"
