// Stores in PostgreSQL: the same tables as in SQLite, the SQL of the statements, errors, and what is refused.
#include "backend/store/database/postgresql/postgresdatabase.h"
#include "backend/store/database/postgresql/postgressql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/database/sqlitedatabase.h"
#include "backend/store/search/textsearch.h"
#include "tests/support/must.h"
#include "tests/support/pipeline/postgresserver.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QSqlQuery>
#include <QTest>
#include <QThread>

#include <memory>

using core::ErrorKind;
using store::Database;
using store::PostgresDatabase;
using store::SqliteDatabase;
using test::must;

namespace {

QStringList linesOf(Database &database, const QString &sql)
{
    QStringList lines;
    store::Statement rows = database.sql(sql);
    must(rows.each([&] { lines.append(rows.text(0)); }));
    return lines;
}

// "message_text": SQLite has an index there, PostgreSQL a table.
const QString ofSearch = QStringLiteral("('message_text', 'content_text')");

} // namespace

class TestPostgresSchema final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_server.reset(); }
    void tablesAndColumnsAreThoseOfSqlite();
    void indexesAreThoseOfSqlite();
    void macrosBecomeWhatPostgresKnows_data();
    void macrosBecomeWhatPostgresKnows();
    void valuesComeBackAsTheyWere();
    void aFailedStatementEndsItsTransaction();
    void aReaderWritesNothing();
    void anInterruptEndsTheStatement();
    void withoutItsExtensionItSearchesSlowly();
    void whatIsNoStoreIsLeftAlone();
    void anotherFormatIsRefused();
    void aWrongPlaceIsSaid_data();
    void aWrongPlaceIsSaid();

private:
    [[nodiscard]] records::StoreAddress place(const char *schema) const
    {
        return support::sharedStore(*m_server, QString::fromLatin1(schema));
    }
    [[nodiscard]] std::unique_ptr<PostgresDatabase> open(const char *schema,
                                                         Database::Mode mode = Database::Mode::Write) const
    {
        return must(PostgresDatabase::open(place(schema), mode));
    }

    std::unique_ptr<support::PostgresServer> m_server;
};

void TestPostgresSchema::initTestCase()
{
    if (!support::PostgresServer::isInstalled())
        QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
    m_server = std::make_unique<support::PostgresServer>();
    QVERIFY2(m_server->start(), qPrintable(m_server->error()));
}

// Name, type, whether NULL is allowed, place in the key.
void TestPostgresSchema::tablesAndColumnsAreThoseOfSqlite()
{
    const auto sqlite = must(SqliteDatabase::open(QStringLiteral(":memory:"), Database::Mode::Write));
    const auto postgres = open("tables");
    QStringList there = linesOf(*sqlite, QStringLiteral("SELECT t.name || '.' || c.name || ' ' || lower(c.type) || ' '"
                                                        " || (c.\"notnull\" OR c.pk > 0) || ' ' || c.pk"
                                                        " FROM pragma_table_list t JOIN pragma_table_info(t.name) c"
                                                        " WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'"));
    there.replaceInStrings(QStringLiteral(" integer "), QStringLiteral(" bigint "));
    there.replaceInStrings(QStringLiteral(" blob "), QStringLiteral(" bytea "));
    QStringList here = linesOf(
        *postgres,
        QStringLiteral("SELECT c.table_name || '.' || c.column_name || ' ' || c.data_type || ' '"
                       " || CASE c.is_nullable WHEN 'NO' THEN 1 ELSE 0 END || ' '"
                       " || coalesce(k.ordinal_position, 0) FROM information_schema.columns c"
                       " LEFT JOIN information_schema.table_constraints p"
                       " ON p.table_schema = c.table_schema AND p.table_name = c.table_name"
                       " AND p.constraint_type = 'PRIMARY KEY'"
                       " LEFT JOIN information_schema.key_column_usage k"
                       " ON k.constraint_name = p.constraint_name AND k.table_schema = p.table_schema"
                       " AND k.table_name = p.table_name AND k.column_name = c.column_name"
                       " WHERE c.table_schema = 'tables'"
                       " AND c.table_name NOT IN ('given_number', 'store_format', 'engine_lease', 'last_commit',"
                       " 'holder_greeting', 'holder_snapshot', 'listener', 'request')"
                       " AND c.table_name NOT IN %1")
            .arg(ofSearch));
    there.sort();
    here.sort();
    QVERIFY(there.size() > 300);
    for (const QString &line : std::as_const(there))
        QVERIFY2(here.contains(line), qPrintable(line));
    QCOMPARE(here, there);
}

