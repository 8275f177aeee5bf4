// redrive intake --subscribe: who keeps taking messages, and that short commands take only what they were told to.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QCoreApplication>
#include <QTest>

class TestSubscribeCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void followingEndsAtOnceWhenAnotherProcessIsTheEngine();
    void followingIsForProgramsThatStayAndCanBeStopped();
    void followingBeginsWhenAnotherCommandHasEnded();
    void followingNeedsAQueueThatIsKnown();
    void whatCannotGoBackIsSaidBefore();
};

void TestSubscribeCommand::followingEndsAtOnceWhenAnotherProcessIsTheEngine()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    QCOMPARE(run("intake --subscribe --queue error").code, 0);
    QCOMPARE(run.client.subscribes.first().queue, QStringLiteral("error"));
    QVERIFY(run.client.intakes.isEmpty());

    run.inProcess = true; // here it goes on until the program is ended
    int snapshots = 0;
    run.beforeSnapshot = [&snapshots] {
        if (++snapshots == 20)
            QCoreApplication::quit();
    };
    QCOMPARE(run("intake --subscribe").code, 0);
    QCOMPARE(run.needs.starter, api::Starter::Program);
    QCOMPARE(snapshots, 20);
    QCOMPARE(run.client.subscribes.size(), 2);
    QCOMPARE(run.client.subscribes.last().queue, QString()); // the engine knows which they are
}

// A subscription outlives the command, and only programs that stay take messages for it.
void TestSubscribeCommand::followingIsForProgramsThatStayAndCanBeStopped()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.addConnection(QStringLiteral("bank"));
    for (const char *line : {"intake", "intake --once", "intake --browse", "queues", "events", "operations"}) {
        run.needs.starter = api::Starter::Program;
        QCOMPARE(run(QByteArray(line)).code, 0);
        QVERIFY2(run.needs.starter == api::Starter::Command && !run.needs.makesStore, line);
    }
    const core::Error notSubscribed{
        core::ErrorKind::NotFound, QStringLiteral("The queue error is not subscribed."), {}, {}};
    run.client.failNext<api::ChangeSubscription>(notSubscribed);
    QCOMPARE(run("intake --unsubscribe --queue error").out, QByteArray("Unsubscribed from error.\n"));
    QCOMPARE(run.client.subscribes.size(), 2); // the other connection has it
    QVERIFY(!run.client.subscribes.last().subscribe);
    QVERIFY(run.client.intakes.size() == 4 && run.client.browses.size() == 2); // nothing more was taken
    run.client.failNext<api::ChangeSubscription>(notSubscribed);
    const support::CommandResult none = run("intake --unsubscribe --queue error --connection shop");
    QCOMPARE(none.code, 2);
    QCOMPARE(none.err, QByteArray("redrive: The queue error is not subscribed.\n"));
    QCOMPARE(run("intake --unsubscribe --connection shop").out, QByteArray("Unsubscribed from all queues of shop.\n"));
}

void TestSubscribeCommand::followingBeginsWhenAnotherCommandHasEnded()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.passingHolder = QStringLiteral("process 7 of ada");
    int snapshots = 0;
    run.beforeSnapshot = [&run, &snapshots] {
        ++snapshots;
        if (snapshots == 10)
            run.passingHolder = QStringLiteral("process 8 of ada"); // that one was faster
        run.inProcess = snapshots >= 20;
        if (run.inProcess)
            run.passingHolder.clear();
        if (snapshots == 30)
            QCoreApplication::quit();
    };
    const support::CommandResult subscribed = run("intake --subscribe --queue error");
    QCOMPARE(subscribed.code, 0);
    QCOMPARE(snapshots, 30); // it stayed
    QCOMPARE(run.client.subscribes.size(), 1);
    const QByteArray line =
        "redrive: Another command holds the store (process %1 of ada). Taking messages starts when it ends.\n";
    QCOMPARE(subscribed.err, QByteArray(line).replace("%1", "7") + QByteArray(line).replace("%1", "8"));
    QCOMPARE(subscribed.out, QByteArray("Subscribed to error.\n"));

    run.inProcess = false; // while it waits, the store is out of reach
    run.passingHolder = QStringLiteral("process 7 of ada");
    snapshots = 0;
    run.beforeSnapshot = [&run, &snapshots] {
        if (++snapshots == 10)
            run.lose({core::ErrorKind::Transient, QStringLiteral("It does not answer."), {}, {}});
    };
    const support::CommandResult lost = run("intake --subscribe --queue error");
    QCOMPARE(lost.code, 3);
    QCOMPARE(lost.out, QByteArray());
    QVERIFY(lost.err.endsWith("redrive: It does not answer.\n"));
}

void TestSubscribeCommand::followingNeedsAQueueThatIsKnown()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.client.failNext<api::ChangeSubscription>(
        {core::ErrorKind::Refused, QStringLiteral("No error queue of shop is known."), {}, {}});
    const support::CommandResult nothing = run("intake --subscribe");
    QCOMPARE(nothing.code, 4);
    QCOMPARE(nothing.err, QByteArray("redrive: No error queue of shop is known.\n"));
}

void TestSubscribeCommand::whatCannotGoBackIsSaidBefore()
{
    support::CommandRun run;
    api::QueueView dead;
    dead.connection = run.addConnection(QStringLiteral("shop"));
    dead.name = QStringLiteral("live/$DeadLetterQueue");
    dead.holdsFailed = true;
    dead.depth = 0; // what comes later is taken, too
    dead.noWayBack = QStringLiteral("Only the broker fills it.");
    run.client.snapshot.queues.append(dead);
    for (const char *line : {"intake --subscribe", "intake --subscribe --queue live/$deadletterqueue"}) {
        const support::CommandResult said = run(QByteArray(line));
        QCOMPARE(said.code, 0);
        QVERIFY2(said.err.contains("Only the broker fills it. What is taken from there cannot be put back"),
                 said.err.constData());
    }
    QVERIFY(!run("intake --subscribe --queue error").err.contains("put back"));
}

REDRIVE_TEST(TestSubscribeCommand)
#include "tst_subscribecommand.moc"
