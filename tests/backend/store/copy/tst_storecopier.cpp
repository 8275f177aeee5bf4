// Stores are copied between files and PostgreSQL: nothing is lost, no number is given twice, and what did not end is no store.
#include "backend/api/requests/queries.h"
#include "backend/store/connectionstore.h"
#include "backend/store/copy/copysource.h"
#include "backend/store/copy/copytarget.h"
#include "backend/store/copy/storecopier.h"
#include "backend/store/copy/tablecopier.h"
#include "backend/store/database/opendatabase.h"
#include "backend/store/eventstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/migrations/storetables.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/shared/sharedstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/store/storerecount.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QDir>
#include <QFile>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <numeric>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using core::ErrorKind;
using core::Result;
using records::StoreAddress;
using store::CopyFacts;
using store::CopySource;
using store::CopyTarget;
using store::Database;
using store::Session;
using store::StoreCopier;
using store::schema::Column;
using store::schema::storeTables;
using store::schema::Table;
using test::must;
using test::why;

namespace {

qint64 firstRun(Database &database)
{
    store::Statement row = database.sql(QStringLiteral("SELECT min(id) FROM intake_run"));
    return must(row.step()) ? row.integer(0) : 0;
}

// Of a table without rows: one that refers to what the store of the release has.
void addRow(Database &database, const Table &table)
{
    QVariantList values;
    QStringList names;
    for (const Column &column : table.columns) {
        names += column.name;
        if (column.name == QLatin1String("run"))
            values += firstRun(database);
        else if (column.type == Column::Type::Whole)
            values += 1;
        else if (column.type == Column::Type::Bytes)
            values += QByteArray("\x80"); // an empty list of CBOR
        else
            values += QStringLiteral("a 'ü' 💥") + QChar(QChar::Null) + u'?';
    }
    const QString places = QStringList(values.size(), QStringLiteral("?")).join(u',');
    must(database.execute(QStringLiteral("INSERT INTO %1 (%2) VALUES (%3)").arg(table.name, names.join(u','), places),
                          values));
}

QString keyOf(const Table &table)
{
    return table.key.join(QStringLiteral(", "));
}

// Each row as bytes, in the order of the key.
QList<QByteArray> rowsOf(Database &database, const Table &table)
{
    QStringList names;
    for (const Column &column : table.columns)
        names += column.name;
    store::Statement rows = database.sql(QStringLiteral("SELECT %1 FROM %2 ORDER BY %3")
                                             .arg(names.join(QStringLiteral(", ")), table.name, keyOf(table)));
    QList<QByteArray> all;
    must(rows.each([&] {
        QCborArray row;
        for (int i = 0; i < int(table.columns.size()); ++i) {
            const Column::Type type = table.columns.at(i).type;
            if (rows.isNull(i))
                row.append(QCborValue());
            else if (type == Column::Type::Whole)
                row.append(rows.integer(i));
            else if (type == Column::Type::Words)
                row.append(rows.text(i));
            else
                row.append(rows.blob(i));
        }
        all.append(row.toCborValue().toCbor());
    }));
    return all;
}

// The tables that do not hold the same. A copy has an id of its own, and says in the activity log that it is one.
QStringList differences(const StoreAddress &left, const StoreAddress &right)
{
    const auto one = must(store::openDatabase(left, Database::Mode::ReadOnly));
    const auto other = must(store::openDatabase(right, Database::Mode::ReadOnly));
    QStringList found;
    for (const Table &table : storeTables()) {
        const QList<QByteArray> here = rowsOf(*one, table);
        QList<QByteArray> there = rowsOf(*other, table);
        if (table.name == QLatin1String("event_log"))
            there.removeLast();
        if (table.name != QLatin1String("store_meta") && here != there)
            found += table.name;
    }
    return found;
}

qint64 numberIn(const StoreAddress &address, const QString &query)
{
    const auto database = must(store::openDatabase(address, Database::Mode::ReadOnly));
    store::Statement row = database->sql(query);
    return must(row.step()) ? row.integer(0) : -1;
}

} // namespace

