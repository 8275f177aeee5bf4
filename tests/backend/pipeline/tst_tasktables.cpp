// Task tables in a file of SQLite: tasks in every state, missing columns, and values that are not what they should be.
#include "backend/pipeline/tasktables.h"
#include "tests/support/must.h"
#include "tests/support/pipeline/sampletasks.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using core::ErrorKind;
using core::Result;
using pipeline::Columns;
using pipeline::TaskDatabase;
using pipeline::TaskTables;
using records::PipelineStep;
using support::hoursAgo;
using support::minutesAgo;

namespace {

QString text(const char *words)
{
    return QString::fromUtf8(words);
}

core::TimePoint now()
{
    return core::fromMs(QDateTime::currentMSecsSinceEpoch());
}

struct Reading
{
    support::SampleTaskFile file;
    std::unique_ptr<TaskDatabase> database;
    Columns columns{};

    void add(const char *id, const char *action, const QString &at, const QString &created, const char *token = "")
    {
        file.tasks().addTask({text(id), text(action), at, created, text("hospital.daily"), text(token)});
    }
    Result<TaskTables> open(TaskDatabase::Access access = TaskDatabase::Access::Read)
    {
        database = test::must(TaskDatabase::open(test::must(pipeline::databaseUrlFrom(file.url())), {}, access,
                                                 std::make_shared<pipeline::Interrupter>()));
        return TaskTables::open(*database, columns);
    }
    QStringList overdue(PipelineStep step)
    {
        TaskTables tables = test::must(open());
        QStringList ids;
        for (const records::PipelineTask &task : test::must(tables.overdue(step, 100)).tasks)
            ids.append(task.reportId);
        return ids;
    }
};

} // namespace

class TestTaskTables final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTaskIsOverdueAfterFifteenMinutes();
    void onlyBatchAndSendForgetOldTasks();
    void theOldestComeFirstAndTheRestIsCounted();
    void timesMayHaveAnyUsualSpelling();
    void valuesAreBoundedAndHarmless();
    void textWhereATimeShouldBeIsNamed();
    void anUnreadableRowCountsOnce();
    void failedSendsAreTheActionsOfThatName();
    void sendRetriesTellTheNextTry();
    void receiversAreSummedUp();
    void theTableOfSettingsTellsTheReceivers();
    void textsOfSettingsAreBoundedAndHarmless();
    void moreReceiversThanTheLimitAreTold();
    void everyMissingColumnIsNamed();
    void aMissingTableIsNamed();
    void optionalColumnsMayBeMissing();
    void otherNamesAreUsed();
    void aStuckTaskBecomesDue();
    void whatIsNotStuckStays();
    void aTaskThatHasMovedOnIsNotChangedBack();
    void whatTheDatabaseDoesNotChangeIsTold();
    void aReportIdThatTwoTasksHaveIsRefused();
    void whatWouldMakeAnotherEventIsRefused_data();
    void whatWouldMakeAnotherEventIsRefused();
    void aLockedFileIsToldAndLeftAlone();
    void anotherFileIsNoDatabase();
};

void TestTaskTables::aTaskIsOverdueAfterFifteenMinutes()
{
    Reading reading;
    for (const char *step : {"process", "batch", "send", "none", "receive"}) {
        const QByteArray word(step);
        reading.add((word + "-late").constData(), step, minutesAgo(16), minutesAgo(30));
        reading.add((word + "-soon").constData(), step, minutesAgo(14), minutesAgo(30));
        reading.add((word + "-ahead").constData(), step, minutesAgo(-60), minutesAgo(30));
        reading.add((word + "-never").constData(), step, QString(), minutesAgo(30));
    }
    QCOMPARE(reading.overdue(PipelineStep::Process), QStringList{text("process-late")});
    QCOMPARE(reading.overdue(PipelineStep::Batch), QStringList{text("batch-late")});
    QCOMPARE(reading.overdue(PipelineStep::Send), QStringList{text("send-late")});
}

