// The pipeline commands against a fake engine: what they ask, their JSON and exit codes.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;
using core::ErrorKind;
using records::PipelineStep;

namespace {

QString text(const char *words)
{
    return QString::fromUtf8(words);
}

struct Reports : support::CommandRun
{
    Reports()
    {
        records::Pipeline pipeline;
        pipeline.id = core::PipelineId{7};
        pipeline.name = text("reports");
        pipeline.url = text("postgresql://u@db.example/reports");
        client.pipelines.append(pipeline);
        for (const PipelineStep step : records::taskSteps) {
            records::PipelineTask task{records::toString(step) + text("-1"),
                                       records::toString(step),
                                       at,
                                       text("covid-19"),
                                       text("hospital\x1b[2J"),
                                       12,
                                       at - 1h};
            client.pipelineReading.overdue.append({step, {task}, false, text("select 1 from %1").arg(task.nextAction)});
        }
    }

    const core::TimePoint at = core::fromMs(1'767'323'045'678);
};

} // namespace

class TestPipelineCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void addSendsFileAndSecret();
    void addRefusesWhatCannotBe();
    void overdueHasExactlyTheColumnsOfTheQueries();
    void jsonIsNeverCutSilently();
    void timesWithoutEndAreListed();
    void queuesThatNobodyAskedAreToldSo();
    void sqlPrintsTheStatements();
    void errorsAndReceiversHaveTheirShapes();
    void showTellsQueuesAndRetries();
    void anUnreadableValueIsOneLineAndExitCodeOne();
    void raiseTellsWhereTheEventIs();
    void misuseIsToldBeforeAnythingIsRead_data();
    void misuseIsToldBeforeAnythingIsRead();
};

void TestPipelineCommand::addSendsFileAndSecret()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(text("columns.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{}");
    file.close();
    support::CommandRun run;
    const core::ConnectionId shop = run.addConnection(text("shop"));
    const support::CommandResult added =
        run({text("pipeline"), text("add"), text("rs"), text("postgresql://u:s3cret@db.example/reports"),
             text("--columns"), file.fileName(), text("--rights"), text("see"), text("--connection"), text("shop")});
    QCOMPARE(added.code, 0);
    QVERIFY(added.err.contains("--secret-file") && !added.err.contains("s3cret") && !added.out.contains("s3cret"));
    const api::AddPipeline &command = run.client.addedPipelines.first();
    QCOMPARE(command.pipeline.url, text("postgresql://u@db.example/reports"));
    QCOMPARE(command.pipeline.columns, QByteArray("{}"));
    QVERIFY(command.pipeline.rights == records::Rights(records::Right::See));
    QVERIFY(command.pipeline.connection == shop);
    QVERIFY(command.secret == text("s3cret"));
    QVERIFY(run.needs.makesStore);

    QCOMPARE(run("pipeline add other sqlite:tasks.db --json").json()[text("name")].toString(), text("other"));
    QCOMPARE(run.client.addedPipelines.last().pipeline.url,
             text("sqlite:") + QDir::current().absoluteFilePath(text("tasks.db")));
    QVERIFY(!run.client.addedPipelines.last().secret);
    QCOMPARE(run("pipeline list --json").json().toArray().size(), 2);
    QCOMPARE(run("pipeline remove rs").code, 0);
    QCOMPARE(run.client.pipelines.size(), 1);
}

void TestPipelineCommand::addRefusesWhatCannotBe()
{
    support::CommandRun run;
    QCOMPARE(run("pipeline add rs sqlite:tasks.db --columns missing.json").code, 2);
    QCOMPARE(run("pipeline add rs sqlite:tasks.db --rights all").code, 2);
    QVERIFY(run.client.addedPipelines.isEmpty());
    for (const ErrorKind kind : {ErrorKind::Rejected, ErrorKind::Conflict}) {
        run.client.failNext<api::AddPipeline>({kind, text("It has no column id."), {}, {}});
        const support::CommandResult refused = run("pipeline add rs sqlite:tasks.db");
        QCOMPARE(refused.code, 2);
        QCOMPARE(refused.err.count('\n'), 1);
    }
    run.client.failNext<api::AddPipeline>({ErrorKind::Transient, text("It does not answer."), {}, {}});
    QCOMPARE(run("pipeline add rs sqlite:tasks.db").code, 3);
}

