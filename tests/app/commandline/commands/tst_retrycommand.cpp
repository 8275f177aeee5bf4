#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

namespace {

// Two messages on one connection; the operation that the fake files runs to its end over a few snapshots.
struct Shop : support::CommandRun
{
    core::ConnectionId connection;

    explicit Shop(records::Environment environment = records::Environment::Test)
        : connection(addConnection(QStringLiteral("shop"), environment))
    {
        addMessage(connection, QStringLiteral("Timeout"));
        addMessage(connection, QStringLiteral("Timeout"));
        client.previewAnswer.connectionName = QStringLiteral("shop");
        client.previewAnswer.environment = environment;
        client.previewAnswer.sentence = QStringLiteral("All unresolved messages of shop");
        client.previewAnswer.guarantee = QStringLiteral("Each message exactly once.");
        // What the store knows of the operations that will be filed, before a snapshot shows them.
        for (const qint64 id : {1001, 1002, 1003}) {
            records::RetryOperation filed;
            filed.id = core::OperationId{id};
            filed.total = 2;
            filed.state = records::OperationState::Waiting;
            client.operationList.append(filed);
        }
        beforeSnapshot = [this] { work(); };
    }

    void work()
    {
        if (client.retries.isEmpty())
            return;
        if (client.snapshot.operations.isEmpty()) {
            api::OperationView view;
            view.operation.id = core::OperationId{1000 + client.retries.size()};
            view.operation.connection = client.snapshot.connections.first().connection.id;
            view.operation.total = 2;
            view.operation.state = records::OperationState::Running;
            client.snapshot.operations.append(view);
            return;
        }
        records::RetryOperation &operation = client.snapshot.operations.first().operation;
        if (operation.counts.sent < operation.total) {
            ++operation.counts.sent;
            return;
        }
        if (operation.finished) {
            operation.counts.cameBack = late;
            return;
        }
        operation.counts = atEnd;
        operation.state = records::OperationState::Completed;
        operation.finished = endsNow ? core::fromMs(QDateTime::currentMSecsSinceEpoch()) : core::fromMs(1);
    }

    qint64 late = 0; // came back after the end
    bool endsNow = false;

    records::OutcomeCounts atEnd = [] {
        records::OutcomeCounts counts;
        counts.sent = 2;
        return counts;
    }();
};

} // namespace

class TestRetryCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyScopeReachesTheEngine_data();
    void everyScopeReachesTheEngine();
    void theShownCountIsTheOneThatIsAskedFor();
    void aLongCountIsShownAndAnInterruptedFreezeIsCancelled();
    void planOptionsReachTheEngine();
    void paceAndBeginReachTheEngine();
    void aShareOfTheBrokerReachesTheEngine();
    void certainLossNeedsItsOwnWord();
    void stepsAndTheirLimitReachTheEngine();
    void waitingEndsWhenItPausesByItself();
    void theEnginesChoiceForUnknownAnswersIsTaken();
    void aDryRunFilesNothing();
    void productionAsksForTheExactCount();
    void aWrongConfirmationIsRefusedEverywhere();
    void aRefusedPlanSaysWhy();
    void aBrokerThatIsAwayIsNoRefusal();
    void nothingToRetryIsNoError();
    void waitingEndsWithTheOperation();
    void whatComesBackAfterTheEndIsTold();
    void aSpanToWatchIsReadAsItIsMeant();
    void restsAreExitCodeOne_data();
    void restsAreExitCodeOne();
    void withoutAnEngineItSaysHowToStartOne();
    void aStoreThatFailsEndsTheWait();
    void aHolderThatDiesEndsTheWait();
    void progressIsForTerminalsOnly();
    void releaseIsItsOwnKind();
};

void TestRetryCommand::everyScopeReachesTheEngine_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("part");
    for (const char *line :
         {"--all", "--queue error", "--search broke", "--message 41 --message 42", "--group 3 --group 4"})
        QTest::newRow(line) << QByteArray(line) << QByteArray(line).split(' ').first();
}

