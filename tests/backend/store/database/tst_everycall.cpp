// Calls of the repositories and questions of the console that no other test has of PostgreSQL, one after the other on one store: both
// databases understand their statements. That they do the right thing is tested with the engine, on SQLite.
#include "backend/api/requests/assignmentpreview.h"
#include "backend/api/requests/conventionview.h"
#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "backend/api/requests/transfers.h"
#include "backend/records/rules/failurelatency.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/conventionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/messages/retentionstore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/intentstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryguardstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/session.h"
#include "tests/backend/store/underway.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/store/storerecount.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Result;
using records::MessageStatus;
using store::Session;
using test::must;

namespace {

constexpr core::TimePoint now = core::fromMs(1'800'000'000'000);
constexpr core::Milliseconds minute{60'000};
const QString queue = QStringLiteral("error");

QList<core::BatchId> idsOf(const QList<records::RetryBatch> &batches)
{
    QList<core::BatchId> ids;
    for (const records::RetryBatch &batch : batches)
        ids.append(batch.id);
    return ids;
}

} // namespace

class TestEveryCall final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void conventions();
    void imports();
    void readingAgain();
    void intakes();
    void connections();
    void batches();
    void evidence();
    void guards();
    void frozenSets();
    void policies();
    void assignments();
    void heldMessages();
    void lanes();
    void deliveries();
    void operations();
    void questions();
    void filters();
    void retention();
    void countsAreRight();

private:
    template<typename Work>
    void write(Work work)
    {
        must(m_store->transact([&](Session &session) -> Result<> {
            work(session);
            return {};
        }));
    }
    [[nodiscard]] core::MessageId insert(Session &session, int n, const QStringList &conventions = {});

    support::StorePlace m_place;
    core::SeededRandom m_random{5};
    std::unique_ptr<store::DatabaseStore> m_store;
    core::ConnectionId m_connection;
    core::OperationId m_operation; // a batch of it is being forwarded
    QList<core::MessageId> m_messages; // in it
};

core::MessageId TestEveryCall::insert(Session &session, int n, const QStringList &conventions)
{
    store::NewMessage fresh = test::sampleMessage(m_connection, n);
    fresh.message.status = MessageStatus::Unresolved;
    fresh.message.cameBack = 0;
    fresh.message.flags = {};
    fresh.message.conventions = conventions;
    return must(session.messages().insert(fresh));
}

void TestEveryCall::initTestCase()
{
    REDRIVE_SKIP_WITHOUT_DATABASE();
    m_store = m_place.open(m_random, support::StorePlace::On::Disk);
    QCOMPARE(must(m_place.queries()->ask(api::MessageQuery{})).total, 0); // without any connection
    write([this](Session &session) {
        m_connection = must(session.connections().add(test::sampleConnection(QStringLiteral("shop"))));
        for (int n = 0; n < 5; ++n)
            m_messages.append(insert(session, n));
        m_operation = test::retryUnderWay(session, m_connection, m_messages, false);
    });
}

void TestEveryCall::conventions()
{
    records::Convention ours;
    ours.name = QStringLiteral("ours");
    ours.isFor.connection = QStringLiteral("shop");
    const store::Decided byAda{now, QStringLiteral("ada")};
    write([&](Session &session) {
        must(session.conventions().set(ours, byAda));
        must(session.conventions().renameConnection(QStringLiteral("shop"), QStringLiteral("store"), byAda));
        const core::MessageId read = insert(session, 10, {QStringLiteral("ours")});
        QCOMPARE(must(session.messages().loadOriginal(read)).conventions, QStringList{QStringLiteral("ours")});
        session.conventions().rolledBack(); // read again
        QCOMPARE(must(session.conventions().all()).size(), 1);
        records::RetryOperation operation;
        operation.connection = m_connection;
        operation.conventions = {ours};
        (void)must(session.retryOperations().add(operation));
    });
    QCOMPARE(must(m_place.queries()->ask(api::ConventionQuery{})).first().messages, 1);
    write([&](Session &session) { must(session.conventions().remove(QStringLiteral("ours"))); });
}

