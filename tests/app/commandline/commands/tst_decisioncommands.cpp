// take-back, resolve and rate, as they reach the engine and as they are told.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::MessageStatus;

namespace {

// Three messages: two in retry, one unresolved.
struct Shop : support::CommandRun
{
    Shop()
    {
        const core::ConnectionId connection = addConnection(QStringLiteral("shop"));
        for (int n = 0; n < 3; ++n)
            addMessage(connection, QStringLiteral("Timeout")).status = MessageStatus::RetryIssued;
        client.store.last().status = MessageStatus::Unresolved;
        client.snapshot.connections.first().connection.rights |= records::Right::Delete;
    }
};

} // namespace

class TestDecisionCommands final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasSentIsTakenBack()
    {
        Shop run;
        const support::CommandResult done = run("take-back 41 42");
        QCOMPARE(done.code, 0);
        QCOMPARE(done.out, QByteArray("Took back 2 messages: unresolved again. Messages processed meanwhile will be "
                                      "sent twice if retried.\n"));
        const api::DecideMessages &command = run.client.decisions.last();
        QVERIFY(command.decision == api::Decision::TakeBack);
        QVERIFY(command.filter.messages == (QList<core::MessageId>{{41}, {42}}));
        QVERIFY(run.client.store.first().status == MessageStatus::Unresolved);
        QCOMPARE(run("take-back 41").out,
                 QByteArray("Nothing to take back: none of these messages is sent or in doubt.\n"));
    }

    void whatIsKnownToBeProcessedIsResolved()
    {
        Shop run;
        const QJsonValue shape = run("resolve 41 --json").json();
        QCOMPARE(shape[QStringLiteral("resolved")].toInt(), 1);
        QCOMPARE(shape[QStringLiteral("under_way")].toInt(-1), 0);
        QVERIFY(run.client.store.first().status == MessageStatus::Resolved);
        QCOMPARE(run("resolve 43").out,
                 QByteArray("Nothing to resolve: none of these messages is sent or in doubt.\n"));
    }

    void whatARestoredBackupDoesNotKnowIsDecided()
    {
        Shop run;
        for (records::FailedMessage &one : run.client.store)
            one.status = records::MessageStatus::Unknown;
        const support::CommandResult there = run("decide still-there --message 41");
        QCOMPARE(there.code, 0);
        QCOMPARE(
            there.out,
            QByteArray("Unresolved again: 1 message. Messages sent since the backup will be sent twice if retried.\n"));
        QVERIFY(run.client.decisions.last().filter.status == records::MessageStatus::Unknown);
        QVERIFY(run.client.store.at(0).status == MessageStatus::Unresolved);
        QCOMPARE(run("decide resolved --message 42 --json").json()[QStringLiteral("messages")].toInt(), 1);
        QVERIFY(run.client.store.at(1).status == MessageStatus::Resolved);
        QCOMPARE(run("decide archived --all").out, QByteArray("Archived 1 message.\n"));
        QVERIFY(run.client.store.at(2).status == MessageStatus::Archived);
        QCOMPARE(run("decide archived --all").out,
                 QByteArray("Nothing to decide: none of these messages has an unknown state.\n"));
    }

    // For good: so only what is set aside, and with its exact number.
    void whatIsArchivedOrResolvedIsDeleted()
    {
        Shop run;
        run.client.store[0].status = MessageStatus::Archived;
        run.client.store[1].status = MessageStatus::Archived;
        QCOMPARE(run("delete unresolved --all").code, 2);
        QCOMPARE(run("delete archived").code, 2);
        const support::CommandResult asked = run("delete archived --all");
        QCOMPARE(asked.code, 4);
        QCOMPARE(asked.err, QByteArray("redrive: 2 messages would be deleted permanently, with bodies and history. If "
                                       "that is right, repeat with --confirm 2.\n"));
        QCOMPARE(run("delete archived --all --confirm 3").code, 4);
        QVERIFY(run.client.decisions.isEmpty());
        QCOMPARE(run("delete archived --all --confirm 2").out, QByteArray("Deleted 2 messages.\n"));
        const api::DecideMessages command = run.client.decisions.last();
        QVERIFY(command.decision == api::Decision::Delete);
        const QSet<core::MessageId> named(command.filter.messages.cbegin(), command.filter.messages.cend());
        QVERIFY(named == (QSet<core::MessageId>{{41}, {42}})); // what is archived meanwhile stays
        QVERIFY(command.filter.status == MessageStatus::Archived);
        QCOMPARE(run.client.store.size(), 1);
        run.client.store[0].status = MessageStatus::Resolved;
        QCOMPARE(run("delete archived --all --confirm 1").out, QByteArray("Nothing to delete: no message matches.\n"));
        QCOMPARE(run("delete resolved --message 43 --confirm 1 --json").json()[QStringLiteral("deleted")].toInt(), 1);
        QVERIFY(run.client.store.isEmpty());
    }

    void aFilterIsArchivedAndRestored()
    {
        Shop run;
        for (records::FailedMessage &one : run.client.store)
            one.status = MessageStatus::Unresolved;
        QCOMPARE(run("archive --all").out, QByteArray("Archived 3 messages.\n"));
        QCOMPARE(run("restore --search Timeout").code, 0);
        QCOMPARE(run.client.decisions.last().filter.search, QStringLiteral("Timeout"));
        QCOMPARE(run("archive --all --message 41").code, 2);
        QCOMPARE(run("archive --queue ''").code, 2);
    }

    void aLongDecisionShowsHowFarItIs()
    {
        Shop run;
        run.terminal = true;
        run.client.workProgress = {1200, 3000};
        run.client.heldNames = {run.client.nameOf<api::DecideMessages>()};
        run.beforeSnapshot = [&run] { // answered after it was asked twice
            if (run.client.count<api::AskWork>() >= 2 && run.client.held() > 0)
                run.client.releaseOne();
        };
        const support::CommandResult done = run("archive --all");
        QCOMPARE(done.code, 0);
        QVERIFY2(done.err.contains("40 %, 1200 of 3000 messages"), done.err.constData());
        QVERIFY(done.out.contains("Archived 1 message."));
        const QString ticket = run.client.decisions.last().ticket;
        QVERIFY(!ticket.isEmpty());
        QVERIFY(run.client.cancelledWork.isEmpty());
        // Interrupted, it does not go on without anybody who waits for it.
        run.client.heldNames.clear();
        run.client.failNext<api::DecideMessages>({core::ErrorKind::Cancelled, QStringLiteral("Interrupted."), {}, {}});
        QCOMPARE(run("restore --all").code, 3);
        QCOMPARE(run.client.cancelledWork, QStringList{run.client.decisions.last().ticket});
        QVERIFY(run.client.cancelledWork.first() != ticket);
    }

    void aDecisionOnAnOldListSaysWhoWasFirst()
    {
        Shop run;
        run.client.changedByOthers = {core::MessageId{41}};
        const support::CommandResult some = run("resolve 41 42 --as-of 7 --json");
        QCOMPARE(run.client.decisions.last().asOfChange, 7);
        QCOMPARE(some.code, 1);
        QCOMPARE(some.json()[QStringLiteral("resolved")].toInt(), 1);
        QCOMPARE(some.json()[QStringLiteral("conflicts")].toInt(), 1);
        QVERIFY2(some.err.contains("bob@ops"), some.err.constData());
        const support::CommandResult none = run("resolve 41 --as-of 7");
        QCOMPARE(none.code, 4);
        QVERIFY2(none.err.contains("bob@ops"), none.err.constData());
        QCOMPARE(run("resolve 41").code, 0); // as it is now
        QCOMPARE(run.client.decisions.last().asOfChange, 0);
        QCOMPARE(run("decide resolved --message 41 --as-of 7").code, 4);
        const qsizetype before = run.client.decisions.size();
        QCOMPARE(run("archive --all --as-of 7").code, 2); // seen one by one, or not at all
        QCOMPARE(run("archive --message 41 --as-of 0").code, 2);
        QCOMPARE(run.client.decisions.size(), before);
        QVERIFY(run("messages --json").json()[QStringLiteral("change")].toInteger() > 0);
    }

    // What was confirmed is the list that was counted.
    void aDeletionCarriesItsList()
    {
        Shop run;
        run.client.store[0].status = MessageStatus::Archived;
        QCOMPARE(run("delete archived --all --confirm 1").code, 0);
        QVERIFY(run.client.decisions.last().asOfChange > 0);
    }

    void withoutTheRightToDeleteNothingIsCounted()
    {
        Shop run;
        run.client.snapshot.connections[0].connection.rights = records::Right::See;
        const support::CommandResult refused = run("delete archived --all --confirm 1");
        QCOMPARE(refused.code, 4);
        QVERIFY2(refused.err.contains("delete") && !refused.err.contains("Nothing"), refused.err.constData());
        QVERIFY(run.client.messageQueries.isEmpty());
    }

    void whatIsOnItsWayIsSaidAlone()
    {
        Shop run;
        run.client.underWay.insert(core::MessageId{41});
        QCOMPARE(run("take-back 41").out, QByteArray("Still being sent, not changed: 1 message. Cancel their operation "
                                                     "to stop messages that are not sent yet.\n"));
    }

    void wrongValuesAreAUsageError_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("error");
        const auto row = [](const char *line, const char *error) {
            QTest::newRow(line) << QByteArray(line) << QByteArray(error);
        };
        row("take-back x", "Invalid id 'x': an id is a whole number.");
        row("resolve 1 x", "Invalid id 'x': an id is a whole number.");
        row("retry --all --rate 0",
            "A rate must be a whole number of messages per second, like 20, or per minute, like 30/min, not '0'.");
        row("retry --all --rate 5/hour",
            "A rate must be a whole number of messages per second, like 20, or per minute, like 30/min, not '5/hour'.");
        row("retry --all --not-before 2020-01-01", "--not-before 2020-01-01 is in the past.");
        row("retry --all --not-before soon", "--not-before must be a time like 02:00 or 2026-01-02T03:04:05Z, or a "
                                             "span from now like 15m or 2h, not 'soon'.");
        row("decide gone --all", "decide needs the word still-there, resolved or archived, not 'gone'.");
        row("decide resolved", "Select the messages with exactly one option. redrive decide --help lists the options.");
        row("decide resolved --all --message 41",
            "Select the messages with exactly one option. redrive decide --help lists the options.");
        row("restore backup.db",
            "restore makes archived messages unresolved again. To restore a backup, use redrive restore-backup FILE.");
        row("rate x 5", "Invalid id 'x': an id is a whole number.");
        row("rate 5 quick",
            "A rate must be a whole number of messages per second, like 20, or per minute, like 30/min, not 'quick'.");
    }

    void wrongValuesAreAUsageError()
    {
        QFETCH(const QByteArray, line);
        QFETCH(const QByteArray, error);
        Shop run;
        const support::CommandResult result = run(line);
        QCOMPARE(result.err, "redrive: " + error + '\n');
        QCOMPARE(result.code, 2);
        QVERIFY(run.client.decisions.isEmpty() && run.client.rates.isEmpty() && run.client.retries.isEmpty());
    }

    void aMessageThatIsNotThereIsNamed()
    {
        Shop run;
        const support::CommandResult missing = run("take-back 41 99");
        QCOMPARE(missing.code, 2);
        QVERIFY2(missing.err.contains("99"), missing.err.constData());
        QVERIFY(run.client.decisions.isEmpty());
        QCOMPARE(run("take-back").code, 2);
    }

    void aRateIsSetAndTakenAway()
    {
        Shop run;
        api::OperationView live;
        live.operation.id = core::OperationId{12};
        live.operation.state = records::OperationState::Running;
        live.operation.total = 5;
        live.operation.plan.perMinute = 30;
        live.operation.plan.notBefore = core::fromMs(1767323045678);
        run.client.snapshot.operations = {live};
        run.client.operationList = {live.operation};
        const support::CommandResult set = run("rate 12 30/min");
        QCOMPARE(set.code, 0);
        QVERIFY2(set.out.contains("  at most 30/min\n"), set.out.constData());
        QVERIFY2(set.out.contains("  not before 2026-01-02 03:04:05\n"), set.out.constData());
        QCOMPARE(run("rate 12 none").code, 0);
        QCOMPARE(run("rate 12 5 --json").json()[QStringLiteral("rate_per_minute")].toInt(), 30);
        QCOMPARE(run.client.rates.size(), 3);
        QCOMPARE(run.client.rates.at(0).operation, core::OperationId{12});
        QCOMPARE(run.client.rates.at(0).perMinute, std::optional<qint64>(30));
        QVERIFY(!run.client.rates.at(1).perMinute);
        QCOMPARE(run.client.rates.at(2).perMinute, std::optional<qint64>(300));
    }
};

REDRIVE_TEST(TestDecisionCommands)
#include "tst_decisioncommands.moc"