void TestTaskTables::onlyBatchAndSendForgetOldTasks()
{
    Reading reading;
    for (const char *step : {"process", "batch", "send"}) {
        reading.add((QByteArray(step) + "-old").constData(), step, hoursAgo(98), hoursAgo(97));
        reading.add((QByteArray(step) + "-young").constData(), step, hoursAgo(94), hoursAgo(95));
    }
    QCOMPARE(reading.overdue(PipelineStep::Process), (QStringList{text("process-old"), text("process-young")}));
    QCOMPARE(reading.overdue(PipelineStep::Batch), QStringList{text("batch-young")});
    QCOMPARE(reading.overdue(PipelineStep::Send), QStringList{text("send-young")});
}

void TestTaskTables::theOldestComeFirstAndTheRestIsCounted()
{
    Reading reading;
    for (int i = 0; i < 5; ++i)
        reading.add(QByteArray::number(i).constData(), "send", minutesAgo(20 + i), hoursAgo(1));
    TaskTables tables = test::must(reading.open());
    const records::StepTasks some = test::must(tables.overdue(PipelineStep::Send, 3));
    QCOMPARE(some.tasks.size(), 3);
    QCOMPARE(some.tasks.first().reportId, text("4"));
    QVERIFY(some.more);
    const records::StepTasks all = test::must(tables.overdue(PipelineStep::Send, 5));
    QCOMPARE(all.tasks.size(), 5);
    QVERIFY(!all.more);
}

void TestTaskTables::timesMayHaveAnyUsualSpelling()
{
    Reading reading;
    reading.add("1", "send", text("2026-01-02T03:04:05Z"), minutesAgo(30));
    reading.add("2", "send", text("2026-01-02T05:04:05.678+02:00"), minutesAgo(30));
    reading.add("3", "send", text("2026-01-02 03:04:06"), minutesAgo(30));
    TaskTables tables = test::must(reading.open());
    const records::StepTasks found = test::must(tables.overdue(PipelineStep::Send, 5));
    QCOMPARE(tables.unreadable(), QString());
    QList<qint64> times;
    for (const records::PipelineTask &task : found.tasks)
        times.append(core::toMs(*task.nextActionAt));
    constexpr qint64 second = 1'767'323'045'000;
    std::sort(times.begin(), times.end());
    QCOMPARE(times, (QList<qint64>{second, second + 678, second + 1000}));
}

void TestTaskTables::valuesAreBoundedAndHarmless()
{
    Reading reading;
    const QString hostile = text("a\x1b[2J\n\u202eb") + QString(5000, QLatin1Char('x'));
    reading.file.tasks().addTask({hostile, text("send"), minutesAgo(20), minutesAgo(20), hostile});
    reading.file.tasks().exec(text("update task set schema_name = x'00ff1b5b41', item_count = 'many'"));
    TaskTables tables = test::must(reading.open());
    const records::PipelineTask task = test::must(tables.overdue(PipelineStep::Send, 5)).tasks.first();
    for (const QString &cell : {task.reportId, task.receiverName, task.schemaName}) {
        QVERIFY(cell.size() <= records::pipelineCellChars + 1);
        for (const QChar one : cell)
            QVERIFY(one.category() != QChar::Other_Control && one.category() != QChar::Other_Format);
    }
    QVERIFY(task.reportId.startsWith(text("a\ufffd[2J\ufffd\ufffdb")));
    QCOMPARE(tables.cutTexts(), 2); // and it is told
    QVERIFY(!task.itemCount);
}

void TestTaskTables::textWhereATimeShouldBeIsNamed()
{
    Reading reading;
    reading.add("good", "batch", minutesAgo(20), minutesAgo(30));
    reading.add("bad-7", "batch", text("soon\nor later"), minutesAgo(30));
    reading.add("bad-8", "batch", minutesAgo(20), text("12:00")); // a time to SQLite, but of which day?
    TaskTables tables = test::must(reading.open());
    const records::StepTasks found = test::must(tables.overdue(PipelineStep::Batch, 5));
    QCOMPARE(found.tasks.size(), 1);
    QCOMPARE(found.tasks.first().reportId, text("good"));
    const QString line = tables.unreadable();
    for (const char *part : {"task", "next_action_at", "bad-7", "soon"})
        QVERIFY2(line.contains(text(part)), qPrintable(line));
    QVERIFY2(!line.contains(QLatin1Char('\n')), qPrintable(line));
    TaskTables others = test::must(reading.open());
    QCOMPARE(test::must(others.overdue(PipelineStep::Send, 5)).tasks.size(), 0);
    QCOMPARE(others.unreadable(), QString()); // not about this step
}

