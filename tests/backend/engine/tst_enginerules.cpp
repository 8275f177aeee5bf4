// What the engine promises to people, on a whole engine with a broker in memory.
#include "backend/api/longwork.h"
#include "backend/api/requests/connections.h"
#include "backend/api/requests/retries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/core/limits.h"
#include "backend/engine/commands/pauseallservice.h"
#include "backend/engine/dispatch/localclient.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::HandOver;
using records::OperationState;
using support::EngineFixture;

namespace {

qint64 sent(EngineFixture &fixture, core::OperationId id)
{
    return fixture.operation(id).counts.sent;
}

void bothHandOvers()
{
    QTest::addColumn<HandOver>("handOver");
    QTest::newRow("staging queue") << HandOver::StagingQueue;
    QTest::newRow("intent log") << HandOver::IntentLog;
}

api::PlanPreview previewOf(EngineFixture &fixture, const api::RetryDraft &request)
{
    return fixture.carryOut(api::PreviewRetry{request}).value();
}

// The answer of a command that is being carried out.
template<api::Request R>
api::Answer<typename R::Answer> begun(EngineFixture &fixture, const R &request)
{
    const auto asked = std::make_shared<api::Asked<R>>(request);
    fixture.engine->carryOut(asked, QStringLiteral("ada@desk"));
    return asked->reply.future();
}

} // namespace

