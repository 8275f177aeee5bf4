// Task tables on the PostgreSQL of Debian: tasks in every state, a locked table, a lost and a silent server, hostile values,
// and a login that may only read.
#include "backend/pipeline/databaserunner.h"
#include "backend/pipeline/tasktables.h"
#include "tests/support/must.h"
#include "tests/support/pipeline/postgresserver.h"
#include "tests/support/pipeline/sampletasks.h"
#include "tests/support/testmain/testmain.h"

#include <QScopeGuard>
#include <QTest>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <ctime>

using namespace std::chrono_literals;
using core::ErrorKind;
using core::Result;
using pipeline::Columns;
using pipeline::DatabaseRunner;
using pipeline::TaskDatabase;
using pipeline::TaskTables;
using records::PipelineStep;
using support::hoursAgo;
using support::minutesAgo;
using test::must;

namespace {

QString text(const char *words)
{
    return QString::fromUtf8(words);
}

// A UUID that ends with this number.
QString report(int number)
{
    return QStringLiteral("00000000-0000-0000-0000-%1").arg(number, 12, 10, QLatin1Char('0'));
}

core::TimePoint now()
{
    return core::fromMs(QDateTime::currentMSecsSinceEpoch());
}

} // namespace

class TestPostgresql final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void theQueriesFindExactlyTheirTasks();
    void actionsRetriesAndReceiversAreRead();
    void timesWithoutEndAreTimes();
    void aStuckTaskBecomesDueOnce();
    void aRowThatSomebodyWorksOnIsLeftAlone();
    void aLockedTableIsTold();
    void hostileValuesAreBoundedOrNamed();
    void textWhereATimeShouldBeIsNamed();
    void aTimeThatIsATextIsWrittenAsOne();
    void aTimeWithoutAZoneIsUtc_data();
    void aTimeWithoutAZoneIsUtc();
    void namesMayHaveOtherCapitals();
    void aTaskThatHasMovedOnIsNotChangedBack();
    void missingColumnsAreNamed();
    void readingCannotWrite();
    void aLoginWithoutRightsIsTold();
    void settingsThatCannotBeReadHideNoTasks();
    void aWrongPasswordIsTold();
    void aMissingDatabaseIsTold();
    void aConnectionLostInTheCommitIsUnknown();
    void aLostConnectionLeavesOtherSocketsAlone();
    void aSilentServerHoldsUpNobody();
    void aLostConnectionIsTold();

private:
    [[nodiscard]] pipeline::DatabaseUrl url() const { return must(pipeline::databaseUrlFrom(m_server.url())); }
    [[nodiscard]] Result<TaskTables> open(TaskDatabase::Access access = TaskDatabase::Access::Read,
                                          const Columns &columns = {})
    {
        m_database = must(TaskDatabase::open(url(), support::PostgresServer::password(), access,
                                             std::make_shared<pipeline::Interrupter>()));
        return TaskTables::open(*m_database, columns);
    }
    [[nodiscard]] QStringList overdue(PipelineStep step)
    {
        TaskTables tables = must(open());
        QStringList ids;
        for (const records::PipelineTask &task : must(tables.overdue(step, 100)).tasks)
            ids.append(task.reportId);
        return ids;
    }
    void add(int number, const char *action, const QString &at, const QString &created, const char *token = "")
    {
        m_tasks->addTask({report(number), text(action), at, created, text("hospital.daily"), text(token)});
    }

    support::PostgresServer m_server;
    std::unique_ptr<support::SampleTasks> m_tasks;
    std::unique_ptr<TaskDatabase> m_database;
};

void TestPostgresql::initTestCase()
{
    if (!support::PostgresServer::isInstalled())
        QSKIP("postgresql-15 or libqt6sql6-psql is not installed.");
    QVERIFY2(m_server.start(), qPrintable(m_server.error()));
}

void TestPostgresql::init()
{
    m_database.reset();
    m_tasks = std::make_unique<support::SampleTasks>(m_server.connect());
    m_tasks->exec(text("set timezone to 'UTC'"));
    m_tasks->exec(text("set client_min_messages to error"));
    m_tasks->exec(text("drop schema public cascade"));
    m_tasks->exec(text("create schema public"));
    m_tasks->createTables();
}