class TestStoreCopier final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_server.reset(); }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void nothingIsLostOnTheWay();
    void theCopyRestsAndTheOriginalGoesOn_data() { addWays(); }
    void theCopyRestsAndTheOriginalGoesOn();
    void theHolderOfADatabaseTakesItUp();
    void whatComesMeanwhileIsNotInTheCopy_data() { addWays(); }
    void whatComesMeanwhileIsNotInTheCopy();
    void noNumberIsGivenTwice_data() { addWays(); }
    void noNumberIsGivenTwice();
    void searchesFindTheSame_data() { addWays(); }
    void searchesFindTheSame();
    void largeRowsGoInSmallSlices();
    void aStopLeavesNothing_data() { addWays(); }
    void aStopLeavesNothing();
    void aKillLeavesNothing_data() { addWays(); }
    void aKillLeavesNothing();
    void whatIsThereIsLeftAlone();
    void aWrongSourceIsSaid();
    void aRoleWithoutRightsIsSaid();
    void aFullDiskIsSaid();

private:
    void addWays();
    [[nodiscard]] StoreAddress place(bool isShared);
    // A store with rows in every table, closed.
    void fill(const StoreAddress &address);
    void fillFile(const QString &path);
    void addMessages(const StoreAddress &address, int count, qsizetype bodyBytes = 64);
    Result<CopyFacts> copy(const StoreAddress &from, const StoreAddress &to, const StoreCopier::Progress &progress = {},
                           const std::stop_token &stop = {});
    [[nodiscard]] std::unique_ptr<store::DatabaseStore> open(const StoreAddress &address)
    {
        return support::openStore(address, m_random);
    }
    [[nodiscard]] bool isNothingAt(const StoreAddress &address);

    std::unique_ptr<support::PostgresServer> m_server;
    std::unique_ptr<QTemporaryDir> m_folder;
    core::SeededRandom m_random{3};
    int m_places = 0;
};

void TestStoreCopier::initTestCase()
{
    if (!support::PostgresServer::isInstalled())
        QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
    m_server = std::make_unique<support::PostgresServer>();
    QVERIFY2(m_server->start(), qPrintable(m_server->error()));
}

void TestStoreCopier::addWays()
{
    QTest::addColumn<bool>("fromShared");
    QTest::addColumn<bool>("toShared");
    QTest::newRow("file to file") << false << false;
    QTest::newRow("file to database") << false << true;
    QTest::newRow("database to file") << true << false;
    QTest::newRow("database to database") << true << true;
}

StoreAddress TestStoreCopier::place(bool isShared)
{
    const QString name = QStringLiteral("copied%1").arg(++m_places);
    return isShared ? support::sharedStore(*m_server, name) : StoreAddress(m_folder->filePath(name));
}

Result<CopyFacts> TestStoreCopier::copy(const StoreAddress &from, const StoreAddress &to,
                                        const StoreCopier::Progress &progress, const std::stop_token &stop)
{
    TRY(const std::unique_ptr<CopySource> source, CopySource::open(from));
    TRY(const std::unique_ptr<CopyTarget> target, CopyTarget::open(to));
    return StoreCopier(*source, *target, m_random, progress).run(stop);
}

void TestStoreCopier::fillFile(const QString &path)
{
    QFile packed(QStringLiteral(REDRIVE_TEST_DATA "/redrive-0.1.0.db.z"));
    QVERIFY(packed.open(QIODevice::ReadOnly));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(qUncompress(packed.readAll()));
    file.close();
    const auto store = must(store::SqliteStore::open(path, m_random, store::Provenance::Moved));
    must(store->database().begin());
    for (const Table &table : storeTables()) {
        if (rowsOf(store->database(), table).isEmpty())
            addRow(store->database(), table);
    }
    must(store->database().commit());
}

void TestStoreCopier::fill(const StoreAddress &address)
{
    const StoreAddress file = place(false);
    fillFile(file.file);
    if (!address.isShared())
        QVERIFY(QFile::rename(file.file, address.file));
    else
        must(copy(file, address));
}

