// `pause all` and `resume all`: what they changed, what stays paused and why.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

class TestPauseCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allIsPausedAndGoesOn()
    {
        support::CommandRun run;
        run.client.pauseAllAnswer.changed = {core::OperationId{4}};
        const support::CommandResult paused = run("pause all");
        QCOMPARE(paused.code, 0);
        QVERIFY(paused.out.contains("4"));
        run.client.pauseAllAnswer.held = {
            {core::OperationId{7}, records::PausedBy::StopRule, QStringLiteral("Too many came back.")}};
        const support::CommandResult resumed = run("resume all");
        QCOMPARE(resumed.code, 0);
        QVERIFY2(resumed.out.contains("7") && resumed.out.contains("Too many came back."), resumed.out.constData());
        QCOMPARE(run.client.pauses, QList({true, false}));
        QVERIFY(run.client.actions.isEmpty());
    }

    void scriptsReadWhatStaysPaused()
    {
        support::CommandRun run;
        run.client.pauseAllAnswer = {{core::OperationId{4}},
                                     {{core::OperationId{7}, records::PausedBy::Person, QStringLiteral("ada did.")}}};
        const QJsonValue shape = run("resume all --json").json();
        QCOMPARE(shape[QStringLiteral("changed")].toArray(), QJsonArray{QStringLiteral("4")});
        const QJsonObject held = shape[QStringLiteral("held")][0].toObject();
        QCOMPARE(held.value(QStringLiteral("operation")).toString(), QStringLiteral("7"));
        QCOMPARE(held.value(QStringLiteral("paused_by")).toString(), QStringLiteral("person"));
        QCOMPARE(held.value(QStringLiteral("why")).toString(), QStringLiteral("ada did."));
    }

    void aRefusalIsOne()
    {
        support::CommandRun run;
        run.client.failNext<api::PauseAll>({core::ErrorKind::Refused, QStringLiteral("No right."), {}, {}});
        QCOMPARE(run("resume all").code, 4);
    }

    // An error queue that was mistyped is no success.
    void aTestNamesTheQueuesThatAreMissing()
    {
        support::CommandRun run;
        run.addConnection(QStringLiteral("shop"));
        run.client.testAnswer.missingQueues = {QStringLiteral("eror")};
        run.client.testAnswer.otherQueues = {{QStringLiteral("error"), 3000}, {QStringLiteral("dead"), std::nullopt}};
        const support::CommandResult tested = run("connection test shop");
        QCOMPARE(tested.code, 1);
        QVERIFY2(tested.err.contains("eror"), tested.err.constData());
        QVERIFY2(tested.out.contains("error, 3000 messages"), tested.out.constData());
        const support::CommandResult shaped = run("connection test shop --json");
        QCOMPARE(shaped.code, 1);
        QCOMPARE(shaped.json()[QStringLiteral("missing_queues")][0].toString(), QStringLiteral("eror"));
        QCOMPARE(shaped.json()[QStringLiteral("other_queues")][0][QStringLiteral("depth")].toInt(), 3000);
        QVERIFY(shaped.json()[QStringLiteral("other_queues")][1][QStringLiteral("depth")].isNull());
    }
};

REDRIVE_TEST(TestPauseCommand)
#include "tst_pausecommand.moc"
