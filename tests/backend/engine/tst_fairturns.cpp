// A retry with a thousand waiting batches does not slow down another one.
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/stagingstore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using support::EngineFixture;

namespace {

constexpr int waiting = 1001; // more batches than are read at once

// A paused retry whose batches are all marked.
core::Result<> addManyBatches(store::Session &session, core::ConnectionId connection)
{
    records::RetryOperation operation;
    operation.connection = connection;
    const core::Result<core::OperationId> id = session.retryOperations().add(operation);
    if (!id)
        return core::fail(id.error());
    store::FreezeRules rules;
    rules.asOfChange = session.changeNumber().value_or(0);
    QList<core::MessageId> messages;
    for (int n = 1; n <= waiting; ++n)
        messages.append(core::MessageId{n});
    const core::Result<store::FreezeTally> frozen = session.frozenSets().freeze(*id, messages, rules);
    if (!frozen)
        return core::fail(frozen.error());
    core::Result<records::RetryOperation> paused = session.retryOperations().load(*id);
    if (!paused)
        return core::fail(paused.error());
    paused->state = records::OperationState::Paused;
    core::Result<> done = session.retryOperations().update(*paused);
    for (int n = 0; done && n < waiting; ++n) {
        const core::Result<std::optional<records::RetryBatch>> batch =
            session.staging().addBatch(*id, QStringLiteral("before"), 1);
        if (!batch || !*batch)
            return core::fail(core::ErrorKind::Conflict, QStringLiteral("No batch was made."));
        done = session.staging().claimMembers((*batch)->id);
        if (done)
            done = session.staging().beginStaging((*batch)->id);
    }
    return done;
}

} // namespace

class TestFairTurns final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void batchesThatWaitKeepNoOtherRetryFromItsTurn()
    {
        EngineFixture fixture;
        fixture.fill(waiting + 10);
        const core::Result<> filled = fixture.store->transact(
            [&fixture](store::Session &session) { return addManyBatches(session, fixture.shop); });
        QVERIFY2(filled, filled ? "" : qPrintable(filled.error().message));
        fixture.start();
        const core::Result<core::OperationId> id = fixture.retryAll();
        QVERIFY(id);
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(fixture.operation(*id).counts.sent, 10);
    }

    void thePictureHasBatchesOfEveryRetry()
    {
        EngineFixture fixture;
        fixture.fill(waiting + 10);
        core::OperationId late;
        const core::Result<> filled = fixture.store->transact([&](store::Session &session) -> core::Result<> {
            const core::Result<> many = addManyBatches(session, fixture.shop);
            if (!many)
                return many;
            records::RetryOperation operation;
            operation.connection = fixture.shop;
            late = session.retryOperations().add(operation).value_or(core::OperationId{});
            store::FreezeRules rules;
            rules.asOfChange = session.changeNumber().value_or(0);
            const core::Result<store::FreezeTally> frozen =
                session.frozenSets().freeze(late, {core::MessageId{waiting + 1}, core::MessageId{waiting + 2}}, rules);
            if (!frozen)
                return core::fail(frozen.error());
            const core::Result<std::optional<records::RetryBatch>> batch =
                session.staging().addBatch(late, QStringLiteral("before"), 2);
            return batch ? core::Result<>{} : core::Result<>(core::fail(batch.error()));
        });
        QVERIFY2(filled, filled ? "" : qPrintable(filled.error().message));
        constexpr int most = 50;
        const auto shown = fixture.ask<QList<records::RetryBatch>>(
            [](store::Session &session) { return session.retryBatches().inTurn(most); });
        QCOMPARE(shown.size(), most);
        QVERIFY(shown.last().operation == late);
        QVERIFY(std::is_sorted(shown.begin(), shown.end(),
                               [](const auto &one, const auto &other) { return one.id < other.id; }));
    }
};

REDRIVE_TEST(TestFairTurns)
#include "tst_fairturns.moc"