void TestStoreCopier::addMessages(const StoreAddress &address, int count, qsizetype bodyBytes)
{
    const auto store = open(address);
    must(store->transact([&](Session &session) -> Result<> {
        const auto connection = must(session.connections().add(test::sampleConnection(QStringLiteral("more"))));
        for (int n = 0; n < count; ++n)
            TRY(session.messages().insert(test::sampleMessage(connection, n, bodyBytes)));
        return {};
    }));
}

bool TestStoreCopier::isNothingAt(const StoreAddress &address)
{
    const auto opened = store::openDatabase(address, Database::Mode::ReadOnly);
    return !opened && opened.error().kind == ErrorKind::NotFound;
}

void TestStoreCopier::nothingIsLostOnTheWay()
{
    const StoreAddress original = place(false);
    fill(original);
    // The first copy parts from the original; what comes after it stays as it is.
    StoreAddress last = place(false);
    must(copy(original, last));
    for (const bool isShared : {true, false, true, true, false}) {
        const StoreAddress next = place(isShared);
        const CopyFacts facts = must(copy(last, next));
        QCOMPARE(facts.messages, numberIn(original, QStringLiteral("SELECT count(*) FROM failed_message")));
        QCOMPARE(differences(last, next), QStringList());
        QVERIFY(numberIn(next, QStringLiteral("SELECT count(*) FROM event_log WHERE what = 'Store copied'")) > 0);
        const QString meta = QStringLiteral("SELECT change * 1000 + last_message FROM store_meta");
        QCOMPARE(numberIn(next, meta), numberIn(original, meta));
        last = next;
    }
    for (const Table &table : storeTables())
        QVERIFY2(numberIn(original, QStringLiteral("SELECT count(*) FROM %1").arg(table.name)) > 0,
                 qPrintable(table.name));
    const auto store = open(last);
    QCOMPARE(test::countDifference(store->database()), QString());
}

void TestStoreCopier::theCopyRestsAndTheOriginalGoesOn()
{
    QFETCH(bool, fromShared);
    QFETCH(bool, toShared);
    const StoreAddress from = place(fromShared);
    const StoreAddress to = place(toShared);
    const StoreAddress file = place(false);
    fillFile(file.file);
    if (fromShared) // the work under way is taken along, as if it had begun there
        must(copy(file, from));
    else
        QVERIFY(QFile::rename(file.file, from.file));
    const QString running = QStringLiteral("SELECT count(*) FROM retry_operation WHERE finished IS NULL AND state = 2");
    const QString followed = QStringLiteral("SELECT count(*) FROM followed_queue");
    const qint64 before = numberIn(from, followed);
    const QString id = must(copy(from, to)).storeId;
    QCOMPARE(numberIn(from, followed), before);
    QCOMPARE(numberIn(to, followed), 0);
    QCOMPARE(numberIn(to, running), 0);
    const auto store = open(to);
    QCOMPARE(store->storeId(), id);
    QVERIFY(open(from)->storeId() != id);
    must(store->read([](Session &session) -> Result<> {
        for (const records::Connection &connection : must(session.connections().all())) {
            [&] { QVERIFY(must(session.intakes().open(connection.id)).isEmpty()); }();
            for (const auto &operation : must(session.retryOperations().unfinished(connection.id)))
                [&] { QVERIFY(operation.state == records::OperationState::Paused); }();
        }
        return {};
    }));
}

// With its lease, and without a question where the store comes from.
void TestStoreCopier::theHolderOfADatabaseTakesItUp()
{
    const auto hold = [this](const StoreAddress &address) {
        const QString name = QStringLiteral("one");
        return must(store::SharedStore::open(
            address, m_random, store::LeaseHolder::self(store::LeaseHolder::Kind::Window, name, name), {}));
    };
    const StoreAddress from = place(true);
    QVERIFY(!hold(from)->storeId().isEmpty()); // a new one
    addMessages(from, 3);
    const StoreAddress to = place(true);
    const QString id = must(copy(from, to)).storeId;
    const auto holder = hold(to);
    QCOMPARE(holder->storeId(), id);
    QCOMPARE(holder->copiedFrom(), QString());
    QCOMPARE(hold(from)->copiedFrom(), QString());
}

