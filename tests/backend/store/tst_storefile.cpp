// The file: rights, lock, migrations, and everything that is not a store of ours.
#include "backend/core/random.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/messages/retentionstore.h"
#include "backend/store/migrations/schema.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/retrysteps.h"
#include "tests/support/store/rawsql.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storerecount.h"
#include "tests/support/testmain/testmain.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using core::ErrorKind;
using core::Result;
using store::Database;
using store::SqliteDatabase;
using test::must;
using test::why;

class TestStoreFile final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void onlyTheOwnerMayReadIt();
    void itIsKeptSafely();
    void anEmptyFileBecomesAStore();
    void anOlderFormIsBroughtUpToDate_data();
    void anOlderFormIsBroughtUpToDate();
    void whatOlderFormsPausedWaitsForAPerson();
    void queuesThatWereTakenFromAwaitAnAnswer();
    void aFailedMigrationChangesNothing();
    void whatIsNoStoreIsRefused_data();
    void whatIsNoStoreIsRefused();
    void aNewerFormIsRefusedAndUntouched();
    void aPlaceThatCannotBeWrittenIsTold();
    void aViewerNeedsAStore();
    void aViewerCannotWrite();
    void theSecondOpenerIsToldWhoHoldsIt();
    void aKilledHolderHoldsNothing();
    void anInterruptEndsALongQuery();
    void aClosedStoreIsOneFile();
    void aReaderInTheMiddleOfAQuestionIsNotWaitedFor();

private:
    [[nodiscard]] QString path(const QString &name = QStringLiteral("redrive.db")) const
    {
        return m_folder->filePath(name);
    }
    [[nodiscard]] Result<std::unique_ptr<store::SqliteStore>> open(const QString &name = QStringLiteral("redrive.db"))
    {
        return store::SqliteStore::open(path(name), m_random);
    }
    void execute(const QStringList &statements) const { test::executeRaw(path(), statements); }
    void undoCautions() const;
    void undoQuorumAndAnswers() const;
    void undoDuplicates() const;
    void undoStepsAndShares() const;
    void undoPolicyMemory() const;
    void undoPolicies() const;
    void undoFormEleven() const;
    void undoRestoring() const;
    void undoTo(int form) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    core::SeededRandom m_random{3};
};

void TestStoreFile::onlyTheOwnerMayReadIt()
{
    const auto opened = must(open(QStringLiteral("fresh/redrive.db")));
    const QFile::Permissions owner = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser;
    for (const char *name : {"fresh/redrive.db", "fresh/redrive.db-wal", "fresh/redrive.db.lock"})
        QCOMPARE(QFile::permissions(path(QString::fromLatin1(name))), owner);
    QCOMPARE(QFile::permissions(path(QStringLiteral("fresh"))), owner | QFile::ExeOwner | QFile::ExeUser);
}

void TestStoreFile::itIsKeptSafely()
{
    const auto opened = must(open());
    const QList<std::pair<QString, QString>> expected{{QStringLiteral("journal_mode"), QStringLiteral("wal")},
                                                      {QStringLiteral("synchronous"), QStringLiteral("2")},
                                                      {QStringLiteral("foreign_keys"), QStringLiteral("1")}};
    for (const auto &[pragma, value] : expected) {
        store::Statement row = opened->database().sql(QStringLiteral("PRAGMA ") + pragma);
        QVERIFY(must(row.step()));
        QCOMPARE(row.text(0), value);
    }
}

void TestStoreFile::anEmptyFileBecomesAStore()
{
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    const auto opened = open();
    QVERIFY2(opened, why(opened).constData());
}

void TestStoreFile::anOlderFormIsBroughtUpToDate_data()
{
    QTest::addColumn<int>("form");
    for (int form = 1; form < store::schemaVersion; ++form)
        QTest::addRow("form %d", form) << form;
}

