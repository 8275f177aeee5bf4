// Where nothing may be taken: what was only looked at can be seen by everybody and used by nobody, until it is taken.
#include "backend/store/messagestore.h"
#include "tests/support/asker.h"
#include "tests/support/samplemessages.h"

#include <QTest>

using core::ErrorKind;
using core::Result;
using records::LookCounts;
using records::MessageFlag;
using support::Asker;
using support::EngineRoom;

namespace {

const QString errorQueue = QStringLiteral("error");

// The only queue, as shown.
api::QueueView shown(EngineRoom &room, const Asker &ask)
{
    room.advance(std::chrono::seconds(1));
    for (const api::QueueView &queue : ask.last->queues) {
        if (queue.name == errorQueue)
            return queue;
    }
    return {};
}

void putFailed(EngineRoom &room, int from, int to)
{
    for (int n = from; n < to; ++n) {
        records::Envelope failed;
        failed.body = "message " + QByteArray::number(n);
        failed.headers = {{QStringLiteral("NServiceBus.MessageId"), QString::number(n)},
                          {QStringLiteral("NServiceBus.ProcessingEndpoint"), QStringLiteral("Billing")},
                          {QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("billing")}};
        room.broker->put(errorQueue, failed);
    }
}

void forbidTaking(EngineRoom &room)
{
    room.broker->can().canTake = false;
    room.broker->can().missing = {QStringLiteral("the plugin rabbitmq_shovel")};
}

api::RetryRequest everything(const EngineRoom &room)
{
    api::RetryRequest request;
    request.filter.connection = room.shop;
    request.filter.queue = errorQueue;
    return request;
}

} // namespace

