// What people decide about messages that were sent, and the rate of an operation, through the engine's own door.
#include "backend/store/messagestore.h"
#include "tests/support/asker.h"

#include <QTest>

using api::Decision;
using api::DecisionCounts;
using core::ErrorKind;
using core::Result;
using records::MessageStatus;
using support::Asker;
using support::EngineRoom;

namespace {

api::DecisionCommand about(const EngineRoom &room, Decision decision)
{
    api::DecisionCommand command;
    command.filter.connection = room.shop;
    command.decision = decision;
    return command;
}

int countOf(EngineRoom &room, core::OperationId id, MessageStatus status)
{
    int count = 0;
    for (const store::RetryMember &member : room.members(id))
        count += room.message(member.message).status == status ? 1 : 0;
    return count;
}

bool isNoted(EngineRoom &room, const QString &verb)
{
    const QList<records::Event> events = room.events();
    return std::any_of(events.begin(), events.end(), [&verb](const records::Event &event) {
        return event.what == verb && event.who == QStringLiteral("ada@desk");
    });
}

// "on what: result" of the newest entry.
QString newestEntry(EngineRoom &room)
{
    const records::Event event = room.events().constLast();
    return event.onWhat + QStringLiteral(": ") + event.result;
}

// A keychain that asks its owner first.
class LateSecrets final : public core::Secrets
{
public:
    core::Task<Result<QString>> read(QString) override
    {
        const core::Pending<Result<QString>> waited = answer;
        Result<QString> secret = co_await waited;
        co_return secret;
    }
    core::Task<Result<>> write(QString, QString) override { co_return Result<>(); }
    core::Task<Result<>> remove(QString) override { co_return Result<>(); }

    core::Pending<Result<QString>> answer;
};

} // namespace