// Several lists meet the same row.
void TestTaskTables::anUnreadableRowCountsOnce()
{
    Reading reading;
    const auto line = [&reading] {
        TaskTables tables = test::must(reading.open());
        for (const PipelineStep step : records::taskSteps)
            test::must(tables.overdue(step, 5));
        test::must(tables.sendRetries(5));
        test::must(tables.receivers(5, now()));
        return tables.unreadable();
    };
    reading.add("bad", "send", text("soon"), text("late"), "1");
    QVERIFY2(line().endsWith(text("holds \"soon\".")), qPrintable(line()));
    reading.add("worse", "batch", text("soon"), hoursAgo(1));
    QVERIFY2(line().endsWith(text(" There are 2 such rows.")), qPrintable(line()));
    for (int i = 0; i < 110; ++i)
        reading.add(QByteArray::number(i).constData(), "batch", text("soon"), hoursAgo(1));
    QVERIFY2(line().endsWith(text(" There are at least 100 such rows.")), qPrintable(line()));

    reading.columns.actionId = text("number"); // there is no such column: rows have no names
    for (const char *result : {"1", "2"})
        reading.file.tasks().addAction(text("send_error"), text(result), text("soon"));
    TaskTables tables = test::must(reading.open());
    test::must(tables.sendActions(5));
    QVERIFY2(tables.unreadable().endsWith(text(" There are 2 such rows.")), qPrintable(tables.unreadable()));
}

void TestTaskTables::failedSendsAreTheActionsOfThatName()
{
    Reading reading;
    support::SampleTasks &tasks = reading.file.tasks();
    tasks.addAction(text("send_warning"), text("try 1"), hoursAgo(2));
    tasks.addAction(text("send"), text("fine"), hoursAgo(2));
    tasks.addAction(text("send_error"), text("gave up"), hoursAgo(1));
    tasks.addAction(text("send_error"), text("no time"), text("yesterday"));
    TaskTables tables = test::must(reading.open());
    const TaskTables::Actions found = test::must(tables.sendActions(10));
    QCOMPARE(found.actions.size(), 3);
    QCOMPARE(found.actions.first().name, text("send_error"));
    QCOMPARE(found.actions.first().result, text("gave up"));
    QCOMPARE(found.actions.at(1).name, text("send_warning"));
    QVERIFY(!found.actions.last().createdAt);
    QVERIFY2(tables.unreadable().contains(text("action.created_at")), qPrintable(tables.unreadable()));
    QVERIFY(test::must(tables.sendActions(2)).more);
}

void TestTaskTables::sendRetriesTellTheNextTry()
{
    Reading reading;
    reading.add("first", "send", minutesAgo(-5), hoursAgo(1), R"({"retryCount": 2, "items": ["*"]})");
    reading.add("second", "send", minutesAgo(-9), hoursAgo(1), "3");
    reading.add("third", "send", minutesAgo(-10), hoursAgo(1), "{broken");
    reading.add("no retry", "send", minutesAgo(-5), hoursAgo(1));
    reading.add("other step", "none", minutesAgo(-5), hoursAgo(1), "1");
    reading.add("given up", "send", minutesAgo(16), hoursAgo(1), "5"); // it keeps its step and its token
    TaskTables tables = test::must(reading.open());
    QVERIFY(test::must(tables.sendRetries(2)).more);
    QVERIFY(!test::must(tables.sendRetries(3)).more);
    const QList<records::SendRetry> found = test::must(tables.sendRetries(10)).retries;
    QCOMPARE(found.size(), 3);
    QCOMPARE(found.at(0).task.reportId, text("first"));
    QVERIFY(found.at(0).task.nextActionAt > now());
    QVERIFY(found.at(0).retries == 2);
    QVERIFY(found.at(1).retries == 3);
    QVERIFY(!found.at(2).retries);
}