void TestPostgresSchema::indexesAreThoseOfSqlite()
{
    const auto sqlite = must(SqliteDatabase::open(QStringLiteral(":memory:"), Database::Mode::Write));
    const auto postgres = open("indexes");
    QStringList there =
        linesOf(*sqlite, QStringLiteral("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql <> ''"));
    there += QStringList{QStringLiteral("content_words"), QStringLiteral("message_pieces"),
                         QStringLiteral("request_open"), QStringLiteral("request_taken")};
    QStringList here = linesOf(
        *postgres, QStringLiteral("SELECT CAST(i.indexname AS text) FROM pg_indexes i WHERE i.schemaname = 'indexes'"
                                  " AND i.indexname NOT LIKE '%\\_pkey' AND i.indexname NOT LIKE '%\\_key'"));
    there.sort();
    here.sort();
    QCOMPARE(here, there);
}

void TestPostgresSchema::macrosBecomeWhatPostgresKnows_data()
{
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("expected");
    QTest::newRow("values") << QStringLiteral("SELECT ?, '?', ? FROM a") << QStringLiteral("SELECT $1, '?', $2 FROM a");
    QTest::newRow("index") << QStringLiteral("SELECT a FROM b m " SQL_USING_INDEX("b_c2") " WHERE a = ?")
                           << QStringLiteral("SELECT a FROM b m  WHERE a = $1");
    QTest::newRow("no index") << QStringLiteral("SELECT a FROM b " SQL_USING_NO_INDEX " WHERE a")
                              << QStringLiteral("SELECT a FROM b  WHERE a");
    QTest::newRow("join") << QStringLiteral("FROM a " SQL_JOIN_IN_ORDER " b ON b.c = a.c")
                          << QStringLiteral("FROM a JOIN b ON b.c = a.c");
    QTest::newRow("numbers") << QStringLiteral("a = ? AND b IN " SQL_LIST_VALUES " AND c = ?")
                             << QStringLiteral(
                                    "a = $1 AND b IN (SELECT unnest(CAST(translate($2, '[]', '{}') AS bigint[])))"
                                    " AND c = $3");
    QTest::newRow("texts") << QStringLiteral("b IN " SQL_TEXT_VALUES)
                           << QStringLiteral("b IN (SELECT jsonb_array_elements_text(CAST($1 AS jsonb)))");
    QTest::newRow("texts as a table")
        << QStringLiteral("FROM " SQL_TEXTS " l")
        << QStringLiteral("FROM (SELECT ordinality - 1 AS key, value FROM jsonb_array_elements_text(CAST($1 AS jsonb))"
                          " WITH ORDINALITY AS l (value, ordinality)) l");
    QTest::newRow("quoted") << QStringLiteral("SELECT 'json_each(?)'") << QStringLiteral("SELECT 'json_each(?)'");
}

void TestPostgresSchema::macrosBecomeWhatPostgresKnows()
{
    QFETCH(QString, written);
    QTEST(store::postgresSql(written), "expected");
}