void TestStoreFile::undoFormEleven() const
{
    // Form 10 knows neither how long messages take to fail nor who watched, keeps everything for ever, and knows no edits,
    // nothing that is said about groups, and not what brokers throw away by themselves.
    execute({QStringLiteral("DROP INDEX batch_unsettled")});
    for (const char *table : {"watched_queue", "quiet_rule", "operation_mark", "member_gone", "keeping", "expiring",
                              "operation_edit", "group_mark", "message_expiry"})
        execute({QStringLiteral("DROP TABLE %1").arg(QLatin1String(table))});
    for (const char *column : {"failed_message DROP COLUMN took", "retry_operation DROP COLUMN quiet",
                               "retry_operation DROP COLUMN takes_to_fail", "retry_operation DROP COLUMN watch_back",
                               "retry_batch DROP COLUMN sent_from", "retry_batch DROP COLUMN sent_until",
                               "retry_batch DROP COLUMN settled", "retry_member DROP COLUMN quiet_for"})
        execute({QStringLiteral("ALTER TABLE %1").arg(QLatin1String(column))});
}

// Form 10 knows of no restored backup.
void TestStoreFile::undoRestoring() const
{
    execute({QStringLiteral("DROP TABLE former_store"), QStringLiteral("ALTER TABLE group_count DROP COLUMN unknown"),
             QStringLiteral("ALTER TABLE queue_count DROP COLUMN unknown")});
}

void TestStoreFile::undoCautions() const
{
    // Form 9 knows no ramp, no operation that stops by itself, and no redirect.
    execute({QStringLiteral("DROP TABLE operation_source"), QStringLiteral("DROP INDEX member_free"),
             QStringLiteral("CREATE INDEX member_free ON retry_member (operation, ordinal)"
                            " WHERE batch = 0 AND outcome = 0"),
             QStringLiteral("ALTER TABLE retry_member DROP COLUMN turn")});
    for (const char *column : {"ramp", "stop_when", "stopped_because", "proved_steps", "forgiven", "sent_before",
                               "depths_before", "most_waiting"})
        execute({QStringLiteral("ALTER TABLE retry_operation DROP COLUMN %1").arg(QLatin1String(column))});
    execute(
        {QStringLiteral("DROP TABLE redirect"), QStringLiteral("ALTER TABLE retry_operation DROP COLUMN redirects")});
}

// That form 12 does without.
static QStringList twinIndexes()
{
    QStringList all{QStringLiteral("CREATE INDEX message_status ON failed_message (status, connection)")};
    for (int i = 0; i < 5; ++i)
        all += QStringLiteral("CREATE INDEX message_group%1 ON failed_message (group%1, status)").arg(i);
    return all;
}

static records::RetentionPolicy keepingOf(store::Store &store)
{
    records::RetentionPolicy kept{std::chrono::hours(1), std::chrono::hours(1)};
    must(store.read([&kept](store::Session &session) -> Result<> {
        kept = must(session.retention().retention());
        return {};
    }));
    return kept;
}

// Form 17 sends no possible duplicates.
void TestStoreFile::undoDuplicates() const
{
    execute({QStringLiteral("ALTER TABLE retry_operation DROP COLUMN include_duplicates")});
}

// Form 16 takes nothing in small steps, and gives no retry a share of the broker.
void TestStoreFile::undoStepsAndShares() const
{
    execute({QStringLiteral("DROP TABLE intake_step"),
             QStringLiteral("ALTER TABLE retry_operation DROP COLUMN broker_share")});
}

// Form 15 asks no endpoint for anything and counts no deliveries.
void TestStoreFile::undoQuorumAndAnswers() const
{
    execute({QStringLiteral("ALTER TABLE retry_operation DROP COLUMN ask_endpoints"),
             QStringLiteral("DROP TABLE deliveries_used")});
}

// Form 14 does not know what belongs to a message, whatever policy it is under.
void TestStoreFile::undoPolicyMemory() const
{
    execute({QStringLiteral("DROP INDEX policy_message_body"), QStringLiteral("DROP INDEX policy_message_returned"),
             QStringLiteral("ALTER TABLE policy_assignment DROP COLUMN since"),
             QStringLiteral("ALTER TABLE policy_message DROP COLUMN body"),
             QStringLiteral("ALTER TABLE policy_message DROP COLUMN returned_as"),
             QStringLiteral("ALTER TABLE failed_message DROP COLUMN failed_in")});
}