void TestStoreCopier::whatComesMeanwhileIsNotInTheCopy()
{
    QFETCH(bool, fromShared);
    QFETCH(bool, toShared);
    const StoreAddress from = place(fromShared);
    const StoreAddress to = place(toShared);
    addMessages(from, 100);
    const auto holder = open(from);
    int written = 0;
    const CopyFacts facts = must(copy(from, to, [&](StoreCopier::Step, qint64, qint64) {
        must(holder->transact([&](Session &session) -> Result<> {
            return session.messages()
                .insert(test::sampleMessage(core::ConnectionId{1}, 1000 + written++))
                .map([](core::MessageId) {});
        }));
    }));
    QVERIFY(written > 3);
    QCOMPARE(facts.messages, 100);
    QCOMPARE(numberIn(to, QStringLiteral("SELECT count(*) FROM message_content")), 100);
    QCOMPARE(numberIn(from, QStringLiteral("SELECT count(*) FROM failed_message")), 100 + written);
    QCOMPARE(test::countDifference(open(to)->database()), QString());
}

void TestStoreCopier::noNumberIsGivenTwice()
{
    QFETCH(bool, fromShared);
    QFETCH(bool, toShared);
    const StoreAddress from = place(fromShared);
    const StoreAddress to = place(toShared);
    struct Given
    {
        core::ConnectionId connection;
        core::ConnectionId gone;
        core::OperationId operation;
        core::MessageId message;
    };
    const auto give = [this](const StoreAddress &address, const QString &name) {
        Given given;
        const auto store = open(address);
        must(store->transact([&](Session &session) -> Result<> {
            given.connection = must(session.connections().add(test::sampleConnection(name)));
            given.gone = must(session.connections().add(test::sampleConnection(name + u'2')));
            records::RetryOperation operation;
            operation.connection = given.connection;
            given.operation = must(session.retryOperations().add(operation));
            given.message = must(session.messages().insert(test::sampleMessage(given.connection, int(name.size()))));
            must(session.connections().remove(given.gone));
            must(session.events().append({}));
            return {};
        }));
        return given;
    };
    const Given first = give(from, QStringLiteral("a"));
    must(copy(from, to));
    const qint64 change = numberIn(to, QStringLiteral("SELECT change FROM store_meta"));
    const Given second = give(to, QStringLiteral("bb"));
    QVERIFY(second.connection > first.gone);
    QVERIFY(second.operation > first.operation);
    QVERIFY(second.message > first.message);
    QVERIFY(numberIn(to, QStringLiteral("SELECT change FROM store_meta")) > change);
    QCOMPARE(numberIn(to, QStringLiteral("SELECT count(DISTINCT sequence) FROM event_log")), 3);
}

void TestStoreCopier::searchesFindTheSame()
{
    QFETCH(bool, fromShared);
    QFETCH(bool, toShared);
    const StoreAddress from = place(fromShared);
    const StoreAddress to = place(toShared);
    addMessages(from, 40);
    if (!fromShared) // what the original has not indexed yet, the copy has
        QVERIFY(numberIn(from, QStringLiteral("SELECT searched FROM store_meta")) < 40);
    must(copy(from, to));
    QCOMPARE(numberIn(to, QStringLiteral("SELECT searched FROM store_meta")), 40);
    const auto there = must(store::Queries::open(to));
    for (const auto &[words, hits] : {std::pair{"cause 3", 6}, {"ORDERS.PLACEORDER1", 10}, {"nothing", 0}}) {
        api::MessageQuery query;
        query.filter.search = QString::fromLatin1(words);
        QCOMPARE(must(there->ask(query)).total, hits);
    }
}