void TestPostgresSchema::valuesComeBackAsTheyWere()
{
    const auto database = open("values");
    must(database->sql(QStringLiteral("CREATE TABLE one (number bigint, words text, bytes bytea)")).run());
    const qint64 large = std::numeric_limits<qint64>::min();
    const QString words = QStringLiteral("b 💥 '?'");
    const QString withNul = words + QChar(QChar::Null) + u'x';
    const QByteArray bytes("\0\xff\\x", 4);
    const QString insert = QStringLiteral("INSERT INTO one (number, words, bytes) VALUES (?, ?, ?)");
    // The types of what was NULL first are the columns'.
    must(database->sql(insert).bind(std::optional<qint64>(), std::optional<QString>(), QVariant().toByteArray()).run());
    must(database->sql(insert).bind(large, withNul, bytes).run());
    store::Statement row =
        database->sql(QStringLiteral("SELECT number, words, bytes, number < 0, sum(number) OVER () FROM one"
                                     " WHERE number IS NOT NULL"));
    QVERIFY(must(row.step()));
    QCOMPARE(row.integer(0), large);
    QCOMPARE(row.text(1), withNul);
    QCOMPARE(row.blob(2), bytes);
    QCOMPARE(row.integer(3), 1);
    QCOMPARE(row.value(4).toLongLong(), large);
    QVERIFY(!must(row.step()));
}

void TestPostgresSchema::aFailedStatementEndsItsTransaction()
{
    const auto database = open("failures");
    must(database->begin());
    const QString insert =
        QStringLiteral("INSERT INTO convention (name, definition, set_by, set_at) VALUES (?, ?, ?, ?)");
    const auto add = [&] {
        return database->sql(insert).bind(QStringLiteral("a"), QByteArray("{}"), QString(), 1).run();
    };
    must(add());
    QVERIFY(add().error().kind == ErrorKind::Conflict);
    QVERIFY(database->sql(QStringLiteral("SELECT 1")).step().error().kind == ErrorKind::Conflict);
    QVERIFY(database->checkTransaction().error().kind == ErrorKind::Conflict);
    QVERIFY(database->inTransaction());
    must(database->rollback());
    QVERIFY(!database->inTransaction());
    QCOMPARE(linesOf(*database, QStringLiteral("SELECT count(*) FROM convention")), QStringList{QStringLiteral("0")});
}

void TestPostgresSchema::aReaderWritesNothing()
{
    QVERIFY(PostgresDatabase::open(place("nowhere"), Database::Mode::ReadOnly).error().kind == ErrorKind::NotFound);
    (void)open("readers");
    const auto reader = open("readers", Database::Mode::ReadOnly);
    QVERIFY(reader->sql(QStringLiteral("DELETE FROM convention")).run().error().kind == ErrorKind::Unauthorized);
}

void TestPostgresSchema::anInterruptEndsTheStatement()
{
    const auto database = open("interrupts");
    const std::unique_ptr<QThread> stopping(QThread::create([&database] {
        QThread::msleep(200);
        database->interrupt();
    }));
    stopping->start();
    const auto slept = database->sql(QStringLiteral("SELECT pg_sleep(60)")).step();
    stopping->wait();
    QVERIFY(slept.error().kind == ErrorKind::Cancelled);
    QVERIFY(database->sql(QStringLiteral("SELECT 1")).step().error().kind
            == ErrorKind::Cancelled); // until it may go on
    database->resume();
    QVERIFY(must(database->sql(QStringLiteral("SELECT 1")).step()));
}

