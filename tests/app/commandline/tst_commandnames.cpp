// Ids and names on a command line that name nothing: said, with an exit code of their own, before anything is done.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

class TestCommandNames final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void idsThatNameNothingAreSaid_data();
    void idsThatNameNothingAreSaid();
    void idsOfAnotherConnectionNameNothingHere();
    void someThatNameNothingKeepTheOthersFromBeingDone();
    void idsThatNameSomethingMayHaveNothingToDo();
    void onlyWhatIsInDoubtIsSettled();
};

void TestCommandNames::idsThatNameNothingAreSaid_data()
{
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char *line, const char *error) { QTest::newRow(line) << QByteArray(error); };
    const char *message = "Connection shop has no message 999. redrive messages lists them.";
    const char *group = "Connection shop has no failure group 999. redrive groups lists them.";
    row("archive --message 999", message);
    row("archive --group 999", group);
    row("restore --message 999", message);
    row("restore --group 999", group);
    row("retry --message 999", message);
    row("retry --group 999", group);
    row("retry --message 999 --dry-run", message);
    row("release --message 999", message);
    row("release --group 999", group);
    row("messages --group 999", "There is no failure group 999. redrive groups lists them.");
    row("messages --connection shop --group 999", group);
    const char *queue = "Unknown queue nope. redrive queues lists the known queues.";
    row("retry --queue nope", queue);
    row("release --queue nope", queue);
    row("show 999", "There is no message 999. redrive messages lists them.");
    row("operation 999", "There is no operation 999. redrive operations lists them.");
    row("operation 999 --wait", "There is no operation 999. redrive operations lists them.");
    row("doubt --settle 12:999=sent",
        "No message of an operation has the id 12:999. redrive doubt lists the messages in doubt.");
}

void TestCommandNames::idsThatNameNothingAreSaid()
{
    QFETCH(const QByteArray, error);
    support::CommandRun run;
    run.addMessage(run.addConnection(QStringLiteral("shop")), QStringLiteral("Timeout"));
    const support::CommandResult result = run(QByteArray(QTest::currentDataTag()));
    QCOMPARE(result.err, "redrive: " + error + '\n');
    QCOMPARE(result.code, 2);
    QCOMPARE(result.out, QByteArray());
    QVERIFY(run.client.decisions.isEmpty() && run.client.retries.isEmpty() && run.client.settles.isEmpty());
}

void TestCommandNames::idsOfAnotherConnectionNameNothingHere()
{
    support::CommandRun run;
    const core::ConnectionId shop = run.addConnection(QStringLiteral("shop"));
    run.addConnection(QStringLiteral("bank"));
    const records::FailedMessage &message = run.addMessage(shop, QStringLiteral("Timeout"));
    const QByteArray group =
        QByteArray::number(run.client.groupOf(message, records::Classifier::ExceptionAndStack).value);
    QCOMPARE(run("archive --connection bank --message 41").err,
             QByteArray("redrive: Connection bank has no message 41. redrive messages lists them.\n"));
    QCOMPARE(run("retry --connection bank --group " + group).code, 2);
    QVERIFY(run.client.decisions.isEmpty() && run.client.retries.isEmpty());
    QCOMPARE(run("archive --connection shop --message 41").out, QByteArray("Archived 1 message.\n"));
}

void TestCommandNames::someThatNameNothingKeepTheOthersFromBeingDone()
{
    support::CommandRun run;
    run.addMessage(run.addConnection(QStringLiteral("shop")), QStringLiteral("Timeout"));
    QByteArray line("archive --message 41");
    for (int id = 100; id < 112; ++id)
        line += " --message " + QByteArray::number(id);
    const support::CommandResult result = run(line);
    QCOMPARE(result.code, 2);
    QCOMPARE(result.err, QByteArray("redrive: Connection shop has no message 100, 101, 102, 103, 104, 105, 106, 107, "
                                    "108, 109 and 2 more. redrive messages lists them.\n"));
    QVERIFY(run.client.decisions.isEmpty());
}

void TestCommandNames::idsThatNameSomethingMayHaveNothingToDo()
{
    support::CommandRun run;
    run.addMessage(run.addConnection(QStringLiteral("shop")), QStringLiteral("Timeout"));
    QCOMPARE(run("restore --message 41").out, QByteArray("Nothing to restore: none of these messages is archived.\n"));
    QCOMPARE(run("archive --message 41").out, QByteArray("Archived 1 message.\n"));
    const support::CommandResult again = run("archive --message 41");
    QCOMPARE(again.out, QByteArray("Nothing to archive: none of these messages is unresolved.\n"));
    QCOMPARE(again.code, 0);
}

void TestCommandNames::onlyWhatIsInDoubtIsSettled()
{
    support::CommandRun run;
    records::RetryMember member;
    member.operation = core::OperationId{12};
    member.ordinal = 17;
    member.outcome = records::Outcome::Sent;
    run.client.memberList.append(member);
    const support::CommandResult sent = run("doubt --settle 12:17=sent");
    QCOMPARE(sent.err, QByteArray("redrive: 12:17 is not in doubt: it is Sent.\n"));
    QCOMPARE(sent.code, 4);
    QVERIFY(run.client.settles.isEmpty());
    QCOMPARE(run("doubt --settle 12=sent").out, QByteArray("Operation 12 has no messages in doubt.\n"));
    QCOMPARE(run("doubt --settle 12=resend").out, QByteArray("Operation 12 has no messages in doubt.\n"));
    run.client.memberList[0].outcome = records::Outcome::InDoubt;
    member.ordinal = 18;
    member.outcome = records::Outcome::InDoubt;
    run.client.memberList.append(member);
    QCOMPARE(run("doubt --settle 12:18=resend").out,
             QByteArray("Sent again: 1 message. Still in doubt: 1 message. redrive doubt shows the reasons.\n"));
    QCOMPARE(run("doubt --settle 12:17=sent").out, QByteArray("Settled as sent: 1 message.\n"));
}

REDRIVE_TEST(TestCommandNames)
#include "tst_commandnames.moc"
