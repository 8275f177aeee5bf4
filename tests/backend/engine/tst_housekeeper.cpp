// How long messages are kept: what goes, what never does, and what stays of what went.
#include "backend/records/stamp.h"
#include "backend/store/keepingstore.h"
#include "backend/store/messagestore.h"
#include "backend/store/retrystore.h"
#include "tests/support/engineroom.h"

#include <QTest>

using records::MessageStatus;
using support::EngineRoom;
using namespace std::chrono_literals;

namespace {

void setStatus(EngineRoom &room, const QList<qint64> &ids, MessageStatus status)
{
    QList<core::MessageId> messages;
    for (const qint64 id : ids)
        messages.append(core::MessageId{id});
    const core::Result<> done = room.store->transact([&](store::Session &session) -> core::Result<> {
        return session.messages()
            .setStatus(messages,
                       {MessageStatus::Unresolved, MessageStatus::Archived, MessageStatus::RetryIssued,
                        MessageStatus::Resolved},
                       status)
            .map([](int) {});
    });
    QVERIFY(done.has_value());
}

QList<qint64> left(EngineRoom &room)
{
    QList<qint64> ids;
    const store::Slice all =
        room.ask<store::Slice>([](store::Session &session) { return session.messages().slice({}, {}, 1000); });
    for (const core::MessageId id : all.ids)
        ids.append(id.value);
    return ids;
}

core::Result<api::Settings> keep(EngineRoom &room, std::optional<core::Milliseconds> resolved,
                                 std::optional<core::Milliseconds> archived)
{
    api::SettingsCommand command;
    command.keeping = records::Keeping{resolved, archived};
    command.who = QStringLiteral("ada");
    return room.engine->housekeeper().settings(command);
}

api::Settings wouldKeep(EngineRoom &room, core::Milliseconds both)
{
    api::SettingsCommand command;
    command.wouldKeep = records::Keeping{both, both};
    return room.engine->housekeeper().settings(command).value();
}

// A long time, in which the program does not run; then some minutes in which it does.
void pass(EngineRoom &room, core::Milliseconds time)
{
    room.stop();
    room.clock.advance(time);
    room.start();
    room.advance(5min);
}

int removals(EngineRoom &room)
{
    const QList<records::Event> events = room.events();
    return int(std::count_if(events.cbegin(), events.cend(), [](const records::Event &one) {
        return one.what == QLatin1String("Removing what was kept long enough");
    }));
}

} // namespace

