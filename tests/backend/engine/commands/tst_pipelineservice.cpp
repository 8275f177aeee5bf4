// Pipelines on a whole engine: what is stored and what is not, who may raise an event, and what a failed send leaves.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/pipelines.h"
#include "backend/records/pipeline.h"
#include "tests/support/enginefixture.h"
#include "tests/support/must.h"
#include "tests/support/pipeline/sampletasks.h"
#include "tests/support/testmain/testmain.h"

#include <QDateTime>
#include <QTest>

using core::ErrorKind;
using core::Result;
using records::PipelineStep;

namespace {

QString text(const char *words)
{
    return QString::fromUtf8(words);
}

struct PipelineRun : support::EngineFixture
{
    explicit PipelineRun(records::Rights ofConnection = records::defaultRights)
    {
        connection.rights = ofConnection;
        fill(2);
        for (const char *queue : {"process", "send"})
            broker->addQueue(text(queue));
        broker->delivered = [this](const support::FakeBroker::Delivery &one) { arrived.append(one); };
        start();
        draft.name = text("reports");
        draft.url = file.url();
        draft.connection = shop;
    }

    // A database answers from a thread of its own: real time passes, and the engine's clock goes on.
    template<api::Request R>
    Result<typename R::Answer> tell(R request)
    {
        const auto asked = std::make_shared<api::Asked<R>>(std::move(request));
        const auto answer = asked->reply.future();
        engine->carryOut(asked, text("ada@desk"));
        const bool ended =
            QTest::qWaitFor([&] { return runUntil([&answer] { return answer.isFinished(); }, 1); }, 30000);
        return ended ? answer.result() : core::fail(ErrorKind::Transient, text("The command did not end."));
    }

    core::PipelineId add() { return test::must(tell(api::AddPipeline{draft, {}})).id; }
    QList<records::Pipeline> all() { return test::must(tell(api::ListPipelines{})); }
    Result<api::RaisedEvent> raise(core::PipelineId id, const char *report)
    {
        return tell(api::RaiseEvent{id, text(report), {}});
    }

    QString past(int minutes) const
    {
        return QDateTime::fromMSecsSinceEpoch(core::toMs(clock.now()), Qt::UTC)
            .addSecs(-60LL * minutes)
            .toString(text("yyyy-MM-dd HH:mm:ss.zzz"));
    }
    void addTask(const char *id, const char *action, int minutesLate)
    {
        file.tasks().addTask({text(id), text(action), past(minutesLate), past(minutesLate + 10)});
    }
    QString dueAt(const char *id)
    {
        return file.tasks()
            .value(text("select next_action_at from task where report_id = '%1'").arg(text(id)))
            .toString();
    }
    // What the activity log has of people.
    QStringList entries()
    {
        QStringList found;
        for (const records::Event &one : events()) {
            if (one.who == text("ada@desk"))
                found.append(one.what + u'|' + one.onWhat + u'|' + one.result);
        }
        return found;
    }

    support::SampleTaskFile file;
    records::Pipeline draft;
    QList<support::FakeBroker::Delivery> arrived;
};

} // namespace

class TestPipelineService final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPipelineIsAddedListedReadAndRemoved();
    void nothingIsStoredOfABadOne_data();
    void nothingIsStoredOfABadOne();
    void namesAreSharedWithConnections();
    void aPipelineSurvivesARestart();
    void readingLeavesOutWhatNobodyAskedFor();
    void aRaisedEventIsInItsQueue();
    void theColumnFileMayAskForTheOlderEvent();
    void withoutAConnectionTheTaskBecomesDue();
    void raisingNeedsBothRights();
    void aFailedSendLeavesTheTaskAsItWas();
    void whoHasTakenUpTheTaskMeanwhileKeepsIt();
    void anUnansweredSendLeavesTheTaskDue();
    void whatNobodyKnowsIsNotFound();
    void closingEndsAQuestion();
};

