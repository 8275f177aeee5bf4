// redrive move against a fake engine: what it asks before it begins, what it prints, and how it waits.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using Action = api::MoveQueue::Action;
using records::QueueMove;

namespace {

QueueMove moveOf(QueueMove::State state, qint64 moved, std::optional<qint64> total = 8)
{
    QueueMove move;
    move.state = state;
    move.moved = moved;
    move.total = total;
    move.began = core::fromMs(1'767'323'045'123);
    return move;
}

api::MoveAnswer answerOf(const QList<QueueMove> &moves = {}, std::optional<qint64> waiting = 8)
{
    api::MoveAnswer answer;
    answer.moves = moves;
    answer.waiting = waiting;
    answer.facts = {QStringLiteral("Dead letters of: orders.")};
    answer.guarantee = QStringLiteral("As they are.");
    answer.mostPerSecond = 500;
    return answer;
}

struct Shop : support::CommandRun
{
    core::ConnectionId connection = addConnection(QStringLiteral("shop"));
};

} // namespace

class TestMoveCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMoveIsBegun()
    {
        Shop run;
        run.client.moveAnswers = {answerOf(), answerOf({moveOf(QueueMove::State::Running, 2)})};
        const support::CommandResult begun = run("move orders-dlq --to spare --rate 20");
        QCOMPARE(begun.code, 0);
        QCOMPARE(begun.err, QByteArray());
        QCOMPARE(begun.out, QByteArray("Moving to the queues they came from: about 2 of 8.\n"));
        QCOMPARE(run.client.moves.size(), 2);
        QVERIFY(run.client.moves.first().action == Action::Offer);
        const api::MoveQueue &command = run.client.moves.last();
        QVERIFY(command.action == Action::Begin);
        QCOMPARE(command.connection, run.connection);
        QCOMPARE(command.queue, QStringLiteral("orders-dlq"));
        QCOMPARE(command.to, QStringLiteral("spare"));
        QCOMPARE(command.perSecond, std::optional<int>(20));
    }

    void whoMovesToOneQueueAloneMustBeToldWhich()
    {
        Shop run;
        run.client.moveAnswers = {answerOf(), answerOf({moveOf(QueueMove::State::Running, 2)})};
        run.client.moveAnswers.first().needsTarget = true;
        const support::CommandResult refused = run("move error");
        QVERIFY(refused.code != 0);
        QVERIFY2(refused.err.contains("--to QUEUE"), refused.err.constData());
        QCOMPARE(run.client.moves.size(), 1); // it only looked
    }

    void aDryRunShowsAndDoesNothing()
    {
        Shop run;
        QueueMove failed = moveOf(QueueMove::State::Failed, 3, {});
        failed.to = QStringLiteral("spare\x1b[2J");
        failed.reason = QStringLiteral("No such queue.");
        run.client.moveAnswers = {answerOf({failed})};
        const support::CommandResult shown = run("move orders-dlq --dry-run");
        QCOMPARE(shown.code, 0);
        QVERIFY2(shown.out.startsWith("About 8 messages in orders-dlq on shop would be moved.\n"
                                      "  Dead letters of: orders.\n"
                                      "Guarantee: As they are.\n"),
                 shown.out.constData());
        QVERIFY(shown.out.contains("Failed, moved to spare") && shown.out.contains("about 3. No such queue."));
        QVERIFY(!shown.out.contains('\x1b'));
        run.client.moveAnswers.first().refusal = QStringLiteral("It is subscribed.");
        run.client.moveAnswers.first().waiting.reset();
        const support::CommandResult refused = run("move orders-dlq --dry-run");
        QCOMPARE(refused.code, 4);
        QVERIFY(refused.out.contains("count is unknown"));
        QVERIFY(refused.out.endsWith("It would be refused: It is subscribed.\n"));
        for (const api::MoveQueue &command : std::as_const(run.client.moves))
            QVERIFY(command.action == Action::Offer);
    }

    void theShapeIsAPromise()
    {
        Shop run;
        QueueMove move = moveOf(QueueMove::State::Running, 2);
        move.perSecond = 20;
        run.client.moveAnswers = {answerOf({move, moveOf(QueueMove::State::Cancelled, 1, {})})};
        const QJsonValue shape = run("move orders-dlq --dry-run --json").json();
        const QByteArray expected = R"({"connection":"shop","queue":"orders-dlq","waiting":8,
            "facts":["Dead letters of: orders."],"guarantee":"As they are.","refusal":null,"moves":[
            {"state":"running","to":null,"moved":2,"total":8,"per_second":20,"started":"2026-01-02T03:04:05.123Z",
             "reason":null},
            {"state":"cancelled","to":null,"moved":1,"total":null,"per_second":null,
             "started":"2026-01-02T03:04:05.123Z","reason":null}]})";
        QCOMPARE(shape, QJsonValue(QJsonDocument::fromJson(expected).object()));
        QCOMPARE(run("move orders-dlq --json").json(), shape);
    }

    void productionWantsTheCount()
    {
        Shop run;
        api::MoveAnswer many = answerOf({}, 5000);
        many.confirmCount = true;
        run.client.moveAnswers = {many};
        const support::CommandResult asked = run("move orders-dlq");
        QCOMPARE(asked.code, 4);
        QCOMPARE(asked.err, QByteArray("redrive: Connection shop is production and about 5000 messages would be moved. "
                                       "If that is right, repeat with --confirm 5000.\n"));
        QCOMPARE(run("move orders-dlq --confirm 4999").code, 4);
        QVERIFY(run.client.moves.last().action == Action::Offer);
        QCOMPARE(run("move orders-dlq --confirm 5000").code, 0);
        QVERIFY(run.client.moves.last().action == Action::Begin);
        QCOMPARE(run.client.moves.last().confirmedCount, std::optional<qint64>(5000));
    }

    void waitingSeesTheEnd_data()
    {
        QTest::addColumn<QueueMove>("end");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("words");
        QueueMove failed = moveOf(QueueMove::State::Failed, 3);
        failed.reason = QStringLiteral("Gone.");
        QTest::newRow("completed") << moveOf(QueueMove::State::Completed, 8) << 0
                                   << QByteArray("Moved to the queues they came from: about 8 of 8.\n");
        QTest::newRow("failed") << failed << 1
                                << QByteArray("Failed, moved to the queues they came from: about 3 of 8. Gone.\n");
    }

    void waitingSeesTheEnd()
    {
        QFETCH(const QueueMove, end);
        QFETCH(const int, code);
        QFETCH(const QByteArray, words);
        Shop run;
        run.client.moveAnswers = {answerOf(), answerOf({moveOf(QueueMove::State::Running, 0)}), answerOf({end})};
        const support::CommandResult waited = run("move orders-dlq --wait");
        QCOMPARE(waited.code, code);
        QCOMPARE(waited.out, words);
        QCOMPARE(run.client.moves.size(), 3);
        QVERIFY(run.client.moves.last().action == Action::Offer);
    }

    void aMoveIsCancelled()
    {
        Shop run;
        run.client.moveAnswers = {answerOf({moveOf(QueueMove::State::Cancelling, 5)})};
        const support::CommandResult cancelled = run("move orders-dlq --cancel");
        QCOMPARE(cancelled.code, 0);
        QCOMPARE(cancelled.out, QByteArray("Cancelling, moved to the queues they came from: about 5 of 8.\n"));
        QCOMPARE(run.client.moves.size(), 1);
        QVERIFY(run.client.moves.first().action == Action::Cancel);
    }

    void refusalsAreOneLineAndAnExitCode()
    {
        Shop run;
        run.client.moveAnswers = {answerOf()};
        run.client.moveAnswers.first().refusal = QStringLiteral("3 messages are in a retry.");
        const support::CommandResult refused = run("move orders-dlq");
        QCOMPARE(refused.code, 4);
        QCOMPARE(refused.err, QByteArray("redrive: 3 messages are in a retry.\n"));
        QCOMPARE(refused.out, QByteArray());
        run.client.failNext<api::MoveQueue>({core::ErrorKind::Transient, QStringLiteral("It is away."), {}, {}});
        QCOMPARE(run("move orders-dlq --cancel").code, 3);
    }

    void misuseIsToldBeforeAnythingIsAsked_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const char *line :
             {"move", "move a b", "move a --rate 0", "move a --rate x", "move a --confirm -1", "move a --cancel --to b",
              "move a --cancel --dry-run", "move a --cancel --rate 3", "move a --to "})
            QTest::newRow(line) << QByteArray(line);
    }

    void misuseIsToldBeforeAnythingIsAsked()
    {
        QFETCH(const QByteArray, line);
        Shop run;
        const support::CommandResult result = run(line);
        QCOMPARE(result.code, 2);
        QCOMPARE(result.err.count('\n'), 1);
        QVERIFY(run.client.moves.isEmpty());
    }
};

REDRIVE_TEST(TestMoveCommand)
#include "tst_movecommand.moc"