class TestHousekeeper final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatIsResolvedOrArchivedEverGoes()
    {
        EngineRoom room;
        room.fill(8);
        room.start();
        QVERIFY(keep(room, 2h, 4h).has_value());
        setStatus(room, {1, 2}, MessageStatus::Resolved);
        setStatus(room, {3, 4}, MessageStatus::Archived);
        setStatus(room, {5}, MessageStatus::RetryIssued);
        setStatus(room, {6}, MessageStatus::Released);
        room.advance(1h + 59min);
        QCOMPARE(left(room).size(), 8);
        QCOMPARE(wouldKeep(room, 1h).archivedDue, 2); // the dry run counts, and removes nothing
        QCOMPARE(wouldKeep(room, 1h).resolvedDue, 2);
        room.advance(4min);
        QCOMPARE(left(room), (QList<qint64>{3, 4, 5, 6, 7, 8}));
        QCOMPARE(removals(room), 1);
        room.advance(2h + 2min);
        QCOMPARE(left(room), (QList<qint64>{5, 6, 7, 8}));
        pass(room, 24h * 1000);
        QCOMPARE(left(room), (QList<qint64>{5, 6, 7, 8}));
        QCOMPARE(removals(room), 2);
    }

    void whateverIsDoneToAMessageBeginsItsTimeAnew()
    {
        EngineRoom room;
        room.fill(2);
        room.start();
        QVERIFY(keep(room, 1h, 1h).has_value());
        setStatus(room, {1, 2}, MessageStatus::Archived);
        room.advance(50min);
        setStatus(room, {2}, MessageStatus::Unresolved);
        room.advance(5min);
        setStatus(room, {2}, MessageStatus::Archived);
        room.advance(20min);
        QCOMPARE(left(room), (QList<qint64>{2}));
        room.advance(45min);
        QVERIFY(left(room).isEmpty());
    }

    void nothingGoesWhereThatIsWanted()
    {
        EngineRoom room;
        room.fill(2);
        room.start();
        QVERIFY(keep(room, std::nullopt, std::nullopt).has_value());
        setStatus(room, {1}, MessageStatus::Archived);
        setStatus(room, {2}, MessageStatus::Resolved);
        room.advance(2min);
        pass(room, 24h * 4000);
        QCOMPARE(left(room).size(), 2);
        QCOMPARE(removals(room), 0);
    }

    void aCommandThatEndsRemovesNothing()
    {
        EngineRoom room;
        room.fill(1);
        room.world.starter = api::Starter::Command;
        room.start();
        QVERIFY(keep(room, 1h, 1h).has_value());
        setStatus(room, {1}, MessageStatus::Archived);
        room.advance(2min);
        pass(room, 100h);
        QCOMPARE(left(room).size(), 1);
    }

    void aNewStoreKeepsNinetyDays()
    {
        EngineRoom room;
        room.start();
        const api::Settings settings = room.engine->housekeeper().settings({}).value();
        QVERIFY(settings.keeping == (records::Keeping{24h * 90, 24h * 90}));
        QVERIFY(!keep(room, 1s, std::nullopt));
        QVERIFY(!keep(room, std::nullopt, -1h));
        QVERIFY(!keep(room, core::Milliseconds::max(), std::nullopt));
        QVERIFY(room.engine->housekeeper().settings({}).value().keeping == settings.keeping);
    }

    void whatARetryDidStaysKnown()
    {
        EngineRoom room;
        room.fill(6);
        QList<support::FakeBroker::Delivery> delivered;
        room.broker->delivered = [&delivered](const support::FakeBroker::Delivery &one) { delivered.append(one); };
        room.start();
        QVERIFY(room.engine->connections()
                    .follow({room.shop, QStringLiteral("error"), true}, QStringLiteral("ada"))
                    .has_value());
        QVERIFY(keep(room, 1h, 1h).has_value());
        const core::Result<core::OperationId> id = room.retryAll();
        QVERIFY(id && room.runToEnd(*id));
        const core::Result<int> closed = [&] {
            core::Result<int> done = 0;
            const core::Result<> written = room.store->transact([&](store::Session &session) -> core::Result<> {
                done = session.retries().close({{1}, {2}}, {store::Closure::ByHand, room.clock.now(), {}});
                return done ? core::Result<>{} : core::fail(done.error());
            });
            return written ? done : core::fail(written.error());
        }();
        QCOMPARE(closed.value_or(0), 2);
        room.advance(70min);
        QCOMPARE(left(room), (QList<qint64>{3, 4, 5, 6}));
        QCOMPARE(room.operation(*id).counts.sent, 6);
        // One of the same batch comes back: its batch is counted anew.
        const QString uniqueId = room.message({3}).uniqueId;
        for (const support::FakeBroker::Delivery &one : std::as_const(delivered)) {
            if (records::stampOf(one.envelope.headers)->uniqueId == uniqueId)
                room.broker->put(QStringLiteral("error"), one.envelope);
        }
        room.advance(1min);
        const records::OutcomeCounts counts = room.operation(*id).counts;
        QCOMPARE(counts.cameBack, 1);
        QCOMPARE(counts.sent, 6);
        const records::OutcomeCounts recounted =
            room.ask<records::OutcomeCounts>([&id](store::Session &session) { return session.retries().recount(*id); });
        QVERIFY(counts == recounted);

        const auto queries = std::move(store::Queries::open(room.world.storePath).value());
        QVERIFY(queries->checkTrail({}).value().fault == records::TrailCheck::Fault::None);
        QVERIFY(!queries->message(core::MessageId{1}).has_value());
        api::MessageQuery search;
        search.filter.search = QStringLiteral("order");
        const api::MessagePage found = queries->messages(search).value();
        for (const records::FailedMessage &row : found.rows)
            QVERIFY(row.id.value > 2);
    }

    void whatARetryUnderWayHoldsStays()
    {
        EngineRoom room;
        room.fill(3);
        room.start();
        QVERIFY(keep(room, 1h, 1h).has_value());
        records::Plan plan;
        plan.notBefore = room.clock.now() + 4h;
        const core::Result<core::OperationId> id = room.retryAll(records::OperationKind::Retry, plan);
        QVERIFY(id.has_value());
        setStatus(room, {1}, MessageStatus::Archived);
        room.advance(3h);
        QCOMPARE(left(room).size(), 3);
        QVERIFY(room.runToEnd(*id));
        room.advance(2h);
        QVERIFY(!left(room).contains(1));
        QCOMPARE(room.operation(*id).counts.skipped, 1);
    }

    void manyGoInShortTransactions()
    {
        EngineRoom room;
        room.fill(450);
        room.start();
        QVERIFY(keep(room, 1h, 1h).has_value());
        QList<qint64> all;
        for (qint64 id = 1; id <= 450; ++id)
            all.append(id);
        setStatus(room, all, MessageStatus::Archived);
        QVERIFY(room.runUntil([&room] { return left(room).size() < 450; }));
        QVERIFY(left(room).size() >= 350); // a slice at a time
        QVERIFY(room.runUntil([&room] { return left(room).isEmpty(); }));
        QCOMPARE(removals(room), 1);
    }
};

QTEST_GUILESS_MAIN(TestHousekeeper)
#include "tst_housekeeper.moc"