void TestPipelineService::aPipelineIsAddedListedReadAndRemoved()
{
    PipelineRun run;
    const core::PipelineId id = run.add();
    run.draft.id = id;
    QCOMPARE(run.all(), QList{run.draft});
    run.file.tasks().addTask({text("r1"), text("send"), support::minutesAgo(20), support::minutesAgo(30)});
    const api::PipelineReading reading =
        test::must(run.tell(api::ReadPipeline{id, {PipelineStep::Send}, false, false, 10}));
    QCOMPARE(reading.overdue.size(), 1);
    QCOMPARE(reading.overdue.first().tasks.first().reportId, text("r1"));
    QVERIFY(reading.overdue.first().sql.startsWith(text("select report_id, ")));
    test::must(run.tell(api::RemovePipeline{id}));
    QVERIFY(run.all().isEmpty());
    QCOMPARE(run.entries(), (QStringList{text("Pipeline added|reports|done"), text("Pipeline removed|reports|done")}));
}

void TestPipelineService::nothingIsStoredOfABadOne_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("columns");
    QTest::addColumn<int>("rights");
    QTest::addColumn<QString>("named");
    const int both = records::pipelineRights.toInt();
    const QString name = text("reports");
    QTest::newRow("no name") << text(" ") << QString() << QByteArray() << both << text("name");
    QTest::newRow("no URL") << name << text("reports.db") << QByteArray() << both << text("sqlite:");
    QTest::newRow("a bad column file") << name << QString() << QByteArray(R"({"task": {"id": "x"}})") << both
                                       << text("task.id");
    QTest::newRow("no such column") << name << QString() << QByteArray(R"({"task": {"report_id": "nr"}})") << both
                                    << text("nr");
    QTest::newRow("no such table") << name << QString() << QByteArray(R"({"action": {"table": "deeds"}})") << both
                                   << text("deeds");
    QTest::newRow("another right") << name << QString() << QByteArray() << int(records::Right::Delete) << text("see");
}

void TestPipelineService::nothingIsStoredOfABadOne()
{
    QFETCH(const QString, name);
    QFETCH(const QString, url);
    QFETCH(const QByteArray, columns);
    QFETCH(const int, rights);
    QFETCH(const QString, named);
    PipelineRun run;
    run.draft.name = name;
    run.draft.url = url.isEmpty() ? run.draft.url : url;
    run.draft.columns = columns;
    run.draft.rights = records::Rights::fromInt(rights);
    const auto added = run.tell(api::AddPipeline{run.draft, text("s3cret")});
    QVERIFY(!added);
    QVERIFY(added.error().kind == ErrorKind::Rejected);
    QVERIFY2(added.error().message.contains(named), qPrintable(added.error().message));
    QVERIFY(!added.error().message.contains(QLatin1Char('\n')));
    QVERIFY(run.all().isEmpty());
}

void TestPipelineService::namesAreSharedWithConnections()
{
    PipelineRun run;
    run.draft.name = text("SHOP"); // the variable of its secret would be the one of "shop"
    QVERIFY(run.tell(api::AddPipeline{run.draft, {}}).error().kind == ErrorKind::Conflict);
    run.draft.name = text("reports");
    run.add();
    QVERIFY(run.tell(api::AddPipeline{run.draft, {}}).error().kind == ErrorKind::Conflict);
    api::ConnectionDraft other{run.connection, {}};
    other.connection.name = text("Reports");
    QVERIFY(run.tell(api::SaveConnection{other}).error().kind == ErrorKind::Conflict);
    QCOMPARE(run.all().size(), 1);
}

void TestPipelineService::aPipelineSurvivesARestart()
{
    PipelineRun run;
    run.draft.id = run.add();
    run.restart();
    QCOMPARE(run.all(), QList{run.draft});
}

