// The scenario "reports" on a simulated clock: the pipeline of ReportStream, and the states in which it leaves what is
// stuck.
#include "backend/pipeline/tasktables.h"
#include "backend/sandbox/reports/reportsscript.h"
#include "tests/backend/sandbox/scenariorig.h"
#include "tests/support/must.h"
#include "tests/support/pipeline/postgresserver.h"
#include "tests/support/pipeline/sampletasks.h"
#include "tests/support/testmain/testmain.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

class TestReports final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyReportHasAnEnd();
    void whatFailsFourTimesIsPoisonAndItsTaskUnchanged();
    void sendsAreRepeatedInPartAndGivenUpAfterFourRetries();
    void abortedBatchesWaitForTheirNextTurnUntilTheBackstop();
    void theQueriesOf001FindExactlyWhatIsStuck();
    void theConsoleKnowsTheReceiversOfTheRun();
    void theLogTellsWhatFailedAndWhatCameOfIt();
    void noItemIsDeliveredTwice();
    void onPostgresqlItGoesTheSameWay();
    void theSameSeedGivesTheSameCounts();
    void theDayOfTheStartChangesNothing();

private:
    [[nodiscard]] qint64 count(const char *field) const
    {
        return m_outcome.report.value(QLatin1StringView(field)).toInteger(-1);
    }
    [[nodiscard]] static qint64 sql(const QString &statement);

    QTemporaryDir m_folder;
    support::ScenarioOutcome m_outcome;
};

qint64 TestReports::sql(const QString &statement)
{
    QSqlQuery query(QSqlDatabase::database(QStringLiteral("pipeline")));
    if (!query.exec(statement) || !query.next())
        return -1;
    return query.value(0).toLongLong();
}

void TestReports::initTestCase()
{
    m_outcome = support::runScenario({QStringLiteral("reports"), 7, {}, m_folder.path()});
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("pipeline"));
    database.setDatabaseName(m_folder.filePath(sandbox::pipelineFile.toString()));
    QVERIFY(database.open());
}

void TestReports::everyReportHasAnEnd()
{
    QVERIFY(m_outcome.isOver);
    QCOMPARE(count("sent"), 120);
    QCOMPARE(count("unaccounted"), 0);
    QCOMPARE(count("processed") + count("failed_for_good"), count("sent"));
    QVERIFY(count("processed") > 80);
    QVERIFY(count("receive_refused") > 0); // the sender repeated them
}

void TestReports::whatFailsFourTimesIsPoisonAndItsTaskUnchanged()
{
    QVERIFY(count("poison") > 0);
    QCOMPARE(count("to_error_queue"), count("poison"));
    QCOMPARE(sql(QStringLiteral("select count(*) from task where next_action = 'process' and receiver_name is null")),
             count("poison"));
    // Three retries for each of them, and some for those that worked in the end.
    QVERIFY(count("immediate_retries") > 3 * count("poison"));
}

void TestReports::sendsAreRepeatedInPartAndGivenUpAfterFourRetries()
{
    QVERIFY(count("send_errors") > 0);
    QVERIFY(count("send_warnings") > 4 * count("send_errors"));
    const QString perSend = QStringLiteral("select %1(n) from (select count(*) n from action where action_name ="
                                           " 'send_warning' group by action_params)");
    QCOMPARE(sql(perSend.arg(QStringLiteral("max"))), 4);
    QCOMPARE(sql(QStringLiteral("select count(*) from task where retry_token is not null and next_action = 'send'")),
             count("send_errors"));
    // In part: the other items of a send that was given up have been delivered.
    QVERIFY(sql(QStringLiteral("select count(*) from sandbox_delivery join action on action_params = report_id"
                               " where action_name = 'send_error'"))
            > 0);
}

void TestReports::abortedBatchesWaitForTheirNextTurnUntilTheBackstop()
{
    QVERIFY(count("batches") >= 3);
    QVERIFY(count("batch_aborts") >= 3);
    QVERIFY(count("ignored_past_backstop") > 0);
    QCOMPARE(sql(QStringLiteral("select count(*) from task where next_action = 'batch'")),
             count("ignored_past_backstop"));
    // The outage of the county cost it two turns, and nothing else.
    QCOMPARE(
        sql(QStringLiteral("select count(*) from task where next_action = 'batch' and receiver_name like 'county%'")),
        0);
}

// The run ended yesterday, so the queries are asked as they are.
void TestReports::theQueriesOf001FindExactlyWhatIsStuck()
{
    const QString overdue =
        QStringLiteral("select count(*) from (select report_id, next_action, next_action_at, schema_name,"
                       " receiver_name, item_count, created_at from task where next_action = '%1'"
                       " and datetime(created_at) > datetime('now', '-4 days')"
                       " and datetime(next_action_at) < datetime('now', '-15 minutes'))");
    QCOMPARE(sql(overdue.arg(QStringLiteral("process"))), count("poison"));
    QCOMPARE(sql(overdue.arg(QStringLiteral("batch"))), count("ignored_past_backstop"));
    QCOMPARE(sql(overdue.arg(QStringLiteral("send"))), count("send_errors"));
    QCOMPARE(sql(QStringLiteral("select count(*) from action where action_name = 'send_error'")), count("send_errors"));
}