void TestPipelineCommand::overdueHasExactlyTheColumnsOfTheQueries()
{
    Reports run;
    const QJsonArray rows = run("pipeline overdue reports --json").json().toArray();
    QCOMPARE(rows.size(), 3);
    QStringList names = rows.first().toObject().keys();
    QStringList expected{text("report_id"),     text("next_action"), text("next_action_at"), text("schema_name"),
                         text("receiver_name"), text("item_count"),  text("created_at")};
    std::sort(expected.begin(), expected.end());
    QCOMPARE(names, expected);
    QCOMPARE(rows.first()[text("report_id")].toString(), text("process-1"));
    QCOMPARE(rows.first()[text("next_action_at")].toString(), text("2026-01-02T03:04:05.678Z"));
    QCOMPARE(rows.first()[text("item_count")].toInt(), 12);
    QCOMPARE(run("pipeline overdue reports --json --step send").json().toArray().size(), 1);
    QVERIFY(run.client.pipelineQuestions.last().steps == QList{PipelineStep::Send});
    const support::CommandResult table = run("pipeline overdue reports --limit 5");
    QVERIFY(table.out.contains("process-1") && !table.out.contains('\x1b'));
    QCOMPARE(run.client.pipelineQuestions.last().limit, 5);
}

// A program reads no standard error: it sees by the exit code that a list is not whole.
void TestPipelineCommand::jsonIsNeverCutSilently()
{
    Reports run;
    QCOMPARE(run("pipeline overdue reports --json").code, 0);
    QCOMPARE(run.client.pipelineQuestions.last().limit, api::ReadPipeline::longest);
    QCOMPARE(run("pipeline overdue reports").code, 0);
    QCOMPARE(run.client.pipelineQuestions.last().limit, 1000); // for people
    run.client.pipelineReading.overdue.first().more = true;
    const support::CommandResult cut = run("pipeline overdue reports --json");
    QCOMPARE(cut.code, 1);
    QVERIFY(cut.err.contains("--limit"));
    const support::CommandResult chosen = run("pipeline overdue reports --json --limit 1");
    QCOMPARE(chosen.code, 0);
    QVERIFY(chosen.err.contains("--limit"));
    run.client.pipelineReading.overdue.first().more = false;
    run.client.pipelineReading.cutTexts = 2;
    const support::CommandResult texts = run("pipeline overdue reports --json");
    QCOMPARE(texts.code, 1);
    QVERIFY2(texts.err.contains("1000 characters"), texts.err.constData());
}

void TestPipelineCommand::timesWithoutEndAreListed()
{
    Reports run;
    run.client.pipelineReading.overdue.first().tasks.first().nextActionAt = records::beforeAllTimes;
    QCOMPARE(run("pipeline overdue reports --json").json().toArray().first()[text("next_action_at")].toString(),
             text("-infinity"));
    QVERIFY(run("pipeline overdue reports").out.contains("-infinity"));
}

void TestPipelineCommand::queuesThatNobodyAskedAreToldSo()
{
    Reports run;
    run.addConnection(text("shop"));
    run.client.snapshot.connections.first().health = api::Health::Unknown;
    const support::CommandResult told = run("pipeline show reports");
    QCOMPARE(told.out.count("not asked"), 6);
    QVERIFY2(told.err.contains("redrive queues --connection shop"), told.err.constData());
    const QJsonValue shape = run("pipeline show reports --json").json();
    QVERIFY(!shape[text("queues_asked")].toBool(true));
    QVERIFY(shape[text("steps")].toArray().first()[text("poison")].isNull());
    run.client.snapshot.connections.first().health = api::Health::Connected;
    QVERIFY(run("pipeline show reports --json").json()[text("queues_asked")].toBool());
    QVERIFY(!run("pipeline show reports").out.contains("not asked"));
}