void TestRetryCommand::everyScopeReachesTheEngine()
{
    QFETCH(const QByteArray, line);
    QFETCH(const QByteArray, part);
    Shop run;
    run.client.previewAnswer.frozenCount = 2;
    QCOMPARE(run("retry " + line).code, 0);
    QCOMPARE(run.client.retries.size(), 1);
    records::MessageFilter expected;
    expected.connection = run.connection;
    expected.status = records::MessageStatus::Unresolved;
    if (part == "--queue")
        expected.queue = QStringLiteral("error");
    if (part == "--search")
        expected.search = QStringLiteral("broke");
    if (part == "--message")
        expected.messages = {core::MessageId{41}, core::MessageId{42}};
    if (part == "--group")
        expected.groups = {core::GroupId{3}, core::GroupId{4}};
    QVERIFY(run.client.retries.first().draft.filter == expected);
    QVERIFY(run.client.previews.first().filter == expected);
}

void TestRetryCommand::theShownCountIsTheOneThatIsAskedFor()
{
    Shop run;
    run.client.snapshot.change = 77;
    QCOMPARE(run("retry --all").code, 0);
    const api::ConfirmRetry &command = run.client.retries.first();
    QCOMPARE(command.expectedCount, 2);
    QCOMPARE(command.draft.asOfChange, std::optional<qint64>(77));
    QVERIFY(!command.confirmedCount);
}

void TestRetryCommand::aLongCountIsShownAndAnInterruptedFreezeIsCancelled()
{
    Shop run;
    run.terminal = true;
    run.client.workProgress = {1, 2};
    run.client.heldNames = {run.client.nameOf<api::PreviewRetry>()};
    run.beforeSnapshot = [&run] { // answered after it was asked twice
        if (run.client.count<api::AskWork>() >= 2 && run.client.held() > 0)
            run.client.releaseOne();
    };
    const support::CommandResult counted = run("retry --all --dry-run");
    QCOMPARE(counted.code, 0);
    QVERIFY2(counted.err.contains("50 %, 1 of 2 messages"), counted.err.constData());
    QVERIFY(run.client.cancelledWork.isEmpty());
    run.client.heldNames.clear();
    run.client.failNext<api::ConfirmRetry>({core::ErrorKind::Cancelled, QStringLiteral("Interrupted."), {}, {}});
    QCOMPARE(run("retry --all").code, 3);
    QCOMPARE(run.client.cancelledWork, QStringList{run.client.retries.last().ticket});
}

void TestRetryCommand::planOptionsReachTheEngine()
{
    Shop run;
    QCOMPARE(run(QStringList{QStringLiteral("retry"), QStringLiteral("--all"), QStringLiteral("--limit"),
                             QStringLiteral("1"), QStringLiteral("--on-unknown"), QStringLiteral("resend"),
                             QStringLiteral("--include-looped"), QStringLiteral("--include-duplicates"),
                             QStringLiteral("--reason"),
                             QStringLiteral("fixed at 3 a.m.")})
                 .code,
             0);
    const records::Plan &plan = run.client.retries.first().draft.plan;
    QCOMPARE(plan.limit, std::optional<qint64>(1));
    QVERIFY(plan.onUnknown == records::OnUnknown::SendAgain);
    QVERIFY(plan.includeLooped);
    QVERIFY(plan.includeDuplicates);
    QCOMPARE(plan.reason, QStringLiteral("fixed at 3 a.m."));
}

void TestRetryCommand::paceAndBeginReachTheEngine()
{
    Shop run;
    const core::TimePoint before = core::fromMs(QDateTime::currentMSecsSinceEpoch());
    QCOMPARE(run("retry --all --rate 20 --not-before 2h --most-waiting 500").code, 0);
    const core::TimePoint after = core::fromMs(QDateTime::currentMSecsSinceEpoch());
    const records::Plan &plan = run.client.retries.first().draft.plan;
    QCOMPARE(plan.perMinute, std::optional<qint64>(1200));
    QCOMPARE(plan.mostWaiting, std::optional<qint64>(500));
    QVERIFY(!plan.brokerShare);
    QVERIFY(plan.notBefore >= before + std::chrono::hours(2) && plan.notBefore <= after + std::chrono::hours(2));
    const support::CommandResult dry = run("retry --all --rate 30/min --not-before 2h --dry-run");
    QVERIFY2(dry.out.contains("  at most 30/min\n") && dry.out.contains("  not before "), dry.out.constData());
}

