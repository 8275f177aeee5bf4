// Whole queues moved by the broker, asked of a whole engine: who may, when it is refused, and what stands in the trail.
#include "backend/store/connectionstore.h"
#include "tests/support/asker.h"

#include "backend/broker/queuemover.h"

#include <QTest>

using core::ErrorKind;
using records::QueueMove;
using support::Asker;
using support::EngineRoom;
using Action = api::MoveCommand::Action;

namespace {

const QString error = QStringLiteral("error");

// The broker in memory, which can move its queues as well.
class Mover final : public support::FakeBroker, public broker::QueueMover
{
public:
    using FakeBroker::FakeBroker;

    core::Task<core::Result<broker::MoveOffer>> moveOffer(QString queue) override
    {
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
    bool loses = false; // answers
    bool takesEffect = true; // all the same
};

struct Room
{
    explicit Room(records::Rights rights = records::defaultRights | records::Right::Redirect)
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
        const api::MoveCommand command{in.shop, queue, action, to, rate, confirmed, {}};
        return ask(ask.client.moveQueue(command));
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
    EngineRoom in;
    std::shared_ptr<Mover> mover;
};

} // namespace

class TestQueueMoves final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMoveIsBegunFollowedAndCancelledWithOneEntryEach()
    {
        Room room;
        room.in.start();
        const core::Result<api::MoveAnswer> offer = room(Action::Look);
        QVERIFY(offer);
        QCOMPARE(offer->refusal, QString());
        QCOMPARE(offer->waiting, std::optional<qint64>(500));
        QCOMPARE(offer->guarantee, QStringLiteral("As they are."));
        QVERIFY(offer->targets.contains(QStringLiteral("spare")) && !offer->targets.contains(error));
        QVERIFY(!offer->confirmCount);
        QCOMPARE(room.told(), QStringList());

        const core::Result<api::MoveAnswer> begun = room(Action::Begin, error, QStringLiteral("spare"), 20);
        QVERIFY(begun && begun->goesOn());
        QCOMPARE(room.mover->orders.size(), 1);
        QCOMPARE(room.mover->orders.first().to, QStringLiteral("spare"));
        QCOMPARE(room.mover->orders.first().perSecond, std::optional<int>(20));
        QVERIFY(room(Action::Begin).error().kind == ErrorKind::Conflict); // one at a time

        const core::Result<api::MoveAnswer> cancelled = room(Action::Cancel);
        QVERIFY(cancelled && cancelled->moves.constFirst().state == QueueMove::State::Cancelling);
        QCOMPARE(room.mover->cancelled, QStringList{QStringLiteral("h")});
        room.mover->offer.moves.first().state = QueueMove::State::Cancelled;
        QVERIFY(room(Action::Cancel).error().kind == ErrorKind::NotFound);
        const QStringList told = room.told();
        QCOMPARE(told.size(), 4);
        QCOMPARE(told.at(0),
                 QStringLiteral("ada@desk: Whole queue moved by the broker shop / error: 500 messages, to spare"));
        QCOMPARE(told.at(2),
                 QStringLiteral("ada@desk: Move of a whole queue cancelled shop / error: about 0 were moved"));
    }

    void whoMovesToOneQueueAloneMustBeToldWhich()
    {
        Room room;
        room.mover->offer.needsTarget = true;
        room.in.start();
        const core::Result<api::MoveAnswer> offer = room(Action::Look);
        QVERIFY(offer && offer->needsTarget && offer->refusal.isEmpty());
        QVERIFY(room(Action::Begin).error().kind == ErrorKind::Rejected);
        QVERIFY(room.mover->orders.isEmpty());
        QVERIFY(room(Action::Begin, error, QStringLiteral("spare")));
        QCOMPARE(room.mover->orders.size(), 1);
    }

    void rightsAreAsked()
    {
        Room without(records::Rights(records::Right::See) | records::Right::Take);
        without.in.start();
        const core::Result<api::MoveAnswer> refused = without(Action::Begin);
        QVERIFY(refused.error().kind == ErrorKind::Refused && refused.error().message.contains(u"\"retry\""));
        QVERIFY(without(Action::Look)); // to look is no change
        QueueMove running;
        running.handle = QStringLiteral("x");
        without.mover->offer.moves.append(running);
        QVERIFY(without(Action::Cancel)); // to stop is always allowed

        Room noRedirect(records::defaultRights);
        noRedirect.in.start();
        QVERIFY(noRedirect(Action::Begin, error, QStringLiteral("spare")).error().message.contains(u"\"redirect\""));
        QVERIFY(noRedirect.mover->orders.isEmpty() && without.mover->orders.isEmpty());
        QVERIFY(noRedirect(Action::Begin));
    }