void TestTaskTables::receiversAreSummedUp()
{
    Reading reading;
    reading.columns.timings.insert(text("hospital.daily"), {1h, {}, {}, {}});
    reading.columns.backstop = Columns::Backstop::CreatedAt;
    reading.add("old", "batch", minutesAgo(0), hoursAgo(7));
    reading.add("young", "batch", minutesAgo(0), hoursAgo(5));
    reading.add("other", "send", minutesAgo(0), hoursAgo(9));
    TaskTables tables = test::must(reading.open());
    const QList<records::PipelineReceiver> found = test::must(tables.receivers(10, now())).receivers;
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().waiting, 2);
    QCOMPARE(found.first().oldestReport, text("old"));
    QVERIFY(found.first().backstopAt == *found.first().oldestTask + 6h); // 3 x 1 h + 3 h
    QVERIFY(found.first().ignoredPastBackstop == 1);
}

void TestTaskTables::theTableOfSettingsTellsTheReceivers()
{
    Reading reading;
    reading.columns.timings.insert(text("hospital.daily"), {1h, {}, {}, {}});
    reading.add("r1", "batch", minutesAgo(10), minutesAgo(10));
    reading.file.tasks().createSettings();
    reading.file.tasks().addReceiver(text("hospital"), text("daily"), text(R"({"timing": {"numberPerDay": 2}})"));
    reading.file.tasks().addReceiver(text("lab"), text("elr"), text(R"({"timing": {"numberPerDay": 24}})"));
    reading.file.tasks().addReceiver(text("lab"), text("each"), text(R"({"timing": null})")); // gets each report alone
    const auto found = [&reading] {
        TaskTables tables = test::must(reading.open());
        return test::must(tables.receivers(10, now())).receivers;
    };
    const QList<records::PipelineReceiver> receivers = found();
    QCOMPARE(receivers.size(), 2);
    QVERIFY(receivers.first().cadence == 12h);
    QVERIFY(receivers.first().cadenceFrom == records::PipelineReceiver::CadenceFrom::Settings);
    QCOMPARE(receivers.last().receiver, text("lab.elr"));
    QVERIFY(receivers.last().cadence == 1h);

    // Another event of this receiver becomes due: nothing of this changes.
    reading.add("r2", "batch", minutesAgo(0), minutesAgo(0));
    QVERIFY(found().first().cadence == 12h);

    reading.file.tasks().exec(text("drop table setting"));
    reading.file.tasks().exec(text("create table setting (name text)")); // of another program
    QVERIFY(found().first().cadence == 1h);
    TaskTables others = test::must(reading.open());
    QVERIFY(others.receivers(10, now()).has_value());
    QVERIFY2(others.whyNoSettings().contains(text("no such column")), qPrintable(others.whyNoSettings()));
    reading.columns.settingTable = text("setting"); // the file says that it is ReportStream's
    TaskTables tables = test::must(reading.open());
    QVERIFY(!tables.receivers(10, now()));

    reading.columns.settingTable.clear();
    reading.file.tasks().exec(text("drop table setting"));
    TaskTables none = test::must(reading.open());
    QVERIFY(none.receivers(10, now()).has_value());
    QCOMPARE(none.whyNoSettings(), QString()); // there is nothing to be read
}

// Others can write anything into the settings.
void TestTaskTables::textsOfSettingsAreBoundedAndHarmless()
{
    const QByteArray values =
        R"({"timing": {"initialTime": "06:00\n\u202e", "timeZone": ")" + QByteArray(5000, 'Z') + R"("}})";
    const std::optional<pipeline::ReceiverTiming> timing = pipeline::timingOfSetting(values);
    QVERIFY(timing);
    QCOMPARE(timing->initialTime, text("06:00\uFFFD\uFFFD"));
    QVERIFY2(timing->timeZone.size() <= 41, qPrintable(timing->timeZone));
    QVERIFY(timing->timeZone.startsWith(text("ZZZ")));
}