void TestRetryCommand::aShareOfTheBrokerReachesTheEngine()
{
    Shop run;
    for (const char *text : {"20", "20%"}) {
        const support::CommandResult filed = run(QByteArray("retry --all --broker-share ") + text);
        QVERIFY2(filed.code == 0, filed.err.constData());
        QCOMPARE(run.client.retries.last().draft.plan.brokerShare, std::optional<qint64>(20));
    }
    for (const char *wrong : {"0", "91", "2.5%", "much"})
        QCOMPARE(run(QByteArray("retry --all --broker-share ") + wrong).code, 2);
    QCOMPARE(run.client.retries.size(), 2);
    QVERIFY(run("retry --all --broker-share 20 --dry-run").out.contains("20 %"));
    run.client.previewAnswer.cannotShareBroker = QStringLiteral("It does not tell.");
    const QJsonObject shown = run("retry --all --dry-run --json").json().toObject();
    QCOMPARE(shown[QLatin1String("cannot_share_broker")].toString(), QStringLiteral("It does not tell."));
}

void TestRetryCommand::certainLossNeedsItsOwnWord()
{
    Shop run;
    api::PlannedDrop drop;
    drop.queue = QStringLiteral("orders");
    drop.limits.keeps = core::Milliseconds{1000};
    drop.coming.count = 2;
    drop.forecast = records::forecastOf(drop.limits, drop.coming);
    run.client.previewAnswer.drops = {drop};
    run.client.previewAnswer.certainDrops = 2;
    run.client.previewAnswer.refusal = QStringLiteral("orders loses them.");
    const support::CommandResult refused = run("retry --all");
    QCOMPARE(refused.code, 4);
    QVERIFY2(refused.err.contains("--accept-drops"), refused.err.constData());
    QVERIFY(run.client.retries.isEmpty());
    const QJsonObject shown = run("retry --all --dry-run --json").json().toObject();
    const QJsonObject told = shown[QLatin1String("drops")].toArray().first().toObject();
    QCOMPARE(told[QLatin1String("queue")].toString(), QStringLiteral("orders"));
    QCOMPARE(told[QLatin1String("cause")].toString(), QStringLiteral("expiry"));
    QCOMPARE(told[QLatin1String("dropped")].toInt(), 2);
    QVERIFY(told[QLatin1String("certain")].toBool());
    QCOMPARE(shown[QLatin1String("certain_drops")].toInt(), 2);

    run.client.previewAnswer.refusal.clear(); // what the engine answers to a plan that accepts it
    QCOMPARE(run("retry --all --accept-drops --keep-order").code, 0);
    QVERIFY(run.client.retries.first().draft.plan.acceptDrops);
    QVERIFY(run.client.retries.first().draft.plan.keepOrder);
    QVERIFY(!run.client.retries.first().draft.plan.askEndpoints);
    QCOMPARE(run("retry --all --accept-drops --ask-endpoints").code, 0);
    QVERIFY(run.client.retries.last().draft.plan.askEndpoints);
    QVERIFY(run("release --queue error --ask-endpoints").code == 2);
}