void TestPipelineService::readingLeavesOutWhatNobodyAskedFor()
{
    PipelineRun run;
    const core::PipelineId id = run.add();
    run.file.tasks().addAction(text("send_error"), text("gave up"), support::hoursAgo(1));
    run.addTask("r1", "batch", 20);
    const api::PipelineReading sends = test::must(run.tell(api::ReadPipeline{id, {}, true, false, 10}));
    QCOMPARE(sends.sendActions.size(), 1);
    QVERIFY(sends.overdue.isEmpty() && sends.receivers.isEmpty());
    const api::PipelineReading receivers = test::must(run.tell(api::ReadPipeline{id, {}, false, true, 10}));
    QCOMPARE(receivers.receivers.size(), 1);
    QVERIFY(receivers.sendActions.isEmpty());
    for (const api::ReadPipeline &bad : {api::ReadPipeline{id, {}, true, false, 0},
                                         api::ReadPipeline{id, {}, true, false, api::ReadPipeline::longest + 1},
                                         api::ReadPipeline{id, {PipelineStep::Receive}, false, false, 1}})
        QVERIFY(run.tell(bad).error().kind == ErrorKind::Rejected);
}

void TestPipelineService::aRaisedEventIsInItsQueue()
{
    PipelineRun run;
    const core::PipelineId id = run.add();
    run.addTask("r1", "process", 20);
    const api::RaisedEvent raised = test::must(run.raise(id, "r1"));
    QCOMPARE(raised.queue, text("process"));
    QVERIFY(raised.step == PipelineStep::Process);
    QCOMPARE(run.arrived.size(), 1);
    QCOMPARE(run.arrived.first().destination, text("process"));
    QCOMPARE(run.arrived.first().envelope.body,
             QByteArray(R"({"at":"","defaults":{},"eventAction":"PROCESS","options":"None","reportId":"r1",)"
                        R"("routeTo":[],"type":"process"})"));
    const QDateTime due = QDateTime::fromString(run.dueAt("r1"), text("yyyy-MM-dd HH:mm:ss.zzz"));
    QVERIFY2(due > QDateTime::fromString(run.past(15), text("yyyy-MM-dd HH:mm:ss.zzz")), qPrintable(run.dueAt("r1")));
    QCOMPARE(run.entries().last(), text("Event raised again|reports: r1|done"));

    QVERIFY(run.raise(id, "r1").error().kind == ErrorKind::Conflict); // it is not stuck any more
    QCOMPARE(run.arrived.size(), 1);
}

void TestPipelineService::theColumnFileMayAskForTheOlderEvent()
{
    PipelineRun run;
    run.draft.columns = R"({"events": "text"})";
    const core::PipelineId id = run.add();
    run.addTask("r1", "send", 20);
    test::must(run.raise(id, "r1"));
    QCOMPARE(run.arrived.first().envelope.body, QByteArray("report&SEND&r1&false"));
}

void TestPipelineService::withoutAConnectionTheTaskBecomesDue()
{
    PipelineRun run;
    run.draft.connection = {};
    const core::PipelineId id = run.add();
    run.addTask("r1", "batch", 20);
    const QString before = run.dueAt("r1");
    const api::RaisedEvent raised = test::must(run.raise(id, "r1"));
    QCOMPARE(raised.queue, QString());
    QVERIFY(run.dueAt("r1") > before);
    QVERIFY(run.arrived.isEmpty());
}

void TestPipelineService::raisingNeedsBothRights()
{
    PipelineRun reader(records::Rights(records::Right::See));
    reader.addTask("r1", "send", 20);
    const QString before = reader.dueAt("r1");
    const Result<api::RaisedEvent> ofConnection = reader.raise(reader.add(), "r1");
    QVERIFY(ofConnection.error().kind == ErrorKind::Refused);
    QVERIFY2(ofConnection.error().message.contains(text("shop")), qPrintable(ofConnection.error().message));

    PipelineRun viewer;
    viewer.draft.rights = records::Right::See;
    viewer.addTask("r1", "send", 20);
    const Result<api::RaisedEvent> ofPipeline = viewer.raise(viewer.add(), "r1");
    QVERIFY(ofPipeline.error().kind == ErrorKind::Refused);
    QVERIFY2(ofPipeline.error().message.contains(text("reports")), qPrintable(ofPipeline.error().message));
    QVERIFY(reader.arrived.isEmpty() && viewer.arrived.isEmpty());
    QCOMPARE(reader.dueAt("r1"), before);
    QVERIFY2(viewer.entries().last().startsWith(text("Event raised again|reports: r1|")),
             qPrintable(viewer.entries().last()));
}

