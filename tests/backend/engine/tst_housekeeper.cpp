// Retention: which messages are removed, which never are, and what stays of removed ones.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/queries.h"
#include "backend/api/requests/settings.h"
#include "backend/records/messages/stamp.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/messages/retentionstore.h"
#include "backend/store/migrations/schema.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::MessageStatus;
using support::EngineFixture;
using namespace std::chrono_literals;

namespace {

void setStatus(EngineFixture &fixture, const QList<qint64> &ids, MessageStatus status)
{
    QList<core::MessageId> messages;
    for (const qint64 id : ids)
        messages.append(core::MessageId{id});
    const core::Result<> done = fixture.store->transact([&](store::Session &session) -> core::Result<> {
        return session.messages()
            .setStatus(messages,
                       {MessageStatus::Unresolved, MessageStatus::Archived, MessageStatus::RetryIssued,
                        MessageStatus::Resolved},
                       status)
            .map([](int) {});
    });
    QVERIFY(done.has_value());
}

QList<qint64> left(EngineFixture &fixture)
{
    QList<qint64> ids;
    const store::Slice all =
        fixture.ask<store::Slice>([](store::Session &session) { return session.messages().slice({}, {}, 1000); });
    for (const core::MessageId id : all.ids)
        ids.append(id.value);
    return ids;
}

core::Result<api::Settings> keep(EngineFixture &fixture, std::optional<core::Milliseconds> resolved,
                                 std::optional<core::Milliseconds> archived)
{
    api::ChangeSettings command;
    command.retention = records::RetentionPolicy{resolved, archived};
    return fixture.carryOut(command);
}

api::Settings wouldKeep(EngineFixture &fixture, core::Milliseconds both)
{
    api::ChangeSettings command;
    command.wouldKeep = records::RetentionPolicy{both, both};
    return fixture.carryOut(command).value();
}

// A long time in which the program does not run, then some minutes in which it does.
void pass(EngineFixture &fixture, core::Milliseconds time)
{
    fixture.stop();
    fixture.clock.advance(time);
    fixture.start();
    fixture.advance(5min);
}

int removals(EngineFixture &fixture)
{
    const QList<records::Event> events = fixture.events();
    return int(std::count_if(events.cbegin(), events.cend(), [](const records::Event &one) {
        return one.what == QLatin1String("Removing messages past their retention");
    }));
}

} // namespace