void TestRetryCommand::stepsAndTheirLimitReachTheEngine()
{
    Shop run;
    QCOMPARE(run("retry --all --ramp 1,10,rest").code, 0);
    records::Plan plan = run.client.retries.last().draft.plan;
    QVERIFY(plan.ramp == (records::Ramp{{1, 10}, true}));
    QVERIFY(plan.stopWhen == records::defaultStop()); // steps need a limit
    QCOMPARE(run("retry --all --ramp 5 --stop-when 3").code, 0);
    plan = run.client.retries.last().draft.plan;
    QVERIFY(plan.ramp == (records::Ramp{{5}, false}));
    QVERIFY(plan.stopWhen == (records::StopWhen{3, false}));
    QCOMPARE(run("retry --all --stop-when 10%").code, 0);
    QVERIFY(!run.client.retries.last().draft.plan.ramp);
    QVERIFY(run.client.retries.last().draft.plan.stopWhen == (records::StopWhen{10, true}));
    const support::CommandResult dry = run("retry --all --ramp 1,10 --dry-run");
    QVERIFY2(dry.out.contains("  in steps: 1,10\n") && dry.out.contains("  pauses when 5% came back\n"),
             dry.out.constData());
    for (const char *wrong : {"--ramp 0", "--ramp rest", "--ramp 1;2", "--stop-when 0", "--stop-when 200%"}) {
        const support::CommandResult refused = run(QByteArray("retry --all ") + wrong);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("must be"), refused.err.constData());
    }
    QCOMPARE(run.client.retries.size(), 3);
    QCOMPARE(run("release --queue error --ramp 1").code, 2); // goes back to where it lay: nothing to try out
}

// Waiting for its end would be waiting for ever.
void TestRetryCommand::waitingEndsWhenItPausesByItself()
{
    Shop run;
    run.beforeSnapshot = {}; // nothing moves
    api::OperationView view;
    view.operation.id = core::OperationId{1001};
    view.operation.state = records::OperationState::Paused;
    view.operation.total = 2;
    view.operation.counts.sent = 1;
    view.operation.counts.pending = 1;
    view.operation.counts.cameBack = 1;
    view.operation.stoppedBecause = QStringLiteral("1 message came back, of 1 sent; the limit is 5%.");
    run.client.snapshot.operations = {view};
    const support::CommandResult told = run("retry --all --wait");
    QCOMPARE(told.code, 1);
    QVERIFY2(told.out.contains("  paused by its stop rule: 1 message came back, of 1 sent; the limit is 5%. "
                               "Continue with redrive resume 1001.\n"),
             told.out.constData());
}

void TestRetryCommand::theEnginesChoiceForUnknownAnswersIsTaken()
{
    Shop run;
    run.client.previewAnswer.onUnknownApplies = true;
    run.client.previewAnswer.onUnknownDefault = records::OnUnknown::SendAgain;
    QCOMPARE(run("retry --all").code, 0);
    QVERIFY(run.client.retries.last().draft.plan.onUnknown == records::OnUnknown::SendAgain);
    QCOMPARE(run("retry --all --on-unknown doubt").code, 0);
    QVERIFY(run.client.retries.last().draft.plan.onUnknown == records::OnUnknown::LeaveInDoubt);
}