void TestTaskTables::moreReceiversThanTheLimitAreTold()
{
    Reading reading;
    int number = 0;
    for (const char *name : {"c", "a", "b", "a"})
        reading.file.tasks().addTask(
            {QString::number(++number), text("batch"), minutesAgo(0), hoursAgo(1), text(name)});
    TaskTables tables = test::must(reading.open());
    const pipeline::ReceiverTally::Receivers some = test::must(tables.receivers(2, now()));
    QVERIFY(some.more);
    QCOMPARE(some.receivers.size(), 2);
    QCOMPARE(some.receivers.first().receiver, text("a"));
    QCOMPARE(some.receivers.first().waiting, 2); // all of its tasks
    QVERIFY(!test::must(tables.receivers(3, now())).more);
}

void TestTaskTables::everyMissingColumnIsNamed()
{
    Reading reading;
    reading.file.tasks().exec(text("alter table task drop column receiver_name"));
    reading.file.tasks().exec(text("alter table task drop column item_count"));
    const Result<TaskTables> opened = reading.open();
    QVERIFY(!opened);
    QVERIFY(opened.error().kind == ErrorKind::Rejected);
    for (const char *part : {"task", "receiver_name, item_count"})
        QVERIFY2(opened.error().message.contains(text(part)), qPrintable(opened.error().message));
}

void TestTaskTables::aMissingTableIsNamed()
{
    Reading reading;
    reading.columns.actionTable = text("deeds");
    const Result<TaskTables> opened = reading.open();
    QVERIFY(!opened);
    QVERIFY(opened.error().kind == ErrorKind::Rejected);
    QVERIFY2(opened.error().message.contains(text("deeds")), qPrintable(opened.error().message));
}

void TestTaskTables::optionalColumnsMayBeMissing()
{
    Reading reading;
    reading.file.tasks().exec(text("alter table task drop column retry_token"));
    reading.file.tasks().exec(text("alter table action drop column action_result"));
    reading.file.tasks().exec(text("insert into action (action_name, action_params, created_at)"
                                   " values ('send_error', 'p', '%1')")
                                  .arg(hoursAgo(1)));
    TaskTables tables = test::must(reading.open());
    const TaskTables::Actions found = test::must(tables.sendActions(5));
    QCOMPARE(found.actions.first().parameters, text("p"));
    QCOMPARE(found.actions.first().result, QString());
    QVERIFY(test::must(tables.sendRetries(5)).retries.isEmpty());
}

void TestTaskTables::otherNamesAreUsed()
{
    Reading reading;
    reading.file.tasks().exec(text("alter table task rename to \"odd \"\"name\""));
    reading.file.tasks().exec(text("alter table \"odd \"\"name\" rename column next_action_at to due"));
    reading.columns.taskTable = text("odd \"name");
    reading.columns.nextActionAt = text("due");
    reading.file.tasks().exec(
        text("insert into \"odd \"\"name\" values ('r1', 'process', '%1', 's', 'r', 1, '%1', null)").arg(hoursAgo(1)));
    QCOMPARE(reading.overdue(PipelineStep::Process), QStringList{text("r1")});
}

void TestTaskTables::aStuckTaskBecomesDue()
{
    Reading reading;
    reading.add("stuck", "send", text("2026-01-02T03:04:05.678Z"),
                hoursAgo(200)); // too old for the list, not for a person
    TaskTables tables = test::must(reading.open(TaskDatabase::Access::Write));
    const core::TimePoint seen = core::fromMs(1'767'323'045'678);
    const TaskTables::Raised raised = test::must(tables.makeDue(text("stuck"), seen, now()));
    QVERIFY(raised.step == PipelineStep::Send);
    QVERIFY(raised.task.nextActionAt == seen);
    const QString written = reading.file.tasks().value(text("select next_action_at from task")).toString();
    QVERIFY2(written.startsWith(text("20")) && written.endsWith(QLatin1Char('Z')),
             qPrintable(written)); // spelled alike
    QVERIFY(reading.overdue(PipelineStep::Send).isEmpty());

    TaskTables again = test::must(reading.open(TaskDatabase::Access::Write));
    QVERIFY(again.makeDue(text("stuck"), seen, now()).error().kind == ErrorKind::Conflict); // somebody was faster
}

