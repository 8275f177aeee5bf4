// What the plan says is left out is what the freeze leaves out.
#include "backend/store/messagestore.h"
#include "backend/store/retrystore.h"
#include "tests/support/engineroom.h"
#include "tests/support/samplemessages.h"

#include <QTest>

using records::HandOver;
using support::EngineRoom;

namespace {

qint64 sent(EngineRoom &room, core::OperationId id)
{
    return room.operation(id).counts.sent;
}

api::PlanPreview previewOf(EngineRoom &room, const api::RetryRequest &request)
{
    return room
        .await<api::PlanPreview>([&request](engine::Engine &engine) { return engine.retries().preview(request); })
        .value();
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
        QTest::newRow("ledger") << HandOver::Ledger;
    }

    void whatAnotherRetryHoldsAndWhatHttpCannotCarryAreLeftOutAsShown()
    {
        QFETCH(const HandOver, handOver);
        EngineRoom room(handOver);
        room.fill(20);
        QVERIFY(room.store->transact([&](store::Session &session) -> core::Result<> {
            for (int n = 100; n < 103; ++n) {
                store::NewMessage fresh = test::sampleMessage(room.shop, n);
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
        room.start();
        records::Plan eight;
        eight.limit = 8;
        QVERIFY(room.engine->retries().pauseAll(true, {}));
        const core::Result<core::OperationId> first = room.retryAll({}, eight);
        QVERIFY(first);
        QVERIFY(room.engine->retries().act(*first, api::OperationAction::Resume, {}));
        QVERIFY(room.runUntil([&] { return room.operation(*first).counts.claimed > 0; }));
        QVERIFY(room.engine->retries().act(*first, api::OperationAction::Pause, {}));
        room.advance(std::chrono::minutes(1));

        api::RetryRequest request;
        request.filter.connection = room.shop;
        const api::PlanPreview shown = previewOf(room, request);
        QCOMPARE(shown.notFaithful, 3);
        QCOMPARE(shown.frozenCount, 12);
        const core::Result<core::OperationId> second = room.retryAll();
        QVERIFY(second);
        const QList<store::RetryMember> frozen = room.members(*second);
        QCOMPARE(qint64(frozen.size()), shown.frozenCount);
        qint64 held = 0;
        for (const store::RetryMember &member : room.members(*first)) {
            held += room.message(member.message).status == records::MessageStatus::Unresolved ? 1 : 0;
            for (const store::RetryMember &other : frozen)
                QVERIFY(other.message != member.message);
        }
        QCOMPARE(shown.heldElsewhere, held);
        QVERIFY(room.engine->retries().act(*first, api::OperationAction::Resume, {}));
        QVERIFY(room.engine->retries().pauseAll(false, {}));
        QVERIFY(room.runToEnd(*first));
        QVERIFY(room.runToEnd(*second));
        QCOMPARE(sent(room, *first), 8);
        QCOMPARE(sent(room, *second), 12); // nothing was skipped or ejected
    }

    // The account may not list queues: it sees the named ones, and counts them all the same.
    void aDestinationThatCannotBeSeenIsNotCalledMissing()
    {
        EngineRoom room;
        room.broker->onlyNamed = QStringList{QStringLiteral("error")};
        room.fill(20);
        room.start();
        api::RetryRequest request;
        request.filter.connection = room.shop;
        const api::PlanPreview shown = previewOf(room, request);
        QCOMPARE(shown.noSuchQueue, 0);
        QCOMPARE(shown.frozenCount, 20);
        for (const api::PlannedDestination &one : shown.destinations)
            QVERIFY(!one.exists); // unknown
        const core::Result<core::OperationId> id = room.retryAll();
        QVERIFY(id);
        QVERIFY(room.runToEnd(*id));
        QCOMPARE(sent(room, *id), 20);
    }
};

QTEST_GUILESS_MAIN(TestPlanLeftOut)
#include "tst_planleftout.moc"