void TestPipelineService::aFailedSendLeavesTheTaskAsItWas()
{
    PipelineRun run;
    const core::PipelineId id = run.add();
    run.addTask("no queue", "batch", 20); // there is no queue "batch"
    run.addTask("full", "send", 20);
    const QString before = run.dueAt("no queue");
    QVERIFY(run.raise(id, "no queue").error().kind == ErrorKind::NotFound);
    QCOMPARE(run.dueAt("no queue"), before);
    run.broker->full.insert(text("send"));
    const QString full = run.dueAt("full");
    QVERIFY(!run.raise(id, "full"));
    QCOMPARE(run.dueAt("full"), full);
    run.broker->full.clear();
    QCOMPARE(test::must(run.raise(id, "full")).queue, text("send"));
}

// The queue is full, and before the task can be changed back somebody changes it: here a trigger of the database.
void TestPipelineService::whoHasTakenUpTheTaskMeanwhileKeepsIt()
{
    PipelineRun run;
    const core::PipelineId id = run.add();
    run.addTask("r1", "send", 20);
    const QString before = run.dueAt("r1");
    run.file.tasks().exec(text("create table writes (n)"));
    run.file.tasks().exec(text("create trigger once before update on task when (select count(*) from writes) > 0"
                               " begin select raise(ignore); end"));
    run.file.tasks().exec(text("create trigger note after update on task begin insert into writes values (1); end"));
    run.broker->full.insert(text("send"));
    const Result<api::RaisedEvent> raised = run.raise(id, "r1");
    QVERIFY(!raised);
    QVERIFY2(raised.error().message.contains(text("somebody else")), qPrintable(raised.error().message));
    QVERIFY(run.dueAt("r1") > before);
}

void TestPipelineService::anUnansweredSendLeavesTheTaskDue()
{
    PipelineRun run;
    const core::PipelineId id = run.add();
    run.addTask("r1", "send", 20);
    const QString before = run.dueAt("r1");
    support::FakeBroker::Faults faults;
    faults.lostAfter = 1000;
    run.broker->setFaults(faults);
    QVERIFY(run.raise(id, "r1").error().kind == ErrorKind::UnknownOutcome);
    QVERIFY(run.dueAt("r1") > before);
}

void TestPipelineService::whatNobodyKnowsIsNotFound()
{
    PipelineRun run;
    const core::PipelineId id = run.add();
    QVERIFY(run.raise(id, "nobody").error().kind == ErrorKind::NotFound);
    const core::PipelineId other{4711};
    QVERIFY(run.raise(other, "r1").error().kind == ErrorKind::NotFound);
    QVERIFY(run.tell(api::ReadPipeline{other, {}, true, false, 10}).error().kind == ErrorKind::NotFound);
    QVERIFY(run.tell(api::RemovePipeline{other}).error().kind == ErrorKind::NotFound);
}

void TestPipelineService::closingEndsAQuestion()
{
    PipelineRun run;
    const core::PipelineId id = run.add();
    run.file.tasks().exec(text("begin exclusive")); // the question waits for the lock
    const auto asked =
        std::make_shared<api::Asked<api::ReadPipeline>>(api::ReadPipeline{id, {PipelineStep::Send}, false, false, 10});
    const auto answer = asked->reply.future();
    run.engine->carryOut(asked, text("ada@desk"));
    run.stop();
    QVERIFY(answer.isFinished());
    QVERIFY(answer.result().error().kind == ErrorKind::Cancelled);
    run.file.tasks().exec(text("commit"));
}

REDRIVE_TEST(TestPipelineService)
#include "tst_pipelineservice.moc"
