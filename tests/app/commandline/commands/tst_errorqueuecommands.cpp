// `redrive connection queues` and what `connection add`, `connection list` and `intake` say of queues that nobody named.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using core::ErrorKind;
using records::QueueFact;
using support::CommandResult;
using support::CommandRun;

namespace {

const QString dlq = QStringLiteral("orders.dlq");
const QString mail = QStringLiteral("mail");

QList<api::CandidateQueue> candidates()
{
    return {
        {dlq, 12, {{QueueFact::Kind::DeadLettersOf, QStringLiteral("orders")}, {QueueFact::Kind::NamedForFailures}}},
        {mail,
         3,
         {{QueueFact::Kind::DeadLettersOf, QStringLiteral("mail.delay")},
          {QueueFact::Kind::AfterWaiting, QStringLiteral("mail.delay")},
          {QueueFact::Kind::HasConsumers, {}, 1}}}};
}

} // namespace

class TestErrorQueueCommands final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void addListsCandidatesAndTakesNone();
    void addTakesAllIfToldTo();
    void addWithoutAnAnswerSaysSo_data();
    void addWithoutAnAnswerSaysSo();
    void queuesListsThem();
    void queuesChangesThem();
    void aRefusedChoiceIsTold();
    void whatWasTakenBeforeIsAskedAbout();
    void withoutFactsNothingIsRecommended();
    void hostileNamesAreQuoted();
};

void TestErrorQueueCommands::addListsCandidatesAndTakesNone()
{
    CommandRun run;
    run.client.testAnswer.candidates = candidates();
    const CommandResult result = run("connection add shop rabbitmq+https://ann@mq/ --error-queue error");
    QCOMPARE(result.code, 0);
    QVERIFY(result.out.contains("  orders.dlq (12 messages): nothing speaks against it\n"));
    QVERIFY(
        result.out.contains("    for: receives the dead letters of orders; its name says that it holds failures\n"));
    QVERIFY(result.out.contains("  mail (3 messages)\n"));
    QVERIFY(
        result.out.contains("    against: messages only wait in mail.delay and then go on here; 1 consumer takes its "
                            "messages\n"));
    QVERIFY(result.out.contains("redrive connection queues shop --take QUEUE"));
    QCOMPARE(run.client.choices.size(), 0);

    CommandRun scripted;
    scripted.client.testAnswer.candidates = candidates();
    const QJsonObject json =
        scripted("connection add shop rabbitmq+https://ann@mq/ --error-queue error --json").json().toObject();
    QCOMPARE(json.value(QStringLiteral("error_queues")).toArray(), QJsonArray{QStringLiteral("error")});
    const QJsonArray offered = json.value(QStringLiteral("candidates")).toArray();
    QCOMPARE(offered.size(), 2);
    QCOMPARE(offered.at(0)[QStringLiteral("queue")].toString(), dlq);
    QCOMPARE(offered.at(0)[QStringLiteral("recommended")].toBool(), true);
    QCOMPARE(offered.at(1)[QStringLiteral("recommended")].toBool(), false);
    QCOMPARE(offered.at(1)[QStringLiteral("facts")][2][QStringLiteral("fact")].toString(),
             QStringLiteral("has_consumers"));
    QCOMPARE(offered.at(1)[QStringLiteral("facts")][2][QStringLiteral("against")].toBool(), true);
}

void TestErrorQueueCommands::addTakesAllIfToldTo()
{
    CommandRun run;
    run.client.testAnswer.candidates = candidates();
    const CommandResult result = run("connection add shop rabbitmq+https://ann@mq/ --take-dead-letter-queues");
    QCOMPARE(result.code, 0);
    QCOMPARE(run.client.choices.size(), 1);
    QCOMPARE(run.client.choices.first().take, QStringList({dlq, mail}));
    QCOMPARE(run.client.choices.first().leave, QStringList());
    QVERIFY(run.client.choices.first().connection == run.client.snapshot.connections.first().connection.id);
    QVERIFY(result.err.contains("mail, which may be live work")); // it is warned of the one that may be work
    QVERIFY(!result.err.contains("orders.dlq, which may be live work"));
}

