// A rehearsal from its beginning to its end, on its simulated clock: a real engine, store and embedded broker.
#include "app/host/rehearsaldependencies.h"
#include "backend/recovery/files/policyfile.h"
#include "tests/backend/rehearsal/rehearsaljob.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <numeric>

using api::RehearsalReport;
using std::chrono::minutes;
using std::chrono::seconds;
using support::rehearsalJob;
using support::rehearse;
using test::must;

namespace {

qint64 sumOf(const QList<api::RehearsalCount> &counts)
{
    return std::accumulate(counts.cbegin(), counts.cend(), qint64{0},
                           [](qint64 sum, const api::RehearsalCount &one) { return sum + one.count; });
}

recovery::Policy policyOf(const QByteArray &fields)
{
    return must(recovery::policyFrom("{\"name\": \"standard\", \"jitter\": \"none\", " + fields + "}"));
}

} // namespace

class TestWorld : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void retryWithoutFaultsSendsAll();
    void leavesNothingBehind();
    void shareFailsByTheSeed();
    void onlyTheCauseFails();
    void stopRuleStopsTheRetry();
    void rateDecidesHowLongItTakes();
    void leavesOutWhatThePlanLeavesOut();
    void policyWaitsForTheService();
    void policyGivesUp();
    void policyProbes();
    void policyMovesWhatItGivesUp();
    void policyOfHoursEnds();
    void impossiblePlanIsRefused();
    void masksTheBodies();
    void carriesOddHeaders();
    void canBeCancelled();
};

void TestWorld::retryWithoutFaultsSendsAll()
{
    const RehearsalReport report = must(rehearse(rehearsalJob(40)));
    QVERIFY(report.isOver);
    QCOMPARE(report.sent, 40);
    QCOMPARE(report.processed, 40);
    QCOMPARE(report.processedTwice, 0);
    QCOMPARE(report.permanent, 20); // the stand-in accepts what is no JSON; the service does not
    QCOMPARE(report.cameBack, 0);
    QCOMPARE(report.leftForAPerson, 0);
    QCOMPARE(report.unaccounted, 0);
    QCOMPARE(report.rounds.size(), 1);
    QCOMPARE(report.rounds.first().tried, 40);
    QVERIFY(!report.stopped);
}

// Neither in the working directory, nor where programs keep temporary files and data.
void TestWorld::leavesNothingBehind()
{
    const QTemporaryDir folder;
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder.path()));
    QHash<QByteArray, QByteArray> was;
    for (const char *name :
         {"TMPDIR", "SQLITE_TMPDIR", "HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"}) {
        was.insert(name, qgetenv(name));
        qputenv(name, folder.path().toLocal8Bit());
    }
    must(rehearse(rehearsalJob(3)));
    for (auto one = was.cbegin(); one != was.cend(); ++one)
        one.value().isNull() ? qunsetenv(one.key().constData()) : qputenv(one.key().constData(), one.value());
    const QStringList left = QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    QVERIFY(QDir::setCurrent(before));
    QVERIFY2(left.isEmpty(), qPrintable(left.join(QLatin1Char(' '))));
}

void TestWorld::shareFailsByTheSeed()
{
    engine::RehearsalJob job = rehearsalJob(100);
    job.faults.share = 3000;
    job.begun.seed = 7;
    const RehearsalReport report = must(rehearse(job));
    QVERIFY(report.cameBack > 15 && report.cameBack < 45);
    QCOMPARE(report.leftForAPerson, report.cameBack);
    QCOMPARE(report.processed, 100 - report.cameBack);
    QCOMPARE(sumOf(report.cameBackBy), report.cameBack);
    QCOMPARE(sumOf(report.leftBy), report.leftForAPerson);
    QCOMPARE(report.unaccounted, 0);
    QCOMPARE(must(rehearse(job)), report);
    job.begun.seed = 8;
    RehearsalReport other = must(rehearse(job));
    other.seed = 7;
    QVERIFY(!(other == report));
}

void TestWorld::onlyTheCauseFails()
{
    engine::RehearsalJob job = rehearsalJob(20);
    job.faults.cause = QStringLiteral("*Timeout*");
    const RehearsalReport report = must(rehearse(job));
    QCOMPARE(report.cameBackBy, (QList<api::RehearsalCount>{{QStringLiteral("System.TimeoutException"), 10}}));
    QCOMPARE(report.processed, 10);
    QCOMPARE(report.permanent, 10);
    job.faults.cause = QStringLiteral("No value"); // the text of the other
    QCOMPARE(must(rehearse(job)).cameBackBy,
             (QList<api::RehearsalCount>{{QStringLiteral("Newtonsoft.Json.JsonException"), 10}}));
}