void TestPostgresql::theQueriesFindExactlyTheirTasks()
{
    int number = 0;
    for (const char *step : {"process", "batch", "send", "none", "receive"}) {
        add(++number, step, minutesAgo(16), minutesAgo(30)); // 1, 6, 11, ...
        add(++number, step, minutesAgo(14), minutesAgo(30));
        add(++number, step, minutesAgo(-30), minutesAgo(30));
        add(++number, step, QString(), minutesAgo(30));
        add(++number, step, hoursAgo(100), hoursAgo(101)); // 5, 10, 15, ...
    }
    QCOMPARE(overdue(PipelineStep::Process), (QStringList{report(5), report(1)}));
    QCOMPARE(overdue(PipelineStep::Batch), QStringList{report(6)});
    QCOMPARE(overdue(PipelineStep::Send), QStringList{report(11)});
    TaskTables tables = must(open());
    const records::StepTasks found = must(tables.overdue(PipelineStep::Process, 1));
    QVERIFY(found.more);
    QCOMPARE(found.tasks.first().itemCount, std::optional<qint64>(7));
    QVERIFY(found.tasks.first().nextActionAt < now() - 99h && found.tasks.first().nextActionAt > now() - 101h);
    // The printed statement is the one that ran: the server runs it as it is.
    QCOMPARE(m_tasks->value(text("select count(*) from (%1) as found").arg(found.sql)).toInt(), 2);
}

void TestPostgresql::actionsRetriesAndReceiversAreRead()
{
    m_tasks->addAction(text("send_warning"), text("try 1"), hoursAgo(2));
    m_tasks->addAction(text("send_error"), text("gave up"), hoursAgo(1));
    m_tasks->addAction(text("process"), text("fine"), hoursAgo(1));
    add(1, "send", minutesAgo(-5), hoursAgo(1), R"({"retryCount": 2, "items": ["*"]})");
    add(2, "batch", minutesAgo(0), hoursAgo(7));
    add(3, "batch", minutesAgo(0), hoursAgo(2));
    Columns columns;
    columns.timings.insert(text("hospital.daily"), {1h, {}, {}, {}});
    columns.backstop = Columns::Backstop::CreatedAt;
    TaskTables tables = must(open(TaskDatabase::Access::Read, columns));
    const TaskTables::Actions actions = must(tables.sendActions(10));
    QCOMPARE(actions.actions.size(), 2);
    QCOMPARE(actions.actions.first().name, text("send_error"));
    const QList<records::SendRetry> retries = must(tables.sendRetries(10)).retries;
    QCOMPARE(retries.size(), 1);
    QVERIFY(retries.first().retries == 2);
    const QList<records::PipelineReceiver> receivers = must(tables.receivers(10, now())).receivers;
    QCOMPARE(receivers.size(), 1);
    QCOMPARE(receivers.first().waiting, 2);
    QVERIFY(receivers.first().ignoredPastBackstop == 1);
    QCOMPARE(tables.unreadable(), QString());

    m_tasks->createSettings();
    m_tasks->addReceiver(text("hospital"), text("daily"),
                         text(R"({"timing": {"numberPerDay": 2, "initialTime": "06:00", "timeZone": "CENTRAL"}})"));
    const QList<records::PipelineReceiver> known = must(tables.receivers(10, now())).receivers;
    QCOMPARE(known.size(), 1);
    QVERIFY(known.first().cadence == 12h && known.first().numberPerDay == 2);
    QCOMPARE(known.first().initialTime + known.first().timeZone, text("06:00CENTRAL"));
    QVERIFY(known.first().ignoredPastBackstop == 0);
}