// Form 13 knows of no policy.
void TestStoreFile::undoPolicies() const
{
    for (const char *index :
         {"operation_of_policy", "operation_listed", "operation_in_doubt", "operation_watched", "group_of_operation"})
        execute({QStringLiteral("DROP INDEX %1").arg(QLatin1String(index))});
    for (const char *table : {"policy_message", "policy_assignment", "policy"})
        execute({QStringLiteral("DROP TABLE %1").arg(QLatin1String(table))});
    for (const char *column : {"policy", "assignment", "settled", "delivers_until"})
        execute({QStringLiteral("ALTER TABLE retry_operation DROP COLUMN %1").arg(QLatin1String(column))});
    execute({QStringLiteral("ALTER TABLE retry_member DROP COLUMN deliver_at")});
    execute({QStringLiteral("ALTER TABLE store_meta DROP COLUMN policies_followed")});
}

// Form 1 has no search index; form 2 has the index with triggers of its own; form 3 knows of no "Pause all";
// form 4 does not index headers and bodies; form 5 has a key and a setting that nobody used. Form 6 knows nothing
// that was only looked at. Form 7 does not keep what a message was sent back for. Form 8 knows no pace, and of no claim
// how it ended. Form 9 knows no cautions and no redirects. Form 11 has more indexes. Form 12 does not know who paused
// what, which causes a retry is for, and what people decided.
void TestStoreFile::undoTo(int form) const
{
    execute({QStringLiteral("PRAGMA user_version=%1").arg(form)});
    undoDuplicates();
    if (form < 17)
        undoStepsAndShares();
    if (form >= 16)
        return;
    undoQuorumAndAnswers();
    if (form == 15)
        return;
    execute(
        {// Form 14 asks nobody which queues are taken from, and knows neither what a file said nor the cause of a group.
         QStringLiteral("DROP TABLE found_queue"), QStringLiteral("ALTER TABLE message_import DROP COLUMN facts"),
         QStringLiteral("ALTER TABLE failure_group DROP COLUMN cause"),
         // Nor what a person accepts of destinations that drop messages, and whether copies keep their order.
         QStringLiteral("ALTER TABLE retry_operation DROP COLUMN accept_drops"),
         QStringLiteral("ALTER TABLE retry_operation DROP COLUMN keep_order")});
    undoPolicyMemory();
    if (form == 14)
        return;
    undoPolicies();
    // Form 13 knows no pipelines, no conventions of one's own and no imports.
    execute({QStringLiteral("DROP TABLE message_import"), QStringLiteral("DROP TABLE pipeline"),
             QStringLiteral("DROP TABLE convention"), QStringLiteral("DROP TABLE operation_convention"),
             QStringLiteral("DROP TABLE message_convention"),
             QStringLiteral("ALTER TABLE message_content DROP COLUMN receipt")});
    if (form < 13) {
        for (const char *column : {"paused_by", "paused_who", "paused_at", "rested"})
            execute({QStringLiteral("ALTER TABLE retry_operation DROP COLUMN %1").arg(QLatin1String(column))});
        execute({QStringLiteral("DROP TABLE operation_group"), QStringLiteral("DROP TABLE message_decision")});
    }
    if (form < 12)
        execute(twinIndexes());
    if (form < 11) {
        undoFormEleven();
        undoRestoring();
    }
    if (form < 10)
        undoCautions();
    if (form < 9) {
        execute({QStringLiteral("ALTER TABLE retry_operation DROP COLUMN per_minute"),
                 QStringLiteral("ALTER TABLE retry_operation DROP COLUMN not_before"),
                 QStringLiteral("ALTER TABLE retry_member DROP COLUMN closure"),
                 QStringLiteral("ALTER TABLE retry_member DROP COLUMN closed_at"),
                 QStringLiteral("ALTER TABLE retry_member DROP COLUMN closed_by")});
    }
    if (form < 8)
        execute({QStringLiteral("ALTER TABLE retry_member DROP COLUMN cause")});
    if (form < 7) {
        execute({QStringLiteral("ALTER TABLE group_count DROP COLUMN looked_at"),
                 QStringLiteral("ALTER TABLE queue_count DROP COLUMN looked_at")});
    }
    if (form < 6) {
        execute({QStringLiteral("ALTER TABLE failed_message ADD COLUMN native_key INTEGER NOT NULL DEFAULT 0"),
                 QStringLiteral("CREATE INDEX message_native ON failed_message (native_key)"),
                 QStringLiteral("ALTER TABLE connection ADD COLUMN lossy_take_allowed INTEGER NOT NULL DEFAULT 0")});
    }
    if (form < 5)
        execute(
            {QStringLiteral("DROP TABLE content_text"), QStringLiteral("ALTER TABLE store_meta DROP COLUMN searched")});
    if (form < 4)
        execute({QStringLiteral("ALTER TABLE store_meta DROP COLUMN all_paused")});
    if (form < 3) {
        execute({QStringLiteral("DROP TRIGGER message_text_update"), QStringLiteral("DROP TRIGGER message_text_delete"),
                 QStringLiteral("DROP TABLE message_text")});
    }
    if (form == 2)
        execute(store::migrationTo(2));
}