// 4 MB a slice, once the first one has told how large the rows are.
void TestStoreCopier::largeRowsGoInSmallSlices()
{
    const StoreAddress from = place(false);
    addMessages(from, 100, 256 * 1024);
    const auto source = must(store::CopySource::open(from));
    const auto target = must(store::CopyTarget::open(place(true)));
    QList<qint64> slices;
    store::TableCopier copier(source->database(), target->database(), [&slices](qint64 rows) -> Result<> {
        slices.append(rows);
        return {};
    });
    for (const Table &table : storeTables()) {
        slices.clear();
        must(copier.copy(table));
        if (table.name == QLatin1String("message_content"))
            break;
    }
    QCOMPARE(std::accumulate(slices.begin(), slices.end(), qint64(0)), 100);
    QVERIFY(slices.size() > 2 && slices.takeFirst() <= 50);
    QVERIFY(*std::max_element(slices.begin(), slices.end()) <= 16);
}

void TestStoreCopier::aStopLeavesNothing()
{
    QFETCH(bool, fromShared);
    QFETCH(bool, toShared);
    const StoreAddress from = place(fromShared);
    const StoreAddress to = place(toShared);
    addMessages(from, 60);
    int steps = 0;
    must(copy(from, place(toShared), [&](StoreCopier::Step, qint64, qint64) { ++steps; }));
    for (int at = 1; at <= steps; at += 7) {
        std::stop_source stop;
        int step = 0;
        const auto stopped = copy(
            from, to,
            [&](StoreCopier::Step, qint64, qint64) {
                if (++step == at)
                    stop.request_stop();
            },
            stop.get_token());
        QVERIFY2(!stopped && stopped.error().kind == ErrorKind::Cancelled, qPrintable(QString::number(at)));
        QVERIFY(stopped.error().message.contains(to.text()));
        QVERIFY(isNothingAt(to));
    }
    must(copy(from, to));
    QCOMPARE(numberIn(to, QStringLiteral("SELECT count(*) FROM failed_message")), 60);
    if (!toShared) // nor beside it
        QCOMPARE(QDir(m_folder->path()).entryList({QStringLiteral("*.??????")}, QDir::Files), QStringList());
}