void TestRetryCommand::aDryRunFilesNothing()
{
    Shop run;
    run.client.previewAnswer.leftOut[records::LeftOut::Looped] = 3;
    run.client.previewAnswer.leftOut[records::LeftOut::HeldElsewhere] = 5;
    run.client.previewAnswer.leftOut[records::LeftOut::NotFaithful] = 1;
    run.client.previewAnswer.leftOut[records::LeftOut::NoDestination] = 4;
    run.client.previewAnswer.leftOut[records::LeftOut::NoSuchQueue] = 6;
    api::PlannedDestination gone;
    gone.destination.queue = QStringLiteral("gone");
    gone.count = 6;
    gone.exists = false;
    run.client.previewAnswer.missingDestinations = {gone};
    api::PlannedDestination error;
    error.destination.queue = QStringLiteral("error");
    error.count = 2;
    error.exists = true;
    error.straightBack = 1;
    run.client.previewAnswer.destinations = {error};
    run.client.previewAnswer.warnings = {
        {api::PlanWarning::Kind::FanOut, 2, QStringLiteral("2 can only go to an exchange.")},
        {api::PlanWarning::Kind::HeldByBroker, 1, QStringLiteral("1 taken back while the broker held it.")}};
    const support::CommandResult result = run("retry --all --dry-run");
    QCOMPARE(result.code, 0);
    QCOMPARE(result.out, QByteArray("All unresolved messages of shop\n"
                                    "2 messages would be sent on connection shop (test).\n"
                                    "  left out: 3 came back repeatedly\n"
                                    "  left out: 4 without a destination\n"
                                    "  left out: 5 held by another operation\n"
                                    "  left out: 1 with headers that cannot be sent unchanged over HTTP\n"
                                    "  left out: 6, because the destination queue gone does not exist\n"
                                    "  to error: 2\n"
                                    "    1 of these were taken from this same queue\n"
                                    "Warning: 2 can only go to an exchange.\n"
                                    "Warning: 1 taken back while the broker held it.\n"
                                    "Guarantee: Each message exactly once.\n"));
    const QJsonValue json = run("retry --all --dry-run --json").json();
    QCOMPARE(json[QStringLiteral("count")].toInt(), 2);
    QCOMPARE(json[QStringLiteral("held_elsewhere")].toInt(), 5);
    QCOMPARE(json[QStringLiteral("no_destination")].toInt(), 4);
    QCOMPARE(json[QStringLiteral("no_such_queue")].toInt(), 6);
    QCOMPARE(json[QStringLiteral("missing_destinations")][0][QStringLiteral("queue")].toString(),
             QStringLiteral("gone"));
    QCOMPARE(json[QStringLiteral("destinations")][0][QStringLiteral("straight_back")].toInt(), 1);
    QCOMPARE(json[QStringLiteral("not_faithful")].toInt(), 1);
    QCOMPARE(json[QStringLiteral("looped_left_out")].toInt(), 3);
    const QJsonValue warning = json[QStringLiteral("warnings")][0];
    QCOMPARE(warning[QStringLiteral("kind")].toString(), QStringLiteral("fan-out"));
    QCOMPARE(warning[QStringLiteral("count")].toInt(), 2);
    QCOMPARE(warning[QStringLiteral("sentence")].toString(), QStringLiteral("2 can only go to an exchange."));
    const QJsonValue twice = json[QStringLiteral("warnings")][1];
    QCOMPARE(twice[QStringLiteral("kind")].toString(), QStringLiteral("held-by-broker"));
    QVERIFY(json[QStringLiteral("refusal")].isNull());
    QVERIFY(run.client.retries.isEmpty());
}

void TestRetryCommand::productionAsksForTheExactCount()
{
    Shop run(records::Environment::Production);
    run.client.previewAnswer.frozenCount = 100;
    run.client.previewAnswer.confirmCount = true;
    const support::CommandResult refused = run("retry --all --json");
    QCOMPARE(refused.code, 4);
    QCOMPARE(refused.err, QByteArray("redrive: Connection shop is production and the set has 100 messages. If that is "
                                     "right, repeat with --confirm 100.\n"));
    QCOMPARE(refused.out, QByteArray());
    QVERIFY(run.client.retries.isEmpty());
    QCOMPARE(run("retry --all --confirm 100").code, 0);
    QCOMPARE(run.client.retries.first().confirmedCount, std::optional<qint64>(100));
}

void TestRetryCommand::aWrongConfirmationIsRefusedEverywhere()
{
    Shop run; // not even production
    const support::CommandResult result = run("retry --all --confirm 3");
    QCOMPARE(result.code, 4);
    QCOMPARE(result.err,
             QByteArray("redrive: The set has 2 messages, not 3. If that is right, repeat with --confirm 2.\n"));
    QVERIFY(run.client.retries.isEmpty());
}

void TestRetryCommand::aRefusedPlanSaysWhy()
{
    Shop run;
    run.client.previewAnswer.refusal = QStringLiteral("Connection shop has no right to retry.");
    QCOMPARE(run("retry --all").code, 4);
    QCOMPARE(run("retry --all").err, QByteArray("redrive: Connection shop has no right to retry.\n"));
    QCOMPARE(run("retry --all --dry-run").code, 4);
    QVERIFY(run.client.retries.isEmpty());
}