void TestEveryCall::imports()
{
    records::ImportedFrom from{now, QStringLiteral("ada"), QStringLiteral("a.ndjson"), QStringLiteral("other"),
                               QStringLiteral("17")};
    records::FileFacts facts;
    facts.messageId = QStringLiteral("x");
    write([&](Session &session) {
        const core::MessageId id = insert(session, 11);
        must(session.messages().noteImport(id, from, facts));
        QCOMPARE(must(session.messages().importedFrom(id))->uniqueId, QStringLiteral("17"));
        const auto past = must(session.messages().loadPast(must(session.messages().load(id))));
        QCOMPARE(past.file->messageId, QStringLiteral("x"));
        must(session.messages().keepFileFacts(id, facts));
    });
}

void TestEveryCall::readingAgain()
{
    write([&](Session &session) {
        const core::MessageId id = insert(session, 12);
        store::NewMessage anew = test::sampleMessage(m_connection, 12);
        anew.message.conventions = {QStringLiteral("a")};
        must(session.messages().failedAgain(id, anew, true));
        must(session.messages().reinterpret(id, anew));
        must(session.messages().readAgain(id, anew));
        QVERIFY(must(session.messages().loadPast(must(session.messages().load(id)))).failedBefore.has_value());
        QCOMPARE(must(session.messages().versions({id})).size(), 1);
        QVERIFY(!must(session.messages().queueCounts()).isEmpty());
        must(session.messages().lossCounts(now));
    });
}

void TestEveryCall::intakes()
{
    records::IntakeRun run;
    run.connection = m_connection;
    run.sourceQueue = queue;
    const records::IntakeStep step{QStringLiteral("node"), 1, 2, QByteArray("\0x", 2)};
    const records::DeliveriesUsed used{1, 2, 3, 4};
    write([&](Session &session) {
        run.id = must(session.intakes().begin(run));
        must(session.intakes().setStep(run.id, step));
        QVERIFY(*must(session.intakes().step(run.id)) == step);
        must(session.intakes().setDeliveriesUsed(m_connection, queue, used));
        QVERIFY(must(session.intakes().deliveriesUsed(m_connection, queue)) == used);
        QCOMPARE(must(session.intakes().allDeliveriesUsed()).size(), 1);
        must(session.intakes().setDeliveriesUsed(m_connection, queue, {}));
        run.state = records::IntakeState::Done;
        must(session.intakes().update(run));
        must(session.intakes().removeDone());
        QVERIFY(must(session.intakes().formerStores()).isEmpty());
    });
}

void TestEveryCall::connections()
{
    write([&](Session &session) {
        must(session.connections().answerFound(m_connection, {queue}));
        must(session.connections().foundQueues());
        QCOMPARE(must(session.connections().inRetryFrom(m_connection, queue)), 4); // of the five
    });
}

void TestEveryCall::batches()
{
    write([&](Session &session) {
        auto &batches = session.retryBatches();
        const QList<core::BatchId> live = idsOf(must(batches.live({}, 10)));
        QCOMPARE(live.size(), 1);
        QCOMPARE(must(batches.live(m_connection, 10)).size(), 1);
        for (const store::MarkedBy who : {store::MarkedBy::ThisSession, store::MarkedBy::OtherSession})
            must(batches.marking(m_connection, QStringLiteral("session"), who, 10));
        must(batches.toStage(m_operation, live, 10));
        QCOMPARE(idsOf(must(batches.inTurn(10))), live);
        QCOMPARE(must(batches.membersOf(live.first())).size(), 5);
        QCOMPARE(must(session.intents().openIntents(live.first())).size(), 2);
        QCOMPARE(must(session.intents().unsent(live.first())).size(), 3);
        must(session.forwarding().keepMark(live.first(), QStringLiteral("mark")));
    });
}

