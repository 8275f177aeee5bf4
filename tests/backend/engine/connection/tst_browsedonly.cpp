// Browsed-only messages: everybody sees them, but nothing can be done with them until they are taken.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/retryplan.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/currentuser.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using core::Result;
using records::BrowseCounts;
using records::MessageFlag;
using support::Asker;
using support::EngineFixture;

namespace {

const QString errorQueue = QStringLiteral("error");

// The only queue in the snapshot.
api::QueueView shown(EngineFixture &fixture, const Asker &ask)
{
    fixture.advance(std::chrono::seconds(1));
    for (const api::QueueView &queue : ask.last->queues) {
        if (queue.name == errorQueue)
            return queue;
    }
    return {};
}

void putFailed(EngineFixture &fixture, int from, int to)
{
    for (int n = from; n < to; ++n) {
        records::Envelope failed;
        failed.body = "message " + QByteArray::number(n);
        failed.headers = {{QStringLiteral("NServiceBus.MessageId"), QString::number(n)},
                          {QStringLiteral("NServiceBus.ProcessingEndpoint"), QStringLiteral("Billing")},
                          {QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("billing")}};
        fixture.broker->put(errorQueue, failed);
    }
}

void forbidTaking(EngineFixture &fixture)
{
    fixture.broker->can().canTake = false;
    fixture.broker->can().missing = {QStringLiteral("the plugin rabbitmq_shovel")};
}

api::RetryDraft everything(const EngineFixture &fixture)
{
    api::RetryDraft request;
    request.filter.connection = fixture.shop;
    request.filter.queue = errorQueue;
    return request;
}

} // namespace

