// The scenario "reports", killed again and again while its steps are at work: no report is lost, and no receiver gets an
// item twice.
#include "tests/support/testmain/testmain.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

class TestReportsKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyReportHasAnEndAfterKillsAtAnyMoment();

private:
    void begin(QProcess &program) const;
    [[nodiscard]] static qint64 number(const char *sql);
    [[nodiscard]] static qint64 steps() { return number("select count(*) from action"); } // of the pipeline, stored

    QTemporaryDir m_folder;
};

namespace {

constexpr int kills = 8;
constexpr int stepsBetweenKills = 29; // of about 370
constexpr int timeoutMs = 120000;
const QString connectionName = QStringLiteral("watched");

} // namespace

void TestReportsKill::begin(QProcess &program) const
{
    program.setProcessChannelMode(QProcess::SeparateChannels);
    program.start(QStringLiteral(REDRIVE_PROGRAM),
                  {QStringLiteral("demo"), QStringLiteral("--scenario"), QStringLiteral("reports"),
                   QStringLiteral("--headless"), QStringLiteral("--json"), QStringLiteral("--seed"),
                   QStringLiteral("7"), QStringLiteral("--keep"), m_folder.path()});
}

qint64 TestReportsKill::number(const char *sql)
{
    QSqlQuery query(QSqlDatabase::database(connectionName));
    return query.exec(QString::fromLatin1(sql)) && query.next() ? query.value(0).toLongLong() : 0;
}

void TestReportsKill::everyReportHasAnEndAfterKillsAtAnyMoment()
{
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), connectionName);
    database.setDatabaseName(m_folder.filePath(QStringLiteral("pipeline.db")));
    for (int kill = 1; kill <= kills; ++kill) {
        QProcess program;
        begin(program);
        QVERIFY(program.waitForStarted(timeoutMs));
        while (!QFile::exists(database.databaseName()) && !program.waitForFinished(1)) {
        }
        QVERIFY(database.open());
        while (steps() < kill * stepsBetweenKills && !program.waitForFinished(1)) {
        }
        QVERIFY2(program.state() == QProcess::Running, program.readAllStandardError().constData());
        program.kill();
        QVERIFY(program.waitForFinished(timeoutMs));
    }
    QProcess last;
    begin(last);
    QVERIFY(last.waitForFinished(timeoutMs));
    QVERIFY2(last.exitCode() == 0, last.readAllStandardError().constData());
    const QJsonObject counts = QJsonDocument::fromJson(last.readAllStandardOutput()).object();
    const auto count = [&counts](const char *field) { return counts.value(QLatin1StringView(field)).toInt(-1); };
    QVERIFY(counts.value(QStringLiteral("is_over")).toBool());
    QCOMPARE(count("sent"), 120);
    QCOMPARE(count("unaccounted"), 0);
    QCOMPARE(count("processed") + count("poison") + count("reports_in_send_errors") + count("ignored_past_backstop"),
             120);
    QVERIFY(count("processed") > 80);
    QCOMPARE(count("delivered_twice"), 0);
    // Each item of the processed reports has arrived, also of those that went in a batch.
    const qint64 items = number("select sum(item_count) from task join sandbox_report using (report_id)"
                                " where sent_as in (select action_params from action where action_name = 'send')");
    QVERIFY(items > 80);
    QCOMPARE(number("select count(*) from sandbox_delivery where report_id in"
                    " (select action_params from action where action_name = 'send')"),
             items);
}

REDRIVE_TEST(TestReportsKill)
#include "tst_reports_kill.moc"
