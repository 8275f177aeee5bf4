// The shapes of `--json` are a promise to scripts: each test compares a whole document.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

namespace {

QJsonValue json(const char *text)
{
    const QJsonDocument document = QJsonDocument::fromJson(text);
    return document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object());
}

records::RetryOperation finishedOperation()
{
    records::RetryOperation operation;
    operation.id = core::OperationId{12};
    operation.connection = core::ConnectionId{7};
    operation.state = records::OperationState::Completed;
    operation.total = 2500;
    operation.requested = core::fromMs(1767323040000);
    operation.started = core::fromMs(1767323045000);
    operation.finished = core::fromMs(1767323047500);
    operation.scope = QStringLiteral("All of group Timeout");
    operation.counts.sent = 2490;
    operation.counts.skipped = 4;
    operation.counts.ejected = 3;
    operation.counts.inDoubt = 2;
    operation.counts.cancelled = 1;
    operation.counts.possibleDuplicates = 5;
    operation.counts.cameBack = 6;
    operation.plan.redirects = {{records::Redirect::Of::Queue, QStringLiteral("a"), QStringLiteral("b")},
                                {records::Redirect::Of::Unknown, {}, QStringLiteral("c")}};
    return operation;
}

} // namespace

class TestJson final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void groups();
    void messages();
    void searchedMessages();
    void intake();
    void browse();
    void operation();
    void batchesThatAreLeft();
    void batches();
    void doubt();
    void events();
    void theTrail();
    void theBodyIsByteForByte();
};

void TestJson::groups()
{
    support::CommandRun run;
    const core::ConnectionId connection = run.addConnection(QStringLiteral("shop"));
    const core::GroupId group =
        run.client.groupOf(run.addMessage(connection, QStringLiteral("Timeout")), records::Classifier::MessageType);
    run.client.groupOperations.insert(group, core::OperationId{12});
    const support::CommandResult result = run("groups --by type --json");
    QCOMPARE(result.code, 0);
    QCOMPARE(result.err, QByteArray());
    QJsonObject expected =
        json(
            R"({"classifier":"type","title":"Shop.PlaceOrder","count":1,"browsed_only":0,"connection":"shop","operation":"12",
        "first_failure":"2026-01-02T03:04:05.678Z","last_failure":"2026-01-02T03:04:05.678Z",
        "note":null,"muted":null,"first_lost":null,"lost_within_a_day":0,"policies":[]})")
            .toObject();
    expected.insert(QStringLiteral("id"), QString::number(group.value));
    QCOMPARE(result.json(), QJsonValue(QJsonArray{expected}));

    run.client.groupOperations.clear(); // the one field that may be missing
    const QJsonObject without = run("groups --json").json().toArray().at(0).toObject();
    QVERIFY(!without.contains(QStringLiteral("operation")));
    QCOMPARE(without.value(QStringLiteral("classifier")).toString(), QStringLiteral("exception"));
}

void TestJson::messages()
{
    support::CommandRun run;
    const core::ConnectionId connection = run.addConnection(QStringLiteral("shop"));
    run.addMessage(connection, QStringLiteral("Timeout"));
    const support::CommandResult result = run("--json messages --status unresolved");
    QCOMPARE(result.code, 0);
    QCOMPARE(result.json(),
             json(R"({"change":1,"items":[{"id":"41","message_id":"m-41","message_type":"Shop.PlaceOrder",
        "status":"unresolved","browsed_only":false,"queue":"error","destination":"sales","exception_type":"Timeout","exception_message":"It broke",
        "time_of_failure":"2026-01-02T03:04:05.678Z","attempts":2,"size":2048}],"total":1,"next":null})"));
    QCOMPARE(result.out.count('\n'), 1);

    run.addMessage(connection, QStringLiteral("Timeout"));
    const QJsonValue first = run("messages --limit 1 --json").json();
    QCOMPARE(first[QStringLiteral("total")].toInt(), 2);
    const QString cursor = first[QStringLiteral("next")].toString();
    QVERIFY(!cursor.isEmpty());
    const QJsonValue second = run("messages --limit 1 --json --after " + cursor.toUtf8()).json();
    QVERIFY(second[QStringLiteral("items")][0][QStringLiteral("id")]
            != first[QStringLiteral("items")][0][QStringLiteral("id")]);
}