void TestRetryCommand::aBrokerThatIsAwayIsNoRefusal()
{
    Shop run;
    run.client.previewAnswer.refusal = QStringLiteral("shop does not answer at the moment.");
    run.client.previewAnswer.refusalKind = core::ErrorKind::Transient;
    QCOMPARE(run("retry --all").code, 3);
    QCOMPARE(run("retry --all --dry-run").code, 3);
    QVERIFY(run.client.retries.isEmpty());
}

void TestRetryCommand::nothingToRetryIsNoError()
{
    Shop run;
    run.client.store.clear();
    QCOMPARE(run("retry --all").out, QByteArray("Nothing to do: no message of this set can be sent.\n"));
    const support::CommandResult result = run("retry --all --wait --json");
    QCOMPARE(result.code, 0);
    QCOMPARE(result.json()[QStringLiteral("total")].toInt(-1), 0);
    QVERIFY(run.client.retries.isEmpty());
}

void TestRetryCommand::waitingEndsWithTheOperation()
{
    Shop run;
    const support::CommandResult result = run("retry --all --wait --json");
    QCOMPARE(result.code, 0);
    QCOMPARE(result.json()[QStringLiteral("state")].toString(), QStringLiteral("Completed"));
    QCOMPARE(result.json()[QStringLiteral("id")].toString(), QStringLiteral("1001"));
    QCOMPARE(result.json()[QStringLiteral("sent")].toInt(), 2);
    QCOMPARE(result.err, QByteArray());
}

void TestRetryCommand::whatComesBackAfterTheEndIsTold()
{
    Shop run;
    run.endsNow = true;
    run.late = 3;
    const support::CommandResult told = run("retry --all --watch-back 1s");
    QCOMPARE(told.code, 1);
    QVERIFY2(told.out.contains("3 messages came back in the 1 s after the end."), told.out.constData());
    QVERIFY(run.client.retries.last().watchBack == std::chrono::seconds(1));
    Shop calm;
    const support::CommandResult nothing = calm("retry --all --watch-back 10m --json");
    QCOMPARE(nothing.code, 0);
    QCOMPARE(nothing.json()[QStringLiteral("came_back")].toInt(-1), 0);
    Shop lost; // what nobody sees is not called quiet
    lost.client.snapshot.connections.first().health = api::Health::Unreachable;
    lost.client.snapshot.connections.first().words = QStringLiteral("unreachable since 02:11");
    const support::CommandResult blind = lost("retry --all --watch-back 10m");
    QCOMPARE(blind.code, 3);
    QVERIFY2(blind.err.contains("unreachable since 02:11"), blind.err.constData());
    for (const api::Health health : {api::Health::Connected, api::Health::Slow}) {
        Shop slow; // what comes back is seen all the same
        slow.client.snapshot.connections.first().health = health;
        slow.client.snapshot.connections.first().words = QStringLiteral("30 % of the requests fail");
        QCOMPARE(slow("retry --all --watch-back 10m").code, 0);
    }
}

void TestRetryCommand::aSpanToWatchIsReadAsItIsMeant()
{
    Shop run;
    run.client.previewAnswer.quiet = std::chrono::seconds(270);
    run.client.previewAnswer.takesToFail = std::chrono::seconds(180);
    QCOMPARE(run("retry --all --watch-back quiet").code, 0);
    QVERIFY(run.client.retries.last().watchBack == std::chrono::seconds(270));
    const support::CommandResult dry = run("retry --all --ramp 1,10 --dry-run");
    QVERIFY2(dry.out.contains("  waits 4 min 30 s after each step, because these messages take up to 3 min to fail\n"),
             dry.out.constData());
    const QJsonValue json = run("retry --all --dry-run --json").json();
    QCOMPARE(json[QStringLiteral("quiet_seconds")].toInt(), 270);
    QCOMPARE(json[QStringLiteral("takes_to_fail_seconds")].toInt(), 180);
    for (const char *wrong : {"soon", "0s", "-5m", "10"})
        QCOMPARE(run(QByteArray("retry --all --watch-back ") + wrong).code, 2);
    QCOMPARE(run.client.retries.size(), 1);
    QCOMPARE(run("release --queue error --watch-back 5m").code, 2); // it goes back to where it lay
}

