// Decisions about sent messages and the rate of an operation, through the engine's client.
#include "backend/api/longwork.h"
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/retries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/records/rules/rate.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/currentuser.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using api::Decision;
using api::DecisionCounts;
using core::ErrorKind;
using core::Result;
using records::MessageStatus;
using support::Asker;
using support::EngineFixture;

namespace {

api::DecideMessages about(const EngineFixture &fixture, Decision decision)
{
    api::DecideMessages command;
    command.filter.connection = fixture.shop;
    command.decision = decision;
    return command;
}

int countOf(EngineFixture &fixture, core::OperationId id, MessageStatus status)
{
    int count = 0;
    for (const store::RetryMember &member : fixture.members(id))
        count += fixture.message(member.message).status == status ? 1 : 0;
    return count;
}

// As after a restored backup.
QList<core::MessageId> makeAllUnknown(EngineFixture &fixture)
{
    return test::must(fixture.store->transact<QList<core::MessageId>>([](store::Session &session) {
        const QList<core::MessageId> ids = test::must(session.messages().slice({}, {}, 10)).ids;
        (void)test::must(session.messages().setStatus(ids, {MessageStatus::Unresolved}, MessageStatus::Unknown));
        return Result<QList<core::MessageId>>(ids);
    }));
}

bool isNoted(EngineFixture &fixture, const QString &verb)
{
    const QList<records::Event> events = fixture.events();
    return std::any_of(events.begin(), events.end(), [&verb](const records::Event &event) {
        return event.what == verb && event.who == QStringLiteral("ada@desk");
    });
}

// "on what: result" of the newest entry.
QString newestEntry(EngineFixture &fixture)
{
    const records::Event event = fixture.events().constLast();
    return event.onWhat + QStringLiteral(": ") + event.result;
}

// A keychain that first waits for a person.
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
        EngineFixture fixture;
        fixture.fill(6);
        fixture.start();
        const Result<core::OperationId> first = fixture.retryAll();
        QVERIFY(first && fixture.runToEnd(*first));
        Asker ask(fixture);
        const Result<DecisionCounts> back = ask(ask.client.ask(about(fixture, Decision::TakeBack)));
        QVERIFY(back);
        QCOMPARE(back->changed, 6);
        QCOMPARE(back->underWay, 0);
        QCOMPARE(countOf(fixture, *first, MessageStatus::Unresolved), 6);
        QCOMPARE(fixture.operation(*first).counts.possibleDuplicates, 6);
        QVERIFY(isNoted(fixture, QStringLiteral("Taken back")));
        QCOMPARE(newestEntry(fixture), QStringLiteral("Messages in retry on shop: 6 messages"));
        const Result<core::OperationId> second = fixture.retryAll();
        QVERIFY(second && fixture.runToEnd(*second));
        QCOMPARE(fixture.operation(*second).counts.sent, 6);
        QCOMPARE(fixture.operation(*second).counts.possibleDuplicates, 6); // the first copies are somewhere
    }

    void whatWasSentIsResolvedByHand()
    {
        EngineFixture fixture;
        fixture.fill(4);
        fixture.start();
        const Result<core::OperationId> id = fixture.retryAll();
        QVERIFY(id && fixture.runToEnd(*id));
        Asker ask(fixture);
        api::DecideMessages command = about(fixture, Decision::Resolve);
        command.filter.messages = {fixture.members(*id).first().message};
        const Result<DecisionCounts> done = ask(ask.client.ask(command));
        QVERIFY(done);
        QCOMPARE(done->changed, 1);
        QCOMPARE(countOf(fixture, *id, MessageStatus::Resolved), 1);
        QCOMPARE(countOf(fixture, *id, MessageStatus::RetryIssued), 3);
        QVERIFY(isNoted(fixture, QStringLiteral("Resolved by hand")));
        QCOMPARE(newestEntry(fixture), QStringLiteral("Messages in retry on shop, 1 selected: 1 message"));
    }

    // As after a restored backup.
    void whatIsUnknownIsInNoSetUntilItIsDecided()
    {
        EngineFixture fixture;
        fixture.connection.rights = records::Rights(records::Right::See) | records::Right::Archive;
        fixture.fill(6);
        fixture.start();
        const QList<core::MessageId> ids = makeAllUnknown(fixture);
        Asker ask(fixture);
        const auto decide = [&](Decision decision, core::MessageId id) {
            api::DecideMessages command = about(fixture, decision);
            command.filter.status = records::MessageStatus::Unknown;
            command.filter.messages = {id};
            return ask(ask.client.ask(command));
        };
        for (const Decision decision : {Decision::Archive, Decision::Restore, Decision::Resolve}) { // not for these
            const Result<DecisionCounts> none = ask(ask.client.ask(about(fixture, decision)));
            QVERIFY(none);
            QCOMPARE(none->changed, 0);
        }
        QCOMPARE(decide(Decision::Resolve, ids.at(0))->changed, 1);
        QVERIFY(fixture.message(ids.at(0)).status == MessageStatus::Resolved);
        QVERIFY(isNoted(fixture, QStringLiteral("Unknown state settled: resolved")));
        QCOMPARE(decide(Decision::Archive, ids.at(1))->changed, 1);
        QVERIFY(fixture.message(ids.at(1)).status == MessageStatus::Archived);
        QCOMPARE(decide(Decision::Archive, ids.at(1))->changed, 0); // it is known now
        QVERIFY(decide(Decision::Restore, ids.at(2)).error().kind == ErrorKind::Rejected);
        const Result<DecisionCounts> refused = decide(Decision::TakeBack, ids.at(2)); // it can then be sent again
        QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
        QVERIFY2(refused.error().message.contains(u"retry"), qPrintable(refused.error().message));
        QVERIFY(fixture.message(ids.at(2)).status == records::MessageStatus::Unknown);
    }

    void whatIsUnknownCannotBeDeleted()
    {
        EngineFixture fixture;
        fixture.connection.rights = records::defaultRights | records::Right::Delete;
        fixture.fill(2);
        fixture.start();
        const QList<core::MessageId> ids = makeAllUnknown(fixture);
        Asker ask(fixture);
        api::DecideMessages command = about(fixture, Decision::Delete);
        command.filter.status = records::MessageStatus::Unknown;
        QVERIFY(ask(ask.client.ask(command)).error().kind == ErrorKind::Rejected);
        QVERIFY(fixture.message(ids.at(0)).status == records::MessageStatus::Unknown);
    }

    void whatIsStillThereIsRetried()
    {
        EngineFixture fixture;
        fixture.fill(6);
        fixture.start();
        makeAllUnknown(fixture);
        const Result<core::OperationId> nothing = fixture.retryAll();
        QVERIFY(!nothing || fixture.operation(*nothing).total == 0);
        Asker ask(fixture);
        api::DecideMessages command = about(fixture, Decision::TakeBack);
        command.filter.status = records::MessageStatus::Unknown;
        QCOMPARE(ask(ask.client.ask(command))->changed, 6);
        QVERIFY(isNoted(fixture, QStringLiteral("Unknown state settled: unresolved")));
        const Result<core::OperationId> all = fixture.retryAll();
        QVERIFY(all && fixture.runToEnd(*all));
        QCOMPARE(fixture.operation(*all).counts.sent, 6);
    }

    void aLongDecisionIsCancelledAndWhatIsDoneStays_data()
    {
        QTest::addColumn<bool>("isSeen");
        QTest::newRow("a filter") << false;
        QTest::newRow("a list that a person saw") << true;
    }

    void aLongDecisionIsCancelledAndWhatIsDoneStays()
    {
        QFETCH(const bool, isSeen);
        constexpr int all = 450; // more than one slice
        EngineFixture fixture;
        fixture.fill(all);
        fixture.start();
        api::DecideMessages command = about(fixture, Decision::Archive);
        command.ticket = QStringLiteral("t1");
        if (isSeen) {
            command.filter.messages =
                fixture.ask<store::Slice>([](store::Session &session) { return session.messages().slice({}, {}, all); })
                    .ids;
            command.asOfChange = fixture.ask<qint64>([](store::Session &session) { return session.changeNumber(); });
        }
        const auto asked = std::make_shared<api::Asked<api::DecideMessages>>(command);
        fixture.engine->carryOut(asked, QStringLiteral("ada@desk"));
        const api::WorkProgress soFar = test::must(fixture.carryOut(api::AskWork{command.ticket}));
        QVERIFY(soFar.done > 0 && soFar.done < all);
        QVERIFY(soFar.of == std::optional<qint64>(all));
        QVERIFY(fixture.carryOut(api::CancelWork{QStringLiteral("t2")}).error().kind == ErrorKind::NotFound);
        QVERIFY(fixture.carryOut(api::CancelWork{command.ticket}));
        const auto answer = asked->reply.future();
        QVERIFY(fixture.runUntil([&answer] { return answer.isFinished(); }));
        const DecisionCounts counts = test::must(answer.result());
        QVERIFY(counts.isCancelled);
        QVERIFY(counts.changed >= soFar.done && counts.changed < all);
        QCOMPARE(counts.conflicts, 0);
        records::MessageFilter archived;
        archived.status = MessageStatus::Archived;
        const auto count = [&archived](store::Session &session) { return session.messages().keptCount(archived); };
        QVERIFY(fixture.ask<std::optional<qint64>>(count) == counts.changed);
        QVERIFY2(newestEntry(fixture).contains(QString::number(counts.changed)), qPrintable(newestEntry(fixture)));
        QVERIFY(fixture.carryOut(api::AskWork{command.ticket}).error().kind == ErrorKind::NotFound);
        const DecisionCounts rest = test::must(fixture.carryOut(command)); // the same again completes it
        QVERIFY(!rest.isCancelled);
        QCOMPARE(rest.changed, all - counts.changed);
        QCOMPARE(rest.conflicts, 0);
    }

    void eachDecisionNeedsItsRight()
    {
        EngineFixture fixture;
        fixture.connection.rights = records::Rights(records::Right::See) | records::Right::Archive;
        fixture.fill(2);
        fixture.start();
        Asker ask(fixture);
        const Result<DecisionCounts> back = ask(ask.client.ask(about(fixture, Decision::TakeBack)));
        QVERIFY(!back && back.error().kind == ErrorKind::Refused);
        QVERIFY2(back.error().message.contains(u"retry"), qPrintable(back.error().message));
        QCOMPARE(newestEntry(fixture), QStringLiteral("Messages in retry on shop: refused: ") + back.error().message);
        QVERIFY(ask(ask.client.ask(about(fixture, Decision::Resolve))));
        const Result<DecisionCounts> archived = ask(ask.client.ask(about(fixture, Decision::Archive)));
        QVERIFY(archived);
        QCOMPARE(archived->changed, 2);
    }

    void withoutTheRightToArchiveNothingIsDecided()
    {
        EngineFixture fixture;
        fixture.connection.rights = records::Rights(records::Right::See) | records::Right::Retry;
        fixture.fill(2);
        fixture.start();
        Asker ask(fixture);
        for (const Decision decision : {Decision::Archive, Decision::Restore, Decision::Resolve}) {
            const Result<DecisionCounts> refused = ask(ask.client.ask(about(fixture, decision)));
            QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
            QVERIFY2(refused.error().message.contains(u"archive"), qPrintable(refused.error().message));
        }
        QVERIFY(ask(ask.client.ask(about(fixture, Decision::TakeBack))));
    }

    void onlyWhatIsSetAsideIsDeletedAndNothingOfARetryThatGoesOn()
    {
        EngineFixture fixture;
        fixture.connection.rights |= records::Right::Delete;
        fixture.fill(8);
        fixture.start();
        Asker ask(fixture);
        const Result<core::OperationId> id = fixture.retryAll();
        QVERIFY(id);
        QVERIFY(fixture.runUntil([&] { return fixture.operation(*id).counts.sent >= 2; }));
        QVERIFY(fixture.operation(*id).counts.staged > 0);
        const QList<store::RetryMember> members = fixture.members(*id);
        QVERIFY(ask(ask.client.ask(about(fixture, Decision::Resolve)))); // those that were sent
        api::DecideMessages command = about(fixture, Decision::Delete);
        command.filter.status = MessageStatus::Resolved;
        const Result<DecisionCounts> held = ask(ask.client.ask(command));
        QVERIFY(held);
        QCOMPARE(held->changed, 0);
        QVERIFY(held->underWay >= 2);
        QVERIFY(fixture.runToEnd(*id));
        const Result<DecisionCounts> gone = ask(ask.client.ask(command));
        QVERIFY(gone);
        QCOMPARE(gone->changed, held->underWay);
        QVERIFY(isNoted(fixture, QStringLiteral("Deleted")));
        QCOMPARE(fixture.operation(*id).counts.sent, 8); // removed messages are still counted
        QCOMPARE(fixture.members(*id).size(), members.size() - gone->changed);
        command.filter.status = MessageStatus::RetryIssued;
        const Result<DecisionCounts> refused = ask(ask.client.ask(command));
        QVERIFY(!refused && refused.error().kind == ErrorKind::Rejected);
    }

    void whatIsUnresolvedIsNotDeleted()
    {
        EngineFixture fixture;
        fixture.connection.rights |= records::Right::Delete;
        fixture.fill(3);
        fixture.start();
        Asker ask(fixture);
        api::DecideMessages some = about(fixture, Decision::Archive);
        some.filter.messages = {core::MessageId{1}};
        QVERIFY(ask(ask.client.ask(some)));
        const Result<DecisionCounts> gone = ask(ask.client.ask(about(fixture, Decision::Delete)));
        QVERIFY(gone);
        QCOMPARE(gone->changed, 1);
        const auto left =
            fixture.ask<store::Slice>([](store::Session &session) { return session.messages().slice({}, {}, 10); });
        QCOMPARE(left.ids.size(), 2);
    }

    void withoutTheRightToDeleteNothingIsDeleted()
    {
        EngineFixture fixture; // has the usual rights
        fixture.fill(2);
        fixture.start();
        Asker ask(fixture);
        QVERIFY(ask(ask.client.ask(about(fixture, Decision::Archive))));
        const Result<DecisionCounts> refused = ask(ask.client.ask(about(fixture, Decision::Delete)));
        QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
        QVERIFY2(refused.error().message.contains(u"delete"), qPrintable(refused.error().message));
        QCOMPARE(newestEntry(fixture),
                 QStringLiteral("Archived messages on shop: refused: ") + refused.error().message);
    }

    // A connection is not open at the start and while it is saved.
    void rightsCountBeforeAConnectionIsAtWork()
    {
        LateSecrets secrets;
        EngineFixture fixture;
        fixture.connection.rights = records::Right::See;
        fixture.fill(2);
        const engine::EngineDependencies dependencies{*fixture.store,
                                                      fixture.clock,
                                                      fixture.random,
                                                      secrets,
                                                      fixture.dependencies.brokers,
                                                      {},
                                                      fixture.dependencies.storePath,
                                                      QStringLiteral("session")};
        fixture.engine = std::make_unique<engine::Engine>(dependencies);
        fixture.engine->start();
        Asker ask(fixture);
        for (const Decision decision : {Decision::Archive, Decision::TakeBack}) {
            for (const bool named : {true, false}) {
                api::DecideMessages command = about(fixture, decision);
                if (!named)
                    command.filter.connection = {};
                const Result<DecisionCounts> refused = ask(ask.client.ask(command));
                QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
            }
        }
        api::DecideMessages elsewhere = about(fixture, Decision::Archive);
        elsewhere.filter.connection.value += 1;
        const Result<DecisionCounts> none = ask(ask.client.ask(elsewhere));
        QVERIFY(!none && none.error().kind == ErrorKind::NotFound);
        QVERIFY(fixture.engine->connections().all().isEmpty());
        secrets.answer.resolve(QStringLiteral("secret"));
        fixture.stop();
    }

    void whatIsNotSentYetStaysAndIsCounted()
    {
        EngineFixture fixture;
        fixture.fill(40);
        fixture.start();
        const Result<core::OperationId> id = fixture.retryAll();
        QVERIFY(id);
        QVERIFY(fixture.runUntil([&] { return fixture.operation(*id).counts.sent >= 3; }));
        const records::OutcomeCounts before = fixture.operation(*id).counts;
        QVERIFY(before.staged > 0);
        Asker ask(fixture);
        const Result<DecisionCounts> back = ask(ask.client.ask(about(fixture, Decision::TakeBack)));
        QVERIFY(back);
        QCOMPARE(back->changed, before.sent);
        QCOMPARE(back->underWay, before.staged);
        QCOMPARE(fixture.operation(*id).counts.possibleDuplicates, before.sent);
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(fixture.operation(*id).counts.sent, 40);
    }

    void aRateIsChangedWhileItRunsAndNoted()
    {
        EngineFixture fixture;
        fixture.fill(30);
        fixture.start();
        records::Plan slow;
        slow.perMinute = 1;
        const Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, slow);
        QVERIFY(id);
        QVERIFY(fixture.runUntil([&] { return fixture.operation(*id).counts.sent >= 1; }));
        Asker ask(fixture);
        const Result<> refused = ask(ask.client.ask(api::SetRate{*id, 0}));
        QVERIFY(!refused && refused.error().kind == ErrorKind::Rejected);
        QVERIFY(ask(ask.client.ask(api::SetRate{*id, std::nullopt})));
        const core::TimePoint freed = fixture.clock.now();
        QVERIFY(fixture.runToEnd(*id));
        QVERIFY(fixture.clock.now() - freed < std::chrono::minutes(1));
        QVERIFY(isNoted(fixture, QStringLiteral("Rate limit removed")));
        const Result<> late = ask(ask.client.ask(api::SetRate{*id, 60}));
        QVERIFY(!late && late.error().kind == ErrorKind::Conflict);
    }

    void aPlanWithoutAnyPaceIsRefused()
    {
        EngineFixture fixture;
        fixture.fill(2);
        fixture.start();
        records::Plan never;
        never.perMinute = 0;
        const Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, never);
        QVERIFY(!id && id.error().kind == ErrorKind::Rejected);
    }

    // A dry run says what a retry would say.
    void aRateThatIsTooHighIsRefusedByThePreviewToo()
    {
        EngineFixture fixture;
        fixture.fill(2);
        fixture.start();
        api::PreviewRetry preview;
        preview.draft.filter.connection = fixture.shop;
        preview.draft.plan.perMinute = records::mostPerMinute;
        QCOMPARE(fixture.carryOut(preview)->refusal, QString());
        *preview.draft.plan.perMinute += 1;
        QVERIFY(fixture.carryOut(preview)->refusal.contains(QString::number(records::mostPerMinute)));
        QVERIFY(fixture.carryOut(preview)->refusalKind == ErrorKind::Rejected);
    }

    void aChangeThatIsNotPossibleSaysWhatToDo()
    {
        EngineFixture fixture;
        fixture.fill(40);
        fixture.start();
        const core::OperationId id = test::must(fixture.retryAll());
        const auto change = [&](api::OperationAction action) {
            const Result<> done = fixture.carryOut(api::ChangeOperation{id, action});
            return done || done.error().kind != ErrorKind::Conflict ? QString() : done.error().message;
        };
        QVERIFY(change(api::OperationAction::Resume).contains(u"not paused"));
        QCOMPARE(change(api::OperationAction::Pause), QString());
        const QString twice = change(api::OperationAction::Pause);
        QVERIFY2(twice.contains(u"ada@desk") && twice.contains(u"Resume it"), qPrintable(twice));
        QCOMPARE(change(api::OperationAction::Resume), QString());
        QVERIFY(fixture.runToEnd(id));
        QVERIFY(change(api::OperationAction::Pause).contains(u"has ended"));
    }

    void aPlanWhoseTimeHasPassedIsRefused()
    {
        EngineFixture fixture;
        fixture.fill(2);
        fixture.start();
        records::Plan late;
        late.notBefore = fixture.clock.now() - core::Milliseconds{1};
        const Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, late);
        QVERIFY(!id && id.error().kind == ErrorKind::Rejected);
        QVERIFY2(id.error().message.contains(u"in the past"), qPrintable(id.error().message));
        late.notBefore = fixture.clock.now() + std::chrono::hours(1);
        QVERIFY(fixture.retryAll(records::OperationKind::Retry, late));
    }
};

REDRIVE_TEST(TestDecisions)
#include "tst_decisions.moc"