void TestStoreCopier::aKillLeavesNothing()
{
    QFETCH(bool, fromShared);
    QFETCH(bool, toShared);
    const StoreAddress from = place(fromShared);
    const StoreAddress to = place(toShared);
    addMessages(from, 60);
    int steps = 0;
    must(copy(from, place(toShared), [&](StoreCopier::Step, qint64, qint64) { ++steps; }));
    for (int at = 1; at <= steps; at += 11) {
        const pid_t child = ::fork();
        if (child == 0) {
            int step = 0;
            (void)copy(from, to, [&](StoreCopier::Step, qint64, qint64) {
                if (++step == at)
                    ::kill(::getpid(), SIGKILL);
            });
            ::_exit(1);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        QTRY_VERIFY(isNothingAt(to)); // PostgreSQL may need a moment to notice
        // The file that it left is no store.
        const QStringList parts =
            QDir(m_folder->path()).entryList({QFileInfo(to.file).fileName() + QStringLiteral(".??????")}, QDir::Files);
        if (!toShared) {
            QVERIFY(!parts.isEmpty());
            const auto opened = store::SqliteStore::open(m_folder->filePath(parts.first()), m_random);
            QVERIFY(!opened && opened.error().kind == ErrorKind::Corrupt);
        }
    }
    must(copy(from, to));
    QCOMPARE(differences(from, to), QStringList());
}

void TestStoreCopier::whatIsThereIsLeftAlone()
{
    const StoreAddress from = place(false);
    addMessages(from, 3);
    for (const bool isShared : {false, true}) {
        const StoreAddress to = place(isShared);
        addMessages(to, 5);
        const auto refused = copy(from, to);
        QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
        QVERIFY2(refused.error().message.contains(isShared ? to.url : to.file), why(refused).constData());
        QCOMPARE(numberIn(to, QStringLiteral("SELECT count(*) FROM failed_message")), 5);
    }
    QVERIFY(copy(from, from).error().kind == ErrorKind::Refused); // onto itself
    QSqlQuery query(m_server->connect());
    QVERIFY(query.exec(QStringLiteral("CREATE SCHEMA shop"))
            && query.exec(QStringLiteral("CREATE TABLE shop.a (b int)")));
    QVERIFY(copy(from, support::sharedStore(*m_server, QStringLiteral("shop"))).error().kind == ErrorKind::Refused);
    QVERIFY(query.exec(QStringLiteral("SELECT count(*) FROM pg_tables WHERE schemaname = 'shop'")) && query.next());
    QCOMPARE(query.value(0).toInt(), 1);
    // A schema that an administrator made for it is fine.
    QVERIFY(query.exec(QStringLiteral("CREATE SCHEMA ready")));
    must(copy(from, support::sharedStore(*m_server, QStringLiteral("ready"))));
}

void TestStoreCopier::aWrongSourceIsSaid()
{
    const StoreAddress to = place(false);
    QVERIFY(copy(place(false), to).error().kind == ErrorKind::NotFound);
    QVERIFY(copy(place(true), to).error().kind == ErrorKind::NotFound);
    StoreAddress elsewhere = place(true);
    elsewhere.url = QStringLiteral("postgresql://redrive@127.0.0.1:1/postgres");
    const auto unreached = copy(elsewhere, to);
    QVERIFY(unreached.error().kind == ErrorKind::Transient);
    QVERIFY2(unreached.error().message.contains(elsewhere.text()), why(unreached).constData());
    StoreAddress locked = place(true);
    locked.password = QStringLiteral("wrong");
    QVERIFY(copy(locked, to).error().kind == ErrorKind::Unauthorized);
    QFile other(m_folder->filePath(QStringLiteral("letter.txt")));
    QVERIFY(other.open(QIODevice::WriteOnly) && other.write("Dear Sir or Madam, this is no store") > 0);
    other.close();
    QVERIFY(copy(other.fileName(), to).error().kind == ErrorKind::Corrupt);
    QVERIFY(isNothingAt(to));
}

void TestStoreCopier::aRoleWithoutRightsIsSaid()
{
    const StoreAddress from = place(true);
    addMessages(from, 3);
    QSqlQuery query(m_server->connect());
    QVERIFY(query.exec(QStringLiteral("CREATE ROLE guest LOGIN PASSWORD 'secret'")));
    StoreAddress asGuest = from;
    asGuest.url.replace(QStringLiteral("redrive@"), QStringLiteral("guest@"));
    const auto read = copy(asGuest, place(false));
    QVERIFY(!read && read.error().kind == ErrorKind::Unauthorized);
    QVERIFY2(read.error().message.contains(QStringLiteral("rights of the role")), why(read).constData());
    asGuest.schema = QStringLiteral("guests");
    const auto written = copy(from, asGuest);
    QVERIFY(!written && written.error().kind == ErrorKind::Unauthorized);
    QVERIFY(query.exec(QStringLiteral("SELECT count(*) FROM pg_namespace WHERE nspname = 'guests'")) && query.next());
    QCOMPARE(query.value(0).toInt(), 0);
}

void TestStoreCopier::aFullDiskIsSaid()
{
    const StoreAddress from = place(true);
    const StoreAddress to = place(false);
    addMessages(from, 60, 100'000);
    rlimit limit{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlimit little{2 * 1024 * 1024, limit.rlim_max};
    ::signal(SIGXFSZ, SIG_IGN);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &little), 0);
    const auto full = copy(from, to);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    ::signal(SIGXFSZ, SIG_DFL);
    QVERIFY(!full && full.error().kind == ErrorKind::Transient);
    QVERIFY2(full.error().message.contains(to.file), why(full).constData());
    QVERIFY2(!full.error().message.contains(to.file + u'.'), why(full).constData()); // its temporary name
    QVERIFY(isNothingAt(to));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList());
}

REDRIVE_TEST(TestStoreCopier)
#include "tst_storecopier.moc"