void TestStoreFile::anOlderFormIsBroughtUpToDate()
{
    QFETCH(int, form);
    must(must(open())->transact([](store::Session &session) -> Result<> {
        const core::ConnectionId connection =
            must(session.connections().add(test::sampleConnection(QStringLiteral("c"))));
        return session.messages().insert(test::sampleMessage(connection, 4711)).map([](core::MessageId) {});
    }));
    undoTo(form);
    QVERIFY(SqliteDatabase::open(path(), Database::Mode::ReadOnly).error().kind == ErrorKind::Refused);
    const auto opened = open();
    QVERIFY2(opened, why(opened).constData());
    for (const QString &created : twinIndexes()) {
        store::Statement row =
            (*opened)->database().sql(QStringLiteral("SELECT count(*) FROM sqlite_schema WHERE sql = ?"));
        QVERIFY(must(row.bind(created).step()));
        QCOMPARE(row.integer(0), 0);
    }
    if (form < 11)
        QVERIFY(keepingOf(**opened)
                == records::RetentionPolicy{}); // its owner was never told that something goes by itself
    const auto found = [&opened](const char *text) {
        records::MessageFilter filter;
        filter.search = QString::fromLatin1(text);
        qsizetype count = 0;
        must((*opened)->read([&](store::Session &session) -> Result<> {
            count = must(session.messages().slice(filter, {}, 10)).ids.size();
            return {};
        }));
        return count;
    };
    QCOMPARE(found("ORDER 4711"), 1); // what was there before is found too
    must((*opened)->transact([](store::Session &session) -> Result<> {
        return session.messages().insert(test::sampleMessage(core::ConnectionId{1}, 4712)).map([](core::MessageId) {});
    }));
    QCOMPARE(found("ORDER 4712"), 1);
    QCOMPARE(found("ORDER 471"), 2);
    QCOMPARE(test::countDifference((*opened)->database()), QString());
}

// Whether "Pause all" paused it is not known: only a person may let it go on.
void TestStoreFile::whatOlderFormsPausedWaitsForAPerson()
{
    must(must(open())->transact([](store::Session &session) -> Result<> {
        const core::ConnectionId connection =
            must(session.connections().add(test::sampleConnection(QStringLiteral("c"))));
        const core::MessageId message = must(session.messages().insert(test::sampleMessage(connection, 1)));
        records::RetryOperation empty;
        empty.connection = connection;
        for (const core::OperationId id :
             {test::retryUnderWay(session, connection, {message}), must(session.retryOperations().add(empty))}) {
            records::RetryOperation paused = must(session.retryOperations().load(id));
            paused.state = records::OperationState::Paused;
            paused.stoppedBecause = paused.total > 0 ? QString() : QStringLiteral("too many");
            must(session.retryOperations().update(paused));
        }
        return {};
    }));
    undoTo(12);
    const auto opened = must(open());
    must(opened->read([](store::Session &session) -> Result<> {
        const QList<records::RetryOperation> operations = must(session.retryOperations().unfinished({}));
        if (operations.size() == 2 && operations.at(0).pausedBy == records::PausedBy::Person
            && operations.at(1).pausedBy == records::PausedBy::StopRule)
            return {};
        return core::fail(ErrorKind::Corrupt, QStringLiteral("not as expected"));
    }));
    store::Statement groups =
        opened->database().sql(QStringLiteral("SELECT count(*) FROM operation_group WHERE operation = 1"));
    QVERIFY(must(groups.step()));
    QCOMPARE(groups.integer(0), 5); // one for each way to group
}

