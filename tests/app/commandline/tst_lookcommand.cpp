// Only looking, on the command line.
#include "tests/app/commandline/commandrun.h"

#include <QTest>

using core::ErrorKind;

class TestLookCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lookingTakesNothing();
    void whereNothingCanBeTakenTheRefusalNamesTheLook();
    void whatWasOnlyLookedAtIsSaid();
};

void TestLookCommand::lookingTakesNothing()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.client.lookAnswer = {10, 7, 2, 1, 0, false};
    QCOMPARE(
        run("intake --look --queue error --limit 20").out,
        QByteArray("Looked at 10: 7 new, 2 seen before, 1 in the store already, 0 undecodable. Nothing was taken.\n"));
    QVERIFY(run.client.intakes.isEmpty());
    QCOMPARE(run.client.looks.size(), 1);
    QCOMPARE(run.client.looks.first().queue, QStringLiteral("error"));
    QCOMPARE(run.client.looks.first().limit, std::optional<int>(20));
    run.client.lookAnswer.gone = 2;
    QVERIFY(run("intake --look")
                .out.contains(
                    "\n2 messages that were only looked at are no longer in the queue: their records were removed.\n"));
    run.client.lookAnswer.more = true;
    QVERIFY(run("intake --look").out.contains("More lie behind them"));
    QVERIFY(!run.client.looks.last().limit);
    run.client.failNext(QStringLiteral("look"), {ErrorKind::Refused, QStringLiteral("Each look costs."), {}, {}});
    const support::CommandResult refused = run("intake --look");
    QCOMPARE(refused.code, 4);
    QCOMPARE(refused.err, QByteArray("redrive: Each look costs.\n"));
}

void TestLookCommand::whereNothingCanBeTakenTheRefusalNamesTheLook()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    const core::Error error{ErrorKind::Refused, QStringLiteral("Not taken without the plugin."), {}, {}};
    run.client.snapshot.connections.first().canLook = true;
    run.client.failNext(QStringLiteral("intake"), error);
    const support::CommandResult refused = run("intake");
    QCOMPARE(refused.code, 4);
    QCOMPARE(refused.err,
             QByteArray("redrive: Not taken without the plugin. redrive intake --look shows them all the same.\n"));
    // Where taking is possible the queue itself was the reason.
    run.client.snapshot.connections.first().canTake = true;
    run.client.failNext(QStringLiteral("intake"), error);
    QCOMPARE(run("intake").err, QByteArray("redrive: Not taken without the plugin.\n"));
}

void TestLookCommand::whatWasOnlyLookedAtIsSaid()
{
    support::CommandRun run;
    const core::ConnectionId connection = run.addConnection(QStringLiteral("shop"));
    run.addMessage(connection, QStringLiteral("Timeout")).flags = records::MessageFlag::LookedAt;
    QVERIFY(run("messages").out.contains("only looked at"));
    QVERIFY(run("groups").out.contains("ONLY LOOKED AT"));
    run.addMessage(connection, QStringLiteral("Timeout"));
    QCOMPARE(run("archive --message 41 --message 42").out,
             QByteArray("Archived 1 message.\n1 only looked at, left as they are: the plugin is missing.\n"));
    QCOMPARE(run("restore --message 42 --json").json()[QStringLiteral("looked_at_left_out")].toInt(), 0);
    const QByteArray shown = run("show 41").out;
    QVERIFY2(shown.contains("only looked at"), shown.constData());
    run.client.previewAnswer.sentence = QStringLiteral("All");
    run.client.previewAnswer.frozenCount = 1;
    run.client.previewAnswer.lookedAt = 2;
    run.client.previewAnswer.lookedAtReason = QStringLiteral("the plugin is missing");
    QVERIFY(run("retry --all --dry-run").out.contains("left out: 2 only looked at: the plugin is missing\n"));
}

QTEST_GUILESS_MAIN(TestLookCommand)
#include "tst_lookcommand.moc"
