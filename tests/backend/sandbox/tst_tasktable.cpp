// The tables of the pipeline on a real PostgreSQL, in a file and in memory: locks, aborts, a worker that dies inside its
// transaction, and what a step that comes twice leaves.
#include "backend/sandbox/reports/tasktable.h"
#include "tests/support/must.h"
#include "tests/support/pipeline/postgresserver.h"
#include "tests/support/pipeline/sampletasks.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using sandbox::NewTask;
using sandbox::PipelineTask;
using sandbox::Report;
using sandbox::TaskTable;
using test::must;

class TestTaskTable final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void anAbortLeavesTheRowAsItWas_data() { places(); }
    void anAbortLeavesTheRowAsItWas();
    void oneOfTwoWorkersHasTheRow_data() { places(); }
    void oneOfTwoWorkersHasTheRow();
    void aWorkerThatDiesInsideLeavesTheRowAsItWas_data() { lastingPlaces(); }
    void aWorkerThatDiesInsideLeavesTheRowAsItWas();
    void twoBatchesNeverHaveTheSameTask_data() { places(); }
    void twoBatchesNeverHaveTheSameTask();
    void eachItemOfASplitTaskIsSentAlone_data() { places(); }
    void eachItemOfASplitTaskIsSentAlone();
    void tablesOfAnotherProgramAreLeftAlone();

private:
    static void lastingPlaces(); // they outlive a worker
    static void places();
    [[nodiscard]] static QString id(int number)
    {
        return QStringLiteral("00000000-0000-0000-0000-%1").arg(number, 12, 10, QLatin1Char('0'));
    }
    [[nodiscard]] std::unique_ptr<TaskTable> worker() const
    {
        auto table = std::make_unique<TaskTable>();
        must(table->open(m_place));
        return table;
    }
    void receive(int number);
    // Received, and processed to a batch task of the same number and 100.
    void process(int number);
    [[nodiscard]] std::optional<PipelineTask> task(const QString &which);
    [[nodiscard]] int tasks(const char *action);
    // What Process does with the report, up to the end of its transaction.
    void startProcess(TaskTable &table, int number) const;

    support::PostgresServer m_server;
    QTemporaryDir m_folder;
    sandbox::TablePlace m_place;
    std::unique_ptr<TaskTable> m_table; // of the test
    int m_serial = 0;
    const core::TimePoint m_now = core::fromMs(1767225600000);
};

void TestTaskTable::lastingPlaces()
{
    QTest::addColumn<QString>("place");
    for (const char *place : {"PostgreSQL", "file"})
        QTest::newRow(place) << QString::fromLatin1(place);
}

void TestTaskTable::places()
{
    lastingPlaces();
    QTest::newRow("memory") << QStringLiteral("memory");
}

void TestTaskTable::initTestCase()
{
    if (support::PostgresServer::isInstalled())
        QVERIFY2(m_server.start(), qPrintable(m_server.error()));
}

void TestTaskTable::init()
{
    m_table.reset();
    m_place = {};
    const QString place = QString::fromLatin1(QTest::currentDataTag());
    const bool needsServer = place == QLatin1String("PostgreSQL") || place.isEmpty();
    if (needsServer && !support::PostgresServer::isInstalled())
        QSKIP("postgresql-15 or libqt6sql6-psql is not installed.");
    if (needsServer) {
        support::SampleTasks database(m_server.connect());
        database.exec(QStringLiteral("set client_min_messages to error"));
        database.exec(QStringLiteral("drop schema public cascade"));
        database.exec(QStringLiteral("create schema public"));
        m_place.postgres = sandbox::PostgresPlace{QStringLiteral("127.0.0.1"),
                                                  m_server.port(),
                                                  QStringLiteral("redrive"),
                                                  support::PostgresServer::password(),
                                                  QStringLiteral("postgres"),
                                                  {},
                                                  false};
    } else if (place == QLatin1String("file")) {
        m_place.file = m_folder.filePath(QStringLiteral("tasks-%1.db").arg(++m_serial));
    } else {
        m_place.file = QStringLiteral("file:/tasks-%1?vfs=memdb").arg(++m_serial);
    }
    if (!place.isEmpty())
        m_table = worker();
}

