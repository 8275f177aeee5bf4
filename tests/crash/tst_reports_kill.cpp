// The scenario "reports", killed again and again while its steps are at work, with its tables in a file and on a PostgreSQL: no
// report is lost, and no receiver gets an item twice.
#include "tests/crash/watchedtables.h"
#include "tests/scenarios/programfixture.h"
#include "tests/support/pipeline/postgresserver.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

namespace {

constexpr int kills = 8;
constexpr int stepsBetweenKills = 29; // of about 370

} // namespace

class TestReportsKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyReportHasAnEndAfterKillsAtAnyMoment_data();
    void everyReportHasAnEndAfterKillsAtAnyMoment();
};

void TestReportsKill::everyReportHasAnEndAfterKillsAtAnyMoment_data()
{
    QTest::addColumn<bool>("hasServer");
    QTest::newRow("file") << false;
    QTest::newRow("PostgreSQL") << true;
}

void TestReportsKill::everyReportHasAnEndAfterKillsAtAnyMoment()
{
    QFETCH(const bool, hasServer);
    if (hasServer && !support::PostgresServer::isInstalled())
        QSKIP("postgresql-15 or libqt6sql6-psql is not installed.");
    const QTemporaryDir folder;
    test::ProgramFixture fixture;
    QStringList words{
        QStringLiteral("demo"),   QStringLiteral("--scenario"), QStringLiteral("reports"), QStringLiteral("--headless"),
        QStringLiteral("--seed"), QStringLiteral("7"),          QStringLiteral("--keep"),  folder.path()};
    support::PostgresServer server;
    std::optional<test::WatchedTables> tables;
    if (hasServer) {
        QVERIFY2(server.start(), qPrintable(server.error()));
        words += {QStringLiteral("--database"), server.url()};
        fixture.setVariable(QStringLiteral("REDRIVE_SECRET_REPORTS"), support::PostgresServer::password());
        tables.emplace(server.connect());
    } else {
        tables.emplace(folder.filePath(QStringLiteral("pipeline.db")));
    }
    const test::Ended last = fixture.runAfterKills(words, kills, [&tables](int kill) {
        return tables->reach("select count(*) from action", kill * stepsBetweenKills);
    });
    QVERIFY2(last.code == 0, last.err.constData());
    const QJsonObject counts = last.json().object();
    const auto count = [&counts](const char *field) { return counts.value(QLatin1StringView(field)).toInt(-1); };
    QVERIFY(counts.value(QStringLiteral("is_over")).toBool());
    QCOMPARE(count("sent"), 120);
    QCOMPARE(count("unaccounted"), 0);
    QCOMPARE(count("processed") + count("poison") + count("reports_in_send_errors") + count("ignored_past_backstop"),
             120);
    QVERIFY(count("processed") > 80);
    QCOMPARE(count("delivered_twice"), 0);
    // Each item of the processed reports has arrived, also of those that went in a batch.
    const qint64 items =
        tables->number("select sum(item_count) from task join sandbox_report on cast(task.report_id as text) "
                       "= sandbox_report.report_id"
                       " join sandbox_part using (number) where sent_as in (select action_params from action "
                       "where action_name = 'send')");
    QVERIFY(items > 80);
    QCOMPARE(tables->number("select count(*) from sandbox_delivery where report_id in"
                            " (select action_params from action where action_name = 'send')"),
             items);
}

REDRIVE_TEST(TestReportsKill)
#include "tst_reports_kill.moc"