void TestJson::searchedMessages()
{
    support::CommandRun run;
    const core::ConnectionId connection = run.addConnection(QStringLiteral("shop"));
    run.addMessage(connection, QStringLiteral("Timeout")).status = records::MessageStatus::RetryIssued;
    run.addMessage(connection, QStringLiteral("Timeout")).status = records::MessageStatus::Archived;
    const QJsonValue found = run("messages --search time --status unresolved --json").json();
    QCOMPARE(found[QStringLiteral("total")].toInt(), 0);
    QCOMPARE(found[QStringLiteral("other_statuses")],
             json(R"({"counts":{"retryissued":1,"archived":1},"at_least":false})"));
    QCOMPARE(run("messages --search time --status unresolved").out.count("--status"), 2); // people read it, too
    for (const char *line : {"messages --search time --json", "messages --status unresolved --json"})
        QVERIFY(run(line).json()[QStringLiteral("other_statuses")].isUndefined());
    QCOMPARE(run.client.otherQueries.size(), 2);
}

void TestJson::intake()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.client.intakeAnswer = {10, 6, 2, 1, 1};
    const support::CommandResult result = run("intake --once --json");
    QCOMPARE(result.code, 0);
    QCOMPARE(result.json(),
             json(R"({"taken":10,"new":6,"came_back":2,"confirmed":1,"undecodable":1,"queues":[],"cancelled":false})"));
    run.client.intakeAnswer.queues = {
        {QStringLiteral("dead"), 10, 6, {}, {}},
        {QStringLiteral("stream"), 0, 0, core::ErrorKind::Refused, QStringLiteral("A stream.")}};
    const support::CommandResult some = run("intake --once --json");
    QCOMPARE(some.code, 1);
    QCOMPARE(some.json()[QStringLiteral("queues")], json(R"([{"queue":"dead","messages":10,"new":6,"refused":null},
                      {"queue":"stream","messages":0,"new":0,"refused":"A stream."}])"));
}

void TestJson::browse()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.client.lookAnswer = {10, 6, 2, 1, 1, true, 4};
    const support::CommandResult result = run("intake --browse --json");
    QCOMPARE(result.code, 0);
    QCOMPARE(
        result.json(),
        json(R"({"seen":10,"new":6,"seen_before":2,"in_store":1,"undecodable":1,"more":true,"gone":4,"queues":[]})"));
}

