// Who may do what with a store in PostgreSQL, tried with plain SQL on a real server.
#include "backend/store/database/postgresql/postgresdatabase.h"
#include "tests/support/must.h"
#include "tests/support/store/leasedstore.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using store::Database;
using store::PostgresDatabase;
using test::must;

namespace {

const QString ask = QStringLiteral("INSERT INTO request (asker, number, who, protocol, payload) VALUES"
                                   " ('00000000-0000-0000-0000-000000000001', %1, 'the boss', 1, '')");
const QString answers = QStringLiteral("UPDATE request SET taken_fence = 1, taken_by = gen_random_uuid(),"
                                       " answered_at = clock_timestamp(), answer = '\\x01' WHERE number = %1");
const QString takes =
    QStringLiteral("UPDATE request SET taken_fence = 1, taken_by = gen_random_uuid() WHERE number = %1");

} // namespace

class TestStoreRoles final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!support::PostgresServer::isInstalled())
            QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
        m_store = std::make_unique<support::LeasedStore>();
        m_store->hold(1);
        m_store->giveRoles();
    }
    void cleanupTestCase() { m_store.reset(); }
    void init() { m_store->sql(QStringLiteral("DELETE FROM request")); }

    void everyRoleHasItsRights_data()
    {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<QStringList>("allowed"); // to these of alice, victor, worker, eve
        const QStringList all{QStringLiteral("alice"), QStringLiteral("victor"), QStringLiteral("worker")};
        const QStringList engine{QStringLiteral("worker")};
        const QStringList asker{QStringLiteral("alice"), QStringLiteral("worker")};
        const QStringList nobody;
        QTest::newRow("read") << QStringLiteral("SELECT count(*) FROM failed_message") << all;
        QTest::newRow("who holds") << QStringLiteral("SELECT fence FROM engine_lease") << all;
        QTest::newRow("ask") << ask.arg(1) << asker;
        QTest::newRow("listen") << QStringLiteral("INSERT INTO listener (asker, seen_at, listens) VALUES"
                                                  " (gen_random_uuid(), clock_timestamp(), true)")
                                << all;
        QTest::newRow("ask as another role")
            << QStringLiteral("INSERT INTO request (role, asker, number, who, protocol, payload) VALUES"
                              " ('bob', gen_random_uuid(), 1, '', 1, '')")
            << engine;
        QTest::newRow("ask in the past") << QStringLiteral(
            "INSERT INTO request (asked_at, asker, number, who, protocol, payload) VALUES"
            " (clock_timestamp(), gen_random_uuid(), 1, '', 1, '')")
                                         << engine;
        QTest::newRow("ask what is taken")
            << QStringLiteral("INSERT INTO request (taken_fence, asker, number, who, protocol, payload) VALUES"
                              " (1, gen_random_uuid(), 1, '', 1, '')")
            << engine;
        QTest::newRow("listen as another role")
            << QStringLiteral("INSERT INTO listener (role, asker, seen_at, listens) VALUES ('bob', gen_random_uuid(),"
                              " clock_timestamp(), true)")
            << engine;
        QTest::newRow("change a question") << QStringLiteral("UPDATE request SET payload = ''") << engine;
        QTest::newRow("change an answer") << QStringLiteral("UPDATE request SET answer = ''") << engine;
        QTest::newRow("change who asked") << QStringLiteral("UPDATE request SET who = ''") << engine;
        QTest::newRow("change a message") << QStringLiteral("UPDATE failed_message SET status = 1") << engine;
        QTest::newRow("add to the log") << QStringLiteral(
            "INSERT INTO event_log VALUES (1, 1, 1, 'bob', 'a', 'b', 'c', '')")
                                        << engine;
        QTest::newRow("empty the log") << QStringLiteral("TRUNCATE event_log") << nobody;
        QTest::newRow("take the lease") << QStringLiteral("UPDATE engine_lease SET fence = fence") << engine;
        QTest::newRow("greet") << QStringLiteral("INSERT INTO holder_greeting VALUES"
                                                 " (1, 1, 1, false, clock_timestamp(), '') ON CONFLICT (id) DO NOTHING")
                               << engine;
        QTest::newRow("publish") << QStringLiteral("INSERT INTO holder_snapshot VALUES"
                                                   " (1, 1, 1, clock_timestamp(), '') ON CONFLICT (id) DO NOTHING")
                                 << engine;
        QTest::newRow("become the engine") << QStringLiteral("SET ROLE redrive_engine") << engine;
        QTest::newRow("become another") << QStringLiteral("SET SESSION AUTHORIZATION bob") << nobody;
        QTest::newRow("drop a rule") << QStringLiteral("DROP POLICY own_request ON request") << nobody;
        QTest::newRow("switch the rules off")
            << QStringLiteral("ALTER TABLE request DISABLE ROW LEVEL SECURITY") << nobody;
        QTest::newRow("add a table") << QStringLiteral("CREATE TABLE mine (a bigint)") << nobody;
        QTest::newRow("empty the requests") << QStringLiteral("TRUNCATE request") << nobody;
    }

    void everyRoleHasItsRights()
    {
        QFETCH(QString, statement);
        QFETCH(QStringList, allowed);
        for (const QString &role :
             {QStringLiteral("alice"), QStringLiteral("victor"), QStringLiteral("worker"), QStringLiteral("eve")}) {
            const bool may = m_store->mayRun(role, statement);
            QVERIFY2(may == allowed.contains(role), qPrintable(role + u' ' + m_store->error()));
        }
    }

    // Refused by the rows, not by the tables.
    void theRequestsOfOthersAreOutOfReach()
    {
        const QString alice = QStringLiteral("alice");
        const QString bob = QStringLiteral("bob");
        m_store->sqlAs(alice, ask.arg(1));
        QCOMPARE(m_store->sql(QStringLiteral("SELECT role FROM request")).toString(), alice);
        QCOMPARE(m_store->sqlAs(bob, QStringLiteral("SELECT count(*) FROM request")).toInt(), 0);
        QCOMPARE(m_store->sqlAs(alice, QStringLiteral("SELECT count(*) FROM request")).toInt(), 1);
        QCOMPARE(m_store->sqlAs(QStringLiteral("worker"), QStringLiteral("SELECT count(*) FROM request")).toInt(), 1);
        m_store->sqlAs(bob, QStringLiteral("DELETE FROM request"));
        m_store->sqlAs(bob, QStringLiteral("SELECT 1 FROM request FOR UPDATE"));
        QVERIFY(m_store->wasRefused());
        QCOMPARE(m_store->count(QStringLiteral("request")), 1);
        m_store->sqlAs(bob, QStringLiteral("INSERT INTO listener (asker, seen_at, listens) VALUES"
                                           " ('00000000-0000-0000-0000-000000000007', clock_timestamp(), true)"));
        m_store->sqlAs(alice, QStringLiteral("UPDATE listener SET seen_at = 'epoch'"));
        m_store->sqlAs(alice, QStringLiteral("DELETE FROM listener"));
        QCOMPARE(m_store->count(QStringLiteral("listener WHERE seen_at > 'epoch'")), 1);
    }

    void whatWasTakenStaysUntilItIsAnswered()
    {
        const QString alice = QStringLiteral("alice");
        for (const int number : {1, 2, 3})
            m_store->sqlAs(alice, ask.arg(number));
        m_store->sql(takes.arg(1));
        m_store->sql(answers.arg(2));
        m_store->sqlAs(alice, QStringLiteral("DELETE FROM request"));
        QVERIFY(!m_store->wasRefused());
        QCOMPARE(m_store->sql(QStringLiteral("SELECT number FROM request")).toInt(), 1);
        QCOMPARE(m_store->count(QStringLiteral("request")), 1);
        m_store->sql(answers.arg(1));
        QCOMPARE(m_store->sqlAs(alice, QStringLiteral("SELECT answer FROM request")).toByteArray(), QByteArray("\x01"));
    }

    void theEngineOpensTheStore()
    {
        must(PostgresDatabase::open(m_store->address(QStringLiteral("worker")), Database::Mode::Write));
        for (const char *const reader : {"victor", "alice"})
            must(PostgresDatabase::open(m_store->address(QString::fromLatin1(reader)), Database::Mode::ReadOnly));
        const auto refused = PostgresDatabase::open(m_store->address(QStringLiteral("eve")), Database::Mode::ReadOnly);
        QVERIFY(refused.error().kind == ErrorKind::Unauthorized);
    }

private:
    std::unique_ptr<support::LeasedStore> m_store;
};

REDRIVE_TEST(TestStoreRoles)
#include "tst_storeroles.moc"
