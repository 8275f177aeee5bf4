// Retries to destinations that drop messages, that take no large ones, and whose messages must keep their order.
#include "backend/api/requests/retryplan.h"
#include "backend/records/messages/stamp.h"
#include "tests/support/enginefixture.h"

#include "backend/store/messages/messagestore.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::HandOver;
using records::OperationState;
using records::Outcome;
using support::EngineFixture;
using support::FakeBroker;

namespace {

const QString billing = QStringLiteral("billing");

records::QueueLimits dropping(qint64 most)
{
    records::QueueLimits limits;
    limits.messages = most;
    limits.whenFull = records::QueueLimits::WhenFull::DropsOldest;
    return limits;
}

records::QueueLimits expiring(core::Milliseconds after)
{
    records::QueueLimits limits;
    limits.keeps = after;
    return limits;
}

api::RetryDraft everything(const EngineFixture &fixture, const records::Plan &plan = {})
{
    api::RetryDraft draft;
    draft.filter.connection = fixture.shop;
    draft.plan = plan;
    return draft;
}

core::Result<core::OperationId> confirm(EngineFixture &fixture, const records::Plan &plan)
{
    api::ConfirmRetry command;
    command.draft = everything(fixture, plan);
    const core::Result<api::PlanPreview> preview = fixture.carryOut(api::PreviewRetry{command.draft});
    if (!preview)
        return core::fail(preview.error());
    command.draft.asOfChange = preview->asOfChange;
    command.expectedCount = preview->frozenCount;
    return fixture.carryOut(command);
}

// The body of one of the messages is longer than what a broker takes without a word.
store::NewMessage large(core::ConnectionId connection)
{
    store::NewMessage fresh = test::sampleMessage(connection, 500, 2 * 1024 * 1024);
    fresh.message.queue = QStringLiteral("error");
    fresh.message.dialect = QStringLiteral("unknown");
    fresh.message.destination = {billing, records::Certainty::Exact, QStringLiteral("test")};
    return fresh;
}

void addLarge(EngineFixture &fixture)
{
    QVERIFY(fixture.store->transact([&](store::Session &session) -> core::Result<> {
        const core::Result<core::MessageId> added = session.messages().insert(large(fixture.shop));
        return added ? core::Result<>() : core::fail(added.error());
    }));
}

} // namespace

class TestDroppingDestinations final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aQueueThatDropsItsOldestIsFilledOnlyWhileThereIsRoom();
    void aFullDestinationHoldsNoOther_data();
    void aFullDestinationHoldsNoOther();
    void whatIsLostForCertainNeedsAWord_data();
    void whatIsLostForCertainNeedsAWord();
    void aRefusedLargeCopyHoldsNoOtherBack();
    void aLargeCopyThatIsNeverAnsweredHoldsNoOtherBack();
    void whatIsTooLargeIsLeftOut();
    void theOrderIsKeptWhereThePlanAsksForIt();
    void numbersThatMayBeDecimalsNeedAWord_data();
    void numbersThatMayBeDecimalsNeedAWord();
};

void TestDroppingDestinations::aQueueThatDropsItsOldestIsFilledOnlyWhileThereIsRoom()
{
    EngineFixture fixture(HandOver::StagingQueue);
    fixture.fill(24); // 12 for billing
    fixture.broker->limits.insert(billing, dropping(10));
    fixture.start();
    const api::PlanPreview preview = fixture.carryOut(api::PreviewRetry{everything(fixture)}).value();
    QCOMPARE(preview.drops.size(), 1);
    QCOMPARE(preview.drops.first().queue, billing);
    QCOMPARE(preview.drops.first().forecast.dropped, 2);
    QCOMPARE(preview.certainDrops, 0);
    QVERIFY(preview.refusal.isEmpty());

    qsizetype most = 0;
    fixture.broker->delivered = [&](const FakeBroker::Delivery &) {
        most = std::max(most, fixture.broker->depthOf(billing));
    };
    const core::Result<core::OperationId> id = confirm(fixture, {});
    QVERIFY(id);
    const auto isFull = [&] {
        return fixture.broker->depthOf(billing) == 9 && fixture.operation(*id).waitingReason.contains(billing);
    };
    QVERIFY(fixture.runUntil(isFull));
    QVERIFY(fixture.operation(*id).counts.sent < 24);
    fixture.broker->removeQueue(billing); // its consumer takes all
    fixture.broker->addQueue(billing);
    QVERIFY2(fixture.runToEnd(*id), qPrintable(fixture.operation(*id).waitingReason));
    QCOMPARE(fixture.operation(*id).counts.sent, 24);
    QVERIFY(most < 10);
}

