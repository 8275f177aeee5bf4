// How commands end when something is wrong: what they say on which side, and with which code.
#include "app/commandline/snapshotstream.h"
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QTest>

#include <cerrno>
#include <utility>

using core::ErrorKind;

class TestCommandEnds final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneBadConnectionHidesNoQueuesOfTheOthers();
    void whatWasTypedWrongIsAUsageErrorAlsoWhenTheEngineSaysSo();
    void anInterruptedIntakeSaysWhatItTook();
    void anInterruptedIntakeAsksNoOtherConnection_data();
    void anInterruptedIntakeAsksNoOtherConnection();
    void anInterruptionIsKnownWhateverAnErrorSays();
    void oneIsNoPlural();
    void rowsOfASearchArePrintedBeforeTheyAreCounted();
    void whatCannotBeWrittenIsNoSuccess_data();
    void whatCannotBeWrittenIsNoSuccess();

private:
    static support::CommandResult interrupted(support::CommandRun &run, const QByteArray &line);
};

// Interrupts the command while its first intake goes on, and answers that one when it is told to end.
support::CommandResult TestCommandEnds::interrupted(support::CommandRun &run, const QByteArray &line)
{
    run.client.heldNames = {run.client.nameOf<api::TakeMessages>()};
    bool isInterrupted = false;
    run.beforeSnapshot = [&] {
        if (run.client.held() == 0)
            return;
        if (!std::exchange(isInterrupted, true))
            QCoreApplication::exit(130);
        else if (!run.client.cancelledWork.isEmpty())
            run.client.releaseOne();
    };
    const support::CommandResult ended = run(line);
    run.beforeSnapshot = {};
    [&] {
        QCOMPARE(ended.code, 130);
        QVERIFY(!run.client.intakes.isEmpty() && !run.client.intakes.first().ticket.isEmpty());
        QCOMPARE(run.client.cancelledWork, QStringList{run.client.intakes.first().ticket});
    }();
    return ended;
}

void TestCommandEnds::oneBadConnectionHidesNoQueuesOfTheOthers()
{
    support::CommandRun run;
    api::QueueView queue;
    queue.connection = run.addConnection(QStringLiteral("shop"));
    queue.name = QStringLiteral("error");
    run.client.snapshot.queues = {queue};
    run.addConnection(QStringLiteral("b%2ank"));
    run.client.snapshot.connections.last().health = api::Health::Unreachable;
    run.client.snapshot.connections.last().words = QStringLiteral("connection refused");
    const core::Error refused{ErrorKind::Transient, QStringLiteral("connection refused"), {}, {}};
    const auto queues = [&](const QByteArray &line) {
        run.client.failNext<api::RefreshQueues>(refused);
        return run(line);
    };
    support::CommandResult result = queues("--json queues");
    QCOMPARE(result.code, 3);
    QCOMPARE(result.json().toArray().size(), 1);
    QCOMPARE(result.err, QByteArray("redrive: The current queues of b%2ank are unknown: connection refused\n"));

    result = queues("queues --connection shop");
    QCOMPARE(result.code, 0);
    QVERIFY(result.err.isEmpty());
    run.client.snapshot.connections.last().health = api::Health::LoginNeeded;
    QCOMPARE(queues("queues").code, 4);

    run.client.snapshot.connections.last().health = api::Health::Connected; // nobody to name
    result = queues("queues");
    QCOMPARE(result.code, 3);
    QVERIFY(result.err.contains("connection refused"));
}

void TestCommandEnds::whatWasTypedWrongIsAUsageErrorAlsoWhenTheEngineSaysSo()
{
    support::CommandRun run;
    run.client.failNext<api::SaveConnection>(
        {ErrorKind::Conflict, QStringLiteral("There is a connection named shop already."), {}, {}});
    support::CommandResult result = run("connection add shop rabbitmq+https://ann@mq/");
    QCOMPARE(result.code, 2);
    QCOMPARE(result.err, QByteArray("redrive: There is a connection named shop already.\n"));

    run.client.failNext<api::MessageQuery>({ErrorKind::Rejected, QStringLiteral("Start it again."), {}, {}});
    result = run("messages --after no%2where");
    QCOMPARE(result.code, 2);
    QCOMPARE(result.err, QByteArray("redrive: --after must be the value that a list with the same options printed "
                                    "after 'Next page', not 'no%2where'.\n"));
}

// As after Ctrl+C, which ends the event loop with 130: the messages that are held are taken to the end.
void TestCommandEnds::anInterruptedIntakeSaysWhatItTook()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.client.intakeAnswer = {1200, 1100, 100, 0, 0};
    run.client.intakeAnswer.isCancelled = true;
    const support::CommandResult ended = interrupted(run, "intake --once");
    QVERIFY2(ended.out.startsWith("Taken: 1200 (1100 new, 100 came back"), ended.out.constData());
    QVERIFY2(ended.out.contains("stays in its queue"), ended.out.constData());
    QVERIFY2(ended.err.contains("Stopping: ") && ended.err.contains("Ctrl+C again"), ended.err.constData());
}

