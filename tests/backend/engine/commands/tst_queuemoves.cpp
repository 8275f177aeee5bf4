// Moves of whole queues on a whole engine: who may start them, when they are refused, and what the activity log says.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/queuemove.h"
#include "backend/api/requests/retries.h"
#include "backend/store/connectionstore.h"
#include "tests/support/currentuser.h"

#include "backend/broker/queuemover.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using records::QueueMove;
using support::Asker;
using support::EngineFixture;
using Action = api::MoveQueue::Action;

namespace {

const QString error = QStringLiteral("error");

// The broker in memory, which can move its queues as well.
class Mover final : public support::FakeBroker, public broker::QueueMover
{
public:
    using FakeBroker::FakeBroker;

    core::Task<core::Result<broker::MoveOffer>> moveOffer(QString queue) override
    {
        if (isSilentAfterOrders && (!orders.isEmpty() || !cancelled.isEmpty()))
            co_return core::fail(ErrorKind::Transient, QStringLiteral("no answer"));
        broker::MoveOffer now = offer;
        now.facts.append(queue);
        co_return now;
    }
    core::Task<core::Result<>> beginMove(broker::MoveOrder order) override
    {
        orders.append(order);
        if (!loses || takesEffect) {
            QueueMove move;
            move.handle = QStringLiteral("h");
            move.to = order.to;
            move.total = offer.waiting;
            offer.moves.prepend(move);
        }
        if (loses)
            co_return core::fail(ErrorKind::UnknownOutcome, QStringLiteral("no answer"));
        co_return core::Result<>();
    }
    core::Task<core::Result<qint64>> cancelMove(QString handle) override
    {
        cancelled.append(handle);
        offer.moves.first().state = QueueMove::State::Cancelling;
        offer.moves.first().handle.clear();
        if (loses)
            co_return core::fail(ErrorKind::Conflict, QStringLiteral("it had ended"));
        co_return offer.moves.constFirst().moved;
    }

    broker::MoveOffer offer;
    QList<broker::MoveOrder> orders;
    QStringList cancelled;
    bool loses = false; // answers of beginMove
    bool takesEffect = true; // although the answer is lost
    bool isSilentAfterOrders = false; // tells its moves only before the first order
};

struct SilentEngineFixture
{
    explicit SilentEngineFixture(records::Rights rights = records::defaultRights | records::Right::Redirect)
        : mover(std::make_shared<Mover>(in.clock, in.random, in.broker->can()))
    {
        for (const char *queue : {"error", "billing", "sales", "spare"})
            mover->addQueue(QLatin1StringView(queue));
        mover->offer.waiting = 500;
        mover->offer.mostPerSecond = 500;
        mover->offer.guarantee = QStringLiteral("As they are.");
        in.broker = mover;
        in.connection.rights = rights;
        in.fill(6);
    }

    core::Result<api::MoveAnswer> operator()(Action action, const QString &queue = error, const QString &to = {},
                                             std::optional<int> rate = {}, std::optional<qint64> confirmed = {})
    {
        Asker ask(in);
        const api::MoveQueue command{in.shop, queue, action, to, rate, confirmed};
        return ask(ask.client.ask(command));
    }
    QStringList told()
    {
        QStringList lines;
        for (const records::Event &event : in.events()) {
            if (event.what.contains(u"whole queue", Qt::CaseInsensitive))
                lines << event.who + QStringLiteral(": ") + event.what + u' ' + event.onWhat;
        }
        return lines;
    }
    EngineFixture in;
    std::shared_ptr<Mover> mover;
};

} // namespace