void TestEveryCall::evidence()
{
    write([&](Session &session) {
        auto &evidence = session.evidence();
        const core::BatchId batch = must(session.retryBatches().live({}, 1)).first().id;
        records::FailureLatency times;
        must(evidence.addFailingTimes(m_messages, times));
        must(evidence.setQuietPeriod(m_operation, {minute, minute}, minute));
        QVERIFY(must(evidence.quietPeriod(m_operation)).quiet == minute);
        must(evidence.stillWatched(m_connection, now));
        must(evidence.whereBack(m_operation));
        must(evidence.sendingFrom(batch, now));
        must(evidence.sentUntil(batch, now));
        const QString uniqueId = must(session.messages().load(m_messages.first())).uniqueId;
        must(evidence.sentFrom(uniqueId, m_operation, 1));
        QVERIFY(!must(evidence.hasAsked(uniqueId)));
        must(evidence.mark(m_operation, now, records::RunMark::Kind::Step, 2));
        QCOMPARE(must(evidence.markedStep(m_operation)), 2);
        must(evidence.watched(m_connection, {queue}, now, now + minute));
        must(evidence.watched(m_connection, {queue}, now, now + 2 * minute));
        QVERIFY(must(evidence.watchedFor(m_connection, queue, now + minute)) == minute);
        must(evidence.forgetWatched(m_connection, now + 3 * minute));
        must(evidence.setQuietRule({m_connection, minute}));
        QCOMPARE(must(evidence.quietRules()).size(), 1);
        QVERIFY(must(evidence.quietAfter(m_connection)) == minute);
        must(evidence.batchesToSettle(m_connection, now, {}, 10));
        must(evidence.oldestUnsettled(m_connection));
        must(evidence.resolveQuiet(batch, {queue}, now, minute));
    });
    QCOMPARE(must(m_place.queries()->ask(api::MarkQuery{m_operation})).size(), 1);
}

void TestEveryCall::guards()
{
    write([&](Session &session) {
        must(session.retryGuards().returns(m_connection, {}));
        must(session.retryGuards().keepDepths(m_operation, {{queue, 3}}));
        QCOMPARE(must(session.retryGuards().stepState(m_operation)).depthsBefore.value(queue), 3);
        must(session.retryGuards().proveStep(m_operation));
    });
}

void TestEveryCall::frozenSets()
{
    write([&](Session &session) {
        QList<core::MessageId> messages;
        for (int n = 20; n < 24; ++n)
            messages.append(insert(session, n));
        QVERIFY(!must(session.frozenSets().underWay(m_messages)).isEmpty());
        for (const bool ignoreCase : {false, true}) {
            records::RetryOperation operation;
            operation.connection = m_connection;
            operation.plan.askEndpoints = true;
            operation.plan.ramp = records::defaultRamp();
            const core::OperationId id = must(session.retryOperations().add(operation));
            store::FreezeRules rules;
            rules.asOfChange = must(session.changeNumber());
            rules.limit = 2;
            rules.namesIgnoreCase = ignoreCase;
            rules.answers = {{QStringLiteral("nservicebus")}, {queue}, true};
            rules.redirects = {{records::Redirect::Of::Queue, QStringLiteral("orders.0"), QStringLiteral("elsewhere")}};
            QCOMPARE(must(session.frozenSets().freeze(id, messages, rules)).frozen, 2);
            while (must(session.frozenSets().discard(id, 1))) {
            }
        }
    });
}

void TestEveryCall::policies()
{
    recovery::Policy policy;
    policy.name = QStringLiteral("standard");
    write([&](Session &session) {
        auto &policies = session.policies();
        must(policies.save(policy));
        must(policies.save(policy));
        QCOMPARE(must(policies.policy(policy.name)).version, 2);
        QCOMPARE(must(policies.policies()).size(), 1);
        must(policies.counters());
        must(policies.counterOf(policy.name));
        must(policies.setPause(policy.name, store::PolicyPause{QStringLiteral("ada"), now, {}}));
        must(policies.count(policy.name, 1, 2, 3));
        QCOMPARE(must(policies.policy(policy.name)).cameBack, 2);
        policy.name = QStringLiteral("other");
        must(policies.save(policy));
        must(policies.remove(policy.name));
    });
}

