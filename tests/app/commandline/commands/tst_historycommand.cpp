// The history on the command line: asked as written, shown for people and for scripts.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QTest>

class TestHistoryCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyPartIsAsked();
    void mistakesAreSaid_data();
    void mistakesAreSaid();
    void peopleSeeWhoWhyAndHowLong();
    void scriptsGetPagesAndSums();

private:
    std::unique_ptr<support::CommandRun> m_run;
};

void TestHistoryCommand::init()
{
    m_run = std::make_unique<support::CommandRun>();
    m_run->addConnection(QStringLiteral("shop"));
    records::RetryOperation operation;
    operation.id = core::OperationId{12};
    operation.connection = m_run->client.snapshot.connections.first().connection.id;
    operation.state = records::OperationState::Completed;
    operation.scope = QStringLiteral("All of group Timeout");
    operation.who = QStringLiteral("maria");
    operation.plan.reason = QStringLiteral("Ticket 4711");
    operation.total = 5;
    operation.counts.sent = 5;
    operation.counts.cameBack = 3;
    operation.started = core::fromMs(1'000);
    operation.finished = core::fromMs(64'000);
    records::RetryOperation older = operation;
    older.id = core::OperationId{11};
    older.counts.cameBack = 0;
    m_run->client.operationList = {operation, older};
}

void TestHistoryCommand::everyPartIsAsked()
{
    const support::CommandResult result =
        (*m_run)({QStringLiteral("history"), QStringLiteral("--connection"), QStringLiteral("shop"),
                  QStringLiteral("--search"), QStringLiteral("timeout maria"), QStringLiteral("--only"),
                  QStringLiteral("came-back"), QStringLiteral("--since"), QStringLiteral("2026-01-02T03:04:05Z"),
                  QStringLiteral("--until"), QStringLiteral("2026-02-02T03:04:05Z"), QStringLiteral("--limit"),
                  QStringLiteral("7"), QStringLiteral("--before"), QStringLiteral("40")});
    QCOMPARE(result.code, 0);
    const api::OperationQuery asked = m_run->client.operationQueries.last();
    QCOMPARE(asked.connection, m_run->client.snapshot.connections.first().connection.id);
    QCOMPARE(asked.text, QStringLiteral("timeout maria"));
    QVERIFY(asked.wanted == api::OperationsWanted::CameBack);
    QCOMPARE(core::toMs(*asked.since), 1'767'323'045'000);
    QCOMPARE(core::toMs(*asked.until), 1'770'001'445'000);
    QCOMPARE(asked.limit, 7);
    QCOMPARE(asked.before.value, 40);
    QVERIFY(asked.dismissed);
}

void TestHistoryCommand::mistakesAreSaid_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("said");
    QTest::newRow("kind") << QStringLiteral("history --only lost") << QStringLiteral("--only must be ended, came-back");
    QTest::newRow("limit") << QStringLiteral("history --limit 1001") << QStringLiteral("at most 1000");
    QTest::newRow("before") << QStringLiteral("history --before x") << QStringLiteral("--before");
    QTest::newRow("time") << QStringLiteral("history --since yesterdayish") << QStringLiteral("--since");
}

void TestHistoryCommand::mistakesAreSaid()
{
    QFETCH(const QString, line);
    QFETCH(const QString, said);
    const support::CommandResult result = (*m_run)(line.split(QLatin1Char(' ')));
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(said.toUtf8()), result.err.constData());
    QVERIFY(m_run->client.operationQueries.isEmpty());
}

void TestHistoryCommand::peopleSeeWhoWhyAndHowLong()
{
    const support::CommandResult result = (*m_run)("history --limit 1");
    QCOMPARE(result.code, 0);
    for (const char *part :
         {"maria", "Ticket 4711", "All of group Timeout", "1 min 03", "1 of 2. Next page: --before 12"})
        QVERIFY2(result.out.contains(part), result.out.constData());
}

void TestHistoryCommand::scriptsGetPagesAndSums()
{
    const support::CommandResult result = (*m_run)("history --limit 1 --json");
    QCOMPARE(result.code, 0);
    const QJsonValue answer = result.json();
    QCOMPARE(answer[QStringLiteral("items")].toArray().size(), 1);
    const QJsonValue first = answer[QStringLiteral("items")][0];
    QCOMPARE(first[QStringLiteral("id")].toString(), QStringLiteral("12"));
    QCOMPARE(first[QStringLiteral("connection")].toString(), QStringLiteral("shop"));
    QCOMPARE(first[QStringLiteral("who")].toString(), QStringLiteral("maria"));
    QCOMPARE(first[QStringLiteral("reason")].toString(), QStringLiteral("Ticket 4711"));
    QCOMPARE(answer[QStringLiteral("total")].toInt(), 2);
    QCOMPARE(answer[QStringLiteral("sent")].toInt(), 10);
    QCOMPARE(answer[QStringLiteral("came_back")].toInt(), 3);
    QCOMPARE(answer[QStringLiteral("next")].toString(), QStringLiteral("12"));
    QVERIFY((*m_run)("history --limit 5 --json").json()[QStringLiteral("next")].isNull());
}

REDRIVE_TEST(TestHistoryCommand)
#include "tst_historycommand.moc"
