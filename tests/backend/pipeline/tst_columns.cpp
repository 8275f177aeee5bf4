// The file with the names of tables and columns: what it can say, and that each mistake is named.
#include "backend/pipeline/columns.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;

class TestColumns final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anEmptyFileMeansTheNamesOfReportStream()
    {
        const pipeline::Columns columns = test::must(pipeline::columnsFrom({}));
        QCOMPARE(columns.taskTable, QStringLiteral("task"));
        QCOMPARE(columns.actionTable, QStringLiteral("action"));
        for (const pipeline::ColumnField &field : pipeline::taskFields())
            QCOMPARE(columns.*field.column, QString::fromLatin1(field.name));
        for (const pipeline::ColumnField &field : pipeline::actionFields())
            QCOMPARE(columns.*field.column, QString::fromLatin1(field.name));
    }

    void theFileRenamesWhatItNames()
    {
        const QByteArray file = R"({"task": {"table": "jobs.task", "report_id": "id", "next_action_at": "due"},
                                    "action": {"action_name": "what", "created_at": "at"},
                                    "setting": {"table": "jobs.setting"}, "backstop": "created_at", "events": "text",
                                    "receivers": {"hospital.daily": "24h",
                                                  "lab.elr": {"number_per_day": 4, "initial_time": "06:30"}}})";
        const pipeline::Columns columns = test::must(pipeline::columnsFrom(file));
        QCOMPARE(columns.taskTable, QStringLiteral("jobs.task"));
        QCOMPARE(columns.reportId, QStringLiteral("id"));
        QCOMPARE(columns.nextActionAt, QStringLiteral("due"));
        QCOMPARE(columns.createdAt, QStringLiteral("created_at"));
        QCOMPARE(columns.actionTable, QStringLiteral("action"));
        QCOMPARE(columns.actionName, QStringLiteral("what"));
        QCOMPARE(columns.actionCreatedAt, QStringLiteral("at"));
        QCOMPARE(columns.settingTable, QStringLiteral("jobs.setting"));
        QVERIFY(columns.events == pipeline::Columns::Events::Text);
        QVERIFY(columns.backstop == pipeline::Columns::Backstop::CreatedAt);
        QVERIFY(columns.timings.value(QStringLiteral("hospital.daily")).every == 24h);
        const pipeline::ReceiverTiming lab = columns.timings.value(QStringLiteral("lab.elr"));
        QVERIFY(lab.every == 6h && lab.numberPerDay == 4);
        QCOMPARE(lab.initialTime, QStringLiteral("06:30"));
    }

    void eachMistakeIsNamed_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("named");
        QTest::newRow("no JSON") << QByteArray("{") << QStringLiteral("line 1");
        QTest::newRow("no object") << QByteArray("[]") << QString();
        QTest::newRow("another field") << QByteArray(R"({"tasks": {}})") << QStringLiteral("tasks");
        QTest::newRow("another column") << QByteArray(R"({"task": {"report": "id"}})") << QStringLiteral("task.report");
        QTest::newRow("no text") << QByteArray(R"({"task": {"report_id": 7}})") << QStringLiteral("task.report_id");
        QTest::newRow("an empty name") << QByteArray(R"({"action": {"table": " "}})") << QStringLiteral("action.table");
        QTest::newRow("no span") << QByteArray(R"({"receivers": {"a": "daily"}})")
                                 << QStringLiteral("receivers[\"a\"]");
        QTest::newRow("no time between batches")
            << QByteArray(R"({"receivers": {"a": "0s"}})") << QStringLiteral("receivers[\"a\"]");
        QTest::newRow("too often a day") << QByteArray(R"({"receivers": {"a": {"number_per_day": 1441}}})")
                                         << QStringLiteral("number_per_day");
        QTest::newRow("no time of day") << QByteArray(
            R"({"receivers": {"a": {"number_per_day": 1, "initial_time": "noon"}}})")
                                        << QStringLiteral("initial_time");
        QTest::newRow("other events") << QByteArray(R"({"events": "xml"})") << QStringLiteral("events");
        QTest::newRow("another backstop") << QByteArray(R"({"backstop": "sent_at"})") << QStringLiteral("backstop");
        QTest::newRow("no UTF-8") << QByteArray("{\"task\": \"\xff\"}") << QStringLiteral("UTF-8");
        QTest::newRow("too long") << QByteArray(pipeline::longestColumnFile + 1, ' ')
                                  << QString::number(pipeline::longestColumnFile);
    }

    void eachMistakeIsNamed()
    {
        QFETCH(const QByteArray, file);
        QFETCH(const QString, named);
        const core::Result<pipeline::Columns> columns = pipeline::columnsFrom(file);
        QVERIFY(!columns);
        QCOMPARE(int(columns.error().kind), int(core::ErrorKind::Rejected));
        QVERIFY2(columns.error().message.contains(named), qPrintable(columns.error().message));
        QVERIFY(!columns.error().message.contains(QLatin1Char('\n')));
    }
};

REDRIVE_TEST(TestColumns)
#include "tst_columns.moc"