// ReportStream compares such a time as any other: the task is overdue, and it can be raised and put back.
void TestPostgresql::timesWithoutEndAreTimes()
{
    add(1, "send", text("-infinity"), minutesAgo(30));
    add(2, "process", minutesAgo(20), text("-infinity"));
    add(3, "batch", text("infinity"), text("infinity"));
    QCOMPARE(overdue(PipelineStep::Send), QStringList{report(1)});
    QCOMPARE(overdue(PipelineStep::Process), QStringList{report(2)});
    QVERIFY(overdue(PipelineStep::Batch).isEmpty());
    Columns columns;
    columns.timings.insert(text("hospital.daily"), {24h, {}, {}, {}});
    TaskTables tables = must(open(TaskDatabase::Access::Write, columns));
    QVERIFY(must(tables.overdue(PipelineStep::Send, 1)).tasks.first().nextActionAt == records::beforeAllTimes);
    const records::PipelineReceiver receiver = must(tables.receivers(10, now())).receivers.first();
    QVERIFY(receiver.backstopAt == records::afterAllTimes && receiver.ignoredPastBackstop == 0);
    QCOMPARE(tables.unreadable(), QString());

    const TaskTables::Raised raised = must(tables.makeDue(report(1), records::beforeAllTimes, now()));
    QVERIFY(overdue(PipelineStep::Send).isEmpty());
    TaskTables again = must(open(TaskDatabase::Access::Write));
    must(again.restore(raised));
    QCOMPARE(
        m_tasks->value(text("select next_action_at::text from task where report_id = '%1'").arg(report(1))).toString(),
        text("-infinity"));
    QVERIFY(again.makeDue(report(3), {}, now()).error().message.contains(text("at infinity")));
}

void TestPostgresql::aStuckTaskBecomesDueOnce()
{
    add(1, "send", minutesAgo(20), hoursAgo(1));
    TaskTables tables = must(open(TaskDatabase::Access::Write));
    const core::TimePoint seen = *must(tables.overdue(PipelineStep::Send, 1)).tasks.first().nextActionAt;
    const TaskTables::Raised raised = must(tables.makeDue(report(1), seen, now()));
    QVERIFY(raised.step == PipelineStep::Send);
    QVERIFY(overdue(PipelineStep::Send).isEmpty());
    TaskTables again = must(open(TaskDatabase::Access::Write));
    QVERIFY(again.makeDue(report(1), seen, now()).error().kind == ErrorKind::Conflict);
    must(again.restore(raised));
    QCOMPARE(overdue(PipelineStep::Send), QStringList{report(1)});
    TaskTables other = must(open(TaskDatabase::Access::Write));
    QVERIFY(*must(other.overdue(PipelineStep::Send, 1)).tasks.first().nextActionAt == seen);
    QVERIFY(other.makeDue(text("no UUID"), {}, now()).error().kind == ErrorKind::NotFound);
    QVERIFY(other.makeDue(report(9), {}, now()).error().kind == ErrorKind::NotFound);
}

void TestPostgresql::aRowThatSomebodyWorksOnIsLeftAlone()
{
    add(1, "send", minutesAgo(20), hoursAgo(1));
    m_tasks->exec(text("begin"));
    m_tasks->exec(text("select 1 from task for update"));
    TaskTables tables = must(open(TaskDatabase::Access::Write));
    const auto raised = tables.makeDue(report(1), {}, now());
    QVERIFY(!raised);
    QVERIFY2(raised.error().kind == ErrorKind::Transient, qPrintable(raised.error().message));
    m_tasks->exec(text("commit"));
    QVERIFY(tables.makeDue(report(1), {}, now()));
}

void TestPostgresql::aLockedTableIsTold()
{
    m_tasks->exec(text("begin"));
    m_tasks->exec(text("lock table task in access exclusive mode"));
    const Result<TaskTables> tables = open();
    QVERIFY(!tables);
    QVERIFY(tables.error().kind == ErrorKind::Transient);
    QVERIFY2(tables.error().message.contains(text("locked")), qPrintable(tables.error().message));
    m_tasks->exec(text("commit"));
    QVERIFY(open());
}

