// Recovery policies on the command line: shapes that scripts depend on, and what is wrong in a file.
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
    QTemporaryDir folder;

    QByteArray file(const QByteArray &content, const char *name = "policy.json") const
    {
        const QString path = folder.filePath(QString::fromLatin1(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write a file");
        return path.toUtf8();
    }
    support::CommandResult set(const QByteArray &content = standard) { return (*this)("policy set " + file(content)); }

    static inline const QByteArray standard =
        R"({"name": "standard", "immediate": 5, "delayed": 3, "schedule": {"kind": "linear", "first": "10s"},
            "jitter": "none", "rate_limit": {"after": 10, "wait": "5s"}})";
};

} // namespace

class TestPolicyCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thePreviewHasTheShapeOfTheContract()
    {
        Shop run;
        const QByteArray file = run.file(Shop::standard);
        const QJsonObject plan = run("policy preview " + file + " --json").json().toObject();
        QCOMPARE(plan.value(u"attempts").toInt(), 24);
        QCOMPARE(plan.value(u"attempts_at_most").toInt(), 24);
        QCOMPARE(plan.value(u"instances").toInt(), 1);
        QCOMPARE(plan.value(u"gives_up_after_ms").toInt(), 60000);
        const QJsonArray steps = plan.value(u"steps").toArray();
        QCOMPARE(steps.size(), 24);
        QCOMPARE(steps.at(0), (QJsonObject{{QStringLiteral("attempt"), 1},
                                           {QStringLiteral("kind"), QStringLiteral("first")},
                                           {QStringLiteral("delay_ms"), 0},
                                           {QStringLiteral("at_ms"), 0},
                                           {QStringLiteral("delay_least_ms"), 0},
                                           {QStringLiteral("delay_most_ms"), 0},
                                           {QStringLiteral("at_least_ms"), 0},
                                           {QStringLiteral("at_most_ms"), 0}}));
        QCOMPARE(steps.at(6).toObject().value(u"kind").toString(), QStringLiteral("delayed"));
        QCOMPARE(steps.at(23).toObject().value(u"at_ms").toInt(), 60000);
        const QJsonObject more = run("policy preview " + file + " --instances 3 --json").json().toObject();
        QCOMPARE(more.value(u"attempts_at_most").toInt(), 72);
        QCOMPARE(run("policy preview " + file + " --instances 0").code, 2);
        QVERIFY(run("policy preview " + file).out.contains("23 retries"));
        QCOMPARE(run.engines, 0); // a file needs no store
    }

    // With jitter no exact time can be said.
    void thePreviewShowsTheRangeOfJitter()
    {
        Shop run;
        const QByteArray file = run.file(R"({"name": "a", "immediate": 0, "delayed": 2, "jitter": "equal",
                                             "schedule": {"kind": "linear", "first": "10s"}})");
        const QJsonObject plan = run("policy preview " + file + " --json").json().toObject();
        QCOMPARE(plan.value(u"gives_up_after_ms").toInt(), 30000);
        QCOMPARE(plan.value(u"gives_up_least_ms").toInt(), 15000);
        QCOMPARE(plan.value(u"gives_up_most_ms").toInt(), 30000);
        const QJsonObject last = plan.value(u"steps").toArray().last().toObject();
        QCOMPARE(last.value(u"delay_ms").toInt(), 20000);
        QCOMPARE(last.value(u"delay_least_ms").toInt(), 10000);
        QCOMPARE(last.value(u"delay_most_ms").toInt(), 20000);
        QCOMPARE(last.value(u"at_least_ms").toInt(), 15000);
        QVERIFY(run("policy preview " + file).out.contains("10 s to 20 s"));
    }

    // The sentence of NServiceBus: only where the broker has no counter do the instances multiply the attempts.
    void instancesMultiplyOnlyWhereTheBrokerDoesNotCount()
    {
        Shop run;
        const QByteArray preview = "policy preview " + run.file(Shop::standard) + " --instances 6";
        const QJsonObject all = run(preview + " --json").json().toObject();
        QCOMPARE(all.value(u"attempts_at_most").toInt(), 144);
        QCOMPARE(all.value(u"delivery_counters").toArray().size(), 4);
        const QJsonObject bus = run(preview + " --broker servicebus --json").json().toObject();
        QCOMPARE(bus.value(u"attempts_at_most").toInt(), 24);
        QCOMPARE(bus.value(u"delivery_counters").toArray().at(0).toObject().value(u"counter").toString(),
                 QStringLiteral("DeliveryCount"));
        QVERIFY(run(preview + " --broker rabbitmq").out.contains("144 attempts on RabbitMQ: each instance"));
        QCOMPARE(run(preview + " --broker azurequeue --dialect").code, 2);
        QCOMPARE(run(preview + " --broker kafka").code, 2);
        const support::CommandResult functions = run(
            {QStringLiteral("policy"), QStringLiteral("preview"), run.folder.filePath(QStringLiteral("policy.json")),
             QStringLiteral("--instances"), QStringLiteral("6"), QStringLiteral("--broker"),
             QStringLiteral("azurequeue"), QStringLiteral("--dialect"), QStringLiteral("Azure Functions")});
        QVERIFY2(functions.out.contains("24 attempts on Storage Queues (DequeueCount)"), functions.out.constData());
    }

    // Of a policy in the store the brokers are known: those of its assignments.
    void thePreviewOfAStoredPolicyIsAboutItsBrokers()
    {
        Shop run;
        run.set();
        QCOMPARE(run("policy preview standard --instances 2 --json")
                     .json()
                     .toObject()
                     .value(u"delivery_counters")
                     .toArray()
                     .size(),
                 4);
        run("policy assign standard --queue shop-errors");
        const QJsonArray counters =
            run("policy preview standard --instances 2 --json").json().toObject().value(u"delivery_counters").toArray();
        QCOMPARE(counters.size(), 1);
        QCOMPARE(counters.at(0).toObject().value(u"broker").toString(), QStringLiteral("rabbitmq"));
    }

    void aPolicyIsSetShownAndListed()
    {
        Shop run;
        QCOMPARE(run.set().code, 0);
        QVERIFY(run.needs.makesStore);
        QCOMPARE(run.client.policiesSet.size(), 1);
        const QJsonObject shown = run("policy show standard --json").json().toObject();
        QCOMPARE(shown.value(u"name").toString(), QStringLiteral("standard"));
        QCOMPARE(shown.value(u"immediate").toInt(), 5);
        QCOMPARE(shown.value(u"rate_limit").toObject().value(u"after").toInt(), 10);
        QCOMPARE(shown.value(u"state").toString(), QStringLiteral("active"));
        QCOMPARE(shown.value(u"file").toObject().value(u"exhausted").toObject().value(u"do").toString(),
                 QStringLiteral("leave"));
        for (const char *number : {"held", "due", "exhausted", "retried", "came_back", "resolved"})
            QVERIFY2(shown.value(QLatin1StringView(number)).isDouble(), number);
        QVERIFY(shown.value(u"next_due").isNull());
        QCOMPARE(run("policy list --json").json().toArray().size(), 1);
        QVERIFY(run("policy list").out.contains("standard"));
        QVERIFY(run("policy show standard").out.contains("assigned to nothing"));
        QCOMPARE(run("policy preview standard --json").json().toObject().value(u"attempts").toInt(), 24);
        QCOMPARE(run("policy remove standard").code, 0);
        QCOMPARE(run("policy list --json").json().toArray().size(), 0);
    }

    void aWrongFileNamesFileAndField()
    {
        Shop run;
        const support::CommandResult wrong = run.set(R"({"name": "a", "schedule": {"kind": "linear"}})");
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.err.contains("policy.json") && wrong.err.contains("schedule"), wrong.err.constData());
        QCOMPARE(wrong.err.count('\n'), 1);
        QCOMPARE(run.client.policiesSet.size(), 0);
        const support::CommandResult missing = run("policy set /no/such/file");
        QCOMPARE(missing.code, 2);
        QVERIFY(missing.err.contains("/no/such/file"));
        QVERIFY(run("policy show nobody").err.contains("nobody"));
        QVERIFY(run("policy preview nobody").err.contains("nobody"));
        QCOMPARE(run("policy frobnicate").code, 2);
    }

    void aPolicyIsAssignedToAQueueAGroupOrARule()
    {
        Shop run;
        run.set();
        QCOMPARE(run("policy assign standard --queue shop-errors").code, 0);
        QCOMPARE(run.client.assigned.last().scope.queue, QStringLiteral("shop-errors"));
        QCOMPARE(run.client.assigned.last().scope.connection, run.connection);
        QCOMPARE(run("policy assign standard --group 17").code, 0);
        QCOMPARE(run.client.assigned.last().scope.group, core::GroupId{17});
        const QByteArray rule = run.file(R"({"connection": "shop", "exception": "*Timeout*"})", "rule.json");
        QCOMPARE(run("policy assign standard --rule " + rule).code, 0);
        QCOMPARE(run.client.assigned.last().scope.rule.exception, QStringLiteral("*Timeout*"));
        QCOMPARE(run.client.assigned.last().scope.connection, run.connection);
        QCOMPARE(run("policy assign standard").code, 2);
        QCOMPARE(run("policy assign standard --group 1 --queue a").code, 2);
        QCOMPARE(run("policy unassign standard --queue shop-errors").code, 0);
        QVERIFY(run("policy unassign standard --queue shop-errors").code != 0);
        const QByteArray unknown = run.file(R"({"connection": "shp", "exception": "*"})", "rule.json");
        QVERIFY(run("policy assign standard --rule " + unknown).err.contains("shp"));
        QCOMPARE(run.client.assigned.size(), 3);
    }

    // In words that need no glossary, with the command that changes it.
    void aQueueThatNobodyKeepsTakingFromIsPointedOut()
    {
        Shop run;
        run.set();
        api::QueueView queue;
        queue.connection = run.connection;
        queue.name = QStringLiteral("shop-errors");
        run.client.snapshot.queues = {queue};
        const QByteArray told = run("policy assign standard --queue shop-errors").err;
        QVERIFY2(told.contains("does not keep taking from shop-errors"), told.constData());
        QVERIFY2(told.contains("redrive intake --queue shop-errors --subscribe"), told.constData());
        QVERIFY2(!told.contains("not subscribed"), told.constData());
        run.client.snapshot.queues.first().subscribed = true;
        QVERIFY(!run("policy assign standard --queue shop-errors").err.contains("keep taking"));
    }

    void messagesThatAreThereAreAssignedOnlyWhenTheyAreAskedFor()
    {
        Shop run;
        run.set();
        run.client.assignmentPreview = {1020, core::fromMs(1767323045000), 949};
        const support::CommandResult fresh = run("policy assign standard --queue shop-errors");
        QCOMPARE(fresh.code, 0);
        QVERIFY(!run.client.assigned.last().existing);
        QVERIFY2(fresh.out.contains("1020 messages") && fresh.out.contains("--existing"), fresh.out.constData());
        const QJsonObject all = run("policy assign standard --queue shop-errors --existing --json").json().toObject();
        QVERIFY(run.client.assigned.last().existing);
        QCOMPARE(all.value(QStringLiteral("existing")).toInt(), 1020);
        QCOMPARE(all.value(QStringLiteral("in_other_retries")).toInt(), 949);
        QVERIFY(all.value(QStringLiteral("existing_included")).toBool());
        QVERIFY(run("policy assign standard --queue shop-errors --existing").out.contains("949"));
    }

    void aPolicyIsPausedAndResumed()
    {
        Shop run;
        run.set();
        QCOMPARE(run("policy pause standard").code, 0);
        const QJsonObject paused = run("policy show standard --json").json().toObject();
        QCOMPARE(paused.value(u"state").toString(), QStringLiteral("paused"));
        QCOMPARE(paused.value(u"paused_by").toString(), QStringLiteral("ada@desk"));
        QCOMPARE(run("policy resume standard").code, 0);
        QCOMPARE(run.client.policyPauses.last().pause, false);
        QVERIFY(run("policy pause nobody").err.contains("nobody"));
    }

    void whatTheBrokerHasIsCountedAndAPauseSaysSo()
    {
        Shop run;
        run.set();
        api::AssignmentView errors;
        errors.id = core::AssignmentId{1};
        errors.held = 5;
        errors.atBroker = 3;
        run.client.snapshot.policies.first().assignments = {errors};
        const QJsonObject shown = run("policy show standard --json").json().toObject();
        QCOMPARE(shown.value(u"at_broker").toInt(), 3);
        QCOMPARE(shown.value(u"assignments")[0][u"at_broker"].toInt(), 3);
        QVERIFY(run("policy show standard").out.contains("At the broker: 3 messages"));
        const support::CommandResult paused = run("policy pause standard");
        QVERIFY(paused.out.contains("The broker has 3 messages, which it delivers at their times"));
    }

    void messagesAreTakenOutAndReturned()
    {
        Shop run;
        QCOMPARE(run("policy exclude 3 4").code, 0);
        QCOMPARE(run.client.excluded.last().messages, (QList{core::MessageId{3}, core::MessageId{4}}));
        QVERIFY(run.client.excluded.last().exclude);
        QCOMPARE(run("policy include 3").code, 0);
        QVERIFY(!run.client.excluded.last().exclude);
        QCOMPARE(run("policy exclude x").code, 2);
    }

    void aMessageSaysWhichPolicyHasIt()
    {
        Shop run;
        const records::FailedMessage message = run.addMessage(run.connection, QStringLiteral("Timeout"));
        api::MessageDetail detail;
        detail.message = message;
        QVERIFY(run("show " + QByteArray::number(message.id.value) + " --json")
                    .json()
                    .toObject()
                    .value(u"policy")
                    .isNull());
        detail.policy = api::PolicyStanding{QStringLiteral("standard"),
                                            recovery::HeldState::Waiting,
                                            3,
                                            24,
                                            false,
                                            core::fromMs(1'790'000'000'000),
                                            {}};
        run.client.details.insert(message.id, detail);
        const QByteArray show = "show " + QByteArray::number(message.id.value);
        const QJsonObject policy = run(show + " --json").json().toObject().value(u"policy").toObject();
        QCOMPARE(policy.value(u"name").toString(), QStringLiteral("standard"));
        QCOMPARE(policy.value(u"attempt").toInt(), 3);
        QCOMPARE(policy.value(u"of").toInt(), 24);
        QCOMPARE(policy.value(u"state").toString(), QStringLiteral("waiting"));
        QVERIFY(policy.value(u"next_attempt").toString().endsWith(QLatin1Char('Z')));
        const QByteArray text = run(show).out;
        QVERIFY2(text.contains("2 of 23 retries used"), text.constData());
        QCOMPARE(policy.value(u"waits_at").toString(), QStringLiteral("store"));

        detail.policy->state = recovery::HeldState::InRetry;
        run.client.details.insert(message.id, detail);
        const QJsonObject sent = run(show + " --json").json().toObject().value(u"policy").toObject();
        QVERIFY(sent.value(u"waits_at").isNull());
        detail.policy->isAtBroker = true;
        run.client.details.insert(message.id, detail);
        const QJsonObject held = run(show + " --json").json().toObject().value(u"policy").toObject();
        QCOMPARE(held.value(u"waits_at").toString(), QStringLiteral("broker"));
        QCOMPARE(held.value(u"state").toString(), QStringLiteral("in_retry"));
        QVERIFY(held.value(u"next_attempt").toString().endsWith(QLatin1Char('Z')));
        QVERIFY(run(show).out.contains("waits at the broker until"));
    }
};

REDRIVE_TEST(TestPolicyCommand)
#include "tst_policycommand.moc"