void TestWorld::stopRuleStopsTheRetry()
{
    engine::RehearsalJob job = rehearsalJob(60);
    job.faults.share = api::RehearsalFaults::wholeShare;
    job.plan.ramp = records::Ramp{{5}, true};
    job.plan.stopWhen = records::StopWhen{2, false};
    const RehearsalReport report = must(rehearse(job));
    QVERIFY(report.stopped);
    QVERIFY(!report.stopped->why.isEmpty());
    QCOMPARE(report.sent, 5); // the first step of the ramp
    QCOMPARE(report.processed, 0);
    QCOMPARE(report.leftForAPerson, 60);
    QCOMPARE(sumOf(report.leftBy), 60);
    QCOMPARE(report.unaccounted, 0);
    QVERIFY(report.isOver);
}

void TestWorld::rateDecidesHowLongItTakes()
{
    engine::RehearsalJob job = rehearsalJob(30);
    const core::Milliseconds fast = must(rehearse(job)).took;
    job.plan.perMinute = 10;
    const RehearsalReport slow = must(rehearse(job));
    QVERIFY(fast < minutes(1));
    QVERIFY(slow.took >= minutes(2) && slow.took < minutes(4));
    QCOMPARE(slow.processed, 30);
}

void TestWorld::leavesOutWhatThePlanLeavesOut()
{
    engine::RehearsalJob job = rehearsalJob(20);
    job.existing = QStringList{QStringLiteral("Billing")}; // no "sales"
    job.copies[0].message.cameBack = 5;
    job.copies[2].message.destination = {};
    const RehearsalReport retry = must(rehearse(job));
    QCOMPARE(retry.sent, 8);
    QCOMPARE(retry.leftForAPerson, 12);
    QCOMPARE(retry.leftBy.size(), 3);
    QCOMPARE(retry.leftBy.first().count, 10);
    QCOMPARE(sumOf(retry.leftBy), 12);
    QCOMPARE(retry.unaccounted, 0);

    job.policy = policyOf("\"immediate\": 1, \"delayed\": 0");
    const RehearsalReport policy = must(rehearse(job));
    QVERIFY(policy.isOver);
    QCOMPARE(policy.sent, 9); // a policy counts its attempts itself, so it sends what came back before
    QCOMPARE(policy.leftForAPerson, 11);
    QCOMPARE(policy.unaccounted, 0);
}

void TestWorld::policyWaitsForTheService()
{
    engine::RehearsalJob job = rehearsalJob(20);
    job.policy =
        policyOf("\"classify\": [{\"exception\": \"*\", \"as\": \"transient\"}], \"immediate\": 1, \"delayed\": 3,"
                 " \"schedule\": {\"kind\": \"linear\", \"first\": \"1m\"}");
    job.faults.lasting = seconds(50);
    const RehearsalReport report = must(rehearse(job));
    QCOMPARE(report.processed, 20);
    QCOMPARE(report.leftForAPerson, 0);
    QCOMPARE(report.immediateRetries, 20);
    QCOMPARE(report.delayedRetries, 20);
    QCOMPARE(report.cameBack, 20);
    QCOMPARE(report.rounds.size(), 2);
    QVERIFY(!report.rounds.first().delayed && report.rounds.last().delayed);
    QVERIFY(report.rounds.last().first >= minutes(1));
    QVERIFY(report.took >= minutes(1) && report.took < minutes(3));
    QCOMPARE(report.unaccounted, 0);
}

void TestWorld::policyGivesUp()
{
    engine::RehearsalJob job = rehearsalJob(20);
    job.policy = policyOf("\"immediate\": 2, \"delayed\": 0"); // bad JSON is permanent without being named
    job.faults.cause = QStringLiteral("*Timeout*");
    const RehearsalReport report = must(rehearse(job));
    QCOMPARE(report.processed, 0);
    QCOMPARE(report.sent, 20); // ten messages, twice each
    QCOMPARE(report.cameBack, 20);
    QCOMPARE(report.leftForAPerson, 20);
    QCOMPARE(report.leftBy.size(), 2);
    QCOMPARE(report.unaccounted, 0);
    QVERIFY(report.isOver);
}

void TestWorld::policyProbes()
{
    engine::RehearsalJob job = rehearsalJob(30);
    job.policy = policyOf(
        "\"classify\": [{\"exception\": \"*\", \"as\": \"transient\"}], \"immediate\": 5, \"delayed\": 3,"
        " \"schedule\": {\"kind\": \"linear\", \"first\": \"1m\"}, \"rate_limit\": {\"after\": 5, \"wait\": \"5s\"},"
        " \"stop_when\": \"never\"");
    job.faults.lasting = seconds(100);
    const RehearsalReport report = must(rehearse(job));
    QCOMPARE(report.processed, 30);
    QVERIFY(!report.probing.isEmpty());
    QVERIFY(report.probing.first().failuresBefore >= 5);
    QVERIFY(report.probing.last().ended);
    QVERIFY(*report.probing.last().ended >= seconds(100));
    QCOMPARE(report.unaccounted, 0);
}