class TestHousekeeper final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatIsResolvedOrArchivedEverGoes()
    {
        EngineFixture fixture;
        fixture.fill(8);
        fixture.start();
        QVERIFY(keep(fixture, 2h, 4h).has_value());
        setStatus(fixture, {1, 2}, MessageStatus::Resolved);
        setStatus(fixture, {3, 4}, MessageStatus::Archived);
        setStatus(fixture, {5}, MessageStatus::RetryIssued);
        setStatus(fixture, {6}, MessageStatus::Released);
        fixture.advance(1h + 59min);
        QCOMPARE(left(fixture).size(), 8);
        QCOMPARE(wouldKeep(fixture, 1h).archivedDue, 2); // the dry run counts, and removes nothing
        QCOMPARE(wouldKeep(fixture, 1h).resolvedDue, 2);
        fixture.advance(4min);
        QCOMPARE(left(fixture), (QList<qint64>{3, 4, 5, 6, 7, 8}));
        QCOMPARE(removals(fixture), 1);
        fixture.advance(2h + 2min);
        QCOMPARE(left(fixture), (QList<qint64>{5, 6, 7, 8}));
        pass(fixture, 24h * 1000);
        QCOMPARE(left(fixture), (QList<qint64>{5, 6, 7, 8}));
        QCOMPARE(removals(fixture), 2);
    }

    void whateverIsDoneToAMessageBeginsItsTimeAnew()
    {
        EngineFixture fixture;
        fixture.fill(2);
        fixture.start();
        QVERIFY(keep(fixture, 1h, 1h).has_value());
        setStatus(fixture, {1, 2}, MessageStatus::Archived);
        fixture.advance(50min);
        setStatus(fixture, {2}, MessageStatus::Unresolved);
        fixture.advance(5min);
        setStatus(fixture, {2}, MessageStatus::Archived);
        fixture.advance(20min);
        QCOMPARE(left(fixture), (QList<qint64>{2}));
        fixture.advance(45min);
        QVERIFY(left(fixture).isEmpty());
    }

    void nothingGoesWhereThatIsWanted()
    {
        EngineFixture fixture;
        fixture.fill(2);
        fixture.start();
        QVERIFY(keep(fixture, std::nullopt, std::nullopt).has_value());
        setStatus(fixture, {1}, MessageStatus::Archived);
        setStatus(fixture, {2}, MessageStatus::Resolved);
        fixture.advance(2min);
        pass(fixture, 24h * 4000);
        QCOMPARE(left(fixture).size(), 2);
        QCOMPARE(removals(fixture), 0);
    }

    void aCommandThatEndsRemovesNothing()
    {
        EngineFixture fixture;
        fixture.fill(1);
        fixture.dependencies.starter = api::Starter::Command;
        fixture.start();
        QVERIFY(keep(fixture, 1h, 1h).has_value());
        setStatus(fixture, {1}, MessageStatus::Archived);
        fixture.advance(2min);
        pass(fixture, 100h);
        QCOMPARE(left(fixture).size(), 1);
    }

    void aNewStoreKeepsNinetyDays()
    {
        EngineFixture fixture;
        fixture.start();
        const api::Settings settings = fixture.carryOut(api::ChangeSettings{}).value();
        QVERIFY(settings.retention == (records::RetentionPolicy{24h * 90, 24h * 90}));
        QVERIFY(!keep(fixture, 1s, std::nullopt));
        QVERIFY(!keep(fixture, std::nullopt, -1h));
        QVERIFY(!keep(fixture, core::Milliseconds::max(), std::nullopt));
        QVERIFY(fixture.carryOut(api::ChangeSettings{}).value().retention == settings.retention);
    }

    void whatARetryDidStaysKnown()
    {
        EngineFixture fixture;
        fixture.fill(6);
        QList<support::FakeBroker::Delivery> delivered;
        fixture.broker->delivered = [&delivered](const support::FakeBroker::Delivery &one) { delivered.append(one); };
        fixture.start();
        QVERIFY(fixture.carryOut(api::ChangeSubscription{fixture.shop, QStringLiteral("error"), true}));
        QVERIFY(keep(fixture, 1h, 1h).has_value());
        const core::Result<core::OperationId> id = fixture.retryAll();
        QVERIFY(id && fixture.runToEnd(*id));
        const core::Result<int> closed = [&] {
            core::Result<int> done = 0;
            const core::Result<> written = fixture.store->transact([&](store::Session &session) -> core::Result<> {
                done = session.claims().close({{1}, {2}},
                                              {records::ClaimClosing::ResolvedByHand, fixture.clock.now(), {}});
                return done ? core::Result<>{} : core::fail(done.error());
            });
            return written ? done : core::fail(written.error());
        }();
        QCOMPARE(closed.value_or(0), 2);
        fixture.advance(70min);
        QCOMPARE(left(fixture), (QList<qint64>{3, 4, 5, 6}));
        QCOMPARE(fixture.operation(*id).counts.sent, 6);
        // A message of the same batch comes back, so its batch is counted again.
        const QString uniqueId = fixture.message({3}).uniqueId;
        for (const support::FakeBroker::Delivery &one : std::as_const(delivered)) {
            if (records::stampOf(one.envelope.headers)->uniqueId == uniqueId)
                fixture.broker->put(QStringLiteral("error"), one.envelope);
        }
        fixture.advance(1min);
        const records::OutcomeCounts counts = fixture.operation(*id).counts;
        QCOMPARE(counts.cameBack, 1);
        QCOMPARE(counts.sent, 6);
        const records::OutcomeCounts recounted = fixture.ask<records::OutcomeCounts>(
            [&id](store::Session &session) { return session.retryBatches().recount(*id); });
        QVERIFY(counts == recounted);

        const auto queries = std::move(store::Queries::open(fixture.dependencies.storePath).value());
        QVERIFY(queries->ask(api::TrailCheckQuery{}).value().fault == records::TrailCheck::Fault::None);
        QVERIFY(!queries->ask(api::MessageDetailQuery{core::MessageId{1}}).has_value());
        api::MessageQuery search;
        search.filter.search = QStringLiteral("order");
        const api::MessagePage found = queries->ask(search).value();
        for (const records::FailedMessage &row : found.rows)
            QVERIFY(row.id.value > 2);
    }

    void whatARetryUnderWayHoldsStays()
    {
        EngineFixture fixture;
        fixture.fill(3);
        fixture.start();
        QVERIFY(keep(fixture, 1h, 1h).has_value());
        records::Plan plan;
        plan.notBefore = fixture.clock.now() + 4h;
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, plan);
        QVERIFY(id.has_value());
        setStatus(fixture, {1}, MessageStatus::Archived);
        fixture.advance(3h);
        QCOMPARE(left(fixture).size(), 3);
        QVERIFY(fixture.runToEnd(*id));
        fixture.advance(2h);
        QVERIFY(!left(fixture).contains(1));
        QCOMPARE(fixture.operation(*id).counts.skipped, 1);
    }

    void manyGoInShortTransactions()
    {
        EngineFixture fixture;
        fixture.fill(450);
        fixture.start();
        QVERIFY(keep(fixture, 1h, 1h).has_value());
        QList<qint64> all;
        for (qint64 id = 1; id <= 450; ++id)
            all.append(id);
        setStatus(fixture, all, MessageStatus::Archived);
        QVERIFY(fixture.runUntil([&fixture] { return left(fixture).size() < 450; }));
        QVERIFY(left(fixture).size() >= 350); // a slice at a time
        QVERIFY(fixture.runUntil([&fixture] { return left(fixture).isEmpty(); }));
        QCOMPARE(removals(fixture), 1);
    }
};

REDRIVE_TEST(TestHousekeeper)
#include "tst_housekeeper.moc"