void TestErrorQueueCommands::addWithoutAnAnswerSaysSo_data()
{
    QTest::addColumn<QByteArray>("option");
    QTest::addColumn<int>("code");
    QTest::newRow("listed") << QByteArray() << 0;
    QTest::newRow("wanted") << QByteArray(" --take-dead-letter-queues") << 1;
}

void TestErrorQueueCommands::addWithoutAnAnswerSaysSo()
{
    QFETCH(const QByteArray, option);
    QFETCH(const int, code);
    CommandRun run;
    run.client.failNext<api::TestConnection>({ErrorKind::Transient, QStringLiteral("connection refused"), {}, {}});
    const CommandResult result = run("connection add shop rabbitmq+https://ann@mq/" + option);
    QCOMPARE(result.code, code);
    QCOMPARE(run.client.savedConnections.size(), 1);
    QVERIFY(result.err.contains("connection refused"));
    QCOMPARE(run.client.choices.size(), 0);
}

void TestErrorQueueCommands::queuesListsThem()
{
    CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.client.snapshot.connections.first().connection.errorQueues = {QStringLiteral("error")};
    run.client.testAnswer.candidates = candidates();
    const CommandResult result = run("connection queues shop");
    QCOMPARE(result.code, 0);
    QVERIFY(result.out.startsWith("Error queues: error\n"));
    QVERIFY(result.out.contains("mail (3 messages)"));
    QCOMPARE(run("connection queues shop --json").json()[QStringLiteral("candidates")].toArray().size(), 2);
    QCOMPARE(run.client.choices.size(), 0);
}

void TestErrorQueueCommands::queuesChangesThem()
{
    CommandRun run;
    const core::ConnectionId id = run.addConnection(QStringLiteral("shop"));
    run.client.snapshot.connections.first().connection.errorQueues = {QStringLiteral("error"), mail};
    const CommandResult result = run("connection queues shop --take orders.dlq --leave mail --json");
    QCOMPARE(result.code, 0);
    QCOMPARE(run.client.choices.size(), 1);
    QVERIFY(run.client.choices.first().connection == id);
    QCOMPARE(run.client.choices.first().take, QStringList{dlq});
    QCOMPARE(run.client.choices.first().leave, QStringList{mail});
    QCOMPARE(result.json()[QStringLiteral("taken")].toArray(), QJsonArray{dlq});
    QCOMPARE(result.json()[QStringLiteral("left")].toArray(), QJsonArray{mail});
}

void TestErrorQueueCommands::aRefusedChoiceIsTold()
{
    CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.client.failNext<api::ChooseErrorQueues>({ErrorKind::NotFound, QStringLiteral("no such queue"), {}, {}});
    const CommandResult result = run("connection queues shop --take nowhere");
    QVERIFY(result.code != 0);
    QVERIFY(result.err.contains("no such queue"));
}

void TestErrorQueueCommands::whatWasTakenBeforeIsAskedAbout()
{
    CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.client.snapshot.connections.first().unanswered = candidates();
    const QByteArray answer("redrive connection queues shop --take orders.dlq --leave mail");
    QVERIFY(run("connection list").out.contains(answer));
    const CommandResult taken = run("intake --once");
    QCOMPARE(taken.code, 0);
    QCOMPARE(taken.err.count(answer), 1);
    const QJsonObject listed = run("connection list --json").json()[0].toObject();
    QCOMPARE(listed.value(QStringLiteral("unanswered_queues")).toArray().size(), 2);
}

// Before the broker has listed its queues nobody knows what to recommend.
void TestErrorQueueCommands::withoutFactsNothingIsRecommended()
{
    CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.client.snapshot.connections.first().unanswered = {{dlq, {}, {}}};
    QVERIFY(run("connection list").out.endsWith("redrive connection queues shop\n"));
}

// The command is there to be copied into a shell, and the broker chose the name.
void TestErrorQueueCommands::hostileNamesAreQuoted()
{
    CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.client.snapshot.connections.first().unanswered = {
        {QStringLiteral("a; rm -rf 'x'"), 1, {{QueueFact::Kind::HasConsumers, {}, 1}}}};
    QVERIFY(run("connection list").out.contains(R"(queues shop --leave 'a; rm -rf '\''x'\''')"));
}

REDRIVE_TEST(TestErrorQueueCommands)
#include "tst_errorqueuecommands.moc"