// A role that may make tables in its schema and nothing else in the database.
void TestPostgresSchema::withoutItsExtensionItSearchesSlowly()
{
    QVERIFY(open("with")->note().isEmpty());
    QSqlQuery query(m_server->connect());
    for (const char *const text : {"CREATE DATABASE bare", "CREATE ROLE clerk LOGIN PASSWORD 'secret'",
                                   "REVOKE CREATE ON DATABASE bare FROM PUBLIC"})
        QVERIFY2(query.exec(QString::fromLatin1(text)), text);
    records::StoreAddress address = place("redrive");
    address.url.replace(QStringLiteral("/postgres"), QStringLiteral("/bare"));
    QSqlDatabase bare = QSqlDatabase::cloneDatabase(m_server->connect(), QStringLiteral("bare"));
    bare.setDatabaseName(QStringLiteral("bare"));
    QVERIFY(bare.open());
    QSqlQuery there(bare);
    QVERIFY(there.exec(QStringLiteral("CREATE SCHEMA redrive AUTHORIZATION clerk")));
    address.url.replace(QStringLiteral("redrive@"), QStringLiteral("clerk@"));
    {
        const auto database = must(PostgresDatabase::open(address, Database::Mode::Write));
        QVERIFY2(database->note().contains(QStringLiteral("pg_trgm")), qPrintable(database->note()));
        must(database->sql(QStringLiteral("INSERT INTO message_text (rowid, text) VALUES (1, 'Orders failed')")).run());
        store::Statement found = database->sql(QStringLiteral("SELECT rowid FROM message_text WHERE " SQL_HAS_PIECES));
        QVERIFY(must(found.bind(database->search().piecesQuery(QStringLiteral("DERS"))).step()));
        QVERIFY(!must(PostgresDatabase::open(address, Database::Mode::ReadOnly))->note().isEmpty());
    }
    QVERIFY(there.exec(QStringLiteral("CREATE EXTENSION pg_trgm"))); // by an administrator, later
    {
        records::StoreAddress administrator = address; // who does not own the tables
        administrator.url.replace(QStringLiteral("clerk@"), QStringLiteral("worker@"));
        for (const char *const text :
             {"CREATE ROLE worker LOGIN PASSWORD 'secret'", "GRANT USAGE ON SCHEMA redrive TO worker",
              "GRANT ALL ON ALL TABLES IN SCHEMA redrive TO worker"})
            QVERIFY2(there.exec(QString::fromLatin1(text)), text);
        const auto database = must(PostgresDatabase::open(administrator, Database::Mode::Write));
        must(database->addPieces()); // it works, and leaves the index to the owner
        QVERIFY(!database->note().isEmpty());
    }
    const auto owned = must(PostgresDatabase::open(address, Database::Mode::Write));
    must(owned->addPieces());
    QVERIFY(owned->note().isEmpty());
}

void TestPostgresSchema::whatIsNoStoreIsLeftAlone()
{
    QSqlQuery query(m_server->connect());
    QVERIFY(query.exec(QStringLiteral("CREATE SCHEMA shop"))
            && query.exec(QStringLiteral("CREATE TABLE shop.orders (id int)")));
    const auto refused = PostgresDatabase::open(place("shop"), Database::Mode::Write);
    QVERIFY(refused.error().kind == ErrorKind::Corrupt);
    QVERIFY(refused.error().message.contains(QStringLiteral("shop")));
    QVERIFY(query.exec(QStringLiteral("SELECT count(*) FROM pg_tables WHERE schemaname = 'shop'")) && query.next());
    QCOMPARE(query.value(0).toInt(), 1);
}

void TestPostgresSchema::anotherFormatIsRefused()
{
    must(open("newer")->sql(QStringLiteral("UPDATE store_format SET version = version + 1")).run());
    for (const Database::Mode mode : {Database::Mode::Write, Database::Mode::ReadOnly})
        QVERIFY(PostgresDatabase::open(place("newer"), mode).error().kind == ErrorKind::Refused);
}

void TestPostgresSchema::aWrongPlaceIsSaid_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("password");
    QTest::addColumn<int>("kind");
    const QString good = support::PostgresServer::password();
    QTest::newRow("port") << QStringLiteral("postgresql://redrive@127.0.0.1:1/postgres") << good
                          << int(ErrorKind::Transient);
    QTest::newRow("password") << QString() << QStringLiteral("wrong") << int(ErrorKind::Unauthorized);
    QTest::newRow("database") << QStringLiteral("other") << good << int(ErrorKind::NotFound);
}

void TestPostgresSchema::aWrongPlaceIsSaid()
{
    QFETCH(QString, url);
    QFETCH(QString, password);
    if (!url.contains(u':'))
        url = url.isEmpty() ? m_server->url() : m_server->url().replace(QStringLiteral("/postgres"), u'/' + url);
    records::StoreAddress address = place("redrive");
    address.url = url;
    address.password = password;
    const auto opened = PostgresDatabase::open(address, Database::Mode::Write);
    QVERIFY(!opened);
    QTEST(int(opened.error().kind), "kind");
    QVERIFY(opened.error().message.contains(url));
}

REDRIVE_TEST(TestPostgresSchema)
#include "tst_postgresschema.moc"
