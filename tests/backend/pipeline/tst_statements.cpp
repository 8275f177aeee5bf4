// The statements: for PostgreSQL word for word those of ReportStream's document, and names from outside are only names.
#include "backend/pipeline/statements.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using pipeline::Columns;
using pipeline::DatabaseKind;
using pipeline::Statements;
using records::PipelineStep;

class TestStatements final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theQueriesAreThoseOfTheDocument_data()
    {
        QTest::addColumn<int>("step");
        QTest::addColumn<QString>("query");
        const QString columns =
            QStringLiteral("select report_id, next_action, next_action_at, schema_name, receiver_name,"
                           " item_count, created_at from task where ");
        QTest::newRow("process") << int(PipelineStep::Process)
                                 << columns
                                        + QStringLiteral("next_action = 'process' and next_action_at < now() - interval"
                                                         " '15 minutes'");
        for (const PipelineStep step : {PipelineStep::Batch, PipelineStep::Send}) {
            const QString word = records::toString(step);
            QTest::newRow(qPrintable(word))
                << int(step)
                << columns
                       + QStringLiteral("next_action = '%1' and created_at > now() - interval '4 days' and"
                                        " next_action_at < now() - interval '15 minutes'")
                             .arg(word);
        }
    }

    void theQueriesAreThoseOfTheDocument()
    {
        QFETCH(const int, step);
        QFETCH(const QString, query);
        const Statements statements(DatabaseKind::PostgreSql, {});
        QCOMPARE(statements.overdue(PipelineStep(step), 0), query + QStringLiteral(" order by next_action_at"));
        QCOMPARE(statements.overdue(PipelineStep(step), 7), query + QStringLiteral(" order by next_action_at limit 7"));
    }

    void theReceiversOfTheSettingsAreBounded()
    {
        for (const DatabaseKind kind : {DatabaseKind::PostgreSql, DatabaseKind::Sqlite}) {
            const QString sql = Statements(kind, {}).receiverSettings();
            QVERIFY2(sql.endsWith(QStringLiteral(" order by org.name, item.name limit 10000")), qPrintable(sql));
        }
    }

    void otherNamesAreQuoted()
    {
        Columns columns;
        columns.taskTable = QStringLiteral("jobs.The Task");
        columns.reportId = QStringLiteral("id\"; drop table task; --");
        const QString sql = Statements(DatabaseKind::PostgreSql, columns).overdue(PipelineStep::Process, 0);
        QVERIFY2(sql.startsWith(QStringLiteral("select \"id\"\"; drop table task; --\" as report_id, next_action, ")),
                 qPrintable(sql));
        QVERIFY2(sql.contains(QStringLiteral(" from \"jobs\".\"The Task\" where ")), qPrintable(sql));
    }

    void namesWithPlacesForValuesStayNames()
    {
        Columns columns;
        columns.taskTable = QStringLiteral("%3%7");
        columns.nextAction = QStringLiteral("%1");
        const QString sql = Statements(DatabaseKind::Sqlite, columns).unreadable(PipelineStep::Send);
        QVERIFY2(sql.contains(QStringLiteral(" from \"%3%7\" where \"%1\" = 'send' and ")), qPrintable(sql));
    }

    void textsAreReadAsTimesWhereTheyAreTimes()
    {
        const Statements typed(DatabaseKind::PostgreSql, {}, {{&Columns::actionCreatedAt}, {}});
        QCOMPARE(typed.unreadable(PipelineStep::Send), QString());
        const Statements texts(DatabaseKind::PostgreSql, {}, {{&Columns::nextActionAt}, {}});
        QVERIFY(texts.overdue(PipelineStep::Send, 0).contains(QStringLiteral("created_at > now() - ")));
        QVERIFY(
            texts.overdue(PipelineStep::Send, 0).contains(QStringLiteral(" then next_action_at::text::timestamptz")));
        QVERIFY(
            texts.unreadable(PipelineStep::Send).contains(QStringLiteral("next_action_at is not null and case when")));
    }

    void aTimeWithoutAZoneIsReadAsUtc()
    {
        const Statements statements(DatabaseKind::PostgreSql, {}, {{}, {&Columns::nextActionAt}});
        const QString sql = statements.overdue(PipelineStep::Send, 0);
        QVERIFY2(sql.contains(QStringLiteral(" next_action_at at time zone 'UTC' as next_action_at, schema_name")),
                 qPrintable(sql));
        QVERIFY2(sql.contains(QStringLiteral(" next_action_at at time zone 'UTC' < now() - ")), qPrintable(sql));
    }

    void whatATableLacksIsNotAskedFor()
    {
        Columns columns;
        columns.retryToken.clear();
        columns.actionResult.clear();
        const Statements statements(DatabaseKind::PostgreSql, columns);
        QCOMPARE(statements.sendRetries(5), QString());
        QVERIFY(statements.sendActions(5).startsWith(QStringLiteral(
            "select action_id, action_name, action_params, null as action_result, created_at from action")));
    }
};

REDRIVE_TEST(TestStatements)
#include "tst_statements.moc"