void TestJson::operation()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.client.operationList.append(finishedOperation());
    records::OutcomeCounts counts;
    counts.sent = 2490;
    counts.ejected = 3;
    counts.inDoubt = 2;
    counts.cameBack = 6;
    run.client.operationDetail.destinations = {{QStringLiteral("sales"), counts}};
    run.client.operationDetail.returns = {{core::GroupId{77}, QStringLiteral("Timeout"), 6, 1}};
    const core::TimePoint known = core::fromMs(1'767'323'045'000);
    run.client.operationDetail.proofs = {{api::Proof::Acknowledged, 7, known, known, {}},
                                         {api::Proof::Quiet, 5, known, known, core::Milliseconds{86'400'000}}};
    run.client.operationDetail.quiet = core::Milliseconds{270'000};
    using Do = records::EditStep::Do;
    run.client.operationList.first().plan.edit = {
        {{Do::SetHeader, QStringLiteral("x-tenant"), {}, QCborValue(QStringLiteral("north"))},
         {Do::RemoveJson, QStringLiteral("/debug")}}};
    run.client.operationDetail.takesToFail = core::Milliseconds{180'000};
    const support::CommandResult result = run("operation 12 --json");
    QCOMPARE(result.code, 0);
    QCOMPARE(result.json(),
             json(R"({"id":"12","state":"Completed","total":2500,"sent":2490,"skipped":4,"ejected":3,"in_doubt":2,
        "cancelled":1,"possible_duplicates":5,"came_back":6,"pending":0,"started":"2026-01-02T03:04:05.000Z",
        "finished":"2026-01-02T03:04:07.500Z","batches":3,"batches_left":0,"messages_per_second":996,
        "kind":"retry","scope":"All of group Timeout","who":"","policy":null,"reason":null,"requested":"2026-01-02T03:04:00.000Z",
        "waiting_reason":null,
        "rate_per_minute":null,"not_before":null,"most_waiting":null,"ramp":null,"proved_steps":0,"stop_when":null,
        "stopped_because":null,"paused_by":null,"broker_share":null,"accept_drops":false,"keep_order":false,"ask_endpoints":false,
        "redirects":[{"of":"queue","from":"a","to":"b"},{"of":"unknown","from":null,"to":"c"}],
        "edit":[{"header":"x-tenant","set":"north"},{"pointer":"/debug","remove":true}],
        "destinations":[{"queue":"sales","total":2495,"sent":2490,"ejected":3,"in_doubt":2,"came_back":6}],
        "came_back_causes":[{"group":"77","title":"Timeout","count":6,"new_cause":1,"note":null}],
        "proofs":[{"kind":"acknowledged","count":7,"first":"2026-01-02T03:04:05.000Z","last":"2026-01-02T03:04:05.000Z",
        "quiet_seconds":null},{"kind":"quiet","count":5,"first":"2026-01-02T03:04:05.000Z",
        "last":"2026-01-02T03:04:05.000Z","quiet_seconds":86400}],
        "takes_to_fail_seconds":180,"quiet_seconds":270})"));
    const support::CommandResult listed = run("operations --json");
    QCOMPARE(listed.json()[0][QStringLiteral("messages_per_second")].toDouble(), 996.0);
    QCOMPARE(listed.json()[0][QStringLiteral("batches")].toInt(), 3); // as the one alone says
    const records::RetryOperation edited = run.client.operationList.first();
    run.client.operationList.first().started.reset(); // cancelled before it began
    QVERIFY(run("operations --json").json()[0][QStringLiteral("messages_per_second")].isNull());
    run.client.operationList.first() = edited;
    const support::CommandResult waited = run("operation 12 --wait --json");
    QCOMPARE(waited.code, 1); // ejected, in doubt, came back
    QCOMPARE(waited.json(), result.json());
}

// Live, as the engine counts them; else estimated from the messages that are left.
void TestJson::batchesThatAreLeft()
{
    support::CommandRun run;
    records::RetryOperation operation;
    operation.id = core::OperationId{12};
    operation.state = records::OperationState::Running;
    operation.total = 17'000;
    operation.counts.sent = 13'900;
    operation.counts.pending = 3'100;
    run.client.operationList = {operation};
    const QJsonValue stored = run("operation 12 --json").json();
    QCOMPARE(stored[QStringLiteral("batches")].toInt(), 17);
    QCOMPARE(stored[QStringLiteral("batches_left")].toInt(), 4);

    api::OperationView live;
    live.operation = operation;
    live.batchesTotal = 17;
    live.batchesDone = 14;
    run.client.snapshot.operations = {live};
    QCOMPARE(run("operation 12 --json").json()[QStringLiteral("batches_left")].toInt(), 3);
    QVERIFY(run("operation 12").out.contains("3 of 17 batches left"));
    QCOMPARE(run("operations --json").json()[0][QStringLiteral("batches_left")].toInt(), 3);
}

void TestJson::batches()
{
    support::CommandRun run;
    api::BatchView view;
    view.batch.id = core::BatchId{3};
    view.batch.operation = core::OperationId{12};
    view.batch.stage = records::BatchStage::Forwarding;
    view.batch.stagingId = QStringLiteral("0af3");
    view.batch.firstOrdinal = 1000;
    view.batch.lastOrdinal = 2400; // with gaps
    view.batch.counts.staged = 1000;
    view.staged = 998;
    view.forwarded = 400;
    run.client.snapshot.batches = {view};
    view.batch.stage = records::BatchStage::MarkingDocuments;
    view.batch.stagingId.clear();
    run.client.snapshot.batches.append(view);
    const support::CommandResult result = run("batches --json");
    QCOMPARE(result.code, 0);
    QCOMPARE(result.json(), json(R"([
        {"id":"3","operation":"12","status":"Forwarding","staging_id":"0af3","size":1000,"staged":998,"forwarded":400},
        {"id":"3","operation":"12","status":"Marking Documents","staging_id":null,"size":1000,"staged":998,"forwarded":400}])"));
}

void TestJson::doubt()
{
    support::CommandRun run;
    run.client.operationList.append(finishedOperation());
    records::RetryMember member;
    member.operation = core::OperationId{12};
    member.ordinal = 17;
    member.message = core::MessageId{41};
    member.destination = QStringLiteral("sales");
    member.outcome = records::Outcome::InDoubt;
    member.reason = QStringLiteral("No answer came.");
    run.client.memberList.append(member);
    const support::CommandResult result = run("doubt --json");
    QCOMPARE(result.code, 0);
    QCOMPARE(
        result.json(),
        json(R"([{"id":"12:17","operation":"12","message":"41","destination":"sales","reason":"No answer came."}])"));

    QCOMPARE(run("doubt --settle 12:17=resend").code, 0);
    QCOMPARE(run.client.settles.last().operation, core::OperationId{12});
    QCOMPARE(run.client.settles.last().ordinals, QList<qint64>{17});
    QVERIFY(run.client.settles.last().settlement == api::Settlement::SendAgain);
    QCOMPARE(run("doubt --settle 12=sent").code, 0);
    QVERIFY(run.client.settles.last().ordinals.isEmpty());
}

void TestJson::events()
{
    support::CommandRun run;
    run.client.eventList.append({5, core::fromMs(1767323045678), records::Severity::Warning, QStringLiteral("ana"),
                                 QStringLiteral("Retry requested"), QStringLiteral("operation 12"),
                                 QStringLiteral("2 messages")});
    const support::CommandResult result = run("events --json");
    QCOMPARE(result.code, 0);
    QCOMPARE(result.json(), json(R"([{"sequence":5,"at":"2026-01-02T03:04:05.678Z","severity":"warning","who":"ana",
        "what":"Retry requested","on":"operation 12","result":"2 messages"}])"));
}