void TestEveryCall::assignments()
{
    recovery::Assignment assignment;
    assignment.policy = QStringLiteral("standard");
    assignment.scope.connection = m_connection;
    assignment.scope.queue = QStringLiteral("none");
    write([&](Session &session) {
        assignment.since = must(session.changeNumber());
        const core::AssignmentId id = must(session.policies().assign(assignment));
        assignment.since = 0;
        QCOMPARE(must(session.policies().assign(assignment)), id); // widened
        recovery::LimitState limit;
        limit.consecutive = 3;
        must(session.policies().setLimit(id, limit));
        QCOMPARE(must(session.policies().assignments()).first().limit.consecutive, 3);
        must(session.policies().unassign(id));
        must(session.policies().unsettled());
        must(session.policies().dismissSettled(now));
    });
    const auto queries = m_place.queries();
    for (const recovery::Scope::Of of :
         {recovery::Scope::Of::Queue, recovery::Scope::Of::Group, recovery::Scope::Of::Rule}) {
        recovery::Scope scope{of, m_connection, queue, {}, {}};
        scope.rule.queue = queue;
        must(queries->ask(api::PreviewAssignment{QStringLiteral("standard"), scope}));
    }
}

void TestEveryCall::heldMessages()
{
    write([&](Session &session) {
        auto &held = session.heldMessages();
        const qint64 change = must(session.changeNumber());
        must(held.setFollowed(change));
        QCOMPARE(must(held.followed()), change);
        QVERIFY(!must(held.changedSince(0, 100)).messages.isEmpty());
        QCOMPARE(must(held.candidates(m_messages)).size(), m_messages.size());
        recovery::HeldMessage one;
        one.message = m_messages.first();
        one.connection = m_connection;
        one.assignment = core::AssignmentId{77}; // gone
        one.state = recovery::HeldState::InRetry;
        one.body = QStringLiteral("digest");
        one.operation = m_operation;
        one.returnedAs = m_messages.last();
        one.decidedAt = now;
        must(held.hold(one));
        must(held.letGo({}, 10));
        must(held.sentWith(QStringLiteral("digest"), must(held.candidates({m_messages.last()})).first()));
        QCOMPARE(must(held.returnsBesides(m_operation)), 1);
        must(held.forgiveReturnsBesides(m_operation));
        QVERIFY(must(held.endIn(m_operation, m_messages.first())).has_value());
        QVERIFY(!must(held.detachOrphans(10)));
    });
}

void TestEveryCall::lanes()
{
    write([&](Session &session) {
        auto &held = session.heldMessages();
        const core::AssignmentId assignment{5};
        recovery::HeldMessage one;
        one.message = insert(session, 30);
        one.connection = m_connection;
        one.assignment = assignment;
        one.state = recovery::HeldState::Waiting;
        one.isDelayed = true;
        one.decidedAt = now;
        one.nextAttempt = now;
        must(held.hold(one));
        must(session.policies().unsettled());
        QVERIFY(must(held.nextDue(assignment)) == now);
        QCOMPARE(must(held.due(assignment, m_connection, recovery::HeldState::Waiting, now, 10)).size(), 1);
        for (const bool isRelease : {false, true}) {
            const store::PolicyLane lane{assignment, m_connection, recovery::HeldState::Waiting, isRelease};
            const QString goes = isRelease ? QStringLiteral("error/%2F und ü") : QStringLiteral("orders.0");
            QVERIFY(must(held.holdBack(lane, goes, now + minute, QStringLiteral("full"), 1)));
            QCOMPARE(must(held.heldBack(lane, goes)), one.message);
            QVERIFY(must(held.releaseHeld(lane, goes, now + minute, 1)));
            QVERIFY(must(held.holdBack(lane, goes, now + minute, QStringLiteral("full"), 1)));
            QVERIFY(must(held.releaseHeld(lane, {}, now + minute, 1)));
        }
        QCOMPARE(must(held.capNextAttempts(assignment, now, [](int) { return core::Milliseconds(10); })), 1);
        QCOMPARE(must(held.counts(assignment, now + minute)).due, 1);
        one.state = recovery::HeldState::NotMoved;
        one.reason = QStringLiteral("full");
        must(held.hold(one));
        QCOMPARE(must(held.counts(assignment, now)).notMovedWhy, QStringLiteral("full"));
    });
}

