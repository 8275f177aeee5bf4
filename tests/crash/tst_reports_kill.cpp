// The scenario "reports", killed again and again while its steps are at work, with its tables in a file and on a PostgreSQL: no
// report is lost, and no receiver gets an item twice.
#include "tests/support/pipeline/postgresserver.h"
#include "tests/support/testmain/testmain.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

namespace {

constexpr int kills = 8;
constexpr int stepsBetweenKills = 29; // of about 370
constexpr int timeoutMs = 120000;
const QString connectionName = QStringLiteral("watched");

} // namespace

class TestReportsKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyReportHasAnEndAfterKillsAtAnyMoment_data();
    void everyReportHasAnEndAfterKillsAtAnyMoment();

private:
    [[nodiscard]] bool openDatabase(const QProcess &program);
    void begin(QProcess &program) const;
    [[nodiscard]] static qint64 number(const char *sql);
    [[nodiscard]] static qint64 steps() { return number("select count(*) from action"); } // of the pipeline, stored

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<support::PostgresServer> m_server; // null: the tables are in a file
};

void TestReportsKill::begin(QProcess &program) const
{
    program.setProcessChannelMode(QProcess::SeparateChannels);
    QStringList words{QStringLiteral("demo"),       QStringLiteral("--scenario"), QStringLiteral("reports"),
                      QStringLiteral("--headless"), QStringLiteral("--json"),     QStringLiteral("--seed"),
                      QStringLiteral("7"),          QStringLiteral("--keep"),     m_folder->path()};
    if (m_server) {
        words += {QStringLiteral("--database"), m_server->url()};
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("REDRIVE_SECRET_REPORTS"), support::PostgresServer::password());
        program.setProcessEnvironment(environment);
    }
    program.start(QStringLiteral(REDRIVE_PROGRAM), words);
}

// A file when it is there: the first run makes it.
bool TestReportsKill::openDatabase(const QProcess &program)
{
    if (QSqlDatabase::contains(connectionName) && QSqlDatabase::database(connectionName).isOpen())
        return true;
    if (m_server) {
        QSqlDatabase::cloneDatabase(m_server->connect(), connectionName);
        return QSqlDatabase::database(connectionName).isOpen();
    }
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), connectionName);
    database.setDatabaseName(m_folder->filePath(QStringLiteral("pipeline.db")));
    while (!QFile::exists(database.databaseName()) && program.state() != QProcess::NotRunning)
        QThread::msleep(1);
    return database.open();
}

void TestReportsKill::everyReportHasAnEndAfterKillsAtAnyMoment_data()
{
    QTest::addColumn<bool>("hasServer");
    QTest::newRow("file") << false;
    QTest::newRow("PostgreSQL") << true;
}

qint64 TestReportsKill::number(const char *sql)
{
    QSqlQuery query(QSqlDatabase::database(connectionName));
    return query.exec(QString::fromLatin1(sql)) && query.next() ? query.value(0).toLongLong() : 0;
}

void TestReportsKill::everyReportHasAnEndAfterKillsAtAnyMoment()
{
    QFETCH(const bool, hasServer);
    if (hasServer && !support::PostgresServer::isInstalled())
        QSKIP("postgresql-15 or libqt6sql6-psql is not installed.");
    QSqlDatabase::removeDatabase(connectionName);
    m_folder = std::make_unique<QTemporaryDir>();
    m_server = hasServer ? std::make_unique<support::PostgresServer>() : nullptr;
    QVERIFY(!m_server || m_server->start());
    for (int kill = 1; kill <= kills; ++kill) {
        QProcess program;
        begin(program);
        QVERIFY(program.waitForStarted(timeoutMs));
        QVERIFY(openDatabase(program));
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
    const qint64 items = number("select sum(item_count) from task join sandbox_report on cast(task.report_id as text) "
                                "= sandbox_report.report_id"
                                " join sandbox_part using (number) where sent_as in (select action_params from action "
                                "where action_name = 'send')");
    QVERIFY(items > 80);
    QCOMPARE(number("select count(*) from sandbox_delivery where report_id in"
                    " (select action_params from action where action_name = 'send')"),
             items);
}

REDRIVE_TEST(TestReportsKill)
#include "tst_reports_kill.moc"