void TestTaskTable::receive(int number)
{
    QVERIFY(must(m_table->begin()));
    must(m_table->receive({number, id(number), QStringLiteral("covid-19"), 3}, m_now));
    must(m_table->commit(m_now));
}

void TestTaskTable::startProcess(TaskTable &table, int number) const
{
    QVERIFY(must(table.begin()));
    const TaskTable::Locked locked = must(table.lock(id(number)));
    QVERIFY(!locked.isElsewhere && locked.task);
    const NewTask next{id(number + 100), QStringLiteral("batch"), m_now, QStringLiteral("county"), 3};
    must(table.process({number, id(number), QStringLiteral("covid-19"), 3}, next, m_now));
}

void TestTaskTable::process(int number)
{
    receive(number);
    startProcess(*m_table, number);
    must(m_table->commit(m_now));
}

std::optional<PipelineTask> TestTaskTable::task(const QString &which)
{
    const bool begun = must(m_table->begin());
    const TaskTable::Locked locked = begun ? must(m_table->lock(which)) : TaskTable::Locked{};
    m_table->abort();
    return locked.task;
}

int TestTaskTable::tasks(const char *action)
{
    const bool begun = must(m_table->begin());
    const int count = begun ? int(must(m_table->waiting(QString::fromLatin1(action))).size()) : -1;
    m_table->abort();
    return count;
}

void TestTaskTable::anAbortLeavesTheRowAsItWas()
{
    receive(1);
    const std::unique_ptr<TaskTable> other = worker();
    startProcess(*other, 1);
    QCOMPARE(must(other->waiting(QStringLiteral("batch"))).size(), 1); // it was written
    other->abort();
    QCOMPARE(task(id(1))->nextAction, QStringLiteral("process"));
    QVERIFY(!task(id(101)));
    QVERIFY(must(m_table->begin()));
    QCOMPARE(must(m_table->actions(QStringLiteral("process"))), 0);
    m_table->abort();
}

void TestTaskTable::oneOfTwoWorkersHasTheRow()
{
    receive(1);
    receive(2);
    const std::unique_ptr<TaskTable> first = worker();
    const std::unique_ptr<TaskTable> second = worker();
    startProcess(*first, 1);
    const bool begun = must(second->begin());
    QCOMPARE(begun, m_place.postgres.has_value()); // SQLite locks the file
    if (begun) {
        QVERIFY(must(second->lock(id(1))).isElsewhere);
        startProcess(*second, 2); // side by side: another row
        must(second->commit(m_now));
    }
    must(first->commit(m_now));
    QVERIFY(must(second->begin()));
    const TaskTable::Locked after = must(second->lock(id(1)));
    QVERIFY(!after.isElsewhere);
    QCOMPARE(after.task->nextAction, QStringLiteral("none")); // so it does nothing with it
    second->abort();
    QCOMPARE(tasks("batch"), begun ? 2 : 1);
}