void TestWorld::policyMovesWhatItGivesUp()
{
    engine::RehearsalJob job = rehearsalJob(20);
    job.policy =
        policyOf("\"immediate\": 1, \"delayed\": 0, \"exhausted\": {\"do\": \"move\", \"queue\": \"parking\"}");
    job.faults.cause = QStringLiteral("*Timeout*");
    const RehearsalReport report = must(rehearse(job));
    QCOMPARE(report.sent, 10);
    QCOMPARE(report.moved, 20);
    QCOMPARE(report.leftForAPerson, 0);
    QCOMPARE(report.unaccounted, 0);
}

void TestWorld::policyOfHoursEnds()
{
    engine::RehearsalJob job = rehearsalJob(6);
    job.pollInterval = records::meteredPoll;
    job.policy =
        policyOf("\"classify\": [{\"exception\": \"*\", \"as\": \"delayed\"}], \"immediate\": 0, \"delayed\": 2,"
                 " \"schedule\": {\"kind\": \"list\", \"delays\": [\"1h\", \"3h\"]}");
    job.faults.share = api::RehearsalFaults::wholeShare;
    const RehearsalReport report = must(rehearse(job));
    QVERIFY(report.isOver);
    QVERIFY(report.took >= std::chrono::hours(4) && report.took < std::chrono::hours(5));
    QCOMPARE(report.delayedRetries, 12);
    QCOMPARE(report.leftForAPerson, 6);
}

void TestWorld::impossiblePlanIsRefused()
{
    engine::RehearsalJob job = rehearsalJob(2);
    job.plan.perMinute = 0;
    QVERIFY(rehearse(job).error().kind == core::ErrorKind::Rejected);
}

void TestWorld::masksTheBodies()
{
    engine::RehearsalJob job = rehearsalJob(2);
    job.mask = true;
    store::Store *store = nullptr;
    rehearsal::EnvironmentDependencies dependencies = app::rehearsalDependencies();
    dependencies.openStore = [open = dependencies.openStore, &store](core::Random &random) {
        auto opened = open(random);
        store = opened->get();
        return opened;
    };
    rehearsal::Environment environment(dependencies, job, std::make_shared<engine::RehearsalControl>());
    QCOMPARE(must(environment.run()).processed, 2);
    const records::Envelope kept = must(store->read<records::Envelope>(
        [](store::Session &session) { return session.messages().loadEnvelope(core::MessageId{1}); }));
    QCOMPARE(kept.body, QByteArray("{\"order\": \"xxx\", \"id\": 1}"));
    QVERIFY(records::find(kept.headers, u"NServiceBus.MessageId") != nullptr);
}

void TestWorld::carriesOddHeaders()
{
    engine::RehearsalJob job = rehearsalJob(2);
    records::Headers &headers = job.copies[0].envelope.headers;
    headers.append({QStringLiteral("x-list"), QCborArray{1, QStringLiteral("a")}});
    headers.append({QStringLiteral("x-null"), QCborValue(nullptr)});
    headers.append({QStringLiteral("x-bytes"), QByteArray("\0\xff", 2)});
    headers.append({QString::fromUtf8("n\xc3\xa4me with blanks"), QString::fromUtf8("\xe2\x82\xac \\ \n")});
    job.copies[0].envelope.exchange = QStringLiteral("orders");
    job.faults.share = api::RehearsalFaults::wholeShare;
    const RehearsalReport report = must(rehearse(job));
    QCOMPARE(report.cameBack, 2);
    QCOMPARE(report.unaccounted, 0);
}

void TestWorld::canBeCancelled()
{
    const auto control = std::make_shared<engine::RehearsalControl>();
    rehearsal::EnvironmentDependencies dependencies = app::rehearsalDependencies();
    dependencies.makeBroker = [make = dependencies.makeBroker, control,
                               brokers = 0](sandbox::Simulation &simulation) mutable {
        control->isCancelled = ++brokers == 2; // that of the stand-in: everything runs by then
        return make(simulation);
    };
    rehearsal::Environment environment(dependencies, rehearsalJob(100), control);
    QVERIFY(environment.run().error().kind == core::ErrorKind::Cancelled);
}

REDRIVE_TEST(TestWorld)
#include "tst_environment.moc"