void TestPipelineCommand::sqlPrintsTheStatements()
{
    Reports run;
    QCOMPARE(run("pipeline overdue reports --sql --step batch").out, QByteArray("select 1 from batch;\n"));
    const QJsonObject both = run("pipeline overdue reports --sql --json").json().toObject();
    QCOMPARE(both[text("sql")].toArray().size(), 3);
    QCOMPARE(both[text("rows")].toArray().size(), 3);
}

void TestPipelineCommand::errorsAndReceiversHaveTheirShapes()
{
    Reports run;
    run.client.pipelineReading.sendActions = {{text("9"), text("send_error"), text("p"), text("gave up"), run.at}};
    records::PipelineReceiver receiver;
    receiver.receiver = text("hospital.daily");
    receiver.cadence = 24h;
    receiver.cadenceFrom = records::PipelineReceiver::CadenceFrom::File;
    receiver.oldestTask = run.at;
    receiver.backstopAt = run.at + 75h;
    receiver.ignoredPastBackstop = 2;
    run.client.pipelineReading.receivers = {receiver, {}};
    const QJsonArray errors = run("pipeline errors reports --json").json().toArray();
    QCOMPARE(errors.size(), 1);
    QCOMPARE(errors.first()[text("action_name")].toString(), text("send_error"));
    QCOMPARE(errors.first()[text("created_at")].toString(), text("2026-01-02T03:04:05.678Z"));
    const QJsonArray receivers = run("pipeline receivers reports --json").json().toArray();
    QCOMPARE(receivers.size(), 2);
    const QJsonObject first = receivers.first().toObject();
    QCOMPARE(first[text("receiver")].toString(), text("hospital.daily"));
    QCOMPARE(first[text("cadence")].toString(), text("24h"));
    QCOMPARE(first[text("oldest_task")].toString(), text("2026-01-02T03:04:05.678Z"));
    QCOMPARE(first[text("backstop_at")].toString(), text("2026-01-05T06:04:05.678Z"));
    QCOMPARE(first[text("ignored_past_backstop")].toInt(), 2);
    QVERIFY(receivers.last()[text("cadence")].isNull() && receivers.last()[text("backstop_at")].isNull());
    run.client.pipelineReading.whyNoSettings = text("Grant the missing right.");
    QVERIFY(run("pipeline receivers reports --json").err.contains("Grant the missing right."));
    run.client.pipelineReading.receivers.removeLast(); // nothing is unknown
    QVERIFY(!run("pipeline receivers reports --json").err.contains("Grant the missing right."));
}