// What a policy sends, with a copy that the broker holds back.
void TestEveryCall::deliveries()
{
    write([&](Session &session) {
        const core::AssignmentId assignment{6};
        recovery::HeldMessage one;
        one.message = insert(session, 31);
        one.connection = m_connection;
        one.assignment = assignment;
        one.state = recovery::HeldState::Waiting;
        one.decidedAt = now;
        one.nextAttempt = now;
        one.deliverAt = now + minute;
        must(session.heldMessages().hold(one));
        must(session.heldMessages().setFollowed(must(session.changeNumber())));
        records::RetryOperation operation;
        operation.connection = m_connection;
        operation.policy = QStringLiteral("standard");
        const core::OperationId id = must(session.retryOperations().add(operation));
        const store::FreezeRules rules{{}, must(session.changeNumber()), true, {}, {}};
        must(session.frozenSets().freeze(id, {one.message}, rules));
        must(session.heldMessages().entered(id, assignment, now));
        must(session.claims().heldByBroker({one.message}, now));
        QCOMPARE(must(session.heldMessages().counts(assignment, now)).atBroker, 1);
        QVERIFY(must(session.policies().unsettled()).first().deliversUntil == now + minute);
        must(session.policies().setSettled(id));
    });
}

void TestEveryCall::operations()
{
    write([&](Session &session) {
        must(session.retryOperations().setPerMinute(m_operation, 60));
        must(session.retryOperations().setAllPaused(true));
        QVERIFY(must(session.retryOperations().allPaused()));
        must(session.retryOperations().setAllPaused(false));
        for (const auto where :
             {store::RetryOperationStore::Hidden::Everywhere, store::RetryOperationStore::Hidden::FromList})
            (void)session.retryOperations().dismiss(core::OperationId{4711}, where);
        must(session.claims().sendAgain(m_operation, {}, QStringLiteral("session")));
        must(session.claims().close(m_messages, {records::ClaimClosing::ResolvedByHand, now, QStringLiteral("ada")}));
    });
}

void TestEveryCall::questions()
{
    const auto queries = m_place.queries();
    must(queries->ask(api::OperationDetailQuery{m_operation}));
    must(queries->ask(api::ExportQuery{m_messages}));
    api::MemberQuery members;
    members.operation = m_operation;
    must(queries->ask(members));
    must(queries->ask(api::SeriesQuery{m_operation, now, now + minute}));
}

// Words before their index has reached a message, what came back, lists of nothing, pages of ids.
void TestEveryCall::filters()
{
    const auto queries = m_place.queries();
    api::MessageQuery query;
    query.filter.search = QStringLiteral("order");
    query.limit = 2;
    const auto page = must(queries->ask(query));
    must(queries->ask(api::MessageIdQuery{query}));
    must(queries->ask(api::OtherMatchesQuery{query}));
    query.filter = {};
    query.filter.cameBackFrom = m_operation;
    must(queries->ask(query));
    query.filter.groups = {core::GroupId{1}, core::GroupId{2}};
    must(queries->ask(query));
    QVERIFY(page.total > 0);
}

void TestEveryCall::retention()
{
    write([&](Session &session) {
        auto &retention = session.retention();
        const core::MessageId gone = insert(session, 40);
        must(session.messages().setStatus({gone}, {MessageStatus::Unresolved}, MessageStatus::Archived));
        const records::RetentionPolicy policy{minute, minute};
        must(retention.setRetention(policy));
        QVERIFY(must(retention.retention()) == policy);
        QVERIFY(must(retention.hasToSweep()));
        while (must(retention.sweep(now, 10))) {
        }
        QCOMPARE(must(retention.due(policy, now + 2 * minute)).archived, 1);
        QCOMPARE(must(retention.removeDue(policy, now + 2 * minute, 10)).archived, 1);
    });
}

void TestEveryCall::countsAreRight()
{
    QCOMPARE(test::countDifference(m_store->database()), QString());
    write([](Session &session) { must(session.claims().endAll()); });
}

REDRIVE_TEST(TestEveryCall)
#include "tst_everycall.moc"