void TestDroppingDestinations::aFullDestinationHoldsNoOther_data()
{
    QTest::addColumn<bool>("keepOrder");
    QTest::newRow("in any order") << false;
    QTest::newRow("in order") << true;
}

// More of its batches wait than are marked ahead.
void TestDroppingDestinations::aFullDestinationHoldsNoOther()
{
    QFETCH(const bool, keepOrder);
    EngineFixture fixture(HandOver::StagingQueue);
    fixture.fill(60); // 30 for billing
    fixture.broker->limits.insert(billing, dropping(1));
    QHash<QString, QStringList> arrived;
    fixture.broker->delivered = [&arrived](const FakeBroker::Delivery &one) {
        arrived[one.destination].append(records::stampOf(one.envelope.headers)->uniqueId);
    };
    fixture.start();
    records::Plan small;
    small.perMinute = 120; // two messages in each batch
    small.keepOrder = keepOrder;
    const core::Result<core::OperationId> id = confirm(fixture, small);
    QVERIFY(id);
    const auto areOthersSent = [&] { return fixture.broker->depthOf(QStringLiteral("sales")) == 30; };
    QVERIFY2(fixture.runUntil(areOthersSent), qPrintable(fixture.operation(*id).waitingReason));
    QCOMPARE(fixture.broker->depthOf(billing), 1);
    const auto saysWhy = [&] { return fixture.operation(*id).waitingReason.contains(billing); };
    QVERIFY(fixture.runUntil(saysWhy));

    fixture.broker->limits.clear();
    QVERIFY2(fixture.runToEnd(*id), qPrintable(fixture.operation(*id).waitingReason));
    QCOMPARE(fixture.operation(*id).counts.sent, 60);
    QHash<QString, QStringList> expected;
    for (const store::RetryMember &member : fixture.members(*id))
        expected[member.destination].append(member.uniqueId);
    if (keepOrder)
        QCOMPARE(arrived, expected);
}

void TestDroppingDestinations::whatIsLostForCertainNeedsAWord_data()
{
    QTest::addColumn<HandOver>("handOver");
    QTest::newRow("staging queue") << HandOver::StagingQueue;
    QTest::newRow("intent log") << HandOver::IntentLog;
}

void TestDroppingDestinations::whatIsLostForCertainNeedsAWord()
{
    QFETCH(const HandOver, handOver);
    EngineFixture fixture(handOver);
    fixture.fill(6);
    fixture.broker->limits.insert(billing, expiring(core::Milliseconds{1000}));
    fixture.start();
    const api::PlanPreview preview = fixture.carryOut(api::PreviewRetry{everything(fixture)}).value();
    QCOMPARE(preview.certainDrops, 3);
    QVERIFY(preview.refusalKind == core::ErrorKind::Refused);
    QVERIFY(preview.refusal.contains(billing));
    const core::Result<core::OperationId> refused = confirm(fixture, {});
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == core::ErrorKind::Refused);

    records::Plan accepting;
    accepting.acceptDrops = true;
    QVERIFY(fixture.carryOut(api::PreviewRetry{everything(fixture, accepting)}).value().refusal.isEmpty());
    const core::Result<core::OperationId> id = confirm(fixture, accepting);
    QVERIFY(id);
    QVERIFY(fixture.runToEnd(*id));
    QCOMPARE(fixture.operation(*id).counts.sent, 6);
    QVERIFY(fixture.operation(*id).plan.acceptDrops); // over a restart, too
}

void TestDroppingDestinations::aRefusedLargeCopyHoldsNoOtherBack()
{
    EngineFixture fixture(HandOver::StagingQueue);
    fixture.fill(6);
    fixture.start();
    const records::FailedMessage refused = fixture.message(core::MessageId{3});
    fixture.broker->tooLarge.insert(refused.uniqueId);
    const core::Result<core::OperationId> id = confirm(fixture, {});
    QVERIFY(id);
    QVERIFY(fixture.runToEnd(*id));
    QCOMPARE(fixture.operation(*id).counts.sent, 5);
    QCOMPARE(fixture.operation(*id).counts.ejected, 1);
    QCOMPARE(fixture.broker->placesOpened, 1); // the batch was not staged again
    QVERIFY(fixture.message(core::MessageId{3}).status == records::MessageStatus::Unresolved);
}

