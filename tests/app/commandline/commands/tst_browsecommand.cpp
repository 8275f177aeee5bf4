// Only looking, on the command line.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;

class TestBrowseCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lookingTakesNothing();
    void thePriceOfALookIsAcceptedByAnOption();
    void oneRefusedQueueHidesNothingOfTheOthers();
    void oneRefusedConnectionHidesNothingOfTheOthers();
    void whereNothingCanBeTakenTheRefusalNamesBrowsing();
    void whatWasBrowsedOnlyIsSaid();
};

void TestBrowseCommand::lookingTakesNothing()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.client.lookAnswer = {10, 7, 2, 1, 0, false};
    QCOMPARE(
        run("intake --browse --queue error --limit 20").out,
        QByteArray(
            "Browsed: 10 (7 new, 2 browsed before, 1 already in the store, 0 undecodable). No message was taken.\n"));
    QVERIFY(run.client.intakes.isEmpty());
    QCOMPARE(run.client.browses.size(), 1);
    QCOMPARE(run.client.browses.first().queue, QStringLiteral("error"));
    QCOMPARE(run.client.browses.first().limit, std::optional<int>(20));
    run.client.lookAnswer.gone = 2;
    QVERIFY(run("intake --browse").out.contains("no longer in the queue: 2.\n"));
    run.client.lookAnswer.more = true;
    QVERIFY(run("intake --browse").out.contains("The queue holds more messages."));
    QVERIFY(!run.client.browses.last().limit);
    run.client.failNext<api::BrowseMessages>({ErrorKind::Refused, QStringLiteral("Each look costs."), {}, {}});
    const support::CommandResult refused = run("intake --browse");
    QCOMPARE(refused.code, 4);
    QCOMPARE(refused.err, QByteArray("redrive: Each look costs.\n"));
}

void TestBrowseCommand::thePriceOfALookIsAcceptedByAnOption()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    QCOMPARE(run("intake --browse --queue error").code, 0);
    QVERIFY(!run.client.browses.last().acceptsDelivery);
    QCOMPARE(run("intake --browse --queue error --accept-delivery").code, 0);
    QVERIFY(run.client.browses.last().acceptsDelivery);
    QCOMPARE(run("intake --accept-delivery").code, 2);
    QVERIFY(run.client.intakes.isEmpty());
}

void TestBrowseCommand::oneRefusedQueueHidesNothingOfTheOthers()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    const QList<records::QueueResult> queues{
        {QStringLiteral("dead"), 10, 7, {}, {}},
        {QStringLiteral("stream"), 0, 0, ErrorKind::Refused, QStringLiteral("A stream keeps its messages.")}};
    run.client.lookAnswer = {10, 7, 2, 1, 0, false};
    run.client.lookAnswer.queues = queues;
    const support::CommandResult browsed = run("intake --browse");
    QCOMPARE(browsed.code, 1);
    QVERIFY2(browsed.out.contains("  dead: 10, 7 new\n"), browsed.out.constData());
    QCOMPARE(browsed.err, QByteArray("redrive: stream: A stream keeps its messages.\n"));
    run.client.intakeAnswer = {10, 7, 2, 1, 0};
    run.client.intakeAnswer.queues = queues;
    const support::CommandResult taken = run("intake");
    QCOMPARE(taken.code, 1);
    QVERIFY2(taken.out.contains("Taken: 10 ") && taken.out.contains("  dead: 10, 7 new\n"), taken.out.constData());
    QCOMPARE(taken.err, browsed.err);
}

void TestBrowseCommand::oneRefusedConnectionHidesNothingOfTheOthers()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.addConnection(QStringLiteral("store"));
    run.client.intakeAnswer = {10, 7, 2, 1, 0};
    run.client.failNext<api::TakeMessages>({ErrorKind::Refused, QStringLiteral("Not allowed."), {}, {}});
    const support::CommandResult taken = run("intake");
    QCOMPARE(taken.code, 1);
    QVERIFY2(taken.out.contains("Taken: 10 "), taken.out.constData());
    QCOMPARE(taken.err, QByteArray("redrive: Not allowed.\n"));

    run.client.intakes.clear();
    run.client.failNext<api::TakeMessages>({ErrorKind::Cancelled, QStringLiteral("It was stopped."), {}, {}});
    QCOMPARE(run("intake").code, 3);
    QCOMPARE(run.client.intakes.size(), 1); // a person who stops it means all of it
}

void TestBrowseCommand::whereNothingCanBeTakenTheRefusalNamesBrowsing()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    const core::Error error{ErrorKind::Refused, QStringLiteral("Not taken without the plugin."), {}, {}};
    run.client.snapshot.connections.first().canBrowse = true;
    run.client.failNext<api::TakeMessages>(error);
    const support::CommandResult refused = run("intake");
    QCOMPARE(refused.code, 4);
    QCOMPARE(
        refused.err,
        QByteArray("redrive: Not taken without the plugin. redrive intake --browse can still show the messages.\n"));
    // Where taking is possible the queue itself was the reason.
    run.client.snapshot.connections.first().canTake = true;
    run.client.failNext<api::TakeMessages>(error);
    QCOMPARE(run("intake").err, QByteArray("redrive: Not taken without the plugin.\n"));
}

void TestBrowseCommand::whatWasBrowsedOnlyIsSaid()
{
    support::CommandRun run;
    const core::ConnectionId connection = run.addConnection(QStringLiteral("shop"));
    run.addMessage(connection, QStringLiteral("Timeout")).flags = records::MessageFlag::BrowsedOnly;
    QVERIFY(run("messages").out.contains("browsed only"));
    QVERIFY(run("groups").out.contains("BROWSED ONLY"));
    run.addMessage(connection, QStringLiteral("Timeout"));
    QCOMPARE(run("archive --message 41 --message 42").out,
             QByteArray("Archived 1 message.\nNot changed, browsed only: 1 message (the plugin is missing).\n"));
    QCOMPARE(run("restore --message 42 --json").json()[QStringLiteral("browsed_only_left_out")].toInt(), 0);
    const QByteArray shown = run("show 41").out;
    QVERIFY2(shown.contains("browsed only"), shown.constData());
    run.client.previewAnswer.sentence = QStringLiteral("All");
    run.client.previewAnswer.frozenCount = 1;
    run.client.previewAnswer.leftOut[records::LeftOut::BrowsedOnly] = 2;
    run.client.previewAnswer.browsedOnlyReason = QStringLiteral("the plugin is missing");
    QVERIFY(run("retry --all --dry-run").out.contains("left out: 2 browsed only: the plugin is missing\n"));
}

REDRIVE_TEST(TestBrowseCommand)
#include "tst_browsecommand.moc"
