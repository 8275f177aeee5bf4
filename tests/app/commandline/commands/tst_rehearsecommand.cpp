// `redrive rehearse`: what it asks for, the shape of its JSON, and one clear line for each mistake.
#include "backend/recovery/files/policyfile.h"
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Shop : support::CommandRun
{
    core::ConnectionId connection = addConnection(QStringLiteral("shop"));
    records::FailedMessage &message = addMessage(connection, QStringLiteral("System.TimeoutException"));
    QTemporaryDir folder;

    QByteArray file(const QByteArray &content) const
    {
        const QString path = folder.filePath(QStringLiteral("policy.json"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write a file");
        return path.toUtf8();
    }
};

api::RehearsalReport outage()
{
    api::RehearsalReport report;
    report.policy = QStringLiteral("standard");
    report.selected = 12;
    report.copied = 10;
    report.beyondLimit = 2;
    report.sent = 14;
    report.processed = 9;
    report.permanent = 3;
    report.cameBack = 5;
    report.cameBackBy = {{QStringLiteral("System.TimeoutException"), 5}};
    report.immediateRetries = 10;
    report.delayedRetries = 4;
    report.leftForAPerson = 1;
    report.leftBy = {{QStringLiteral("No retries are left"), 1}};
    report.rounds = {{1, false, core::Milliseconds{0}, core::Milliseconds{900}, 10, 5},
                     {2, true, core::Milliseconds{60000}, core::Milliseconds{61000}, 4, 0}};
    report.probing = {{core::Milliseconds{800}, core::Milliseconds{60000}, 5, 2}};
    report.took = core::Milliseconds{61000};
    return report;
}

} // namespace

class TestRehearseCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRetryIsRehearsedWithItsPlan()
    {
        Shop run;
        run.client.rehearsalAnswer.copied = 1;
        QCOMPARE(run("rehearse --all --ramp 1,10,rest --rate 5 --fail 30% --broken-for 60s --mask --at-most 7 --seed 3")
                     .code,
                 0);
        QCOMPARE(run.client.rehearsals.size(), 1);
        const api::Rehearse asked = run.client.rehearsals.first();
        QVERIFY(asked.retry.filter.connection == run.connection);
        QVERIFY(asked.retry.plan.ramp.has_value());
        QVERIFY(asked.retry.plan.stopWhen.has_value());
        QCOMPARE(asked.retry.plan.perMinute.value_or(0), 300);
        QCOMPARE(asked.faults, (api::RehearsalFaults{3000, {}, std::chrono::minutes(1)}));
        QVERIFY(asked.mask);
        QCOMPARE(asked.atMost, 7);
        QCOMPARE(asked.seed, 3);
        QVERIFY(!asked.ticket.isEmpty());
        QVERIFY(asked.policy.isEmpty() && asked.policyFile.isEmpty());
        QVERIFY(run.client.previews.isEmpty() && run.client.retries.isEmpty());
    }

    void aPolicyIsAFileOrAName()
    {
        Shop run;
        QCOMPARE(run("rehearse --all --policy standard --fail-cause *Timeout*").code, 0);
        QCOMPARE(run.client.rehearsals.last().policy, QStringLiteral("standard"));
        QCOMPARE(run.client.rehearsals.last().faults.cause, QStringLiteral("*Timeout*"));
        QCOMPARE(run.client.rehearsals.last().atMost, api::Rehearse::defaultMost);
        QCOMPARE(run("rehearse --all --policy " + run.file("{\"name\": \"mine\", \"immediate\": 1}")).code, 0);
        QVERIFY(run.client.rehearsals.last().policy.isEmpty());
        QCOMPARE(recovery::policyFrom(run.client.rehearsals.last().policyFile)->name, QStringLiteral("mine"));
    }

    void theJsonHasTheShapeOfTheContract()
    {
        Shop run;
        run.client.rehearsalAnswer = outage();
        const support::CommandResult result = run("rehearse --all --policy standard --json");
        QCOMPARE(result.code, 1); // a message is left
        const QJsonObject json = result.json().toObject();
        for (const auto &[field, count] : QList<std::pair<const char *, int>>{{"selected", 12},
                                                                              {"copied", 10},
                                                                              {"beyond_limit", 2},
                                                                              {"browsed_only", 0},
                                                                              {"sent", 14},
                                                                              {"processed", 9},
                                                                              {"processed_twice", 0},
                                                                              {"processed_permanent", 3},
                                                                              {"came_back", 5},
                                                                              {"immediate_retries", 10},
                                                                              {"delayed_retries", 4},
                                                                              {"moved", 0},
                                                                              {"left_for_a_person", 1},
                                                                              {"unaccounted", 0},
                                                                              {"took_ms", 61000},
                                                                              {"seed", 1}})
            QVERIFY2(json.value(QLatin1StringView(field)).toInt(-1) == count, field);
        QCOMPARE(json.value(u"policy").toString(), QStringLiteral("standard"));
        QVERIFY(json.value(u"stopped").isNull());
        QVERIFY(json.value(u"is_over").toBool());
        QCOMPARE(json.value(u"came_back_by").toArray().at(0).toObject().value(u"count").toInt(), 5);
        QCOMPARE(json.value(u"left_by").toArray().at(0).toObject().value(u"reason").toString(),
                 QStringLiteral("No retries are left"));
        const QJsonObject round = json.value(u"rounds").toArray().at(1).toObject();
        QCOMPARE(round.value(u"kind").toString(), QStringLiteral("delayed"));
        QCOMPARE(round.value(u"first_ms").toInt(), 60000);
        QCOMPARE(json.value(u"rate_limit").toArray().at(0).toObject().value(u"failures_before").toInt(), 5);
    }

    void peopleGetASentenceAndTables()
    {
        Shop run;
        run.client.rehearsalAnswer = outage();
        const QByteArray out = run("rehearse --all --policy standard").out;
        for (const char *part :
             {"10 messages", "9", "1 min 1 s", "Retry 2, delayed", "System.TimeoutException",
              "9 of 10 messages processed, 1 left for a person", "3 messages processed here have a permanent failure"})
            QVERIFY2(out.contains(part), part);
        run.client.rehearsalAnswer.stopped = {core::Milliseconds{5000}, QStringLiteral("5 came back"), 5};
        QVERIFY(run("rehearse --all").out.contains("5 came back"));
    }

    void mistakesAreOneLine_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("names");
        QTest::newRow("share") << QByteArray("rehearse --all --fail 130%") << QByteArray("130%");
        QTest::newRow("share without percent") << QByteArray("rehearse --all --fail 30") << QByteArray("--fail");
        QTest::newRow("share of nothing") << QByteArray("rehearse --all --fail 0%") << QByteArray("--fail");
        QTest::newRow("span") << QByteArray("rehearse --all --broken-for soon") << QByteArray("soon");
        QTest::newRow("too many") << QByteArray("rehearse --all --at-most 5001") << QByteArray("5000");
        QTest::newRow("seed") << QByteArray("rehearse --all --seed x") << QByteArray("--seed");
        QTest::newRow("no selection") << QByteArray("rehearse --fail 5%") << QByteArray("exactly one");
        QTest::newRow("policy and plan") << QByteArray("rehearse --all --policy p --rate 5") << QByteArray("--rate");
    }
    void mistakesAreOneLine()
    {
        QFETCH(const QByteArray, line);
        QFETCH(const QByteArray, names);
        Shop run;
        const support::CommandResult result = run(line);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(names), result.err.constData());
        QCOMPARE(result.err.count('\n'), 1);
        QVERIFY(run.client.rehearsals.isEmpty());
    }

    void whatTheEngineRefusesIsPrinted()
    {
        Shop run;
        QCOMPARE(run("rehearse --group 99").code, 2); // no such group
        QVERIFY(run.client.rehearsals.isEmpty());
        run.client.failNext<api::Rehearse>({core::ErrorKind::Refused, QStringLiteral("Browsed only."), {}, {}});
        const support::CommandResult result = run("rehearse --all");
        QCOMPARE(result.code, 4);
        QVERIFY(result.err.contains("Browsed only."));
    }

    void anInterruptedRehearsalIsCancelled()
    {
        Shop run;
        run.client.failNext<api::Rehearse>({core::ErrorKind::Cancelled, QStringLiteral("Interrupted."), {}, {}});
        QVERIFY(run("rehearse --all").code != 0);
        QCOMPARE(run.client.cancelledWork.size(), 1);
    }
};

REDRIVE_TEST(TestRehearseCommand)
#include "tst_rehearsecommand.moc"