// The server closes the connection while such a body is sent.
void TestDroppingDestinations::aLargeCopyThatIsNeverAnsweredHoldsNoOtherBack()
{
    EngineFixture fixture(HandOver::StagingQueue);
    fixture.fill(6);
    addLarge(fixture);
    fixture.broker->fateOf = [](const broker::Outgoing &copy) {
        return copy.envelope.body.size() > 1024 * 1024 ? FakeBroker::SendFate::LostBefore
                                                       : FakeBroker::SendFate::Arrives;
    };
    fixture.start();
    const core::Result<core::OperationId> id = confirm(fixture, {});
    QVERIFY(id);
    QVERIFY(fixture.runToEnd(*id));
    QCOMPARE(fixture.operation(*id).counts.sent, 6);
    QCOMPARE(fixture.operation(*id).counts.ejected, 1);
    for (const store::RetryMember &member : fixture.members(*id))
        QVERIFY(member.outcome != Outcome::Ejected || member.reason.contains(u"2.0 MB"));
}

void TestDroppingDestinations::whatIsTooLargeIsLeftOut()
{
    EngineFixture fixture(HandOver::StagingQueue);
    fixture.fill(4);
    addLarge(fixture);
    fixture.broker->can().largestBody = 1024 * 1024;
    fixture.start();
    const api::PlanPreview preview = fixture.carryOut(api::PreviewRetry{everything(fixture)}).value();
    QCOMPARE(preview.frozenCount, 4);
    QCOMPARE(preview.leftOut[records::LeftOut::TooLarge], 1);
    QCOMPARE(preview.largestBody, 1024 * 1024);
    const core::Result<core::OperationId> id = confirm(fixture, {});
    QVERIFY(id);
    QVERIFY(fixture.runToEnd(*id));
    QCOMPARE(fixture.operation(*id).counts.sent, 4);
}

void TestDroppingDestinations::theOrderIsKeptWhereThePlanAsksForIt()
{
    EngineFixture fixture(HandOver::StagingQueue);
    fixture.fill(40);
    int copies = 0;
    fixture.broker->fateOf = [&copies](const broker::Outgoing &) { // the fifth, tenth, ... try is lost before or after
        ++copies;
        return copies % 5 != 0    ? FakeBroker::SendFate::Arrives
               : copies % 10 == 0 ? FakeBroker::SendFate::LostAfter
                                  : FakeBroker::SendFate::LostBefore;
    };
    QStringList arrived;
    fixture.broker->delivered = [&arrived](const FakeBroker::Delivery &one) {
        arrived.append(records::stampOf(one.envelope.headers)->uniqueId);
    };
    fixture.start();
    records::Plan inOrder;
    inOrder.keepOrder = true;
    const core::Result<core::OperationId> id = confirm(fixture, inOrder);
    QVERIFY(id);
    QVERIFY(fixture.runToEnd(*id));
    QStringList expected;
    for (const store::RetryMember &member : fixture.members(*id))
        expected.append(member.uniqueId);
    QCOMPARE(arrived, expected);
}

void TestDroppingDestinations::numbersThatMayBeDecimalsNeedAWord_data()
{
    QTest::addColumn<bool>("noDecimals");
    QTest::newRow("there may be decimals") << false;
    QTest::newRow("nobody sends decimals") << true;
}

void TestDroppingDestinations::numbersThatMayBeDecimalsNeedAWord()
{
    QFETCH(const bool, noDecimals);
    EngineFixture fixture(HandOver::StagingQueue);
    if (noDecimals)
        fixture.connection.url.setQuery(QStringLiteral("decimals=none"));
    fixture.fill(4);
    QVERIFY(fixture.store->transact([&](store::Session &session) -> core::Result<> {
        store::NewMessage fresh = large(fixture.shop);
        fresh.message.flags = records::MessageFlag::NotFaithful | records::MessageFlag::Decimals;
        const core::Result<core::MessageId> added = session.messages().insert(fresh);
        return added ? core::Result<>() : core::fail(added.error());
    }));
    fixture.start();
    const api::PlanPreview preview = fixture.carryOut(api::PreviewRetry{everything(fixture)}).value();
    QCOMPARE(preview.frozenCount, noDecimals ? 5 : 4);
    QCOMPARE(preview.leftOut[records::LeftOut::NotFaithful], noDecimals ? 0 : 1);
    QCOMPARE(preview.decimals, noDecimals ? 0 : 1);
    const core::Result<core::OperationId> id = confirm(fixture, {});
    QVERIFY(id);
    QVERIFY(fixture.runToEnd(*id));
    QCOMPARE(fixture.operation(*id).counts.sent, preview.frozenCount);
}

REDRIVE_TEST(TestDroppingDestinations)
#include "tst_droppingdestinations.moc"