void TestTaskTables::whatIsNotStuckStays()
{
    Reading reading;
    reading.add("done", "none", QString(), hoursAgo(1));
    reading.add("ahead", "send", minutesAgo(-9), hoursAgo(1));
    reading.add("late", "send", minutesAgo(20), hoursAgo(1));
    reading.add("bad", "send", text("soon"), hoursAgo(1));
    const QString all = text("select group_concat(report_id || ' ' || coalesce(next_action_at, '-')) from task");
    const QVariant before = reading.file.tasks().value(all);
    TaskTables tables = test::must(reading.open(TaskDatabase::Access::Write));
    const auto refusal = [&tables](const char *id, std::optional<core::TimePoint> seen) {
        const core::Error error = tables.makeDue(text(id), seen, now()).error();
        return error.kind == ErrorKind::Conflict ? error.message : QString();
    };
    QVERIFY2(refusal("done", {}).contains(text("waits for no step: its next action is \"none\"")),
             qPrintable(refusal("done", {})));
    QVERIFY2(refusal("ahead", {}).contains(text("is not overdue: it is due for send at 20")),
             qPrintable(refusal("ahead", {})));
    QVERIFY2(refusal("ahead", {}).contains(text("overdue 15 min later")), qPrintable(refusal("ahead", {})));
    QVERIFY2(refusal("late", now()).contains(text("no longer as it was shown")), qPrintable(refusal("late", now())));
    QVERIFY(tables.makeDue(text("nobody"), {}, now()).error().kind == ErrorKind::NotFound);
    QVERIFY(tables.makeDue(text("bad"), {}, now()).error().kind == ErrorKind::Conflict);
    QCOMPARE(reading.file.tasks().value(all), before);
}

// Its time is not the one that makeDue() wrote: whoever took it up meanwhile decides about it.
void TestTaskTables::aTaskThatHasMovedOnIsNotChangedBack()
{
    Reading reading;
    reading.add("late", "send", minutesAgo(20), hoursAgo(1));
    TaskTables tables = test::must(reading.open(TaskDatabase::Access::Write));
    const TaskTables::Raised raised = test::must(tables.makeDue(text("late"), {}, now()));
    const QString later = minutesAgo(-7);
    reading.file.tasks().exec(text("update task set next_action_at = '%1'").arg(later));
    const Result<> restored = tables.restore(raised);
    QVERIFY(!restored);
    QVERIFY(restored.error().kind == ErrorKind::Conflict);
    QCOMPARE(reading.file.tasks().value(text("select next_action_at from task")).toString(), later);
}

void TestTaskTables::whatTheDatabaseDoesNotChangeIsTold()
{
    Reading reading;
    reading.add("late", "send", minutesAgo(20), hoursAgo(1));
    reading.file.tasks().exec(text("create trigger guard before update on task begin select raise(ignore); end"));
    TaskTables tables = test::must(reading.open(TaskDatabase::Access::Write));
    const Result<TaskTables::Raised> raised = tables.makeDue(text("late"), {}, now());
    QVERIFY(!raised);
    QVERIFY2(raised.error().kind == ErrorKind::Conflict, qPrintable(raised.error().message));
}

void TestTaskTables::aReportIdThatTwoTasksHaveIsRefused()
{
    Reading reading;
    reading.file.tasks().exec(text("create table twins as select * from task"));
    reading.columns.taskTable = text("twins");
    const QString before = minutesAgo(20);
    for (int i = 0; i < 2; ++i)
        reading.file.tasks().exec(
            text("insert into twins values ('late', 'send', '%1', 's', 'r', 1, '%1', null)").arg(before));
    TaskTables tables = test::must(reading.open(TaskDatabase::Access::Write));
    const Result<TaskTables::Raised> raised = tables.makeDue(text("late"), {}, now());
    QVERIFY(!raised);
    QVERIFY(raised.error().kind == ErrorKind::Conflict);
    QVERIFY2(raised.error().message.contains(text("2 tasks")), qPrintable(raised.error().message));
    QCOMPARE(reading.file.tasks().value(text("select max(next_action_at) from twins")).toString(),
             before); // rolled back
}