class TestOnlyLooked final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneQueueThatRefusesHidesNothingOfTheOthers()
    {
        EngineRoom room;
        room.connection.errorQueues = {QStringLiteral("gone"), errorQueue};
        room.fill(0);
        putFailed(room, 0, 4);
        room.start();
        Asker ask(room);
        const Result<LookCounts> seen = ask(ask.client.look({room.shop, {}, {}}));
        QVERIFY(seen);
        QCOMPARE(seen->seen, 4);
        QCOMPARE(seen->queues.size(), 2);
        QVERIFY(seen->queues.at(0).refused == ErrorKind::NotFound);
        QVERIFY2(seen->queues.at(0).reason.contains(u"gone"), qPrintable(seen->queues.at(0).reason));
        QCOMPARE(seen->queues.at(1), (records::QueueResult{errorQueue, 4, 4, {}, {}}));
        const Result<records::IntakeCounts> taken = ask(ask.client.intake({room.shop, {}, {}}));
        QVERIFY(taken);
        QCOMPARE(taken->taken, 4);
        QVERIFY(records::anyRefused(taken->queues));
        QCOMPARE(taken->queues.at(1), (records::QueueResult{errorQueue, 4, 4, {}, {}}));
        // One queue alone says so itself.
        QVERIFY(!ask(ask.client.intake({room.shop, QStringLiteral("gone"), {}})));
    }

    void whatWasLookedAtIsShownAndLeftOutOfEverything()
    {
        EngineRoom room;
        room.fill(0);
        putFailed(room, 0, 4);
        forbidTaking(room);
        room.start();
        Asker ask(room);
        const Result<records::IntakeCounts> refused = ask(ask.client.intake({room.shop, errorQueue, {}}));
        QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
        QCOMPARE(ask(ask.client.look({room.shop, errorQueue, {}})).value(), (LookCounts{4, 4, 0, 0, 0, false}));
        QCOMPARE(room.broker->depthOf(errorQueue), 4);
        QCOMPARE(shown(room, ask).lookedAt, 4);
        QCOMPARE(shown(room, ask).unresolved, 4);
        QVERIFY(ask.last->connections.first().canLook && !ask.last->connections.first().canTake);
        QCOMPARE(room.events().last().what, QStringLiteral("Failed messages looked at"));
        QCOMPARE(room.events().last().who, QStringLiteral("ada@desk"));

        const auto preview = ask(ask.client.preview(everything(room)));
        QVERIFY(preview);
        QCOMPARE(preview->frozenCount, 0);
        QCOMPARE(preview->lookedAt, 4);
        QVERIFY2(preview->lookedAtReason.contains(u"rabbitmq_shovel"), qPrintable(preview->lookedAtReason));
        QVERIFY2(preview->refusal.contains(u"only looked at"), qPrintable(preview->refusal));
        QVERIFY2(preview->refusal.contains(u"rabbitmq_shovel"), qPrintable(preview->refusal));
        const auto archived = ask(ask.client.decide({everything(room).filter, api::Decision::Archive, {}}));
        QVERIFY(!archived && archived.error().kind == ErrorKind::Refused);
        QVERIFY2(archived.error().message.contains(u"rabbitmq_shovel"), qPrintable(archived.error().message));
        QCOMPARE(room.broker->depthOf(errorQueue), 4);
    }

    void besideTakenOnesItIsCountedAndLeftOut()
    {
        EngineRoom room;
        room.fill(3); // taken
        putFailed(room, 100, 105);
        forbidTaking(room);
        room.start();
        Asker ask(room);
        QVERIFY(ask(ask.client.look({room.shop, {}, 2}))); // every error queue, two of each
        const auto preview = ask(ask.client.preview(everything(room)));
        QVERIFY(preview);
        QCOMPARE(preview->frozenCount, 3);
        QCOMPARE(preview->lookedAt, 2);
        QCOMPARE(preview->refusal, QString());
        const core::OperationId id = room.retryAll().value();
        QVERIFY(room.runToEnd(id));
        QCOMPARE(room.operation(id).total, 3);
        QCOMPARE(room.broker->depthOf(errorQueue), 5);
        const core::OperationId back = room.retryAll(records::OperationKind::Release).value_or(core::OperationId{});
        QCOMPARE(back.isValid() ? room.operation(back).total : 0, 0);
    }

    void anArchiveSaysHowManyStayed()
    {
        EngineRoom room;
        room.fill(3); // taken
        putFailed(room, 100, 105);
        forbidTaking(room);
        room.start();
        Asker ask(room);
        QVERIFY(ask(ask.client.look({room.shop, errorQueue, 2})));
        const Result<api::DecisionCounts> archived =
            ask(ask.client.decide({everything(room).filter, api::Decision::Archive, {}}));
        QVERIFY(archived);
        QCOMPARE(archived->changed, 3);
        QCOMPARE(archived->lookedAt, 2);
        QVERIFY2(archived->lookedAtReason.contains(u"rabbitmq_shovel"), qPrintable(archived->lookedAtReason));
    }

    void whenTheRightsHaveComeItIsTakenAndRetriedOnce()
    {
        EngineRoom room;
        room.fill(0);
        putFailed(room, 0, 4);
        forbidTaking(room);
        QMap<QByteArray, int> arrived;
        room.broker->delivered = [&arrived](const support::FakeBroker::Delivery &delivery) {
            ++arrived[delivery.envelope.body];
        };
        room.start();
        Asker ask(room);
        QVERIFY(ask(ask.client.look({room.shop, errorQueue, {}})));
        room.broker->can().canTake = true;
        const Result<records::IntakeCounts> taken = ask(ask.client.intake({room.shop, errorQueue, {}}));
        QVERIFY2(taken, taken ? "" : qPrintable(taken.error().message));
        QCOMPARE(*taken, (records::IntakeCounts{4, 4, 0, 0, 0}));
        QCOMPARE(shown(room, ask).lookedAt, 0);
        QCOMPARE(shown(room, ask).unresolved, 4);
        const core::OperationId id = room.retryAll().value();
        QVERIFY(room.runToEnd(id));
        QCOMPARE(room.operation(id).total, 4);
        QCOMPARE(arrived.size(), 4);
        for (const int copies : std::as_const(arrived))
            QCOMPARE(copies, 1);
    }

    // The connection itself may be for looking only.
    void aConnectionThatMayOnlySeeNamesTheRight()
    {
        EngineRoom room;
        room.connection.rights = records::Right::See;
        room.fill(0);
        putFailed(room, 0, 2);
        room.start();
        Asker ask(room);
        QVERIFY(!ask(ask.client.intake({room.shop, errorQueue, {}})));
        QCOMPARE(ask(ask.client.look({room.shop, errorQueue, {}})).value().fresh, 2);
        const auto preview = ask(ask.client.preview(everything(room)));
        QVERIFY(preview);
        QVERIFY2(preview->lookedAtReason.contains(u"\"take\""), qPrintable(preview->lookedAtReason));
        QVERIFY(!preview->refusal.isEmpty());
    }

    // To be followed outlives the program that was asked for it; to go round is for programs that are there to stay.
    void aShortCommandTakesNothingFromAFollowedQueue()
    {
        EngineRoom room;
        room.fill(0);
        room.start();
        {
            Asker ask(room);
            QVERIFY(ask(ask.client.follow({room.shop, errorQueue, true})));
        }
        room.stop();
        putFailed(room, 0, 3);
        room.world.starter = api::Starter::Command;
        room.start();
        {
            Asker ask(room);
            const Result<LookCounts> refused = ask(ask.client.look({room.shop, errorQueue, {}}));
            QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
            QVERIFY2(refused.error().message.contains(u"intake --unfollow --queue error"),
                     qPrintable(refused.error().message));
            QVERIFY(!ask(ask.client.look({room.shop, {}, {}}))); // it is the only one
            QVERIFY(shown(room, ask).followed);
        }
        room.advance(std::chrono::minutes(2));
        QCOMPARE(room.broker->depthOf(errorQueue), 3);
        {
            Asker ask(room);
            QVERIFY(!ask(ask.client.follow({room.shop, QStringLiteral("billing"), false}))); // nobody follows it
            QVERIFY(ask(ask.client.follow({room.shop, {}, false})));
            QCOMPARE(ask(ask.client.look({room.shop, errorQueue, {}})).value().seen, 3);
            QVERIFY(ask(ask.client.follow({room.shop, errorQueue, true})));
        }
        room.advance(std::chrono::minutes(2));
        QCOMPARE(room.broker->depthOf(errorQueue), 3);
        room.stop();
        room.world.starter = api::Starter::Program;
        room.start();
        QVERIFY(room.runUntil([&room] { return room.broker->depthOf(errorQueue) == 0; }));
    }
};

QTEST_GUILESS_MAIN(TestOnlyLooked)
#include "tst_onlylooked.moc"