void TestPostgresql::hostileValuesAreBoundedOrNamed()
{
    m_tasks->exec(text("alter table task alter column receiver_name type text"));
    const QString hostile = text("a\x1b[2J\n\u202eb") + QString(100'000, QLatin1Char('x'));
    m_tasks->addTask({report(1), text("send"), minutesAgo(20), minutesAgo(30), hostile});
    add(2, "send", text("-infinity"), minutesAgo(30));
    add(3, "send", text("0044-03-15 12:00:00 BC"), minutesAgo(30));
    TaskTables tables = must(open());
    const records::StepTasks found = must(tables.overdue(PipelineStep::Send, 10));
    QStringList ids;
    for (const records::PipelineTask &task : found.tasks)
        ids.append(task.reportId);
    QCOMPARE(ids, (QStringList{report(2), report(1)})); // PostgreSQL knows -infinity; year 44 BC is no time here
    const QString receiver = found.tasks.last().receiverName;
    QVERIFY(receiver.startsWith(text("a\ufffd[2J\ufffd\ufffdb")));
    QVERIFY(receiver.size() <= records::pipelineCellChars + 1);
    for (const QString &part : {text("task"), text("next_action_at"), report(3)})
        QVERIFY2(tables.unreadable().contains(part), qPrintable(tables.unreadable()));
}

// A column of another type holds whatever it likes. Every statement that compares it goes on with the other rows.
void TestPostgresql::textWhereATimeShouldBeIsNamed()
{
    m_tasks->exec(text("alter table task alter column next_action_at type text"));
    m_tasks->exec(text("alter table action alter column created_at type text"));
    add(1, "send", text("soon\nor later"), minutesAgo(30), "1");
    add(2, "send", minutesAgo(20), minutesAgo(30), "1");
    add(3, "send", text("2026-02-29 12:00:00"), minutesAgo(30)); // not a leap year
    add(4, "send", text("2024-02-29T12:00:00.5+02"), minutesAgo(30));
    add(5, "send", minutesAgo(5), minutesAgo(30), "1");
    m_tasks->addAction(text("send_error"), text("gave up"), text("yesterday"));
    m_tasks->addAction(text("send_error"), text("gave up, too"), hoursAgo(1));
    TaskTables tables = must(open());
    const records::StepTasks found = must(tables.overdue(PipelineStep::Send, 10));
    QStringList ids;
    for (const records::PipelineTask &task : found.tasks)
        ids.append(task.reportId);
    QCOMPARE(ids, (QStringList{report(4), report(2)}));
    for (const QString &part : {text("task.next_action_at"), report(1), text("soon"), text("There are 2 such rows.")})
        QVERIFY2(tables.unreadable().contains(part), qPrintable(tables.unreadable()));
    QVERIFY2(!tables.unreadable().contains(QLatin1Char('\n')), qPrintable(tables.unreadable()));
    TaskTables others = must(open());
    QCOMPARE(must(others.sendRetries(10)).retries.size(), 1);
    QCOMPARE(must(others.sendActions(10)).actions.size(), 2);
    QVERIFY2(others.unreadable().contains(report(1)), qPrintable(others.unreadable()));
}

void TestPostgresql::aTimeThatIsATextIsWrittenAsOne()
{
    m_tasks->exec(text("alter table task alter column next_action_at type text"));
    add(1, "send", text("2026-01-02T03:04:05.678Z"), hoursAgo(1));
    add(2, "send", text("soon"), hoursAgo(1));
    TaskTables tables = must(open(TaskDatabase::Access::Write));
    const TaskTables::Raised raised = must(tables.makeDue(report(1), core::fromMs(1'767'323'045'678), now()));
    const QString due = text("select next_action_at from task order by report_id limit 1");
    QVERIFY(m_tasks->value(due).toString().endsWith(QLatin1Char('Z')));
    must(tables.restore(raised));
    QCOMPARE(m_tasks->value(due).toString(), text("2026-01-02T03:04:05.678Z"));
    QVERIFY(tables.makeDue(report(2), {}, now()).error().kind == ErrorKind::Conflict);
}

void TestPostgresql::aTimeWithoutAZoneIsUtc_data()
{
    QTest::addColumn<QString>("type");
    for (const char *type : {"timestamp", "timestamp(0)", "timestamptz"})
        QTest::newRow(type) << text(type);
}

// This machine is nine hours ahead of UTC, the database and its times are not.
void TestPostgresql::aTimeWithoutAZoneIsUtc()
{
    QFETCH(const QString, type);
    const QByteArray zone = qgetenv("TZ");
    const auto back = qScopeGuard([&zone] {
        zone.isEmpty() ? qunsetenv("TZ") : qputenv("TZ", zone);
        ::tzset();
    });
    qputenv("TZ", "JST-9");
    ::tzset();
    for (const char *column : {"task alter next_action_at", "task alter created_at", "action alter created_at"})
        m_tasks->exec(text("alter table %1 type %2").arg(text(column), type));
    add(1, "send", text("2026-01-02 03:04:05"), hoursAgo(1));
    add(2, "send", minutesAgo(20), minutesAgo(30));
    add(3, "send", minutesAgo(10), minutesAgo(30), "1");
    m_tasks->addAction(text("send_error"), text("gave up"), text("2026-01-02 03:04:05"));
    const core::TimePoint due = core::fromMs(1'767'323'045'000);
    TaskTables tables = must(open(TaskDatabase::Access::Write));
    const records::StepTasks found = must(tables.overdue(PipelineStep::Send, 10));
    QCOMPARE(found.tasks.size(), 2);
    QVERIFY(found.tasks.first().nextActionAt == due);
    QVERIFY(found.tasks.last().createdAt < now() - 29min && found.tasks.last().createdAt > now() - 31min);
    QVERIFY(must(tables.sendActions(10)).actions.first().createdAt == due);

    const TaskTables::Raised raised = must(tables.makeDue(report(1), due, now()));
    const QString at = text("select count(*) from task where report_id = '%1' and next_action_at %2");
    QCOMPARE(m_tasks->value(at.arg(report(1), text("> now() - interval '5 minutes'"))).toInt(), 1);
    must(tables.restore(raised));
    QCOMPARE(m_tasks->value(at.arg(report(1), text("= '2026-01-02 03:04:05'"))).toInt(), 1);
}

void TestPostgresql::namesMayHaveOtherCapitals()
{
    m_tasks->exec(text("alter table task rename next_action_at to \"Due\""));
    add(1, "send", minutesAgo(20), minutesAgo(30));
    Columns columns;
    columns.nextActionAt = text("due");
    columns.reportId = text("REPORT_ID");
    TaskTables tables = must(open(TaskDatabase::Access::Read, columns));
    QCOMPARE(must(tables.overdue(PipelineStep::Send, 10)).tasks.size(), 1);
}

void TestPostgresql::aTaskThatHasMovedOnIsNotChangedBack()
{
    add(1, "send", minutesAgo(20), hoursAgo(1));
    TaskTables tables = must(open(TaskDatabase::Access::Write));
    const TaskTables::Raised raised = must(tables.makeDue(report(1), {}, now()));
    m_tasks->exec(text("update task set next_action_at = now() + interval '7 minutes'"));
    const Result<> restored = tables.restore(raised);
    QVERIFY(!restored);
    QVERIFY2(restored.error().kind == ErrorKind::Conflict, qPrintable(restored.error().message));
    QCOMPARE(m_tasks->value(text("select count(*) from task where next_action_at > now()")).toInt(), 1);
}

void TestPostgresql::missingColumnsAreNamed()
{
    m_tasks->exec(text("alter table task drop column receiver_name"));
    const Result<TaskTables> tables = open();
    QVERIFY(!tables);
    QVERIFY(tables.error().kind == ErrorKind::Rejected);
    QVERIFY2(tables.error().message.contains(text("receiver_name")), qPrintable(tables.error().message));
    Columns columns;
    columns.taskTable = text("public.deeds");
    const Result<TaskTables> others = open(TaskDatabase::Access::Read, columns);
    QVERIFY(!others);
    QVERIFY(others.error().kind == ErrorKind::Rejected);
    QVERIFY2(others.error().message.contains(text("public.deeds")), qPrintable(others.error().message));
}

void TestPostgresql::readingCannotWrite()
{
    add(1, "send", minutesAgo(20), hoursAgo(1));
    TaskTables tables = must(open());
    QVERIFY(tables.makeDue(report(1), {}, now()).error().kind == ErrorKind::Refused);
    QVERIFY(m_database->change(text("delete from task"), {}).error().kind == ErrorKind::Refused);
    QCOMPARE(m_tasks->value(text("select count(*) from task")).toInt(), 1);
}

void TestPostgresql::aLoginWithoutRightsIsTold()
{
    m_tasks->exec(text("create role guest login password 'secret'"));
    m_tasks->exec(text("grant usage on schema public to guest"));
    pipeline::DatabaseUrl guest = url();
    guest.user = text("guest");
    const auto database =
        must(TaskDatabase::open(guest, support::PostgresServer::password(), TaskDatabase::Access::Read,
                                std::make_shared<pipeline::Interrupter>()));
    const Result<TaskTables> tables = TaskTables::open(*database, {});
    QVERIFY(!tables);
    QVERIFY2(tables.error().kind == ErrorKind::Unauthorized, qPrintable(tables.error().message));
}

// Neither a missing right on `setting` nor somebody who has it locked.
void TestPostgresql::settingsThatCannotBeReadHideNoTasks()
{
    add(1, "batch", minutesAgo(0), hoursAgo(1));
    m_tasks->createSettings();
    m_tasks->addReceiver(text("hospital"), text("daily"), text(R"({"timing": {"numberPerDay": 2}})"));
    m_tasks->exec(text("create role reader login password 'secret'"));
    m_tasks->exec(text("grant usage on schema public to reader"));
    m_tasks->exec(text("grant select on task, action to reader"));
    pipeline::DatabaseUrl reader = url();
    reader.user = text("reader");
    const auto database =
        must(TaskDatabase::open(reader, support::PostgresServer::password(), TaskDatabase::Access::Read,
                                std::make_shared<pipeline::Interrupter>()));
    const auto isListed = [](TaskTables &tables) {
        const QList<records::PipelineReceiver> found = must(tables.receivers(10, now())).receivers;
        return found.size() == 1 && found.first().waiting == 1 && !found.first().cadence;
    };
    TaskTables denied = must(TaskTables::open(*database, {}));
    QVERIFY(isListed(denied));
    QVERIFY2(denied.whyNoSettings().contains(text("permission denied")), qPrintable(denied.whyNoSettings()));

    TaskTables tables = must(open());
    m_tasks->exec(text("begin"));
    m_tasks->exec(text("lock table setting in access exclusive mode"));
    QVERIFY(isListed(tables));
    QVERIFY2(tables.whyNoSettings().contains(text("locked")), qPrintable(tables.whyNoSettings()));
    m_tasks->exec(text("commit"));
    QVERIFY(must(tables.receivers(10, now())).receivers.first().cadence == 12h);
    QCOMPARE(tables.whyNoSettings(), QString());
}

void TestPostgresql::aWrongPasswordIsTold()
{
    const auto database =
        TaskDatabase::open(url(), text("wrong"), TaskDatabase::Access::Read, std::make_shared<pipeline::Interrupter>());
    QVERIFY(!database);
    QVERIFY2(database.error().kind == ErrorKind::Unauthorized, qPrintable(database.error().message));
    QVERIFY(!database.error().message.contains(text("wrong")) && !database.error().message.contains(QLatin1Char('\n')));
}

void TestPostgresql::aMissingDatabaseIsTold()
{
    pipeline::DatabaseUrl other = url();
    other.database = text("nowhere");
    const auto database = TaskDatabase::open(other, support::PostgresServer::password(), TaskDatabase::Access::Read,
                                             std::make_shared<pipeline::Interrupter>());
    QVERIFY(!database);
    QVERIFY2(database.error().kind == ErrorKind::Rejected, qPrintable(database.error().message));
    QVERIFY2(database.error().message.contains(text("nowhere")), qPrintable(database.error().message));
}

// A deferred trigger runs within COMMIT, and this one ends the connection: it could as well be lost just after.
void TestPostgresql::aConnectionLostInTheCommitIsUnknown()
{
    add(1, "send", minutesAgo(20), hoursAgo(1));
    m_tasks->exec(text("create function leave() returns trigger language plpgsql as"
                       " 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'"));
    m_tasks->exec(text("create constraint trigger leave after update on task deferrable initially deferred"
                       " for each row execute function leave()"));
    TaskTables tables = must(open(TaskDatabase::Access::Write));
    const Result<TaskTables::Raised> raised = tables.makeDue(report(1), {}, now());
    QVERIFY(!raised);
    QVERIFY2(raised.error().kind == ErrorKind::UnknownOutcome, qPrintable(raised.error().message));
    QVERIFY2(raised.error().message.contains(text("may be due")), qPrintable(raised.error().message));
}

// libpq closes the socket of a lost connection, and the next socket of this process gets its number.
void TestPostgresql::aLostConnectionLeavesOtherSocketsAlone()
{
    const auto interrupter = std::make_shared<pipeline::Interrupter>();
    const auto database =
        must(TaskDatabase::open(url(), support::PostgresServer::password(), TaskDatabase::Access::Read, interrupter));
    const auto ignore = [](const QSqlQuery &) { return Result<>(); };
    QVERIFY(!database->each(text("select pg_terminate_backend(pg_backend_pid())"), {}, ignore));
    QVERIFY(!database->each(text("select 1"), {}, ignore));
    QList<std::array<int, 2>> pairs(4);
    for (std::array<int, 2> &pair : pairs)
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
    interrupter->interrupt();
    for (const std::array<int, 2> &pair : pairs) {
        char one = 'x';
        QCOMPARE(::send(pair[0], &one, 1, MSG_NOSIGNAL), ssize_t(1));
        QCOMPARE(::send(pair[1], &one, 1, MSG_NOSIGNAL), ssize_t(1));
        ::close(pair[0]);
        ::close(pair[1]);
    }
}

// The server stops while a statement runs: no answer and no error ever comes. The time limit ends the question, and the
// destructor of the runner ends its thread without the server.
void TestPostgresql::aSilentServerHoldsUpNobody()
{
    std::optional<Result<int>> answer;
    {
        DatabaseRunner runner(2s);
        const auto wait = [&answer](core::Pending<Result<int>> pending) -> core::Task<> { answer = co_await pending; };
        const auto stopAndAsk = [this](TaskDatabase &database) -> Result<int> {
            m_server.freeze(true);
            return database.each(text("select pg_sleep(1)"), {}, [](const QSqlQuery &) { return Result<>(); }).map([] {
                return 1;
            });
        };
        static_cast<void>(wait(
            runner.run<int>({url(), support::PostgresServer::password(), TaskDatabase::Access::Read}, stopAndAsk)));
        QTRY_VERIFY_WITH_TIMEOUT(answer, 30000);
        QVERIFY(answer->error().kind == ErrorKind::Transient);
        QVERIFY2(answer->error().message.contains(text("did not answer")), qPrintable(answer->error().message));
    }
    m_server.freeze(false);
}

void TestPostgresql::aLostConnectionIsTold()
{
    TaskTables tables = must(open());
    must(tables.overdue(PipelineStep::Send, 1));
    m_server.stop();
    const Result<records::StepTasks> lost = tables.overdue(PipelineStep::Send, 1);
    QVERIFY(!lost);
    QVERIFY2(lost.error().kind == ErrorKind::Transient, qPrintable(lost.error().message));
    const auto database = TaskDatabase::open(url(), support::PostgresServer::password(), TaskDatabase::Access::Read,
                                             std::make_shared<pipeline::Interrupter>());
    QVERIFY(!database);
    QVERIFY2(database.error().kind == ErrorKind::Transient, qPrintable(database.error().message));
    QVERIFY(!database.error().message.contains(QLatin1Char('\n')));
}

REDRIVE_TEST(TestPostgresql)
#include "tst_postgresql.moc"