void TestTaskTables::whatWouldMakeAnotherEventIsRefused_data()
{
    QTest::addColumn<QString>("report");
    QTest::addColumn<QString>("action");
    QTest::addColumn<QString>("receiver");
    QTest::addColumn<bool>("isRefused");
    const QString r1 = text("r1");
    QTest::newRow("& in the receiver of an event as text") << r1 << text("batch") << text("a&BATCH&b") << true;
    QTest::newRow("a line break") << r1 << text("batch") << text("a\nb") << true;
    QTest::newRow("too long") << r1 << text("batch") << QString(1001, QLatin1Char('x')) << true;
    QTest::newRow("& in the report id, as text") << text("r&1") << text("send") << text("a") << true;
    QTest::newRow("& in an event in JSON") << r1 << text("batch") << text("a&BATCH&b") << false;
    QTest::newRow("a receiver that is not in the event, as text") << r1 << text("send") << text("a&b") << false;
}

void TestTaskTables::whatWouldMakeAnotherEventIsRefused()
{
    QFETCH(const QString, report);
    QFETCH(const QString, action);
    QFETCH(const QString, receiver);
    QFETCH(const bool, isRefused);
    Reading reading;
    const QString at = minutesAgo(20);
    reading.file.tasks().addTask({report, action, at, hoursAgo(1), receiver});
    if (QByteArray(QTest::currentDataTag()).contains("text"))
        reading.columns.events = Columns::Events::Text;
    TaskTables tables = test::must(reading.open(TaskDatabase::Access::Write));
    const Result<TaskTables::Raised> raised = tables.makeDue(report, {}, now());
    QCOMPARE(!raised, isRefused);
    if (!isRefused)
        return;
    QVERIFY2(raised.error().kind == ErrorKind::Rejected, qPrintable(raised.error().message));
    QVERIFY(!raised.error().message.contains(QLatin1Char('\n')));
    QCOMPARE(reading.file.tasks().value(text("select next_action_at from task")).toString(), at);
}

void TestTaskTables::aLockedFileIsToldAndLeftAlone()
{
    Reading reading;
    reading.add("late", "send", minutesAgo(20), hoursAgo(1));
    TaskTables tables = test::must(reading.open());
    reading.file.tasks().exec(text("begin exclusive"));
    const Result<records::StepTasks> found = tables.overdue(PipelineStep::Send, 5);
    QVERIFY(!found);
    QVERIFY(found.error().kind == ErrorKind::Transient);
    QVERIFY2(found.error().message.contains(text("locked")), qPrintable(found.error().message));
    reading.file.tasks().exec(text("commit"));
    QCOMPARE(test::must(tables.overdue(PipelineStep::Send, 5)).tasks.size(), 1);
}

void TestTaskTables::anotherFileIsNoDatabase()
{
    Reading reading;
    QFile file(reading.file.path() + text(".txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(4096, 'x'));
    file.close();
    auto database = TaskDatabase::open({pipeline::DatabaseKind::Sqlite, {}, 0, {}, file.fileName(), {}}, {},
                                       TaskDatabase::Access::Read, std::make_shared<pipeline::Interrupter>());
    core::Error error;
    if (database)
        error = TaskTables::open(**database, {}).error();
    else
        error = database.error();
    QVERIFY(error.kind == ErrorKind::Rejected);
    QVERIFY2(error.message.contains(file.fileName()), qPrintable(error.message));
    QVERIFY(!error.message.contains(QLatin1Char('\n')));
}

REDRIVE_TEST(TestTaskTables)
#include "tst_tasktables.moc"