    void aRetryOfThatQueueIsInTheWayUntilItIsOver()
    {
        Room room;
        room.in.start();
        const core::OperationId retry = room.in.retryAll().value();
        QVERIFY(room.in.runToEnd(retry));
        const core::Result<api::MoveAnswer> refused = room(Action::Begin);
        QVERIFY(refused.error().kind == ErrorKind::Refused);
        QVERIFY2(refused.error().message.startsWith(u"6 messages of error are in a retry"),
                 qPrintable(refused.error().message));
        QVERIFY(room(Action::Look)->refusal.startsWith(u"6 messages of error"));
        Asker ask(room.in);
        records::MessageFilter all;
        all.connection = room.in.shop;
        QVERIFY(ask(ask.client.decide({all, api::Decision::Resolve, {}})));
        QVERIFY(room(Action::Begin));
        QCOMPARE(room.mover->orders.size(), 1);
    }

    // Those are frozen and not claimed yet.
    void aRetryThatWaitsIsInTheWay()
    {
        Room room;
        room.in.start();
        records::Plan later;
        later.notBefore = room.in.clock.now() + core::Milliseconds{3'600'000};
        const core::OperationId retry = room.in.retryAll(records::OperationKind::Retry, later).value();
        QVERIFY(room(Action::Begin).error().message.startsWith(u"6 messages of error are in a retry"));
        Asker ask(room.in);
        QVERIFY(ask(ask.client.act(retry, api::OperationAction::Cancel)));
        QVERIFY(room.in.runToEnd(retry));
        QVERIFY(room(Action::Begin));
    }

    void whatElseIsInTheWay()
    {
        Room room;
        room.in.start();
        QVERIFY(room(Action::Begin, QStringLiteral("billing")).error().message.contains(u"no error queue"));
        QVERIFY(room(Action::Begin, error, QStringLiteral("gone")).error().kind == ErrorKind::NotFound);
        QVERIFY(room(Action::Begin, error, error).error().kind == ErrorKind::Rejected);
        QVERIFY(room(Action::Begin, error, {}, 501).error().kind == ErrorKind::Rejected);
        QVERIFY(room(Action::Begin, error, {}, 0).error().kind == ErrorKind::Rejected);
        Asker ask(room.in);
        QVERIFY(ask(ask.client.follow({room.in.shop, error, true})));
        QVERIFY(room(Action::Begin).error().message.contains(u"is followed"));
        QVERIFY(ask(ask.client.follow({room.in.shop, error, false})));
        room.mover->offer.refusal = QStringLiteral("It cannot.");
        QCOMPARE(room(Action::Begin).error().message, QStringLiteral("It cannot."));
        QVERIFY(room.mover->orders.isEmpty());
    }

    void productionIsConfirmedWithTheCount()
    {
        Room room;
        room.in.connection.environment = records::Environment::Production;
        QVERIFY(room.in.store->transact([&](store::Session &session) {
            records::Connection changed = room.in.connection;
            changed.id = room.in.shop;
            return session.connections().update(changed);
        }));
        room.in.start();
        QVERIFY(room(Action::Look)->confirmCount);
        QVERIFY(room(Action::Begin).error().message.contains(u"confirm the count, 500"));
        QVERIFY(room(Action::Begin, error, {}, {}, 499).error().kind == ErrorKind::Refused);
        room.mover->offer.waiting.reset();
        QVERIFY(room(Action::Begin, error, {}, {}, 500).error().message.contains(u"Nobody can say how many"));
        room.mover->offer.waiting = 500;
        QVERIFY(room(Action::Begin, error, {}, {}, 500));
        QCOMPARE(room.mover->orders.size(), 1);
    }

    void aLostAnswerIsLookedFor()
    {
        Room room;
        room.in.start();
        room.mover->loses = true;
        QVERIFY(room(Action::Begin)->goesOn()); // it had begun
        QVERIFY(room(Action::Cancel)); // the repeated call found it cancelled
        room.mover->offer.moves.clear();
        room.mover->takesEffect = false;
        QVERIFY(room(Action::Begin).error().kind == ErrorKind::UnknownOutcome);
        QCOMPARE(room.mover->orders.size(), 2);
    }

    void aBrokerThatCannotSaysSo()
    {
        EngineRoom room;
        room.fill(1);
        room.start();
        Asker ask(room);
        const core::Result<api::MoveAnswer> refused =
            ask(ask.client.moveQueue({room.shop, error, Action::Look, {}, {}, {}, {}}));
        QVERIFY(refused.error().kind == ErrorKind::Refused);
        QVERIFY(refused.error().message.contains(u"moves no queue by itself"));
        QVERIFY(ask(ask.client.moveQueue({core::ConnectionId{99}, error, Action::Look, {}, {}, {}, {}})).error().kind
                == ErrorKind::NotFound);
    }
};

QTEST_GUILESS_MAIN(TestQueueMoves)
#include "tst_queuemoves.moc"