void TestRetryCommand::restsAreExitCodeOne_data()
{
    QTest::addColumn<QByteArray>("rest");
    for (const char *rest : {"ejected", "in doubt", "came back"})
        QTest::newRow(rest) << QByteArray(rest);
}

void TestRetryCommand::restsAreExitCodeOne()
{
    QFETCH(const QByteArray, rest);
    Shop run;
    if (rest == "ejected")
        run.atEnd.ejected = 1;
    else if (rest == "in doubt")
        run.atEnd.inDoubt = 1;
    else
        run.atEnd.cameBack = 1;
    QCOMPARE(run("retry --all --wait").code, 1);
}

void TestRetryCommand::withoutAnEngineItSaysHowToStartOne()
{
    Shop run;
    QCOMPARE(run("retry --all").err, QByteArray());
    run.client.snapshot.operations.clear();
    run.inProcess = true;
    const support::CommandResult result = run("retry --all --json");
    QCOMPARE(result.code, 0);
    QCOMPARE(result.json()[QStringLiteral("id")].toString(), QStringLiteral("1002"));
    QCOMPARE(result.err,
             QByteArray(
                 "redrive: No engine is running. Start redrive run or redrive console to carry out operation 1002.\n"));
}

void TestRetryCommand::aStoreThatFailsEndsTheWait()
{
    Shop run;
    run.beforeSnapshot = [&run] {
        if (run.client.retries.isEmpty())
            return;
        run.work();
        run.client.snapshot.operations.first().operation.state = records::OperationState::Running;
        run.client.snapshot.engine = api::EngineState::StoreRefusesWrites;
        run.client.snapshot.engineText = QStringLiteral("The disk is full.");
    };
    const support::CommandResult result = run("retry --all --wait");
    QCOMPARE(result.code, 5);
    QCOMPARE(result.err, QByteArray("redrive: The disk is full.\n"));
}

void TestRetryCommand::aHolderThatDiesEndsTheWait()
{
    Shop run;
    run.client.previewAnswer.frozenCount = 2;
    run.atEnd = {}; // it never gets there
    run.beforeSnapshot = [&run] {
        run.work();
        if (!run.client.snapshot.operations.isEmpty() && run.lose)
            std::exchange(run.lose, nullptr)({core::ErrorKind::Transient, QStringLiteral("It is gone."), {}, {}});
        for (api::OperationView &view : run.client.snapshot.operations)
            view.operation.state = records::OperationState::Running;
    };
    const support::CommandResult result = run("retry --all --wait");
    QCOMPARE(result.code, 3);
    QCOMPARE(result.err, QByteArray("redrive: It is gone.\n"));
    QVERIFY(result.out.isEmpty());
}

void TestRetryCommand::progressIsForTerminalsOnly()
{
    Shop quiet;
    QCOMPARE(quiet("retry --all --wait").err, QByteArray());
    Shop shown;
    shown.terminal = true;
    QVERIFY(shown("retry --all --wait").err.contains("]  50 %  1 / 2"));
    Shop json;
    json.terminal = true;
    QCOMPARE(json("retry --all --wait --json").err, QByteArray());
}

void TestRetryCommand::releaseIsItsOwnKind()
{
    Shop run;
    QCOMPARE(run("release --queue error --wait").code, 0);
    QVERIFY(run.client.retries.first().draft.kind == records::OperationKind::Release);
    QCOMPARE(run.client.retries.first().draft.filter.queue, QStringLiteral("error"));
    QCOMPARE(run("release --all").code, 2);
}

REDRIVE_TEST(TestRetryCommand)
#include "tst_retrycommand.moc"