void TestCommandEnds::anInterruptedIntakeAsksNoOtherConnection_data()
{
    QTest::addColumn<bool>("isCancelled");
    QTest::addColumn<bool>("fails");
    QTest::newRow("it was cancelled") << true << false;
    QTest::newRow("it was finished at that moment") << false << false;
    QTest::newRow("its queues failed") << false << true;
}

void TestCommandEnds::anInterruptedIntakeAsksNoOtherConnection()
{
    QFETCH(const bool, isCancelled);
    QFETCH(const bool, fails);
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.addConnection(QStringLiteral("bank"));
    run.client.intakeAnswer = {1200, 1100, 100, 0, 0};
    run.client.intakeAnswer.isCancelled = isCancelled;
    if (fails)
        run.client.failNext<api::TakeMessages>({ErrorKind::Transient, QStringLiteral("no answer"), {}, {}});
    const support::CommandResult ended = interrupted(run, "intake --once");
    QCOMPARE(run.client.intakes.size(), 1);
    QCOMPARE(ended.err.contains("no answer"), fails);
    QCOMPARE(ended.out.contains("stays in its queue"), !fails); // the messages of the other connection do
}

// What says the same as an interruption is none, and an interruption is one.
void TestCommandEnds::anInterruptionIsKnownWhateverAnErrorSays()
{
    support::CommandRun run;
    run.addMessage(run.addConnection(QStringLiteral("shop")), QStringLiteral("Timeout"));
    run.client.failNext<api::DecideMessages>(commandline::SnapshotStream::interrupted());
    const support::CommandResult told = run("archive --all");
    QCOMPARE(told.code, 3);
    QVERIFY2(told.err.contains("started work continues"), told.err.constData());
    run.client.heldNames = {run.client.nameOf<api::DecideMessages>()};
    run.beforeSnapshot = [&run] {
        if (run.client.held() > 0)
            QCoreApplication::exit(130);
    };
    const support::CommandResult ended = run("archive --all");
    QCOMPARE(ended.code, 130);
    QVERIFY2(ended.err.contains("Interrupted and cancelled."), ended.err.constData());
    QCOMPARE(run.client.cancelledWork.last(), run.client.decisions.last().ticket);
}

void TestCommandEnds::oneIsNoPlural()
{
    support::CommandRun run;
    const core::ConnectionId shop = run.addConnection(QStringLiteral("shop"));
    run.addMessage(shop, QStringLiteral("Timeout")).bodySize = 1;
    QVERIFY(run("show 41").out.contains("1 byte\n"));
    QCOMPARE(run("archive --message 41").out, QByteArray("Archived 1 message.\n"));
    run.client.previewAnswer.connectionName = QStringLiteral("shop");
    run.client.previewAnswer.frozenCount = 1;
    QVERIFY(run("retry --all --dry-run").out.contains("1 message would be sent on connection shop"));
    QCOMPARE(run("retry --all --confirm 2").err,
             QByteArray("redrive: The set has 1 message, not 2. If that is right, repeat with --confirm 1.\n"));
}

void TestCommandEnds::rowsOfASearchArePrintedBeforeTheyAreCounted()
{
    support::CommandRun run;
    run.addMessage(run.addConnection(QStringLiteral("shop")), QStringLiteral("Timeout"));
    const core::Error busy{ErrorKind::Transient, QStringLiteral("The store is busy."), {}, {}};
    run.client.failNext<api::MessageCountQuery>(busy);
    support::CommandResult result = run("messages --search Timeout");
    QCOMPARE(result.code, 3);
    QVERIFY2(result.out.contains("Shop.PlaceOrder") && !result.out.contains(" of "), result.out.constData());
    result = run("messages --search Timeout");
    QCOMPARE(result.code, 0);
    QVERIFY(result.out.contains("1 of 1\n"));
    QCOMPARE(run("messages --search Timeout --json").json()[QStringLiteral("total")].toInt(), 1);
    QCOMPARE(run.client.count<api::MessageCountQuery>(), 2); // a document is whole in one answer
}

void TestCommandEnds::whatCannotBeWrittenIsNoSuccess_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("error");
    QTest::addColumn<int>("code");
    QTest::newRow("full disk") << QByteArray("queues") << ENOSPC << 3;
    QTest::newRow("full disk, help") << QByteArray("--help") << ENOSPC << 3;
    QTest::newRow("an error of its own") << QByteArray("operation 99") << ENOSPC << 2;
    QTest::newRow("the reader has enough") << QByteArray("queues") << EPIPE << 0;
    QTest::newRow("following") << QByteArray("events --follow") << ENOSPC << 3;
    QTest::newRow("the follower has enough") << QByteArray("events --follow") << EPIPE << 0;
}

void TestCommandEnds::whatCannotBeWrittenIsNoSuccess()
{
    QFETCH(const QByteArray, line);
    QFETCH(const int, error);
    QFETCH(const int, code);
    support::CommandRun run;
    run.outError = error;
    const support::CommandResult result = run(line);
    QCOMPARE(result.code, code);
    QCOMPARE(result.err.contains("The output could not be written"), error != EPIPE);
}

REDRIVE_TEST(TestCommandEnds)
#include "tst_commandends.moc"