class TestEngineRules final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCancelledFreezeLeavesNothing()
    {
        constexpr int all = 1200; // more than one slice
        EngineFixture fixture;
        fixture.fill(all);
        fixture.start();
        api::PreviewRetry question;
        question.draft.filter.connection = fixture.shop;
        question.ticket = QStringLiteral("t1");
        const auto previewed = begun(fixture, question);
        const api::WorkProgress counted = test::must(fixture.carryOut(api::AskWork{question.ticket}));
        QVERIFY(counted.done > 0 && counted.done < all);
        QVERIFY(counted.of == std::optional<qint64>(all));
        QVERIFY(fixture.carryOut(api::CancelWork{question.ticket}));
        QVERIFY(fixture.runUntil([&previewed] { return previewed.isFinished(); }));
        QVERIFY(previewed.result().error().kind == core::ErrorKind::Cancelled);

        api::ConfirmRetry command;
        command.draft = question.draft;
        command.draft.asOfChange = fixture.ask<qint64>([](store::Session &session) { return session.changeNumber(); });
        command.expectedCount = all;
        command.ticket = QStringLiteral("t2");
        const auto confirmed = begun(fixture, command);
        const api::WorkProgress frozen = test::must(fixture.carryOut(api::AskWork{command.ticket}));
        QVERIFY(frozen.done > 0 && frozen.done < all);
        QVERIFY(frozen.of == std::optional<qint64>(all));
        QVERIFY(fixture.carryOut(api::CancelWork{command.ticket}));
        QVERIFY(fixture.runUntil([&confirmed] { return confirmed.isFinished(); }));
        QVERIFY(confirmed.result().error().kind == core::ErrorKind::Cancelled);
        const auto operations = fixture.ask<QList<records::RetryOperation>>(
            [](store::Session &session) { return session.retryOperations().unfinished({}); });
        QVERIFY(operations.isEmpty());
        command.ticket.clear();
        const core::OperationId id = test::must(fixture.carryOut(command)); // nothing stands in its way
        QCOMPARE(fixture.operation(id).total, all);
    }

    void pauseAllSurvivesARestart()
    {
        EngineFixture fixture;
        fixture.fill(40);
        fixture.start();
        const core::OperationId id = fixture.retryAll().value();
        QVERIFY(fixture.runUntil([&] { return sent(fixture, id) > 0; }));
        QVERIFY(fixture.carryOut(api::PauseAll{true}, QStringLiteral("ada@desk")));
        fixture.restart();
        QVERIFY(fixture.engine->pausing().isAllPaused());
        QVERIFY(fixture.operation(id).state == OperationState::Paused);
        fixture.advance(std::chrono::minutes(5)); // open calls are answered by now
        const qint64 before = sent(fixture, id);
        QVERIFY(before < 40);
        fixture.advance(std::chrono::minutes(5));
        QCOMPARE(sent(fixture, id), before);

        QVERIFY(fixture.carryOut(api::PauseAll{false}, QStringLiteral("ada@desk")));
        QVERIFY(fixture.runToEnd(id));
        const records::OutcomeCounts counts = fixture.operation(id).counts;
        QCOMPARE(counts.sent + counts.inDoubt, 40); // sends interrupted by the restart are in doubt, as planned
        QVERIFY(counts.inDoubt <= 4);
        fixture.restart();
        QVERIFY(!fixture.engine->pausing().isAllPaused());
    }

    void whatACrashKeptFromBeingPausedIsPausedAtTheNextStart()
    {
        EngineFixture fixture;
        fixture.fill(4);
        fixture.start();
        fixture.stop();
        const core::Result<> written = fixture.store->transact(
            [](store::Session &session) { return session.retryOperations().setAllPaused(true); });
        QVERIFY(written);
        core::OperationId id;
        const core::Result<> added = fixture.store->transact([&](store::Session &session) -> core::Result<> {
            records::RetryOperation running;
            running.connection = fixture.shop;
            running.state = OperationState::Running;
            const core::Result<core::OperationId> made = session.retryOperations().add(running);
            id = made.value_or(core::OperationId{});
            return {};
        });
        QVERIFY(added);
        fixture.start();
        QVERIFY(fixture.operation(id).state == OperationState::Paused);
    }

    void theTrailSaysWhoAsked()
    {
        EngineFixture fixture;
        fixture.fill(2);
        fixture.start();
        const auto mailbox = std::make_shared<engine::EngineMailbox>();
        mailbox->attach(*fixture.engine);
        engine::LocalClient client(mailbox, nullptr, QStringLiteral("ada@desk"));
        api::ConnectionDraft draft;
        draft.connection = fixture.connection;
        draft.connection.id = {};
        draft.connection.name = QStringLiteral("second");
        const auto saved = client.ask(api::SaveConnection{draft});
        const auto subscribed = client.ask(api::ChangeSubscription{fixture.shop, QStringLiteral("error"), true});
        const auto paused = client.ask(api::PauseAll{true});
        const auto resumed = client.ask(api::PauseAll{false});
        fixture.broker->put(QStringLiteral("error"), test::sampleMessage(fixture.shop, 900).envelope);
        const auto taken = client.ask(api::TakeMessages{fixture.shop, QStringLiteral("error"), std::nullopt});
        QVERIFY(fixture.runUntil([&] {
            return saved.isFinished() && subscribed.isFinished() && paused.isFinished() && resumed.isFinished()
                   && taken.isFinished();
        }));
        QVERIFY(taken.result());
        const auto removed = client.ask(api::RemoveConnection{saved.result().value()});
        QVERIFY(fixture.runUntil([&] { return removed.isFinished(); }));
        QMap<QString, QString> whoDid;
        for (const records::Event &event : fixture.events())
            whoDid.insert(event.what, event.who);
        for (const char *what : {"Connection added", "Queue subscribed", "Everything paused", "Everything resumed",
                                 "Failed messages taken", "Connection removed"})
            QCOMPARE(whoDid.value(QLatin1StringView(what)), QStringLiteral("ada@desk"));
        QCOMPARE(whoDid.value(QStringLiteral("Engine started")), QStringLiteral("engine"));
        mailbox->close();
    }

    void aReleaseStopsFollowingItsQueuesAloneAndOnlyOnceItStands()
    {
        EngineFixture fixture;
        fixture.broker->addQueue(QStringLiteral("other.failed"));
        fixture.fill(4);
        fixture.start();
        const auto runtime = fixture.engine->connections().find(fixture.shop).value();
        QVERIFY(runtime->subscribe(QStringLiteral("error"), true));
        QVERIFY(runtime->subscribe(QStringLiteral("other.failed"), true));
        api::ConfirmRetry command;
        command.draft.kind = records::OperationKind::Release;
        command.draft.filter.connection = fixture.shop;
        command.draft.filter.messageType = test::sampleMessage(fixture.shop, 0).message.messageType; // names no queue
        const auto release = [&] { return fixture.carryOut(command); };
        command.expectedCount = 1000;
        QVERIFY(!release());
        QVERIFY(runtime->isSubscribed(QStringLiteral("error")));

        command.expectedCount = previewOf(fixture, command.draft).frozenCount;
        QVERIFY(command.expectedCount > 0);
        QVERIFY(release());
        QVERIFY(!runtime->isSubscribed(QStringLiteral("error")));
        QVERIFY(runtime->isSubscribed(QStringLiteral("other.failed")));
    }

    // Taking from a queue during a release to it would take the released messages out again.
    void aReleaseWaitsForTheIntakeOfItsQueue()
    {
        EngineFixture fixture;
        fixture.fill(4);
        for (int n = 900; n < 905; ++n)
            fixture.broker->put(QStringLiteral("error"), test::sampleMessage(fixture.shop, n).envelope);
        fixture.start();
        const auto runtime = fixture.engine->connections().find(fixture.shop).value();
        fixture.broker->slowest = core::Milliseconds{2000};
        std::optional<core::Result<records::IntakeCounts>> taken;
        fixture.engine->run([&]() -> core::Task<> {
            core::Result<records::IntakeCounts> counts =
                co_await runtime->intake(QStringLiteral("error"), std::nullopt, {});
            taken = std::move(counts);
        });
        QVERIFY(fixture.runUntil([&] { return fixture.broker->holds(); }));
        QVERIFY(!taken);
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Release);
        QVERIFY2(id, qPrintable(id ? QString() : id.error().message));
        QVERIFY(taken && *taken);
        QCOMPARE((*taken)->taken, 5);
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(fixture.broker->depthOf(QStringLiteral("error")), fixture.operation(*id).total);
        const auto again = fixture.await<records::IntakeCounts>(
            [&](engine::Engine &) { return runtime->intake(QStringLiteral("error"), std::nullopt, {}); });
        QVERIFY(again); // afterwards everybody may take again
    }

    void previewAndFreezeAgreeAndCountOnlyWhatGoes()
    {
        EngineFixture fixture;
        fixture.fill(20);
        const core::Result<> odd = fixture.store->transact([&](store::Session &session) -> core::Result<> {
            for (int n = 100; n < 107; ++n) {
                store::NewMessage fresh = test::sampleMessage(fixture.shop, n);
                fresh.message.dialect = QStringLiteral("unknown");
                fresh.message.destination = {n < 103 ? QStringLiteral("nowhere") : QStringLiteral("billing"),
                                             records::Certainty::Exact, QStringLiteral("test")};
                if (n >= 103)
                    fresh.message.flags = records::MessageFlag::PossibleDuplicate;
                const core::Result<core::MessageId> added = session.messages().insert(fresh);
                if (!added)
                    return core::fail(added.error());
            }
            return {};
        });
        QVERIFY(odd);
        fixture.start();
        api::RetryDraft request;
        request.filter.connection = fixture.shop;
        const api::PlanPreview all = previewOf(fixture, request);
        QCOMPARE(all.frozenCount, 20);
        QCOMPARE(all.leftOut[records::LeftOut::NoDestination], 0);
        QCOMPARE(all.leftOut[records::LeftOut::NoSuchQueue], 3);
        QCOMPARE(all.missingDestinations.size(), 1);
        QCOMPARE(all.missingDestinations.first().destination.queue, QStringLiteral("nowhere"));
        QCOMPARE(all.missingDestinations.first().count, 3);
        QCOMPARE(all.leftOut[records::LeftOut::PossibleDuplicate], 4);
        QMap<QString, qint64> counts;
        for (const api::PlannedDestination &destination : all.destinations)
            counts.insert(destination.destination.queue, destination.count);
        QCOMPARE(counts, (QMap<QString, qint64>{{QStringLiteral("billing"), 10}, {QStringLiteral("sales"), 10}}));

        request.plan.limit = 5;
        const api::PlanPreview few = previewOf(fixture, request);
        QCOMPARE(few.frozenCount, 5);
        QCOMPARE(few.leftOut[records::LeftOut::BeyondLimit], 15);
        qint64 sum = 0;
        for (const api::PlannedDestination &destination : few.destinations)
            sum += destination.count;
        QCOMPARE(sum, 5);

        const core::Result<core::OperationId> id = fixture.retryAll({}, request.plan);
        QVERIFY2(id, qPrintable(id ? QString() : id.error().message));
        QCOMPARE(fixture.operation(*id).total, 5);
        QMap<QString, qint64> frozen;
        for (const store::RetryMember &member : fixture.members(*id))
            ++frozen[member.destination];
        for (const api::PlannedDestination &destination : few.destinations)
            QCOMPARE(frozen.value(destination.destination.queue), destination.count);
    }

    void anEndWaitsForSendsAlone()
    {
        EngineFixture fixture;
        fixture.fill(0);
        fixture.broker->slowest = core::Milliseconds{30000};
        fixture.engine = std::make_unique<engine::Engine>(fixture.dependencies);
        fixture.engine->start(); // and asks the broker for its capabilities
        fixture.advance(std::chrono::seconds(1));
        const core::TimePoint before = fixture.clock.now();
        fixture.stop();
        QVERIFY(fixture.clock.now() - before < std::chrono::seconds(1)); // of the test's own clock
    }

    void withoutANameEveryKnownErrorQueueIsFollowedAndNoOther()
    {
        EngineFixture fixture;
        fixture.connection.errorQueues = {QStringLiteral("error"), QStringLiteral("other.failed")};
        fixture.fill(1);
        fixture.start();
        QVERIFY(fixture.carryOut(api::ChangeSubscription{fixture.shop, {}, true}, {}));
        const auto runtime = fixture.engine->connections().find(fixture.shop).value();
        QVERIFY(runtime->isSubscribed(QStringLiteral("error")));
        QVERIFY(runtime->isSubscribed(QStringLiteral("other.failed")));
        QVERIFY(!fixture.carryOut(api::ChangeSubscription{fixture.shop, QStringLiteral("billing"), true}, {}));
        QVERIFY(!runtime->isSubscribed(QStringLiteral("billing")));
        QVERIFY(fixture.carryOut(api::ChangeSubscription{fixture.shop, {}, false}, {}));
        QVERIFY(!runtime->isSubscribed(QStringLiteral("error")));
    }

    void followingWithoutAnyErrorQueueIsRefused()
    {
        EngineFixture fixture;
        fixture.connection.errorQueues.clear();
        fixture.fill(0);
        fixture.start();
        const core::Result<> subscribed = fixture.carryOut(api::ChangeSubscription{fixture.shop, {}, true}, {});
        QVERIFY(!subscribed);
        QVERIFY2(subscribed.error().message.startsWith(u"No error queue of"), qPrintable(subscribed.error().message));
    }

    void aReleaseTakesMessagesBackToTheirQueueAsTheyFailed_data() { bothHandOvers(); }

    void aReleaseTakesMessagesBackToTheirQueueAsTheyFailed()
    {
        QFETCH(HandOver, handOver);
        EngineFixture fixture(handOver);
        fixture.fill(6);
        fixture.start();
        QVERIFY(fixture.carryOut(api::ChangeSubscription{fixture.shop, QStringLiteral("error"), true}, {}));
        QList<support::FakeBroker::Delivery> deliveries;
        fixture.broker->delivered = [&deliveries](const support::FakeBroker::Delivery &delivery) {
            deliveries.append(delivery);
        };
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Release);
        QVERIFY2(id, qPrintable(id ? QString() : id.error().message));
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(sent(fixture, *id), 6);
        QCOMPARE(deliveries.size(), 6);
        for (const support::FakeBroker::Delivery &delivery : std::as_const(deliveries)) {
            QCOMPARE(delivery.destination, QStringLiteral("error"));
            QVERIFY(!records::text(delivery.envelope.headers, u"NServiceBus.ExceptionInfo.StackTrace").isEmpty());
        }
        for (const store::RetryMember &member : fixture.members(*id))
            QVERIFY(fixture.message(member.message).status == records::MessageStatus::Released);
        fixture.advance(std::chrono::minutes(2)); // the queue was unsubscribed: they are not taken again
        QCOMPARE(fixture.broker->depthOf(QStringLiteral("error")), 6);
    }

    void aSecondConnectionToTheSameBrokerLeavesLivePlacesAlone()
    {
        EngineFixture fixture(HandOver::StagingQueue);
        fixture.fill(20);
        fixture.broker->pumpAtOnce = 1;
        fixture.start();
        const core::OperationId id = fixture.retryAll().value();
        QVERIFY(fixture.runUntil([&] { return fixture.broker->depthOf(QStringLiteral("billing")) > 0; }));
        QVERIFY(!fixture.broker->places().isEmpty());
        api::ConnectionDraft draft;
        draft.connection = fixture.connection;
        draft.connection.id = {};
        draft.connection.name = QStringLiteral("the same shop");
        const auto saved = fixture.carryOut(api::SaveConnection{draft}, {});
        QVERIFY(saved);
        QVERIFY(fixture.runToEnd(id));
        QCOMPARE(fixture.operation(id).counts.sent, 20);
        QCOMPARE(fixture.operation(id).counts.inDoubt, 0);
        QCOMPARE(fixture.broker->depthOf(QStringLiteral("billing")), 10);
    }

    void anEmptySetIsNoRefusalAndOneThatIsLeftOutIs()
    {
        EngineFixture fixture;
        fixture.fill(0);
        const core::Result<> possibleDoubles =
            fixture.store->transact([&fixture](store::Session &session) -> core::Result<> {
                store::NewMessage fresh = test::sampleMessage(fixture.shop, 1);
                fresh.message.flags = records::MessageFlag::PossibleDuplicate;
                const core::Result<core::MessageId> added = session.messages().insert(fresh);
                return added ? core::Result<>() : core::fail(added.error());
            });
        QVERIFY(possibleDoubles);
        fixture.start();
        api::RetryDraft request;
        request.filter.connection = fixture.shop;
        QCOMPARE(previewOf(fixture, request).refusal, QStringLiteral("None of these messages can be sent now."));
        request.filter.queue = QStringLiteral("a queue without messages");
        QCOMPARE(previewOf(fixture, request).refusal, QString());
        QCOMPARE(previewOf(fixture, request).frozenCount, 0);
    }

    void aPersonMaySendPossibleDuplicates_data() { bothHandOvers(); }

    void aPersonMaySendPossibleDuplicates()
    {
        QFETCH(HandOver, handOver);
        EngineFixture fixture(handOver);
        fixture.fill(3);
        const core::Result<> added = fixture.store->transact([&fixture](store::Session &session) -> core::Result<> {
            store::NewMessage fresh = test::sampleMessage(fixture.shop, 101);
            fresh.message.destination = {QStringLiteral("billing"), records::Certainty::Exact, QStringLiteral("test")};
            fresh.message.flags = records::MessageFlag::PossibleDuplicate;
            const core::Result<core::MessageId> one = session.messages().insert(fresh);
            return one ? core::Result<>() : core::fail(one.error());
        });
        QVERIFY2(added, test::why(added).constData());
        fixture.start();
        api::ConfirmRetry command;
        command.draft.filter.connection = fixture.shop;
        QCOMPARE(previewOf(fixture, command.draft).frozenCount, 3);
        command.draft.plan.includeDuplicates = true;
        const api::PlanPreview plan = previewOf(fixture, command.draft);
        QCOMPARE(plan.frozenCount, 4);
        QCOMPARE(plan.leftOut[records::LeftOut::PossibleDuplicate], 0);
        QCOMPARE(plan.warnings.size(), 1);
        QVERIFY(plan.warnings.first().kind == api::PlanWarning::Kind::Duplicates);
        command.draft.asOfChange = plan.asOfChange;
        command.expectedCount = plan.frozenCount;
        const core::OperationId id = test::must(fixture.carryOut(command));
        QVERIFY(fixture.runToEnd(id));
        QVERIFY(fixture.operation(id).plan.includeDuplicates);
        QCOMPARE(fixture.operation(id).counts.sent, 4);
        QCOMPARE(fixture.operation(id).counts.possibleDuplicates, 1);
    }

    void whatWouldComeStraightBackIsWarnedOf()
    {
        EngineFixture fixture;
        fixture.fill(2);
        const core::Result<> added = fixture.store->transact([&fixture](store::Session &session) -> core::Result<> {
            for (int n = 100; n < 103; ++n) {
                store::NewMessage fresh = test::sampleMessage(fixture.shop, n);
                fresh.message.queue = QStringLiteral("error");
                const QString to = n < 102 ? fresh.message.queue : QString();
                fresh.message.destination = {to, records::Certainty::Exact, QStringLiteral("header")};
                const core::Result<core::MessageId> one = session.messages().insert(fresh);
                if (!one)
                    return core::fail(one.error());
            }
            return {};
        });
        QVERIFY(added);
        fixture.start();
        api::RetryDraft request;
        request.filter.connection = fixture.shop;
        const api::PlanPreview shown = previewOf(fixture, request);
        QCOMPARE(shown.frozenCount, 4);
        QCOMPARE(shown.leftOut[records::LeftOut::NoDestination], 1);
        QCOMPARE(shown.warnings.size(), 1);
        QVERIFY(shown.warnings.first().kind == api::PlanWarning::Kind::StraightBack);
        QCOMPARE(shown.warnings.first().count, 2);
        for (const api::PlannedDestination &one : shown.destinations)
            QCOMPARE(one.straightBack, one.destination.queue == QLatin1String("error") ? 2 : 0);

        request.kind = records::OperationKind::Release; // that is what a release is for
        QVERIFY(previewOf(fixture, request).warnings.isEmpty());
    }

    void whatToKnowBeforeARetryIsCounted()
    {
        using records::Certainty;
        using records::MessageFlag;
        using Kind = api::PlanWarning::Kind;
        EngineFixture fixture;
        fixture.fill(4); // they name exactly where they failed
        const core::Result<> others = fixture.store->transact([&fixture](store::Session &session) -> core::Result<> {
            const QString billing = QStringLiteral("billing");
            int n = 100;
            const auto add = [&](const records::Destination &to, records::MessageFlags flags) -> core::Result<> {
                store::NewMessage fresh = test::sampleMessage(fixture.shop, ++n);
                fresh.message.destination = to;
                fresh.message.flags = flags;
                const core::Result<core::MessageId> added = session.messages().insert(fresh);
                return added ? core::Result<>() : core::fail(added.error());
            };
            core::Result<> done = add({billing, Certainty::FanOut, QStringLiteral("topic")}, {});
            for (int i = 0; i < 2 && done; ++i)
                done = add({billing, Certainty::Derived, QStringLiteral("name")}, MessageFlag::Damaged);
            for (int i = 0; i < 3 && done; ++i)
                done = add({billing, Certainty::Exact, QStringLiteral("header")}, MessageFlag::OtherTool);
            return done;
        });
        QVERIFY(others);
        fixture.start();
        api::RetryDraft request;
        request.filter.connection = fixture.shop;
        const api::PlanPreview shown = previewOf(fixture, request);
        QCOMPARE(shown.frozenCount, 7);
        QCOMPARE(shown.leftOut[records::LeftOut::NoDestination], 3);
        QMap<Kind, qint64> counts;
        for (const api::PlanWarning &warning : shown.warnings) {
            counts[warning.kind] = warning.count;
            QVERIFY(warning.sentence.startsWith(QString::number(warning.count)));
        }
        QCOMPARE(counts,
                 (QMap<Kind, qint64>{{Kind::FanOut, 1}, {Kind::Derived, 2}, {Kind::Damaged, 2}, {Kind::OtherTool, 3}}));
        const auto billing =
            std::find_if(shown.destinations.begin(), shown.destinations.end(), [](const api::PlannedDestination &one) {
                return one.destination.queue == QLatin1String("billing");
            });
        QVERIFY(billing->destination.certainty == Certainty::FanOut); // the least certain one

        // A release puts all of them back unchanged, where they came from.
        request.kind = records::OperationKind::Release;
        const api::PlanPreview released = previewOf(fixture, request);
        QCOMPARE(released.frozenCount + released.leftOut[records::LeftOut::NoSuchQueue], 10);
        QCOMPARE(released.leftOut[records::LeftOut::NoDestination], 0);
        QVERIFY(released.warnings.isEmpty());

        request.kind = records::OperationKind::Retry;
        const core::Result<core::OperationId> id = fixture.retryAll();
        QVERIFY(id);
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(fixture.operation(*id).counts.sent, 7);
    }

    void whereDoublesAreNotAllowedNothingIsSentAgainUnasked()
    {
        EngineFixture fixture;
        fixture.connection.doublesAllowed = false;
        fixture.fill(2);
        fixture.start();
        api::RetryDraft request;
        request.filter.connection = fixture.shop;
        const api::PlanPreview shown = previewOf(fixture, request);
        QVERIFY(shown.onUnknownDefault == records::OnUnknown::LeaveInDoubt);
        QVERIFY(!shown.onUnknownApplies);
        records::Plan again;
        again.onUnknown = records::OnUnknown::SendAgain;
        const core::Result<core::OperationId> refused = fixture.retryAll({}, again);
        QVERIFY(!refused);
        QVERIFY(refused.error().kind == core::ErrorKind::Refused);
        QVERIFY(fixture.retryAll());
    }
};

REDRIVE_TEST(TestEngineRules)
#include "tst_enginerules.moc"