// Form 14 took from queues that nobody had named. Those it took from, or was subscribed to, are known until a person has
// decided about each.
void TestStoreFile::queuesThatWereTakenFromAwaitAnAnswer()
{
    const QString dlq = QStringLiteral("orders.dlq");
    const QString mail = QStringLiteral("mail");
    records::Connection connection = test::sampleConnection(QStringLiteral("c"));
    connection.errorQueues = {QStringLiteral("error")};
    must(must(open())->transact([&](store::Session &session) -> Result<> {
        connection.id = must(session.connections().add(connection));
        records::IntakeRun run;
        run.connection = connection.id;
        for (const QString &queue : {dlq, dlq, QStringLiteral("error")}) {
            run.sourceQueue = queue;
            must(session.intakes().begin(run));
        }
        return session.intakes().setSubscribed(connection.id, mail, true);
    }));
    undoTo(14);
    const std::unique_ptr<store::SqliteStore> opened = must(open());
    const auto found = [&] {
        QStringList queues;
        must(opened->read([&](store::Session &session) -> Result<> {
            queues = must(session.connections().foundQueues()).value(connection.id);
            return {};
        }));
        return queues;
    };
    QCOMPARE(found(), QStringList({QStringLiteral("error"), mail, dlq}));
    must(opened->transact(
        [&](store::Session &session) -> Result<> { return session.connections().answerFound(connection.id, {mail}); }));
    QCOMPARE(found(), QStringList({QStringLiteral("error"), dlq}));
    connection.errorQueues = {dlq};
    must(opened->transact([&](store::Session &session) { return session.connections().update(connection); }));
    QCOMPARE(found(), QStringList()); // one was named, the other is named
}

void TestStoreFile::aFailedMigrationChangesNothing()
{
    QStringList first = store::migrationTo(1);
    first += QStringLiteral("PRAGMA application_id=%1").arg(store::applicationId);
    first += QStringLiteral("PRAGMA user_version=1");
    first += QStringLiteral(
        "CREATE TRIGGER message_text_delete AFTER DELETE ON connection BEGIN SELECT 1; END"); // in the way
    execute(first);
    QVERIFY(!open());
    execute({QStringLiteral("DROP TRIGGER message_text_delete")});
    const auto opened = open(); // the search index is not half there
    QVERIFY2(opened, why(opened).constData());
}

void TestStoreFile::whatIsNoStoreIsRefused_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QStringList>("statements");
    QTest::newRow("text") << QByteArray(10'000, 'x') << QStringList();
    QTest::newRow("another program's database") << QByteArray() << QStringList{QStringLiteral("CREATE TABLE t (x)")};
    QTest::newRow("another program's id")
        << QByteArray()
        << QStringList{QStringLiteral("PRAGMA application_id=77"), QStringLiteral("CREATE TABLE t (x)")};
}

void TestStoreFile::whatIsNoStoreIsRefused()
{
    QFETCH(QByteArray, content);
    QFETCH(QStringList, statements);
    if (!content.isEmpty()) {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
    }
    if (!statements.isEmpty())
        execute(statements);
    const auto opened = open();
    QVERIFY(!opened);
    QVERIFY(opened.error().kind == ErrorKind::Corrupt);
    QVERIFY2(opened.error().message.contains(QStringLiteral("is not a Redrive store")), why(opened).constData());
    QFile file(path());
    QVERIFY(file.open(QIODevice::ReadOnly));
    if (!content.isEmpty())
        QCOMPARE(file.readAll(), content);
}

void TestStoreFile::aNewerFormIsRefusedAndUntouched()
{
    (void)must(open());
    execute({QStringLiteral("PRAGMA user_version=99")});
    const auto opened = open();
    QVERIFY(!opened);
    QVERIFY(opened.error().kind == ErrorKind::Refused && !store::asksForProvenance(opened.error()));
    QVERIFY2(opened.error().message.contains(QStringLiteral("newer version")), why(opened).constData());
    QVERIFY(SqliteDatabase::open(path(), Database::Mode::ReadOnly).error().kind == ErrorKind::Refused);
}