void TestJson::theTrail()
{
    support::CommandRun run;
    run.client.trail = {records::TrailCheck::Fault::None, 12, QByteArray::fromHex("ab01")};
    support::CommandResult result = run("events --verify --seal AB01 --json");
    QCOMPARE(result.code, 0);
    QCOMPARE(result.json(), json(R"({"intact": true, "fault": "none", "entries": 12, "seal": "ab01"})"));
    QCOMPARE(run.client.trailSeal, QByteArray::fromHex("ab01"));

    run.client.trail.fault = records::TrailCheck::Fault::Changed;
    result = run("events --verify --json");
    QCOMPARE(result.code, 5);
    QCOMPARE(result.json(), json(R"({"intact": false, "fault": "changed", "entries": 12, "seal": "ab01"})"));
    QVERIFY(result.err.contains("Entry 13 "));
}

void TestJson::theBodyIsByteForByte()
{
    support::CommandRun run;
    run.addMessage(run.addConnection(QStringLiteral("shop")), QStringLiteral("Timeout"));
    const QByteArray body("\x00\x1b[2J\xff\n", 7);
    run.client.bodies.insert(core::MessageId{41}, body);
    const support::CommandResult plain = run("show 41 --body");
    QCOMPARE(plain.code, 0);
    QCOMPARE(plain.out, body);
    run.terminal = true; // a body cannot take over the terminal
    QVERIFY(!run("show 41 --body").out.contains('\x1b'));
}

REDRIVE_TEST(TestJson)
#include "tst_json.moc"