class TestDecisions final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasSentIsTakenBackAndGoesOnceMore()
    {
        EngineRoom room;
        room.fill(6);
        room.start();
        const Result<core::OperationId> first = room.retryAll();
        QVERIFY(first && room.runToEnd(*first));
        Asker ask(room);
        const Result<DecisionCounts> back = ask(ask.client.decide(about(room, Decision::TakeBack)));
        QVERIFY(back);
        QCOMPARE(back->changed, 6);
        QCOMPARE(back->underWay, 0);
        QCOMPARE(countOf(room, *first, MessageStatus::Unresolved), 6);
        QCOMPARE(room.operation(*first).counts.possibleDuplicates, 6);
        QVERIFY(isNoted(room, QStringLiteral("Taken back")));
        QCOMPARE(newestEntry(room), QStringLiteral("Messages in retry on shop: 6 messages"));
        const Result<core::OperationId> second = room.retryAll();
        QVERIFY(second && room.runToEnd(*second));
        QCOMPARE(room.operation(*second).counts.sent, 6);
    }

    void whatWasSentIsResolvedByHand()
    {
        EngineRoom room;
        room.fill(4);
        room.start();
        const Result<core::OperationId> id = room.retryAll();
        QVERIFY(id && room.runToEnd(*id));
        Asker ask(room);
        api::DecisionCommand command = about(room, Decision::Resolve);
        command.filter.messages = {room.members(*id).first().message};
        const Result<DecisionCounts> done = ask(ask.client.decide(command));
        QVERIFY(done);
        QCOMPARE(done->changed, 1);
        QCOMPARE(countOf(room, *id, MessageStatus::Resolved), 1);
        QCOMPARE(countOf(room, *id, MessageStatus::RetryIssued), 3);
        QVERIFY(isNoted(room, QStringLiteral("Resolved by hand")));
        QCOMPARE(newestEntry(room), QStringLiteral("Messages in retry on shop, 1 chosen one(s): 1 message"));
    }

    // A set of its own right: to take back is the first half of a retry.
    // As after a restored backup.
    void whatIsUnknownIsInNoSetUntilItIsDecided()
    {
        EngineRoom room;
        room.connection.rights = records::Rights(records::Right::See) | records::Right::Archive;
        room.fill(6);
        room.start();
        QList<core::MessageId> ids;
        const Result<> marked = room.store->transact([&](store::Session &session) -> Result<> {
            ids = session.messages().slice({}, {}, 10)->ids;
            return session.messages()
                .setStatus(ids, {MessageStatus::Unresolved}, records::MessageStatus::Unknown)
                .map([](int) {});
        });
        QVERIFY(marked);
        Asker ask(room);
        const auto decide = [&](Decision decision, core::MessageId id) {
            api::DecisionCommand command = about(room, decision);
            command.filter.status = records::MessageStatus::Unknown;
            command.filter.messages = {id};
            return ask(ask.client.decide(command));
        };
        for (const Decision decision : {Decision::Archive, Decision::Restore, Decision::Resolve}) { // of known states
            const Result<DecisionCounts> none = ask(ask.client.decide(about(room, decision)));
            QVERIFY(none);
            QCOMPARE(none->changed, 0);
        }
        QCOMPARE(decide(Decision::Resolve, ids.at(0))->changed, 1);
        QVERIFY(room.message(ids.at(0)).status == MessageStatus::Resolved);
        QVERIFY(isNoted(room, QStringLiteral("Unknown state decided: resolved")));
        QCOMPARE(decide(Decision::Archive, ids.at(1))->changed, 1);
        QVERIFY(room.message(ids.at(1)).status == MessageStatus::Archived);
        QCOMPARE(decide(Decision::Archive, ids.at(1))->changed, 0); // it is known now
        QVERIFY(decide(Decision::Restore, ids.at(2)).error().kind == ErrorKind::Rejected);
        const Result<DecisionCounts> refused = decide(Decision::TakeBack, ids.at(2)); // it may be sent once more then
        QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
        QVERIFY2(refused.error().message.contains(u"retry"), qPrintable(refused.error().message));
        QVERIFY(room.message(ids.at(2)).status == records::MessageStatus::Unknown);
    }

    void whatIsStillThereIsRetried()
    {
        EngineRoom room;
        room.fill(6);
        room.start();
        const Result<> marked = room.store->transact([&](store::Session &session) -> Result<> {
            return session.messages()
                .setStatus(session.messages().slice({}, {}, 10)->ids, {MessageStatus::Unresolved},
                           records::MessageStatus::Unknown)
                .map([](int) {});
        });
        QVERIFY(marked);
        const Result<core::OperationId> nothing = room.retryAll();
        QVERIFY(!nothing || room.operation(*nothing).total == 0);
        Asker ask(room);
        api::DecisionCommand command = about(room, Decision::TakeBack);
        command.filter.status = records::MessageStatus::Unknown;
        QCOMPARE(ask(ask.client.decide(command))->changed, 6);
        QVERIFY(isNoted(room, QStringLiteral("Unknown state decided: still there")));
        const Result<core::OperationId> all = room.retryAll();
        QVERIFY(all && room.runToEnd(*all));
        QCOMPARE(room.operation(*all).counts.sent, 6);
    }

    void eachDecisionNeedsItsRight()
    {
        EngineRoom room;
        room.connection.rights = records::Rights(records::Right::See) | records::Right::Archive;
        room.fill(2);
        room.start();
        Asker ask(room);
        const Result<DecisionCounts> back = ask(ask.client.decide(about(room, Decision::TakeBack)));
        QVERIFY(!back && back.error().kind == ErrorKind::Refused);
        QVERIFY2(back.error().message.contains(u"retry"), qPrintable(back.error().message));
        QCOMPARE(newestEntry(room), QStringLiteral("Messages in retry on shop: ") + back.error().message);
        QVERIFY(ask(ask.client.decide(about(room, Decision::Resolve))));
        const Result<DecisionCounts> archived = ask(ask.client.decide(about(room, Decision::Archive)));
        QVERIFY(archived);
        QCOMPARE(archived->changed, 2);
    }

    void withoutTheRightToArchiveNothingIsDecided()
    {
        EngineRoom room;
        room.connection.rights = records::Rights(records::Right::See) | records::Right::Retry;
        room.fill(2);
        room.start();
        Asker ask(room);
        for (const Decision decision : {Decision::Archive, Decision::Restore, Decision::Resolve}) {
            const Result<DecisionCounts> refused = ask(ask.client.decide(about(room, decision)));
            QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
            QVERIFY2(refused.error().message.contains(u"archive"), qPrintable(refused.error().message));
        }
        QVERIFY(ask(ask.client.decide(about(room, Decision::TakeBack))));
    }

    void onlyWhatIsSetAsideIsDeletedAndNothingOfARetryThatGoesOn()
    {
        EngineRoom room;
        room.connection.rights |= records::Right::Delete;
        room.fill(8);
        room.start();
        Asker ask(room);
        const Result<core::OperationId> id = room.retryAll();
        QVERIFY(id);
        QVERIFY(room.runUntil([&] { return room.operation(*id).counts.sent >= 2; }));
        QVERIFY(room.operation(*id).counts.staged > 0);
        const QList<store::RetryMember> members = room.members(*id);
        QVERIFY(ask(ask.client.decide(about(room, Decision::Resolve)))); // those that were sent
        api::DecisionCommand command = about(room, Decision::Delete);
        command.filter.status = MessageStatus::Resolved;
        const Result<DecisionCounts> held = ask(ask.client.decide(command));
        QVERIFY(held);
        QCOMPARE(held->changed, 0);
        QVERIFY(held->underWay >= 2);
        QVERIFY(room.runToEnd(*id));
        const Result<DecisionCounts> gone = ask(ask.client.decide(command));
        QVERIFY(gone);
        QCOMPARE(gone->changed, held->underWay);
        QVERIFY(isNoted(room, QStringLiteral("Deleted")));
        QCOMPARE(room.operation(*id).counts.sent, 8); // what went is still counted
        QCOMPARE(room.members(*id).size(), members.size() - gone->changed);
        command.filter.status = MessageStatus::RetryIssued;
        const Result<DecisionCounts> refused = ask(ask.client.decide(command));
        QVERIFY(!refused && refused.error().kind == ErrorKind::Rejected);
    }

    void whatIsUnresolvedIsNotDeleted()
    {
        EngineRoom room;
        room.connection.rights |= records::Right::Delete;
        room.fill(3);
        room.start();
        Asker ask(room);
        api::DecisionCommand some = about(room, Decision::Archive);
        some.filter.messages = {core::MessageId{1}};
        QVERIFY(ask(ask.client.decide(some)));
        const Result<DecisionCounts> gone = ask(ask.client.decide(about(room, Decision::Delete)));
        QVERIFY(gone);
        QCOMPARE(gone->changed, 1);
        const auto left =
            room.ask<store::Slice>([](store::Session &session) { return session.messages().slice({}, {}, 10); });
        QCOMPARE(left.ids.size(), 2);
    }

    void withoutTheRightToDeleteNothingIsDeleted()
    {
        EngineRoom room; // has the usual rights
        room.fill(2);
        room.start();
        Asker ask(room);
        QVERIFY(ask(ask.client.decide(about(room, Decision::Archive))));
        const Result<DecisionCounts> refused = ask(ask.client.decide(about(room, Decision::Delete)));
        QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
        QVERIFY2(refused.error().message.contains(u"delete"), qPrintable(refused.error().message));
        QCOMPARE(newestEntry(room), QStringLiteral("Archived messages on shop: ") + refused.error().message);
    }

    // At a start, and while it is saved, a connection is not at work.
    void rightsCountBeforeAConnectionIsAtWork()
    {
        LateSecrets secrets;
        EngineRoom room;
        room.connection.rights = records::Right::See;
        room.fill(2);
        const engine::World world{*room.store,        room.clock, room.random,          secrets,
                                  room.world.brokers, {},         room.world.storePath, QStringLiteral("session")};
        room.engine = std::make_unique<engine::Engine>(world);
        room.engine->start();
        Asker ask(room);
        for (const Decision decision : {Decision::Archive, Decision::TakeBack}) {
            for (const bool named : {true, false}) {
                api::DecisionCommand command = about(room, decision);
                if (!named)
                    command.filter.connection = {};
                const Result<DecisionCounts> refused = ask(ask.client.decide(command));
                QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
            }
        }
        api::DecisionCommand elsewhere = about(room, Decision::Archive);
        elsewhere.filter.connection.value += 1;
        const Result<DecisionCounts> none = ask(ask.client.decide(elsewhere));
        QVERIFY(!none && none.error().kind == ErrorKind::NotFound);
        QVERIFY(room.engine->connections().all().isEmpty());
        secrets.answer.resolve(QStringLiteral("secret"));
        room.stop();
    }

    void whatIsNotSentYetStaysAndIsCounted()
    {
        EngineRoom room;
        room.fill(40);
        room.start();
        const Result<core::OperationId> id = room.retryAll();
        QVERIFY(id);
        QVERIFY(room.runUntil([&] { return room.operation(*id).counts.sent >= 3; }));
        const records::OutcomeCounts before = room.operation(*id).counts;
        QVERIFY(before.staged > 0);
        Asker ask(room);
        const Result<DecisionCounts> back = ask(ask.client.decide(about(room, Decision::TakeBack)));
        QVERIFY(back);
        QCOMPARE(back->changed, before.sent);
        QCOMPARE(back->underWay, before.staged);
        QCOMPARE(room.operation(*id).counts.possibleDuplicates, before.sent);
        QVERIFY(room.runToEnd(*id));
        QCOMPARE(room.operation(*id).counts.sent, 40);
    }

    void aRateIsChangedWhileItRunsAndNoted()
    {
        EngineRoom room;
        room.fill(30);
        room.start();
        records::Plan slow;
        slow.perMinute = 1;
        const Result<core::OperationId> id = room.retryAll(records::OperationKind::Retry, slow);
        QVERIFY(id);
        QVERIFY(room.runUntil([&] { return room.operation(*id).counts.sent >= 1; }));
        Asker ask(room);
        const Result<> refused = ask(ask.client.setRate({*id, 0, {}}));
        QVERIFY(!refused && refused.error().kind == ErrorKind::Rejected);
        QVERIFY(ask(ask.client.setRate({*id, std::nullopt, {}})));
        const core::TimePoint freed = room.clock.now();
        QVERIFY(room.runToEnd(*id));
        QVERIFY(room.clock.now() - freed < std::chrono::minutes(1));
        QVERIFY(isNoted(room, QStringLiteral("No rate limit")));
        const Result<> late = ask(ask.client.setRate({*id, 60, {}}));
        QVERIFY(!late && late.error().kind == ErrorKind::Conflict);
    }

    void aPlanWithoutAnyPaceIsRefused()
    {
        EngineRoom room;
        room.fill(2);
        room.start();
        records::Plan never;
        never.perMinute = 0;
        const Result<core::OperationId> id = room.retryAll(records::OperationKind::Retry, never);
        QVERIFY(!id && id.error().kind == ErrorKind::Rejected);
    }

    void aPlanWhoseTimeHasPassedIsRefused()
    {
        EngineRoom room;
        room.fill(2);
        room.start();
        records::Plan late;
        late.notBefore = room.clock.now() - core::Milliseconds{1};
        const Result<core::OperationId> id = room.retryAll(records::OperationKind::Retry, late);
        QVERIFY(!id && id.error().kind == ErrorKind::Rejected);
        QVERIFY2(id.error().message.contains(u"has passed"), qPrintable(id.error().message));
        late.notBefore = room.clock.now() + std::chrono::hours(1);
        QVERIFY(room.retryAll(records::OperationKind::Retry, late));
    }
};

QTEST_GUILESS_MAIN(TestDecisions)
#include "tst_decisions.moc"
