// The steps of "reports" read the events that Redrive raises again, and what is no event goes to the poison queue.
#include "app/brokers.h"
#include "backend/pipeline/queueevent.h"
#include "backend/sandbox/queueconsumer.h"
#include "backend/sandbox/reports/pipelineevent.h"
#include "backend/sandbox/scenariofile.h"
#include "tests/backend/sandbox/scenariorig.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;
using sandbox::PipelineEvent;

class TestRaisedEvents final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void anEventOfRedriveIsAnEventOfTheScenario();
    void aRaisedProcessEventIsProcessed();
    void aRaisedSendEventIsSent();
    void workersOnOneTaskDoItOnce();
    void whatSendThrowsLeavesItsTaskAsItWas();
    void theMessageOfARetrySaysWhatToSendAgain();
    void whatIsNoEventIsPoison_data();
    void whatIsNoEventIsPoison();
    void aTableThatCannotBeReadIsNoAttempt();

private:
    void start(const QByteArray &processFault, const QByteArray &itemFault, const QByteArray &sendFault = {});
    [[nodiscard]] bool finish()
    {
        return m_simulation->runUntil([this] { return m_run->isOver(); }, 24h);
    }
    void stopRun();
    void raise(const QString &queue, const records::Envelope &event);
    void letPass(core::Milliseconds time)
    {
        m_simulation->runUntil([] { return false; }, time);
    }
    [[nodiscard]] qint64 sql(const char *statement) const;
    [[nodiscard]] QString text(const QString &statement) const;
    [[nodiscard]] QString stuck(const char *action) const
    {
        return text(QStringLiteral("select report_id from task where next_action = '%1'").arg(QLatin1String(action)));
    }
    [[nodiscard]] qint64 reported(const char *field)
    {
        const core::Result<QJsonObject> report = support::outcomeOf(*m_simulation, m_run->report());
        return report ? report->value(QLatin1StringView(field)).toInteger(-1) : -1;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<sandbox::Simulation> m_simulation;
    std::unique_ptr<sandbox::ScenarioRun> m_run;
    QSqlDatabase m_database;
};

namespace {

const QString connectionName = QStringLiteral("raised");

using Events = pipeline::Columns::Events;

records::Envelope raisedEvent(const QString &id, records::PipelineStep step, Events form = Events::Json)
{
    records::PipelineTask task;
    task.reportId = id;
    task.receiverName = id;
    return pipeline::eventMessage(task, step, form);
}

} // namespace

void TestRaisedEvents::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void TestRaisedEvents::stopRun()
{
    if (!m_run)
        return;
    bool stopped = false;
    m_run->stop([&stopped] { stopped = true; });
    m_simulation->runUntil([&stopped] { return stopped; }, 1min);
    m_run.reset();
}

void TestRaisedEvents::cleanup()
{
    stopRun();
    m_simulation.reset();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(connectionName);
}

