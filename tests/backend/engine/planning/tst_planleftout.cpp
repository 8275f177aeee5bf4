// Freezing leaves out exactly what the preview says.
#include "backend/api/requests/retries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::HandOver;
using support::EngineFixture;

namespace {

qint64 sent(EngineFixture &fixture, core::OperationId id)
{
    return fixture.operation(id).counts.sent;
}

api::PlanPreview previewOf(EngineFixture &fixture, const api::RetryDraft &request)
{
    return fixture.carryOut(api::PreviewRetry{request}).value();
}

} // namespace

class TestPlanLeftOut final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatAnotherRetryHoldsAndWhatHttpCannotCarryAreLeftOutAsShown_data()
    {
        QTest::addColumn<HandOver>("handOver");
        QTest::newRow("staging queue") << HandOver::StagingQueue;
        QTest::newRow("intent log") << HandOver::IntentLog;
    }

    void whatAnotherRetryHoldsAndWhatHttpCannotCarryAreLeftOutAsShown()
    {
        QFETCH(const HandOver, handOver);
        EngineFixture fixture(handOver);
        fixture.fill(20);
        QVERIFY(fixture.store->transact([&](store::Session &session) -> core::Result<> {
            for (int n = 100; n < 103; ++n) {
                store::NewMessage fresh = test::sampleMessage(fixture.shop, n);
                fresh.message.dialect = QStringLiteral("unknown");
                fresh.message.destination = {QStringLiteral("billing"), records::Certainty::Exact,
                                             QStringLiteral("test")};
                fresh.message.flags = records::MessageFlag::NotFaithful;
                const core::Result<core::MessageId> added = session.messages().insert(fresh);
                if (!added)
                    return core::fail(added.error());
            }
            return {};
        }));
        fixture.start();
        records::Plan eight;
        eight.limit = 8;
        QVERIFY(fixture.carryOut(api::PauseAll{true}, {}));
        const core::Result<core::OperationId> first = fixture.retryAll({}, eight);
        QVERIFY(first);
        QVERIFY(fixture.carryOut(api::ChangeOperation{*first, api::OperationAction::Resume}, {}));
        QVERIFY(fixture.runUntil([&] { return fixture.operation(*first).counts.claimed > 0; }));
        QVERIFY(fixture.carryOut(api::ChangeOperation{*first, api::OperationAction::Pause}, {}));
        fixture.advance(std::chrono::minutes(1));

        api::RetryDraft request;
        request.filter.connection = fixture.shop;
        const api::PlanPreview shown = previewOf(fixture, request);
        QCOMPARE(shown.leftOut[records::LeftOut::NotFaithful], 3);
        QCOMPARE(shown.frozenCount, 12);
        const core::Result<core::OperationId> second = fixture.retryAll();
        QVERIFY(second);
        const QList<store::RetryMember> frozen = fixture.members(*second);
        QCOMPARE(qint64(frozen.size()), shown.frozenCount);
        qint64 held = 0;
        for (const store::RetryMember &member : fixture.members(*first)) {
            held += fixture.message(member.message).status == records::MessageStatus::Unresolved ? 1 : 0;
            for (const store::RetryMember &other : frozen)
                QVERIFY(other.message != member.message);
        }
        QCOMPARE(shown.leftOut[records::LeftOut::HeldElsewhere], held);
        QVERIFY(fixture.carryOut(api::ChangeOperation{*first, api::OperationAction::Resume}, {}));
        QVERIFY(fixture.carryOut(api::PauseAll{false}, {}));
        QVERIFY(fixture.runToEnd(*first));
        QVERIFY(fixture.runToEnd(*second));
        QCOMPARE(sent(fixture, *first), 8);
        QCOMPARE(sent(fixture, *second), 12); // nothing was skipped or ejected
    }

    // Nothing can be bound to it, so a staging queue cannot be emptied into it; a send to its name arrives.
    void aQueueThatTakesNothingIsNotCalledMissing_data()
    {
        QTest::addColumn<HandOver>("handOver");
        QTest::addColumn<bool>("takes");
        QTest::newRow("staging queue") << HandOver::StagingQueue << false;
        QTest::newRow("intent log") << HandOver::IntentLog << true;
    }

    void aQueueThatTakesNothingIsNotCalledMissing()
    {
        QFETCH(const HandOver, handOver);
        QFETCH(const bool, takes);
        EngineFixture fixture(handOver);
        const QString billing = QStringLiteral("billing");
        const QString why = QStringLiteral("Queue billing is exclusive.");
        fixture.broker->stagingRefusals.insert(billing, why);
        fixture.connection.rights.setFlag(records::Right::Redirect);
        fixture.fill(20);
        fixture.start();
        api::RetryDraft request;
        request.filter.connection = fixture.shop;
        const api::PlanPreview shown = previewOf(fixture, request);
        QCOMPARE(shown.frozenCount + shown.leftOut[records::LeftOut::NoSuchQueue], 20);
        QCOMPARE(shown.targets.contains(billing), takes);
        QCOMPARE(shown.missingDestinations.isEmpty(), takes);
        for (const api::PlannedDestination &one : shown.missingDestinations) {
            QCOMPARE(one.destination.queue, billing);
            QCOMPARE(one.exists, std::optional(true));
            QCOMPARE(one.cannotSend, why);
        }
        request.plan.redirects = {{records::Redirect::Of::Everything, {}, billing}};
        QCOMPARE(previewOf(fixture, request).refusal.startsWith(why), !takes);
    }

    // An account without the right to list queues still sees and counts the named ones.
    void aDestinationThatCannotBeSeenIsNotCalledMissing()
    {
        EngineFixture fixture;
        fixture.broker->onlyNamed = QStringList{QStringLiteral("error")};
        fixture.fill(20);
        fixture.start();
        api::RetryDraft request;
        request.filter.connection = fixture.shop;
        const api::PlanPreview shown = previewOf(fixture, request);
        QCOMPARE(shown.leftOut[records::LeftOut::NoSuchQueue], 0);
        QCOMPARE(shown.frozenCount, 20);
        for (const api::PlannedDestination &one : shown.destinations)
            QVERIFY(!one.exists); // unknown
        const core::Result<core::OperationId> id = fixture.retryAll();
        QVERIFY(id);
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(sent(fixture, *id), 20);
    }
};

REDRIVE_TEST(TestPlanLeftOut)
#include "tst_planleftout.moc"