// The console reads the receivers in the tables of the run, and counts what the run counts.
void TestReports::theConsoleKnowsTheReceiversOfTheRun()
{
    const QString url = QStringLiteral("sqlite:") + m_folder.filePath(sandbox::pipelineFile.toString());
    const auto database = test::must(pipeline::TaskDatabase::open(test::must(pipeline::databaseUrlFrom(url)), {},
                                                                  pipeline::TaskDatabase::Access::Read,
                                                                  std::make_shared<pipeline::Interrupter>()));
    pipeline::TaskTables tables = test::must(pipeline::TaskTables::open(*database, {}));
    qint64 ignored = 0;
    QHash<QString, records::PipelineReceiver> known;
    const core::TimePoint now = core::fromMs(QDateTime::currentMSecsSinceEpoch());
    for (const records::PipelineReceiver &one : test::must(tables.receivers(10, now)).receivers) {
        ignored += one.ignoredPastBackstop.value_or(0);
        known.insert(one.receiver, one);
    }
    QCOMPARE(ignored, count("ignored_past_backstop"));
    const records::PipelineReceiver county = known.value(QStringLiteral("county.quarter_hour"));
    QVERIFY(county.cadence == core::Milliseconds(std::chrono::minutes(15)) && county.numberPerDay == 96);
    QCOMPARE(county.initialTime, QStringLiteral("00:00"));
    QVERIFY(!known.contains(QStringLiteral("hospital.elr"))); // it gets each report alone
}

void TestReports::theLogTellsWhatFailedAndWhatCameOfIt()
{
    const QString log = m_outcome.log.join(QLatin1Char('\n'));
    const auto lines = [&log](const char *words) { return qint64(log.count(QString::fromLatin1(words))); };
    QCOMPARE(lines("Receive "), count("receive_refused"));
    QCOMPARE(lines("the queue brings it again"), count("immediate_retries"));
    QCOMPARE(lines("to process_poison"), count("poison"));
    QCOMPARE(lines("tasks wait for the next turn"), count("batch_aborts"));
    QCOMPARE(lines("send_warning: "), count("send_warnings"));
    QCOMPARE(lines("send_error: "), count("send_errors"));
    QVERIFY2(log.contains(QStringLiteral("Batch county.quarter_hour: aborted: Connection refused.")), qPrintable(log));
}

void TestReports::noItemIsDeliveredTwice()
{
    QCOMPARE(count("delivered_twice"), 0);
    QVERIFY(sql(QStringLiteral("select count(*) from sandbox_delivery")) > 100);
}

// Row locks are real there.
void TestReports::onPostgresqlItGoesTheSameWay()
{
    if (!support::PostgresServer::isInstalled())
        QSKIP("postgresql-15 or libqt6sql6-psql is not installed.");
    support::PostgresServer server;
    QVERIFY2(server.start(), qPrintable(server.error()));
    support::ScenarioOrder order{QStringLiteral("reports"), 7};
    order.database = sandbox::PostgresPlace{QStringLiteral("127.0.0.1"), server.port(), QStringLiteral("redrive"),
                                            support::PostgresServer::password(), QStringLiteral("postgres"), {}};
    const support::ScenarioOutcome outcome = support::runScenario(order);
    QVERIFY(outcome.isOver);
    for (const char *field : {"sent", "processed", "poison", "send_errors", "send_warnings", "ignored_past_backstop",
                              "delivered_twice", "unaccounted", "immediate_retries"})
        QCOMPARE(outcome.report.value(QLatin1StringView(field)).toInteger(-1), count(field));
    support::SampleTasks tables(server.connect());
    QCOMPARE(tables
                 .value(QStringLiteral("select count(*) from task where next_action = 'process'"
                                       " and receiver_name is null"))
                 .toLongLong(),
             count("poison"));
}

void TestReports::theSameSeedGivesTheSameCounts()
{
    const support::ScenarioOutcome again = support::runScenario({QStringLiteral("reports"), 7});
    QCOMPARE(again.report, m_outcome.report);
}

void TestReports::theDayOfTheStartChangesNothing()
{
    support::ScenarioOrder order{QStringLiteral("reports"), 7};
    for (const char *day : {"2025-11-05T00:00:00Z", "2026-03-17T00:00:00Z"}) {
        order.start = core::fromMs(QDateTime::fromString(QLatin1String(day), Qt::ISODate).toMSecsSinceEpoch());
        QCOMPARE(support::runScenario(order).report, m_outcome.report);
    }
}

REDRIVE_TEST(TestReports)
#include "tst_reports.moc"