// One report after the other, to one receiver without a cadence.
void TestRaisedEvents::start(const QByteArray &processFault, const QByteArray &itemFault, const QByteArray &sendFault)
{
    const auto script = sandbox::scenarioFrom(
        R"({"scenario": "reports", "messages": 3, "every": "10s",
            "process": {"policy": {"name": "process", "immediate": 3, "delayed": 0,
                                   "exhausted": {"do": "move", "queue": "poison"}}, "faults": [)"
        + processFault + R"(]},
            "send": {"policy": {"name": "send", "immediate": 0, "delayed": 1,
                                "schedule": {"kind": "exponential", "first": "1m"}, "jitter": "none"}, "faults": [)"
        + sendFault + R"(]},
            "receivers": [{"name": "hospital", "faults": [)"
        + itemFault + "]}]}");
    QVERIFY2(script, qPrintable(script ? QString() : script.error().message));
    m_simulation = std::make_unique<sandbox::Simulation>(core::fromMs(1767225600000), 7);
    QVERIFY(m_simulation->open({}, (*script)->queues()));
    sandbox::ScenarioContext context{m_simulation->clock(), m_simulation->random(), 7,
                                     [this] { return app::simulatedBroker(*m_simulation); }};
    context.folder = m_folder->path();
    m_run = (*script)->makeRun(context);
    QVERIFY(m_run->start());
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), connectionName);
    m_database.setDatabaseName(m_folder->filePath(QStringLiteral("pipeline.db")));
    QVERIFY(m_database.open());
}

void TestRaisedEvents::raise(const QString &queue, const records::Envelope &event)
{
    const std::shared_ptr<broker::Broker> broker = app::simulatedBroker(*m_simulation);
    QVERIFY(support::outcomeOf(*m_simulation, broker->probe()));
    QVERIFY(support::outcomeOf(*m_simulation, sandbox::sendOne(broker, queue, event)));
    letPass(1min);
}

qint64 TestRaisedEvents::sql(const char *statement) const
{
    QSqlQuery query(m_database);
    return query.exec(QString::fromLatin1(statement)) && query.next() ? query.value(0).toLongLong() : -1;
}

QString TestRaisedEvents::text(const QString &statement) const
{
    QSqlQuery query(m_database);
    return query.exec(statement) && query.next() ? query.value(0).toString() : QString();
}

void TestRaisedEvents::anEventOfRedriveIsAnEventOfTheScenario()
{
    const QString id = QStringLiteral("0b1d7e86");
    const std::pair<records::PipelineStep, PipelineEvent::Step> steps[] = {
        {records::PipelineStep::Process, PipelineEvent::Step::Process},
        {records::PipelineStep::Batch, PipelineEvent::Step::Batch},
        {records::PipelineStep::Send, PipelineEvent::Step::Send}};
    for (const auto &[step, same] : steps) {
        QCOMPARE(sandbox::subjectOf(raisedEvent(id, step), same).value_or(QString()), id);
        QCOMPARE(sandbox::envelopeOf({same, id}).body, raisedEvent(id, step).body);
        QCOMPARE(sandbox::subjectOf(raisedEvent(id, step, Events::Text), same).value_or(QString()), id);
    }
}

void TestRaisedEvents::aRaisedProcessEventIsProcessed()
{
    start(R"({"fault": "outage", "from": "0s", "to": "9s", "exception": "E"})", {});
    QVERIFY(finish());
    QCOMPARE(reported("poison"), 1);
    raise(QStringLiteral("process"), raisedEvent(stuck("process"), records::PipelineStep::Process));
    QCOMPARE(sql("select count(*) from task where next_action <> 'none'"), 0);
    QCOMPARE(reported("processed"), 3);
    QCOMPARE(reported("unaccounted"), 0);
}

void TestRaisedEvents::aRaisedSendEventIsSent()
{
    start({}, R"({"fault": "outage", "from": "0s", "to": "90s", "exception": "E"})");
    QVERIFY(finish());
    const qint64 failed = reported("reports_in_send_errors");
    QVERIFY(failed > 0);
    QCOMPARE(sql("select json_extract(retry_token, '$.retryCount') from task where next_action = 'send'"), 1);
    raise(QStringLiteral("send"), raisedEvent(stuck("send"), records::PipelineStep::Send));
    QCOMPARE(reported("reports_in_send_errors"), failed - 1);
    QCOMPARE(reported("delivered_twice"), 0);
    QCOMPARE(reported("unaccounted"), 0);
}

// Two workers get the event at the same moment, and a third one follows.
void TestRaisedEvents::workersOnOneTaskDoItOnce()
{
    start(R"({"fault": "outage", "from": "0s", "to": "9s", "exception": "E"})", {});
    QVERIFY(finish());
    const QString id = stuck("process");
    const std::shared_ptr<broker::Broker> broker = app::simulatedBroker(*m_simulation);
    QVERIFY(support::outcomeOf(*m_simulation, broker->probe()));
    for (int i = 0; i < 3; ++i)
        QVERIFY(support::outcomeOf(*m_simulation, sandbox::sendOne(broker, QStringLiteral("process"),
                                                                   raisedEvent(id, records::PipelineStep::Process))));
    letPass(2min);
    QCOMPARE(sql("select count(*) from action where action_name = 'process'"), 3); // once for each report
    QCOMPARE(reported("processed"), 3);
    QCOMPARE(reported("delivered_twice"), 0);
    QCOMPARE(reported("unaccounted"), 0);
}

void TestRaisedEvents::whatSendThrowsLeavesItsTaskAsItWas()
{
    start({}, {}, R"({"fault": "outage", "from": "0s", "to": "19s", "exception": "E", "message": "No settings."})");
    QVERIFY(finish());
    const qint64 aborted = reported("send_aborts");
    QVERIFY(aborted > 0);
    QCOMPARE(reported("reports_in_send_errors"), aborted);
    QCOMPARE(sql("select count(*) from task where next_action = 'send' and retry_token is null"), aborted);
    QCOMPARE(text(QStringLiteral("select action_result from action where action_name = 'send_error'")),
             QStringLiteral("No settings."));
    QCOMPARE(reported("send_warnings"), 0);
    raise(QStringLiteral("send"), raisedEvent(stuck("send"), records::PipelineStep::Send));
    QCOMPARE(reported("processed"), 3 - aborted + 1);
    QCOMPARE(reported("unaccounted"), 0);
}

// "contains information on what Items to retry", and "the number of retries so far"; TASK has the same as its token.
void TestRaisedEvents::theMessageOfARetrySaysWhatToSendAgain()
{
    start({}, R"({"fault": "outage", "from": "0s", "to": "40s", "exception": "E"})");
    QVERIFY(m_simulation->runUntil(
        [this] { return sql("select count(*) from task where retry_token is not null") == 3; }, 1min));
    stopRun();
    letPass(2min); // they are due, and nobody takes them
    const std::shared_ptr<broker::Broker> broker = app::simulatedBroker(*m_simulation);
    QVERIFY(support::outcomeOf(*m_simulation, broker->probe()));
    const auto waiting = support::outcomeOf(*m_simulation, broker->browse(QStringLiteral("send"), 10));
    QVERIFY(waiting);
    QCOMPARE(waiting->messages.size(), 3);
    for (const broker::ReceivedMessage &message : waiting->messages) {
        const QString id = sandbox::subjectOf(message.envelope, PipelineEvent::Step::Send).value_or(QString());
        const QJsonObject token =
            QJsonDocument::fromJson(message.envelope.body).object().value(QStringLiteral("retryToken")).toObject();
        QCOMPARE(token.value(QStringLiteral("retryCount")).toInt(), 1);
        QVERIFY(!token.value(QStringLiteral("items")).toArray().isEmpty());
        const QString ofTask = text(QStringLiteral("select retry_token from task where report_id = '%1'").arg(id));
        QCOMPARE(QJsonDocument::fromJson(ofTask.toUtf8()).object(), token);
    }
}

void TestRaisedEvents::whatIsNoEventIsPoison_data()
{
    QTest::addColumn<QString>("queue");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("no event") << QStringLiteral("process") << QByteArray("{}");
    QTest::newRow("of another step") << QStringLiteral(
        "send") << QByteArray(R"({"type": "batch", "eventAction": "BATCH", "receiverName": "hospital"})");
    QTest::newRow("no such report") << QStringLiteral("process") << QByteArray("process&PROCESS&nobody&None&&&");
    QTest::newRow("no such receiver") << QStringLiteral("batch") << QByteArray("receiver&BATCH&nobody&false");
    QTest::newRow("no such task") << QStringLiteral("send") << QByteArray("report&SEND&nobody&false");
}

void TestRaisedEvents::whatIsNoEventIsPoison()
{
    QFETCH(const QString, queue);
    QFETCH(const QByteArray, body);
    start({}, {});
    QVERIFY(finish());
    records::Envelope event;
    event.body = body;
    raise(queue, event);
    QCOMPARE(reported("to_error_queue"), 1);
    QCOMPARE(reported("processed"), 3);
    QCOMPARE(reported("unaccounted"), 0);
}

void TestRaisedEvents::aTableThatCannotBeReadIsNoAttempt()
{
    start(R"({"fault": "fails_first", "times": 3, "exception": "E"})", {});
    QVERIFY(finish());
    const QString id = text(QStringLiteral("select report_id from sandbox_report where number = 0"));
    const qint64 before = reported("immediate_retries");
    QSqlQuery query(m_database);
    QVERIFY(query.exec(QStringLiteral("alter table task rename to away")));
    raise(QStringLiteral("process"), raisedEvent(id, records::PipelineStep::Process));
    letPass(5min);
    QVERIFY(query.exec(QStringLiteral("alter table away rename to task")));
    QVERIFY(query.exec(QStringLiteral("update task set next_action = 'process' where report_id = '%1'").arg(id)));
    letPass(5min);
    QCOMPARE(reported("immediate_retries"), before + 3);
    QCOMPARE(sql("select count(*) from task where next_action = 'process'"), 0);
}

REDRIVE_TEST(TestRaisedEvents)
#include "tst_raisedevents.moc"