void TestStoreFile::aPlaceThatCannotBeWrittenIsTold()
{
    const auto opened = store::SqliteStore::open(QStringLiteral("/proc/redrive/redrive.db"), m_random);
    QVERIFY(!opened);
    QVERIFY(opened.error().kind == ErrorKind::Unauthorized);
    QVERIFY2(opened.error().message.contains(QStringLiteral("/proc/redrive/redrive.db")), why(opened).constData());
}

void TestStoreFile::aViewerNeedsAStore()
{
    QVERIFY(SqliteDatabase::open(path(), Database::Mode::ReadOnly).error().kind == ErrorKind::NotFound);
    QVERIFY(!QFile::exists(path()));
}

void TestStoreFile::aViewerCannotWrite()
{
    const auto opened = must(open());
    const auto viewer = must(SqliteDatabase::open(path(), Database::Mode::ReadOnly));
    QVERIFY(!viewer->sql(QStringLiteral("UPDATE store_meta SET fence = 0")).run());
}

void TestStoreFile::theSecondOpenerIsToldWhoHoldsIt()
{
    auto first = must(open());
    const auto second = open();
    QVERIFY(!second);
    QVERIFY(second.error().kind == ErrorKind::Conflict);
    QVERIFY2(second.error().message.contains(QStringLiteral("process %1").arg(::getpid())), why(second).constData());
    QCOMPARE(store::StoreLock::holder(path())->pid, ::getpid());
    first.reset();
    QVERIFY(!store::StoreLock::holder(path()));
    QVERIFY(open());
}

void TestStoreFile::aKilledHolderHoldsNothing()
{
    int ready[2];
    QCOMPARE(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto lock = store::StoreLock::take(path());
        const char sign = lock ? 'y' : 'n';
        if (::write(ready[1], &sign, 1) != 1)
            ::_exit(1);
        ::pause();
        ::_exit(0);
    }
    char sign = '?';
    QCOMPARE(::read(ready[0], &sign, 1), 1);
    QCOMPARE(sign, 'y');
    const auto refused = store::StoreLock::take(path());
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.contains(QString::number(child)), why(refused).constData());
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    QVERIFY(!store::StoreLock::holder(path()));
    QVERIFY(store::StoreLock::take(path()));
    ::close(ready[0]);
    ::close(ready[1]);
}

void TestStoreFile::anInterruptEndsALongQuery()
{
    const auto opened = must(open());
    Database &database = opened->database();
    std::thread other([&] { database.interrupt(); });
    store::Statement endless =
        database.sql(QStringLiteral("WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
                                    " SELECT count(*) FROM c"));
    const Result<bool> row = endless.step(); // would never come back
    other.join();
    QVERIFY(!row);
    QVERIFY(row.error().kind == ErrorKind::Cancelled);
    database.resume();
    QVERIFY(must(database.sql(QStringLiteral("SELECT 1")).step()));
}

// Whoever copies the one file has it all, though others still had it open.
void TestStoreFile::aClosedStoreIsOneFile()
{
    auto holder = must(open());
    const auto viewer = must(SqliteDatabase::open(path(), Database::Mode::ReadOnly));
    holder.reset();
    QCOMPARE(QFileInfo(path() + QStringLiteral("-wal")).size(), 0);
    const QString copy = path(QStringLiteral("copy.db"));
    QVERIFY(QFile::copy(path(), copy));
    const auto copied = must(SqliteDatabase::open(copy, Database::Mode::ReadOnly));
    store::Statement id = copied->sql(QStringLiteral("SELECT count(*) FROM store_meta"));
    QVERIFY(must(id.step()));
    QCOMPARE(id.integer(0), 1);
}

void TestStoreFile::aReaderInTheMiddleOfAQuestionIsNotWaitedFor()
{
    auto holder = must(open());
    const auto viewer = must(SqliteDatabase::open(path(), Database::Mode::ReadOnly));
    store::Statement question = viewer->sql(QStringLiteral("SELECT name FROM sqlite_master"));
    QVERIFY(must(question.step()));
    holder.reset();
    QVERIFY(must(question.step())); // goes on with what it has
    QVERIFY(open());
}

REDRIVE_TEST(TestStoreFile)
#include "tst_storefile.moc"