void TestTaskTable::aWorkerThatDiesInsideLeavesTheRowAsItWas()
{
    receive(1);
    const pid_t child = ::fork();
    QVERIFY(child >= 0);
    if (child == 0) {
        const std::unique_ptr<TaskTable> dying = worker();
        startProcess(*dying, 1);
        ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    // The server needs a moment to notice.
    const auto isFree = [this] {
        const bool free = must(m_table->begin()) && !must(m_table->lock(id(1))).isElsewhere;
        m_table->abort();
        return free;
    };
    QTRY_VERIFY(isFree());
    QCOMPARE(task(id(1))->nextAction, QStringLiteral("process"));
    QVERIFY(!task(id(101)));
    startProcess(*m_table, 1);
    must(m_table->commit(m_now));
    QCOMPARE(tasks("batch"), 1);
}

void TestTaskTable::twoBatchesNeverHaveTheSameTask()
{
    const QString county = QStringLiteral("county");
    for (const int number : {1, 2, 3})
        process(number);
    const std::unique_ptr<TaskTable> first = worker();
    const std::unique_ptr<TaskTable> second = worker();
    QVERIFY(must(first->begin()));
    QCOMPARE(must(first->batchable(county, m_now)), 3);
    QCOMPARE(must(first->batchable(county, m_now + core::Milliseconds(1))), 0); // past the backstop
    const QList<PipelineTask> two = must(first->lockBatch(county, {}, 2));
    QCOMPARE(two.size(), 2);
    if (m_place.postgres) {
        QVERIFY(must(second->begin()));
        QCOMPARE(must(second->lockBatch(county, {}, 2)).size(), 1); // not those of the first
        second->abort();
    } else {
        QVERIFY(!must(second->begin()));
    }
    must(first->merge(two, {id(200), QStringLiteral("send"), m_now, county, 6}, m_now));
    must(first->commit(m_now));
    QCOMPARE(tasks("batch"), 1);
    QCOMPARE(task(id(200))->items, 6);
    QVERIFY(must(second->begin()));
    QCOMPARE(must(second->lockBatch(county, {}, 2)).size(), 1);
    QCOMPARE(must(second->firstSends(county)), QStringList{id(200)});
    must(second->noteSendError(id(200), QStringLiteral("The disk is full."), m_now));
    QCOMPARE(must(second->firstSends(county)), QStringList()); // given up as a whole: its task is as it was
    second->abort();
}

void TestTaskTable::eachItemOfASplitTaskIsSentAlone()
{
    const QString county = QStringLiteral("county");
    process(1);
    QVERIFY(must(m_table->begin()));
    const QList<PipelineTask> locked = must(m_table->lockBatch(county, {}, 10));
    QList<NewTask> parts;
    for (int item = 0; item < locked.first().items; ++item)
        parts.append({id(300 + item), QStringLiteral("send"), m_now, county, 1});
    must(m_table->split(locked.first(), parts, m_now));
    must(m_table->commit(m_now));
    QCOMPARE(tasks("send"), 3);
    // The report is delivered when the last of its parts is.
    for (int item = 0; item < 3; ++item) {
        QVERIFY(must(m_table->begin()));
        QCOMPARE(must(m_table->deliveredReports()), 0);
        const PipelineTask part = *must(m_table->lock(id(300 + item))).task;
        must(m_table->sent({part, {0}, m_now}));
        must(m_table->commit(m_now));
    }
    QVERIFY(must(m_table->begin()));
    QCOMPARE(must(m_table->deliveredReports()), 1);
    QCOMPARE(must(m_table->deliveredTwice()), 0);
    m_table->abort();
}

void TestTaskTable::tablesOfAnotherProgramAreLeftAlone()
{
    support::SampleTasks reportStream(m_server.connect());
    reportStream.exec(QStringLiteral("set client_min_messages to error"));
    reportStream.createTables();
    reportStream.addTask({id(1), QStringLiteral("process"), support::minutesAgo(20), support::minutesAgo(20)});
    for (const bool startsAnew : {true, false}) {
        m_place.postgres->startsAnew = startsAnew;
        TaskTable table;
        const core::Result<> opened = table.open(m_place);
        QVERIFY(!opened);
        QVERIFY(opened.error().kind == core::ErrorKind::Refused);
        QVERIFY2(opened.error().message.contains(QStringLiteral("another program")),
                 qPrintable(opened.error().message));
    }
    QCOMPARE(reportStream.value(QStringLiteral("select count(*) from task")).toInt(), 1);
}

REDRIVE_TEST(TestTaskTable)
#include "tst_tasktable.moc"