void TestPipelineCommand::showTellsQueuesAndRetries()
{
    Reports run;
    const core::ConnectionId shop = run.addConnection(text("shop"));
    const auto addQueue = [&](const char *name, qint64 depth, qint64 unresolved) {
        api::QueueView queue;
        queue.connection = shop;
        queue.name = text(name);
        queue.depth = depth;
        queue.unresolved = unresolved;
        run.client.snapshot.queues.append(queue);
    };
    addQueue("process", 5, 0);
    addQueue("process-poison", 2, 3);
    addQueue("send_poison", 1, 0);
    run.client.pipelineReading.sendRetries = {{run.client.pipelineReading.overdue.last().tasks.first(), 2}};
    const QJsonObject shape = run("pipeline show reports --json").json().toObject();
    const QJsonArray steps = shape[text("steps")].toArray();
    QCOMPARE(steps.size(), 3);
    QCOMPARE(steps.at(0)[text("queue_depth")].toInt(), 5);
    QCOMPARE(steps.at(0)[text("poison")].toInt(), 2);
    QCOMPARE(steps.at(0)[text("poison_taken")].toInt(), 3);
    QVERIFY(steps.at(1)[text("poison")].isNull());
    QCOMPARE(steps.at(2)[text("poison_queue")].toString(), text("send_poison"));
    QCOMPARE(shape[text("send_retries")].toArray().first()[text("retries")].toInt(), 2);
    QVERIFY(!shape[text("more_send_retries")].toBool());
    run.client.pipelineReading.moreSendRetries = true;
    const support::CommandResult cut = run("pipeline show reports --json");
    QVERIFY(cut.json()[text("more_send_retries")].toBool());
    QVERIFY2(cut.err.contains("next 1 sends"), cut.err.constData());
    run.client.pipelineReading.moreReceivers = true;
    QVERIFY(run("pipeline receivers reports --json").err.contains("--limit"));

    run.client.pipelines.first().connection = core::ConnectionId{4711}; // another broker: not its queues
    QVERIFY(run("pipeline show reports --json").json()[text("steps")].toArray().at(0)[text("poison")].isNull());
}

void TestPipelineCommand::anUnreadableValueIsOneLineAndExitCodeOne()
{
    Reports run;
    run.client.pipelineReading.unreadable = text("task.next_action_at is not a time in the row r1: it holds \"soon\".");
    const support::CommandResult told = run("pipeline overdue reports --json");
    QCOMPARE(told.code, 1);
    QCOMPARE(told.err.count('\n'), 1);
    QVERIFY(told.err.contains("next_action_at"));
    QCOMPARE(told.json().toArray().size(), 3);
}

void TestPipelineCommand::raiseTellsWhereTheEventIs()
{
    Reports run;
    run.client.raisedAnswer.task.reportId = text("r1");
    run.client.raisedAnswer.queue = text("process");
    QVERIFY(run("pipeline raise reports r1").out.contains("process"));
    QCOMPARE(run.client.raises.last().reportId, text("r1"));
    QVERIFY(run.client.raises.last().pipeline == core::PipelineId{7});
    const QJsonObject shape = run("pipeline raise reports r1 --json").json().toObject();
    QCOMPARE(shape[text("queue")].toString(), text("process"));
    QCOMPARE(shape[text("step")].toString(), text("process"));
    const QList<std::pair<ErrorKind, int>> codes{{ErrorKind::Refused, 4},
                                                 {ErrorKind::Conflict, 4},
                                                 {ErrorKind::NotFound, 2},
                                                 {ErrorKind::Transient, 3},
                                                 {ErrorKind::UnknownOutcome, 3}};
    for (const auto &[kind, code] : codes) {
        run.client.failNext<api::RaiseEvent>({kind, text("No."), {}, {}});
        QCOMPARE(run("pipeline raise reports r1").code, code);
    }
    QCOMPARE(run("pipeline raise nobody r1").code, 2);
}

void TestPipelineCommand::misuseIsToldBeforeAnythingIsRead_data()
{
    QTest::addColumn<QByteArray>("words");
    for (const char *words :
         {"pipeline add reports", "pipeline overdue", "pipeline overdue reports --step receive",
          "pipeline overdue reports --step all", "pipeline overdue reports --limit 10001", "pipeline raise reports",
          "pipeline list reports", "pipeline hush reports", "pipeline overdue nobody"})
        QTest::newRow(words) << QByteArray(words);
}

void TestPipelineCommand::misuseIsToldBeforeAnythingIsRead()
{
    QFETCH(const QByteArray, words);
    Reports run;
    const support::CommandResult told = run(words);
    QCOMPARE(told.code, 2);
    QCOMPARE(told.err.count('\n'), 1);
    QVERIFY(run.client.pipelineQuestions.isEmpty() && run.client.raises.isEmpty());
}

REDRIVE_TEST(TestPipelineCommand)
#include "tst_pipelinecommand.moc"