class TestQueueMoves final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMoveIsBegunFollowedAndCancelledWithOneEntryEach()
    {
        SilentEngineFixture fixture;
        fixture.in.start();
        const core::Result<api::MoveAnswer> offer = fixture(Action::Offer);
        QVERIFY(offer);
        QCOMPARE(offer->refusal, QString());
        QCOMPARE(offer->waiting, std::optional<qint64>(500));
        QCOMPARE(offer->guarantee, QStringLiteral("As they are."));
        QVERIFY(offer->targets.contains(QStringLiteral("spare")) && !offer->targets.contains(error));
        QVERIFY(!offer->confirmCount);
        QCOMPARE(fixture.told(), QStringList());

        const core::Result<api::MoveAnswer> begun = fixture(Action::Begin, error, QStringLiteral("spare"), 20);
        QVERIFY(begun && begun->goesOn());
        QCOMPARE(fixture.mover->orders.size(), 1);
        QCOMPARE(fixture.mover->orders.first().to, QStringLiteral("spare"));
        QCOMPARE(fixture.mover->orders.first().perSecond, std::optional<int>(20));
        QVERIFY(fixture(Action::Begin).error().kind == ErrorKind::Conflict); // one at a time

        const core::Result<api::MoveAnswer> cancelled = fixture(Action::Cancel);
        QVERIFY(cancelled && cancelled->moves.constFirst().state == QueueMove::State::Cancelling);
        QCOMPARE(fixture.mover->cancelled, QStringList{QStringLiteral("h")});
        fixture.mover->offer.moves.first().state = QueueMove::State::Cancelled;
        QVERIFY(fixture(Action::Cancel).error().kind == ErrorKind::NotFound);
        const QStringList told = fixture.told();
        QCOMPARE(told.size(), 4);
        QCOMPARE(told.at(0),
                 QStringLiteral("ada@desk: Move of a whole queue started shop / error: 500 messages, to spare"));
        QCOMPARE(told.at(2),
                 QStringLiteral("ada@desk: Move of a whole queue cancelled shop / error: about 0 messages moved"));
    }

    // Only the activity log knows of a move: it must not say that one failed which goes on.
    void aMoveThatBeganIsNotedAsBegunAlthoughTheBrokerFallsSilent()
    {
        SilentEngineFixture fixture;
        fixture.in.start();
        fixture.mover->isSilentAfterOrders = true;
        QVERIFY(!fixture(Action::Begin, error, QStringLiteral("spare")));
        QCOMPARE(fixture.mover->orders.size(), 1);
        QCOMPARE(fixture.told().size(), 1);
        const QList<records::Event> events = fixture.in.events();
        const auto noted = std::find_if(events.cbegin(), events.cend(), [](const records::Event &event) {
            return event.what.contains(u"whole queue", Qt::CaseInsensitive);
        });
        QVERIFY(noted != events.cend() && noted->severity == records::Severity::Info);
    }

    void whoMovesToOneQueueAloneMustBeToldWhich()
    {
        SilentEngineFixture fixture;
        fixture.mover->offer.needsTarget = true;
        fixture.in.start();
        const core::Result<api::MoveAnswer> offer = fixture(Action::Offer);
        QVERIFY(offer && offer->needsTarget && offer->refusal.isEmpty());
        QVERIFY(fixture(Action::Begin).error().kind == ErrorKind::Rejected);
        QVERIFY(fixture.mover->orders.isEmpty());
        QVERIFY(fixture(Action::Begin, error, QStringLiteral("spare")));
        QCOMPARE(fixture.mover->orders.size(), 1);
    }

    void rightsAreAsked()
    {
        SilentEngineFixture without(records::Rights(records::Right::See) | records::Right::Take);
        without.in.start();
        const core::Result<api::MoveAnswer> refused = without(Action::Begin);
        QVERIFY(refused.error().kind == ErrorKind::Refused && refused.error().message.contains(u"\"retry\""));
        QVERIFY(without(Action::Offer)); // reading changes nothing
        QueueMove running;
        running.handle = QStringLiteral("x");
        without.mover->offer.moves.append(running);
        QVERIFY(without(Action::Cancel)); // cancelling needs no right

        SilentEngineFixture noRedirect(records::defaultRights);
        noRedirect.in.start();
        QVERIFY(noRedirect(Action::Begin, error, QStringLiteral("spare")).error().message.contains(u"\"redirect\""));
        QVERIFY(noRedirect.mover->orders.isEmpty() && without.mover->orders.isEmpty());
        QVERIFY(noRedirect(Action::Begin));
    }

    void aRetryOfThatQueueIsInTheWayUntilItIsOver()
    {
        SilentEngineFixture fixture;
        fixture.in.start();
        const core::OperationId retry = fixture.in.retryAll().value();
        QVERIFY(fixture.in.runToEnd(retry));
        const core::Result<api::MoveAnswer> refused = fixture(Action::Begin);
        QVERIFY(refused.error().kind == ErrorKind::Refused);
        QVERIFY2(refused.error().message.startsWith(u"error has 6 messages in retry"),
                 qPrintable(refused.error().message));
        QVERIFY(fixture(Action::Offer)->refusal.startsWith(u"error has 6 messages"));
        Asker ask(fixture.in);
        records::MessageFilter all;
        all.connection = fixture.in.shop;
        QVERIFY(ask(ask.client.ask(api::DecideMessages{all, api::Decision::Resolve})));
        QVERIFY(fixture(Action::Begin));
        QCOMPARE(fixture.mover->orders.size(), 1);
    }

    // Its messages are frozen and not claimed yet.
    void aRetryThatWaitsIsInTheWay()
    {
        SilentEngineFixture fixture;
        fixture.in.start();
        records::Plan later;
        later.notBefore = fixture.in.clock.now() + core::Milliseconds{3'600'000};
        const core::OperationId retry = fixture.in.retryAll(records::OperationKind::Retry, later).value();
        QVERIFY(fixture(Action::Begin).error().message.startsWith(u"error has 6 messages in retry"));
        Asker ask(fixture.in);
        QVERIFY(ask(ask.client.ask(api::ChangeOperation{retry, api::OperationAction::Cancel})));
        QVERIFY(fixture.in.runToEnd(retry));
        QVERIFY(fixture(Action::Begin));
    }

    void whatElseIsInTheWay()
    {
        SilentEngineFixture fixture;
        fixture.in.start();
        QVERIFY(fixture(Action::Begin, QStringLiteral("billing")).error().message.contains(u"not an error queue"));
        QVERIFY(fixture(Action::Begin, error, QStringLiteral("gone")).error().kind == ErrorKind::NotFound);
        QVERIFY(fixture(Action::Begin, error, error).error().kind == ErrorKind::Rejected);
        QVERIFY(fixture(Action::Begin, error, {}, 501).error().kind == ErrorKind::Rejected);
        QVERIFY(fixture(Action::Begin, error, {}, 0).error().kind == ErrorKind::Rejected);
        Asker ask(fixture.in);
        QVERIFY(ask(ask.client.ask(api::ChangeSubscription{fixture.in.shop, error, true})));
        QVERIFY(fixture(Action::Begin).error().message.contains(u"is subscribed"));
        QVERIFY(ask(ask.client.ask(api::ChangeSubscription{fixture.in.shop, error, false})));
        fixture.mover->offer.refusal = QStringLiteral("It cannot.");
        QCOMPARE(fixture(Action::Begin).error().message, QStringLiteral("It cannot."));
        QVERIFY(fixture.mover->orders.isEmpty());
    }

    void productionIsConfirmedWithTheCount()
    {
        SilentEngineFixture fixture;
        fixture.in.connection.environment = records::Environment::Production;
        QVERIFY(fixture.in.store->transact([&](store::Session &session) {
            records::Connection changed = fixture.in.connection;
            changed.id = fixture.in.shop;
            return session.connections().update(changed);
        }));
        fixture.in.start();
        QVERIFY(fixture(Action::Offer)->confirmCount);
        QVERIFY(fixture(Action::Begin).error().message.contains(u"message count, 500"));
        QVERIFY(fixture(Action::Begin, error, {}, {}, 499).error().kind == ErrorKind::Refused);
        fixture.mover->offer.waiting.reset();
        QVERIFY(fixture(Action::Begin, error, {}, {}, 500).error().message.contains(u"is unknown"));
        fixture.mover->offer.waiting = 500;
        QVERIFY(fixture(Action::Begin, error, {}, {}, 500));
        QCOMPARE(fixture.mover->orders.size(), 1);
    }

    void aLostAnswerIsLookedFor()
    {
        SilentEngineFixture fixture;
        fixture.in.start();
        fixture.mover->loses = true;
        QVERIFY(fixture(Action::Begin)->goesOn()); // it had begun
        QVERIFY(fixture(Action::Cancel)); // the repeated call found it cancelled
        fixture.mover->offer.moves.clear();
        fixture.mover->takesEffect = false;
        QVERIFY(fixture(Action::Begin).error().kind == ErrorKind::UnknownOutcome);
        QCOMPARE(fixture.mover->orders.size(), 2);
    }

    void aBrokerThatCannotSaysSo()
    {
        EngineFixture fixture;
        fixture.fill(1);
        fixture.start();
        Asker ask(fixture);
        const core::Result<api::MoveAnswer> refused =
            ask(ask.client.ask(api::MoveQueue{fixture.shop, error, Action::Offer, {}, {}, {}}));
        QVERIFY(refused.error().kind == ErrorKind::Refused);
        QVERIFY(refused.error().message.contains(u"cannot move whole queues"));
        QVERIFY(
            ask(ask.client.ask(api::MoveQueue{core::ConnectionId{99}, error, Action::Offer, {}, {}, {}})).error().kind
            == ErrorKind::NotFound);
    }
};

REDRIVE_TEST(TestQueueMoves)
#include "tst_queuemoves.moc"
