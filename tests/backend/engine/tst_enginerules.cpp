// What the engine promises to people, on a whole engine with a broker in memory.
#include "backend/core/limits.h"
#include "backend/engine/localclient.h"
#include "backend/store/messagestore.h"
#include "backend/store/retrystore.h"
#include "tests/support/engineroom.h"
#include "tests/support/samplemessages.h"

#include <QTest>

using records::HandOver;
using records::OperationState;
using support::EngineRoom;

namespace {

qint64 sent(EngineRoom &room, core::OperationId id)
{
    return room.operation(id).counts.sent;
}

void bothHandOvers()
{
    QTest::addColumn<HandOver>("handOver");
    QTest::newRow("staging queue") << HandOver::StagingQueue;
    QTest::newRow("ledger") << HandOver::Ledger;
}

api::PlanPreview previewOf(EngineRoom &room, const api::RetryRequest &request)
{
    return room
        .await<api::PlanPreview>([&request](engine::Engine &engine) { return engine.retries().preview(request); })
        .value();
}

} // namespace

class TestEngineRules final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pauseAllSurvivesARestart()
    {
        EngineRoom room;
        room.fill(40);
        room.start();
        const core::OperationId id = room.retryAll().value();
        QVERIFY(room.runUntil([&] { return sent(room, id) > 0; }));
        QVERIFY(room.engine->retries().pauseAll(true, QStringLiteral("ada@desk")));
        room.restart();
        QVERIFY(room.engine->retries().isAllPaused());
        QVERIFY(room.operation(id).state == OperationState::Paused);
        room.advance(std::chrono::minutes(5)); // what was with the broker has its answer
        const qint64 before = sent(room, id);
        QVERIFY(before < 40);
        room.advance(std::chrono::minutes(5));
        QCOMPARE(sent(room, id), before);

        QVERIFY(room.engine->retries().pauseAll(false, QStringLiteral("ada@desk")));
        QVERIFY(room.runToEnd(id));
        const records::OutcomeCounts counts = room.operation(id).counts;
        QCOMPARE(counts.sent + counts.inDoubt, 40); // what was cut off by the restart is in doubt, as planned
        QVERIFY(counts.inDoubt <= 4);
        room.restart();
        QVERIFY(!room.engine->retries().isAllPaused());
    }

    void whatACrashKeptFromBeingPausedIsPausedAtTheNextStart()
    {
        EngineRoom room;
        room.fill(4);
        room.start();
        room.stop();
        const core::Result<> written =
            room.store->transact([](store::Session &session) { return session.retries().setAllPaused(true); });
        QVERIFY(written);
        core::OperationId id;
        const core::Result<> added = room.store->transact([&](store::Session &session) -> core::Result<> {
            records::RetryOperation running;
            running.connection = room.shop;
            running.state = OperationState::Running;
            const core::Result<core::OperationId> made = session.retries().addOperation(running);
            id = made.value_or(core::OperationId{});
            return {};
        });
        QVERIFY(added);
        room.start();
        QVERIFY(room.operation(id).state == OperationState::Paused);
    }

    void theTrailSaysWhoAsked()
    {
        EngineRoom room;
        room.fill(2);
        room.start();
        const auto port = std::make_shared<engine::Port>();
        port->attach(*room.engine);
        engine::LocalClient client(port, nullptr, QStringLiteral("ada@desk"));
        api::ConnectionDraft draft;
        draft.connection = room.connection;
        draft.connection.id = {};
        draft.connection.name = QStringLiteral("second");
        const auto saved = client.saveConnection(draft);
        const auto followed = client.follow({room.shop, QStringLiteral("error"), true});
        const auto paused = client.pauseAll(true);
        const auto resumed = client.pauseAll(false);
        room.broker->put(QStringLiteral("error"), test::sampleMessage(room.shop, 900).envelope);
        const auto taken = client.intake({room.shop, QStringLiteral("error"), std::nullopt});
        QVERIFY(room.runUntil([&] {
            return saved.isFinished() && followed.isFinished() && paused.isFinished() && resumed.isFinished()
                   && taken.isFinished();
        }));
        QVERIFY(taken.result());
        const auto removed = client.removeConnection(saved.result().value());
        QVERIFY(room.runUntil([&] { return removed.isFinished(); }));
        QMap<QString, QString> whoDid;
        for (const records::Event &event : room.events())
            whoDid.insert(event.what, event.who);
        for (const char *what : {"Connection added", "Queue followed", "Everything paused", "Everything resumed",
                                 "Failed messages taken", "Connection removed"})
            QCOMPARE(whoDid.value(QLatin1StringView(what)), QStringLiteral("ada@desk"));
        QCOMPARE(whoDid.value(QStringLiteral("Engine started")), QStringLiteral("engine"));
        port->close();
    }

    void aReleaseStopsFollowingItsQueuesAloneAndOnlyOnceItStands()
    {
        EngineRoom room;
        room.broker->addQueue(QStringLiteral("other.failed"));
        room.fill(4);
        room.start();
        const auto runtime = room.engine->connections().find(room.shop).value();
        QVERIFY(runtime->follow(QStringLiteral("error"), true));
        QVERIFY(runtime->follow(QStringLiteral("other.failed"), true));
        api::RetryCommand command;
        command.request.kind = records::OperationKind::Release;
        command.request.filter.connection = room.shop;
        command.request.filter.messageType = test::sampleMessage(room.shop, 0).message.messageType; // names no queue
        const auto release = [&] {
            return room.await<core::OperationId>([&](engine::Engine &it) { return it.retries().retry(command); });
        };
        command.expectedCount = 1000;
        QVERIFY(!release());
        QVERIFY(runtime->isFollowed(QStringLiteral("error")));

        command.expectedCount = previewOf(room, command.request).frozenCount;
        QVERIFY(command.expectedCount > 0);
        QVERIFY(release());
        QVERIFY(!runtime->isFollowed(QStringLiteral("error")));
        QVERIFY(runtime->isFollowed(QStringLiteral("other.failed")));
    }

    // What is taken while its queue is being released to would be taken out again.
    void aReleaseWaitsForTheIntakeOfItsQueue()
    {
        EngineRoom room;
        room.fill(4);
        for (int n = 900; n < 905; ++n)
            room.broker->put(QStringLiteral("error"), test::sampleMessage(room.shop, n).envelope);
        room.start();
        const auto runtime = room.engine->connections().find(room.shop).value();
        room.broker->slowest = core::Milliseconds{2000};
        std::optional<core::Result<records::IntakeCounts>> taken;
        room.engine->run([&]() -> core::Task<> {
            core::Result<records::IntakeCounts> counts =
                co_await runtime->intake(QStringLiteral("error"), std::nullopt, {});
            taken = std::move(counts);
        });
        QVERIFY(room.runUntil([&] { return room.broker->holds(); }));
        QVERIFY(!taken);
        const core::Result<core::OperationId> id = room.retryAll(records::OperationKind::Release);
        QVERIFY2(id, qPrintable(id ? QString() : id.error().message));
        QVERIFY(taken && *taken);
        QCOMPARE((*taken)->taken, 5);
        QVERIFY(room.runToEnd(*id));
        QCOMPARE(room.broker->depthOf(QStringLiteral("error")), room.operation(*id).total);
        const auto again = room.await<records::IntakeCounts>(
            [&](engine::Engine &) { return runtime->intake(QStringLiteral("error"), std::nullopt, {}); });
        QVERIFY(again); // afterwards everybody may take again
    }

    void previewAndFreezeAgreeAndCountOnlyWhatGoes()
    {
        EngineRoom room;
        room.fill(20);
        const core::Result<> odd = room.store->transact([&](store::Session &session) -> core::Result<> {
            for (int n = 100; n < 107; ++n) {
                store::NewMessage fresh = test::sampleMessage(room.shop, n);
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
        room.start();
        api::RetryRequest request;
        request.filter.connection = room.shop;
        const api::PlanPreview all = previewOf(room, request);
        QCOMPARE(all.frozenCount, 20);
        QCOMPARE(all.noDestination, 0);
        QCOMPARE(all.noSuchQueue, 3);
        QCOMPARE(all.missingDestinations.size(), 1);
        QCOMPARE(all.missingDestinations.first().destination.queue, QStringLiteral("nowhere"));
        QCOMPARE(all.missingDestinations.first().count, 3);
        QCOMPARE(all.possibleDuplicates, 4);
        QMap<QString, qint64> counts;
        for (const api::PlannedDestination &destination : all.destinations)
            counts.insert(destination.destination.queue, destination.count);
        QCOMPARE(counts, (QMap<QString, qint64>{{QStringLiteral("billing"), 10}, {QStringLiteral("sales"), 10}}));

        request.plan.limit = 5;
        const api::PlanPreview few = previewOf(room, request);
        QCOMPARE(few.frozenCount, 5);
        QCOMPARE(few.beyondLimit, 15);
        qint64 sum = 0;
        for (const api::PlannedDestination &destination : few.destinations)
            sum += destination.count;
        QCOMPARE(sum, 5);

        const core::Result<core::OperationId> id = room.retryAll({}, request.plan);
        QVERIFY2(id, qPrintable(id ? QString() : id.error().message));
        QCOMPARE(room.operation(*id).total, 5);
        QMap<QString, qint64> frozen;
        for (const store::RetryMember &member : room.members(*id))
            ++frozen[member.destination];
        for (const api::PlannedDestination &destination : few.destinations)
            QCOMPARE(frozen.value(destination.destination.queue), destination.count);
    }

    void anEndWaitsForSendsAlone()
    {
        EngineRoom room;
        room.fill(0);
        room.broker->slowest = core::Milliseconds{30000};
        room.engine = std::make_unique<engine::Engine>(room.world);
        room.engine->start(); // and is asking the broker what it can do
        room.advance(std::chrono::seconds(1));
        const core::TimePoint before = room.clock.now();
        room.stop();
        QVERIFY(room.clock.now() - before < std::chrono::seconds(1)); // of the test's own clock
    }

    void withoutANameEveryKnownErrorQueueIsFollowedAndNoOther()
    {
        EngineRoom room;
        room.connection.errorQueues = {QStringLiteral("error"), QStringLiteral("other.failed")};
        room.fill(1);
        room.start();
        QVERIFY(room.engine->connections().follow({room.shop, {}, true}, {}));
        const auto runtime = room.engine->connections().find(room.shop).value();
        QVERIFY(runtime->isFollowed(QStringLiteral("error")));
        QVERIFY(runtime->isFollowed(QStringLiteral("other.failed")));
        QVERIFY(!room.engine->connections().follow({room.shop, QStringLiteral("billing"), true}, {}));
        QVERIFY(!runtime->isFollowed(QStringLiteral("billing")));
        QVERIFY(room.engine->connections().follow({room.shop, {}, false}, {}));
        QVERIFY(!runtime->isFollowed(QStringLiteral("error")));
    }

    void followingWithoutAnyErrorQueueIsRefused()
    {
        EngineRoom room;
        room.connection.errorQueues.clear();
        room.fill(0);
        room.start();
        const core::Result<> followed = room.engine->connections().follow({room.shop, {}, true}, {});
        QVERIFY(!followed);
        QVERIFY2(followed.error().message.startsWith(u"No error queue of"), qPrintable(followed.error().message));
    }

    void aReleaseTakesMessagesBackToTheirQueueAsTheyFailed_data() { bothHandOvers(); }

    void aReleaseTakesMessagesBackToTheirQueueAsTheyFailed()
    {
        QFETCH(HandOver, handOver);
        EngineRoom room(handOver);
        room.fill(6);
        room.start();
        QVERIFY(room.engine->connections().follow({room.shop, QStringLiteral("error"), true}, {}));
        QList<support::FakeBroker::Delivery> deliveries;
        room.broker->delivered = [&deliveries](const support::FakeBroker::Delivery &delivery) {
            deliveries.append(delivery);
        };
        const core::Result<core::OperationId> id = room.retryAll(records::OperationKind::Release);
        QVERIFY2(id, qPrintable(id ? QString() : id.error().message));
        QVERIFY(room.runToEnd(*id));
        QCOMPARE(sent(room, *id), 6);
        QCOMPARE(deliveries.size(), 6);
        for (const support::FakeBroker::Delivery &delivery : std::as_const(deliveries)) {
            QCOMPARE(delivery.destination, QStringLiteral("error"));
            QVERIFY(!records::text(delivery.envelope.headers, u"NServiceBus.ExceptionInfo.StackTrace").isEmpty());
        }
        for (const store::RetryMember &member : room.members(*id))
            QVERIFY(room.message(member.message).status == records::MessageStatus::Released);
        room.advance(std::chrono::minutes(2)); // following was switched off: they are not taken again
        QCOMPARE(room.broker->depthOf(QStringLiteral("error")), 6);
    }

    void aSecondConnectionToTheSameBrokerLeavesLivePlacesAlone()
    {
        EngineRoom room(HandOver::StagingQueue);
        room.fill(20);
        room.broker->pumpAtOnce = 1;
        room.start();
        const core::OperationId id = room.retryAll().value();
        QVERIFY(room.runUntil([&] { return room.broker->depthOf(QStringLiteral("billing")) > 0; }));
        QVERIFY(!room.broker->places().isEmpty());
        api::ConnectionDraft draft;
        draft.connection = room.connection;
        draft.connection.id = {};
        draft.connection.name = QStringLiteral("the same shop");
        const auto saved = room.await<core::ConnectionId>(
            [&draft](engine::Engine &engine) { return engine.connections().save(draft, {}); });
        QVERIFY(saved);
        QVERIFY(room.runToEnd(id));
        QCOMPARE(room.operation(id).counts.sent, 20);
        QCOMPARE(room.operation(id).counts.inDoubt, 0);
        QCOMPARE(room.broker->depthOf(QStringLiteral("billing")), 10);
    }

    void anEmptySetIsNoRefusalAndOneThatIsLeftOutIs()
    {
        EngineRoom room;
        room.fill(0);
        const core::Result<> possibleDoubles = room.store->transact([&room](store::Session &session) -> core::Result<> {
            store::NewMessage fresh = test::sampleMessage(room.shop, 1);
            fresh.message.flags = records::MessageFlag::PossibleDuplicate;
            const core::Result<core::MessageId> added = session.messages().insert(fresh);
            return added ? core::Result<>() : core::fail(added.error());
        });
        QVERIFY(possibleDoubles);
        room.start();
        api::RetryRequest request;
        request.filter.connection = room.shop;
        QCOMPARE(previewOf(room, request).refusal, QStringLiteral("None of these messages can be sent now."));
        request.filter.queue = QStringLiteral("a queue without messages");
        QCOMPARE(previewOf(room, request).refusal, QString());
        QCOMPARE(previewOf(room, request).frozenCount, 0);
    }

    void whatWouldComeStraightBackIsWarnedOf()
    {
        EngineRoom room;
        room.fill(2);
        const core::Result<> added = room.store->transact([&room](store::Session &session) -> core::Result<> {
            for (int n = 100; n < 103; ++n) {
                store::NewMessage fresh = test::sampleMessage(room.shop, n);
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
        room.start();
        api::RetryRequest request;
        request.filter.connection = room.shop;
        const api::PlanPreview shown = previewOf(room, request);
        QCOMPARE(shown.frozenCount, 4);
        QCOMPARE(shown.noDestination, 1);
        QCOMPARE(shown.warnings.size(), 1);
        QVERIFY(shown.warnings.first().kind == api::PlanWarning::Kind::StraightBack);
        QCOMPARE(shown.warnings.first().count, 2);
        for (const api::PlannedDestination &one : shown.destinations)
            QCOMPARE(one.straightBack, one.destination.queue == QLatin1String("error") ? 2 : 0);

        request.kind = records::OperationKind::Release; // that is what a release is for
        QVERIFY(previewOf(room, request).warnings.isEmpty());
    }

    void whatToKnowBeforeARetryIsCounted()
    {
        using records::Certainty;
        using records::MessageFlag;
        using Kind = api::PlanWarning::Kind;
        EngineRoom room;
        room.fill(4); // which say exactly where they failed
        const core::Result<> others = room.store->transact([&room](store::Session &session) -> core::Result<> {
            const QString billing = QStringLiteral("billing");
            int n = 100;
            const auto add = [&](const records::Destination &to, records::MessageFlags flags) -> core::Result<> {
                store::NewMessage fresh = test::sampleMessage(room.shop, ++n);
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
        room.start();
        api::RetryRequest request;
        request.filter.connection = room.shop;
        const api::PlanPreview shown = previewOf(room, request);
        QCOMPARE(shown.frozenCount, 7);
        QCOMPARE(shown.noDestination, 3);
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
        QVERIFY(billing->destination.certainty == Certainty::FanOut); // the least sure one

        // Released, all of them go back to where they lay, as they lay.
        request.kind = records::OperationKind::Release;
        const api::PlanPreview released = previewOf(room, request);
        QCOMPARE(released.frozenCount + released.noSuchQueue, 10);
        QCOMPARE(released.noDestination, 0);
        QVERIFY(released.warnings.isEmpty());

        request.kind = records::OperationKind::Retry;
        const core::Result<core::OperationId> id = room.retryAll();
        QVERIFY(id);
        QVERIFY(room.runToEnd(*id));
        QCOMPARE(room.operation(*id).counts.sent, 7);
    }

    void whereDoublesAreNotAllowedNothingIsSentAgainUnasked()
    {
        EngineRoom room;
        room.connection.doublesAllowed = false;
        room.fill(2);
        room.start();
        api::RetryRequest request;
        request.filter.connection = room.shop;
        const api::PlanPreview shown = previewOf(room, request);
        QVERIFY(shown.onUnknownDefault == records::OnUnknown::LeaveInDoubt);
        QVERIFY(!shown.onUnknownApplies);
        records::Plan again;
        again.onUnknown = records::OnUnknown::SendAgain;
        const core::Result<core::OperationId> refused = room.retryAll({}, again);
        QVERIFY(!refused);
        QVERIFY(refused.error().kind == core::ErrorKind::Refused);
        QVERIFY(room.retryAll());
    }
};

QTEST_GUILESS_MAIN(TestEngineRules)
#include "tst_enginerules.moc"