class TestBrowsedOnly final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneQueueThatRefusesHidesNothingOfTheOthers()
    {
        EngineFixture fixture;
        fixture.connection.errorQueues = {QStringLiteral("gone"), errorQueue};
        fixture.fill(0);
        putFailed(fixture, 0, 4);
        fixture.start();
        Asker ask(fixture);
        const Result<BrowseCounts> seen = ask(ask.client.ask(api::BrowseMessages{fixture.shop, {}, {}}));
        QVERIFY(seen);
        QCOMPARE(seen->seen, 4);
        QCOMPARE(seen->queues.size(), 2);
        QVERIFY(seen->queues.at(0).refused == ErrorKind::NotFound);
        QVERIFY2(seen->queues.at(0).reason.contains(u"gone"), qPrintable(seen->queues.at(0).reason));
        QCOMPARE(seen->queues.at(1), (records::QueueResult{errorQueue, 4, 4, {}, {}}));
        const Result<records::IntakeCounts> taken = ask(ask.client.ask(api::TakeMessages{fixture.shop, {}, {}}));
        QVERIFY(taken);
        QCOMPARE(taken->taken, 4);
        QVERIFY(records::anyRefused(taken->queues));
        QCOMPARE(taken->queues.at(1), (records::QueueResult{errorQueue, 4, 4, {}, {}}));
        // A single queue fails with its own error.
        QVERIFY(!ask(ask.client.ask(api::TakeMessages{fixture.shop, QStringLiteral("gone"), {}})));
    }

    void whatWasBrowsedIsShownAndLeftOutOfEverything()
    {
        EngineFixture fixture;
        fixture.fill(0);
        putFailed(fixture, 0, 4);
        forbidTaking(fixture);
        fixture.start();
        Asker ask(fixture);
        const Result<records::IntakeCounts> refused =
            ask(ask.client.ask(api::TakeMessages{fixture.shop, errorQueue, {}}));
        QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
        QCOMPARE(ask(ask.client.ask(api::BrowseMessages{fixture.shop, errorQueue, {}})).value(),
                 (BrowseCounts{4, 4, 0, 0, 0, false}));
        QCOMPARE(fixture.broker->depthOf(errorQueue), 4);
        QCOMPARE(shown(fixture, ask).browsedOnly, 4);
        QCOMPARE(shown(fixture, ask).unresolved, 4);
        QVERIFY(ask.last->connections.first().canBrowse && !ask.last->connections.first().canTake);
        QCOMPARE(fixture.events().last().what, QStringLiteral("Failed messages browsed"));
        QCOMPARE(fixture.events().last().who, QStringLiteral("ada@desk"));

        const auto preview = ask(ask.client.ask(api::PreviewRetry{everything(fixture)}));
        QVERIFY(preview);
        QCOMPARE(preview->frozenCount, 0);
        QCOMPARE(preview->leftOut[records::LeftOut::BrowsedOnly], 4);
        QVERIFY2(preview->browsedOnlyReason.contains(u"rabbitmq_shovel"), qPrintable(preview->browsedOnlyReason));
        QVERIFY2(preview->refusal.contains(u"browsed only"), qPrintable(preview->refusal));
        QVERIFY2(preview->refusal.contains(u"rabbitmq_shovel"), qPrintable(preview->refusal));
        const auto archived =
            ask(ask.client.ask(api::DecideMessages{everything(fixture).filter, api::Decision::Archive}));
        QVERIFY(!archived && archived.error().kind == ErrorKind::Refused);
        QVERIFY2(archived.error().message.contains(u"rabbitmq_shovel"), qPrintable(archived.error().message));
        QCOMPARE(fixture.broker->depthOf(errorQueue), 4);
    }

    void besideTakenOnesItIsCountedAndLeftOut()
    {
        EngineFixture fixture;
        fixture.fill(3); // taken
        putFailed(fixture, 100, 105);
        forbidTaking(fixture);
        fixture.start();
        Asker ask(fixture);
        QVERIFY(ask(ask.client.ask(api::BrowseMessages{fixture.shop, {}, 2}))); // every error queue, two of each
        const auto preview = ask(ask.client.ask(api::PreviewRetry{everything(fixture)}));
        QVERIFY(preview);
        QCOMPARE(preview->frozenCount, 3);
        QCOMPARE(preview->leftOut[records::LeftOut::BrowsedOnly], 2);
        QCOMPARE(preview->refusal, QString());
        const core::OperationId id = fixture.retryAll().value();
        QVERIFY(fixture.runToEnd(id));
        QCOMPARE(fixture.operation(id).total, 3);
        QCOMPARE(fixture.broker->depthOf(errorQueue), 5);
        const core::OperationId back = fixture.retryAll(records::OperationKind::Release).value_or(core::OperationId{});
        QCOMPARE(back.isValid() ? fixture.operation(back).total : 0, 0);
    }

    void anArchiveSaysHowManyStayed()
    {
        EngineFixture fixture;
        fixture.fill(3); // taken
        putFailed(fixture, 100, 105);
        forbidTaking(fixture);
        fixture.start();
        Asker ask(fixture);
        QVERIFY(ask(ask.client.ask(api::BrowseMessages{fixture.shop, errorQueue, 2})));
        const Result<api::DecisionCounts> archived =
            ask(ask.client.ask(api::DecideMessages{everything(fixture).filter, api::Decision::Archive}));
        QVERIFY(archived);
        QCOMPARE(archived->changed, 3);
        QCOMPARE(archived->browsedOnly, 2);
        QVERIFY2(archived->browsedOnlyReason.contains(u"rabbitmq_shovel"), qPrintable(archived->browsedOnlyReason));
    }

    void whenTheRightsHaveComeItIsTakenAndRetriedOnce()
    {
        EngineFixture fixture;
        fixture.fill(0);
        putFailed(fixture, 0, 4);
        forbidTaking(fixture);
        QMap<QByteArray, int> arrived;
        fixture.broker->delivered = [&arrived](const support::FakeBroker::Delivery &delivery) {
            ++arrived[delivery.envelope.body];
        };
        fixture.start();
        Asker ask(fixture);
        QVERIFY(ask(ask.client.ask(api::BrowseMessages{fixture.shop, errorQueue, {}})));
        fixture.broker->can().canTake = true;
        const Result<records::IntakeCounts> taken =
            ask(ask.client.ask(api::TakeMessages{fixture.shop, errorQueue, {}}));
        QVERIFY2(taken, taken ? "" : qPrintable(taken.error().message));
        QCOMPARE(*taken, (records::IntakeCounts{4, 4, 0, 0, 0}));
        QCOMPARE(shown(fixture, ask).browsedOnly, 0);
        QCOMPARE(shown(fixture, ask).unresolved, 4);
        const core::OperationId id = fixture.retryAll().value();
        QVERIFY(fixture.runToEnd(id));
        QCOMPARE(fixture.operation(id).total, 4);
        QCOMPARE(arrived.size(), 4);
        for (const int copies : std::as_const(arrived))
            QCOMPARE(copies, 1);
    }

    // The connection itself may lack the right to take.
    void aConnectionThatMayOnlySeeNamesTheRight()
    {
        EngineFixture fixture;
        fixture.connection.rights = records::Right::See;
        fixture.fill(0);
        putFailed(fixture, 0, 2);
        fixture.start();
        Asker ask(fixture);
        QVERIFY(!ask(ask.client.ask(api::TakeMessages{fixture.shop, errorQueue, {}})));
        QCOMPARE(ask(ask.client.ask(api::BrowseMessages{fixture.shop, errorQueue, {}})).value().fresh, 2);
        const auto preview = ask(ask.client.ask(api::PreviewRetry{everything(fixture)}));
        QVERIFY(preview);
        QVERIFY2(preview->browsedOnlyReason.contains(u"\"take\""), qPrintable(preview->browsedOnlyReason));
        QVERIFY(!preview->refusal.isEmpty());
    }

    // A subscription lasts longer than the command that made it; only programs that stay take from subscribed queues.
    void aShortCommandTakesNothingFromAFollowedQueue()
    {
        EngineFixture fixture;
        fixture.fill(0);
        fixture.start();
        {
            Asker ask(fixture);
            QVERIFY(ask(ask.client.ask(api::ChangeSubscription{fixture.shop, errorQueue, true})));
        }
        fixture.stop();
        putFailed(fixture, 0, 3);
        fixture.dependencies.starter = api::Starter::Command;
        fixture.start();
        {
            Asker ask(fixture);
            const Result<BrowseCounts> refused = ask(ask.client.ask(api::BrowseMessages{fixture.shop, errorQueue, {}}));
            QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
            QVERIFY2(refused.error().message.contains(u"intake --unsubscribe --queue error"),
                     qPrintable(refused.error().message));
            QVERIFY(!ask(ask.client.ask(api::BrowseMessages{fixture.shop, {}, {}}))); // the only queue is subscribed
            QVERIFY(shown(fixture, ask).subscribed);
        }
        fixture.advance(std::chrono::minutes(2));
        QCOMPARE(fixture.broker->depthOf(errorQueue), 3);
        {
            Asker ask(fixture);
            QVERIFY(!ask(ask.client.ask(
                api::ChangeSubscription{fixture.shop, QStringLiteral("billing"), false}))); // it is not subscribed
            QVERIFY(ask(ask.client.ask(api::ChangeSubscription{fixture.shop, {}, false})));
            QCOMPARE(ask(ask.client.ask(api::BrowseMessages{fixture.shop, errorQueue, {}})).value().seen, 3);
            QVERIFY(ask(ask.client.ask(api::ChangeSubscription{fixture.shop, errorQueue, true})));
        }
        fixture.advance(std::chrono::minutes(2));
        QCOMPARE(fixture.broker->depthOf(errorQueue), 3);
        fixture.stop();
        fixture.dependencies.starter = api::Starter::Program;
        fixture.start();
        QVERIFY(fixture.runUntil([&fixture] { return fixture.broker->depthOf(errorQueue) == 0; }));
    }
};

REDRIVE_TEST(TestBrowsedOnly)
#include "tst_browsedonly.moc"
