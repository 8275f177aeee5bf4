// The exchange through which copies go back, on the RabbitMQ in memory: shared by the places of a store, and lasting.
#include "backend/broker/rabbitmq/publisher.h"
#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "tests/brokers/round.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using broker::ForwardReport;
using broker::Outgoing;
using broker::StagingPlace;
using broker::Verdict;
using support::FakeRabbit;
using test::Arrived;
using test::copy;
using test::retry;
using test::Round;

class TestRabbitMqReturns final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatALateShovelMaySendIsAwaited_data();
    void whatALateShovelMaySendIsAwaited();
    void aLateRemovalOfAShovelMeetsNoOther();
    void aPlaceCollectsNoCopiesOfAnother();
    void aReturnExchangeThatWasDeletedIsDeclaredAgain();
    void aPlaceOfAnEarlierVersionIsForwarded();
    void aDestinationThatCannotBeBoundHoldsNoOther_data();
    void aDestinationThatCannotBeBoundHoldsNoOther();
    void anOutageWhileBindingIsNoDestinations_data();
    void anOutageWhileBindingIsNoDestinations();
    void whatWasNotForwardedCanBeWithdrawn();
    void aShovelThatNeverStartsCanBeWithdrawn();
    void aStartWithoutAnAnswerCanBeWithdrawn_data();
    void aStartWithoutAnAnswerCanBeWithdrawn();
    void aRefusalOfANodeThatIsDownEjectsNothing();
    void aQueueOfANodeThatIsDownDoesNotCountAsRemoved();
    void aPageThatANodeLostIsTold();

private:
    // Answers for RabbitMQ that its other node is down.
    static void letNodeBeDown(Round &round);
};

// A full destination leaves copies behind. They are certainly not there, and whatever may still start a shovel is awaited
// before that is said.
void TestRabbitMqReturns::whatALateShovelMaySendIsAwaited_data()
{
    QTest::addColumn<bool>("isLate");
    QTest::addColumn<int>("arrives"); // after so many seconds; 0: never
    QTest::newRow("each request was answered") << false << 0;
    QTest::newRow("one request arrives") << true << 5;
    QTest::newRow("one request never arrives") << true << 0;
}

void TestRabbitMqReturns::whatALateShovelMaySendIsAwaited()
{
    QFETCH(const bool, isLate);
    QFETCH(const int, arrives);
    Round round(1);
    FakeRabbit &rabbit = round.site.rabbit();
    round.admin.removeQueue(QStringLiteral("orders"));
    const QString reject = QStringLiteral("reject-publish");
    round.admin.makeQueue(QStringLiteral("orders"),
                          {{QStringLiteral("x-max-length"), 0}, {QStringLiteral("x-overflow"), reject}});
    bool wasLate = false;
    core::SteadyTime lateAt{};
    rabbit.setFaults([&](const http::Request &request) {
        const bool isStart = request.verb == "PUT" && request.url.path().contains(QLatin1String("/parameters/shovel/"));
        if (!isLate || !isStart || std::exchange(wasLate, true))
            return FakeRabbit::Fault::None;
        lateAt = round.site.clock().steady();
        if (arrives > 0)
            round.site.clock().after(std::chrono::seconds(arrives), [&rabbit] { rabbit.letLateArrive(); });
        return FakeRabbit::Fault::Delayed;
    });
    const Arrived arrived = retry(round);
    QCOMPARE(wasLate, isLate);
    QVERIFY(!isLate || round.site.clock().steady() - lateAt >= 5s);
    QVERIFY(arrived.report.inDoubt.isEmpty());
    QCOMPARE(arrived.report.ejected.size(), 40 - arrived.copies.size());
    rabbit.letLateArrive();
    round.site.pause(20s);
    QCOMPARE(round.admin.depth(QStringLiteral("orders")), 0); // the place is gone: nothing is left to send
}

// The first shovel never starts and is taken down. The request for that was lost, was sent again, and arrives while the
// next shovel works: what that one has in hand would be sent again.
void TestRabbitMqReturns::aLateRemovalOfAShovelMeetsNoOther()
{
    for (int after = 1; after <= 30; ++after) {
        Round round(1);
        FakeRabbit &rabbit = round.site.rabbit();
        rabbit.shovels().setStuck(true);
        int removals = 0;
        int requests = 0;
        rabbit.setFaults([&](const http::Request &request) {
            if (removals >= 2 && ++requests == after)
                rabbit.letLateArrive();
            if (request.verb != "DELETE" || !request.url.path().contains(QLatin1String("/parameters/shovel/")))
                return FakeRabbit::Fault::None;
            rabbit.shovels().setStuck(false); // those that are made from now on
            return ++removals == 1 ? FakeRabbit::Fault::Delayed : FakeRabbit::Fault::None;
        });
        const Arrived arrived = retry(round);
        const QByteArray where = "after " + QByteArray::number(after);
        QVERIFY2(removals >= 2, where.constData());
        QVERIFY2(!arrived.report.interrupted && arrived.report.inDoubt.isEmpty(), where.constData());
        QVERIFY2(arrived.report.ejected.size() == 13, where.constData());
        QCOMPARE(arrived.copies.size(), 27);
        for (const int count : arrived.copies)
            QVERIFY2(count == 1, where.constData());
        rabbit.letLateArrive();
        QCOMPARE(round.admin.ours(), QStringList());
    }
}

// The places of a store share the return exchange.
void TestRabbitMqReturns::aPlaceCollectsNoCopiesOfAnother()
{
    Round round(1);
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    const QString missing = QStringLiteral("missing");
    const auto forwardOne = [&](const QString &name, const Outgoing &one) {
        const StagingPlace place{name, {missing}};
        round.insistDone("open", [&] { return staging.open(place); });
        const auto sent = round.site.wait(staging.stage(place, {one}));
        if (sent.first().verdict != Verdict::Accepted)
            qFatal("not staged");
        return round.insist<ForwardReport>("forward", [&] { return staging.forward({place, {}}, {}); });
    };
    const ForwardReport first = forwardOne(QStringLiteral("redrive.store.1.a"), copy(missing, 1, QStringLiteral("a")));
    QCOMPARE(first.ejected.size(), 1);
    QCOMPARE(first.ejected.first().stagingId, QStringLiteral("a"));
    const ForwardReport second = forwardOne(QStringLiteral("redrive.store.1.b"), copy(missing, 2, QStringLiteral("b")));
    QCOMPARE(second.ejected.size(), 1);
    QCOMPARE(second.ejected.first().stagingId, QStringLiteral("b"));
    const StagingPlace place{QStringLiteral("redrive.store.1.a"), {missing}};
    const ForwardReport again = round.insist<ForwardReport>("forward", [&] {
        return staging.forward({place, {}}, {});
    });
    QCOMPARE(again.ejected.size(), 1);
    QCOMPARE(again.ejected.first().stagingId, QStringLiteral("a"));
}

// While no retry runs, an exchange without messages looks like something that one can clear away.
void TestRabbitMqReturns::aReturnExchangeThatWasDeletedIsDeclaredAgain()
{
    for (const QString &name :
         {QStringLiteral("redrive.store.return"), QStringLiteral("redrive.store.return.unroutable")}) {
        Round round(1);
        broker::StagingQueue &staging = *round.rabbit.stagingQueue();
        const QString orders = QStringLiteral("orders");
        for (int batch = 1; batch <= 2; ++batch) {
            const StagingPlace place{QStringLiteral("redrive.store.1.%1").arg(batch), {orders}};
            round.insistDone("open", [&] { return staging.open(place); });
            QVERIFY(round.site.wait(staging.stage(place, {copy(orders, batch)})).first().verdict == Verdict::Accepted);
            if (batch == 2)
                QVERIFY(round.site.wait(broker::rabbitmq::OwnedQueues(round.admin.api()).removeExchange(name)));
            const ForwardReport report = round.insist<ForwardReport>("forward", [&] {
                return staging.forward({place, {}}, {});
            });
            QVERIFY(report.ejected.isEmpty() && report.inDoubt.isEmpty());
            round.insistDone("discard", [&] { return staging.discard(place); });
        }
        QCOMPARE(round.admin.depth(orders), 2);
    }
}

// Redrive 0.1.0 forwarded through exchanges of the place; the program was replaced while it did.
void TestRabbitMqReturns::aPlaceOfAnEarlierVersionIsForwarded()
{
    Round round(1);
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    const QString orders = QStringLiteral("orders");
    const StagingPlace place{QStringLiteral("redrive.store.1.old"), {orders}};
    round.insistDone("open", [&] { return staging.open(place); });
    const QString out = place.name + QStringLiteral(".out");
    const QString unroutable = place.name + QStringLiteral(".unroutable");
    broker::rabbitmq::OwnedQueues queues(round.admin.api());
    QVERIFY(round.site.wait(queues.declareExchange(unroutable, QStringLiteral("fanout"), {})));
    QVERIFY(round.site.wait(queues.bind(unroutable, unroutable, {})));
    const QCborMap alternate{{QStringLiteral("alternate-exchange"), unroutable}};
    QVERIFY(round.site.wait(queues.declareExchange(out, QStringLiteral("direct"), alternate)));
    QVERIFY(round.site.wait(staging.stage(place, {copy(orders, 1)})).first().verdict == Verdict::Accepted);
    broker::rabbitmq::Publisher shovel(round.admin.api());
    const auto moved = round.site.wait(shovel.publish(out, {copy(QStringLiteral("missing"), 2)}));
    QVERIFY(moved.first().verdict == Verdict::Accepted);
    const ForwardReport report = round.insist<ForwardReport>("forward", [&] {
        return staging.forward({place, {}}, {});
    });
    QCOMPARE(report.ejected.size(), 1);
    QVERIFY(report.inDoubt.isEmpty());
    QCOMPARE(round.admin.depth(orders), 1);
    round.insistDone("discard", [&] { return staging.discard(place); });
    QCOMPARE(round.admin.ours(), QStringList());
}

void TestRabbitMqReturns::aDestinationThatCannotBeBoundHoldsNoOther_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<core::ErrorKind>("kind");
    QTest::newRow("no right to write to it")
        << 401 << QByteArray(R"({"error":"not_authorised","reason":"Access refused."})")
        << core::ErrorKind::Unauthorized;
    QTest::newRow("its node is down")
        << 404 << QByteArray(R"({"error":"not_found","reason":"home node 'far' of durable queue 'orders' is down"})")
        << core::ErrorKind::Transient;
    QTest::newRow("RabbitMQ refuses it")
        << 400 << QByteArray(R"({"error":"bad_request","reason":"405 RESOURCE_LOCKED - queue 'orders' is exclusive"})")
        << core::ErrorKind::Rejected;
}

void TestRabbitMqReturns::aDestinationThatCannotBeBoundHoldsNoOther()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    QFETCH(const core::ErrorKind, kind);
    Round round(1);
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    const QString orders = QStringLiteral("orders");
    const QString billing = QStringLiteral("billing");
    const StagingPlace place{QStringLiteral("redrive.store.1.a"), {orders, billing}};
    QVERIFY(round.site.wait(staging.open(place)));
    round.site.rabbit().setOthers([&](const http::Request &request) -> std::optional<http::Response> {
        if (request.verb == "POST" && request.url.path().endsWith(QLatin1String("/q/orders")))
            return http::Response{status, {}, body};
        return std::nullopt;
    });
    const auto ways = round.site.wait(staging.openWays(place));
    QVERIFY(ways);
    QCOMPARE(ways->size(), 1);
    QCOMPARE(ways->first().destination, orders);
    QVERIFY(ways->first().error.kind == kind);
    QVERIFY(ways->first().error.message.contains(orders));
    QVERIFY(kind != core::ErrorKind::Transient || ways->first().error.message.contains(QLatin1String("far")));
    // It may also happen after the batch was staged.
    const auto sent = round.site.wait(staging.stage(place, {copy(orders, 1), copy(billing, 2)}));
    QVERIFY(sent.at(0).verdict == Verdict::Accepted && sent.at(1).verdict == Verdict::Accepted);
    const core::Result<ForwardReport> report = round.site.wait(staging.forward({place, {}}, {}));
    QVERIFY(report);
    const bool isFinal = kind == core::ErrorKind::Rejected;
    const QList<broker::Returned> &named = isFinal ? report->ejected : report->kept;
    QCOMPARE(named.size(), 1);
    QCOMPARE(named.first().reason, ways->first().error.message);
    QCOMPARE(report->ejected.size() + report->kept.size() + report->inDoubt.size(), 1);
    QCOMPARE(round.admin.depth(billing), 1);
    QVERIFY(round.site.wait(staging.discard(place)));
    QCOMPARE(round.admin.ours(), QStringList());
}

void TestRabbitMqReturns::anOutageWhileBindingIsNoDestinations_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("answers"); // so many, from the first binding on
    QTest::addColumn<bool>("isOver"); // before the broker is given up
    QTest::addColumn<core::ErrorKind>("kind");
    QTest::newRow("the server is gone") << 503 << 1000 << false << core::ErrorKind::Transient;
    QTest::newRow("the password was changed") << 401 << 1000 << false << core::ErrorKind::Unauthorized;
    QTest::newRow("the broker asks for fewer requests") << 429 << 1 << false << core::ErrorKind::Throttled;
    QTest::newRow("for a moment") << 503 << 2 << true << core::ErrorKind::Transient;
}

void TestRabbitMqReturns::anOutageWhileBindingIsNoDestinations()
{
    QFETCH(const int, status);
    QFETCH(const int, answers);
    QFETCH(const bool, isOver);
    QFETCH(const core::ErrorKind, kind);
    Round round(1);
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    const StagingPlace place{QStringLiteral("redrive.store.1.a"),
                             {QStringLiteral("orders"), QStringLiteral("billing")}};
    QVERIFY(round.site.wait(staging.open(place)));
    int left = -1; // before the first binding
    round.site.rabbit().setOthers([&](const http::Request &request) -> std::optional<http::Response> {
        const bool isBinding = request.verb == "POST" && request.url.path().contains(QLatin1String("/bindings/"));
        if (left < 0 && isBinding)
            left = answers;
        if (left <= 0)
            return std::nullopt;
        --left;
        return http::Response{status, {}, R"({"error":"trouble","reason":"Of the broker."})"};
    });
    const auto ways = round.site.wait(staging.openWays(place));
    QCOMPARE(ways.has_value(), isOver);
    QVERIFY(ways ? ways->isEmpty() : ways.error().kind == kind);
    left = 0;
    const auto later = round.site.wait(staging.openWays(place));
    QVERIFY(later && later->isEmpty());
}

void TestRabbitMqReturns::whatWasNotForwardedCanBeWithdrawn()
{
    Round round(1);
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    const QString orders = QStringLiteral("orders");
    const StagingPlace place{QStringLiteral("redrive.store.1.a"), {orders}};
    QVERIFY(round.site.wait(staging.open(place)));
    QVERIFY(round.site.wait(staging.stage(place, {copy(orders, 1)})).first().verdict == Verdict::Accepted);
    round.site.rabbit().api().setAlarm(true); // nothing is forwarded now
    QString mark;
    broker::ForwardHooks hooks;
    hooks.keepMark = [&mark](const QString &text) {
        mark = text;
        return core::Result<>();
    };
    QVERIFY(!round.site.wait(staging.forward({place, mark}, hooks)));
    QCOMPARE(round.site.wait(staging.withdraw({place, mark})).value_or(false), true);
    QCOMPARE(round.admin.ours(), QStringList());
    round.site.rabbit().api().setAlarm(false);

    const StagingPlace next{QStringLiteral("redrive.store.1.b"), {orders}};
    QVERIFY(round.site.wait(staging.open(next)));
    QVERIFY(round.site.wait(staging.stage(next, {copy(orders, 2)})).first().verdict == Verdict::Accepted);
    mark.clear();
    QVERIFY(round.site.wait(staging.forward({next, mark}, hooks)));
    QCOMPARE(round.site.wait(staging.withdraw({next, mark})).value_or(true), false);
    QVERIFY(round.site.wait(staging.discard(next)));
    QCOMPARE(round.admin.depth(orders), 1);
}

// A connection limit, for example: it says "starting" for good.
void TestRabbitMqReturns::aShovelThatNeverStartsCanBeWithdrawn()
{
    Round round(1);
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    const QString orders = QStringLiteral("orders");
    const StagingPlace place{QStringLiteral("redrive.store.1.a"), {orders}};
    QVERIFY(round.site.wait(staging.open(place)));
    QVERIFY(round.site.wait(staging.stage(place, {copy(orders, 1)})).first().verdict == Verdict::Accepted);
    round.site.rabbit().shovels().setStuck(true);
    QString mark;
    broker::ForwardHooks hooks;
    hooks.keepMark = [&mark](const QString &text) {
        mark = text;
        return core::Result<>();
    };
    const core::Result<ForwardReport> report = round.site.wait(staging.forward({place, mark}, hooks));
    QVERIFY(!report && report.error().kind == core::ErrorKind::Transient);
    QCOMPARE(round.site.wait(staging.withdraw({place, mark})).value_or(false), true);
    QCOMPARE(round.admin.ours(), QStringList());
    QCOMPARE(round.admin.depth(orders), 0);
}

void TestRabbitMqReturns::aStartWithoutAnAnswerCanBeWithdrawn_data()
{
    QTest::addColumn<FakeRabbit::Fault>("fault");
    QTest::addColumn<bool>("isWithdrawn");
    QTest::newRow("it never arrives") << FakeRabbit::Fault::LostBefore << true;
    QTest::newRow("it took effect") << FakeRabbit::Fault::LostAfter << false;
    QTest::newRow("it arrives some seconds later") << FakeRabbit::Fault::Delayed << false;
}

void TestRabbitMqReturns::aStartWithoutAnAnswerCanBeWithdrawn()
{
    QFETCH(const FakeRabbit::Fault, fault);
    QFETCH(const bool, isWithdrawn);
    Round round(1);
    FakeRabbit &rabbit = round.site.rabbit();
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    const QString orders = QStringLiteral("orders");
    const StagingPlace place{QStringLiteral("redrive.store.1.a"), {orders}};
    QVERIFY(round.site.wait(staging.open(place)));
    QVERIFY(round.site.wait(staging.stage(place, {copy(orders, 1)})).first().verdict == Verdict::Accepted);
    rabbit.setFaults([fault](const http::Request &request) {
        const bool isStart = request.verb == "PUT" && request.url.path().contains(QLatin1String("/parameters/shovel/"));
        return isStart ? fault : FakeRabbit::Fault::None;
    });
    QString mark;
    broker::ForwardHooks hooks;
    hooks.keepMark = [&mark](const QString &text) {
        mark = text;
        return core::Result<>();
    };
    QVERIFY(!round.site.wait(staging.forward({place, mark}, hooks)));
    QVERIFY(!mark.isEmpty());
    rabbit.setFaults({});
    round.site.clock().after(5s, [&rabbit] { rabbit.letLateArrive(); });
    const core::Result<bool> withdrawn = round.site.wait(staging.withdraw({place, mark}));
    QVERIFY(withdrawn);
    QCOMPARE(*withdrawn, isWithdrawn);
    if (!isWithdrawn) {
        QVERIFY(round.site.wait(staging.forward({place, mark}, hooks)));
        QVERIFY(round.site.wait(staging.discard(place)));
    }
    round.site.pause(20s);
    QCOMPARE(round.admin.depth(orders), isWithdrawn ? 0 : 1);
    QCOMPARE(round.admin.ours(), QStringList());
}

void TestRabbitMqReturns::letNodeBeDown(Round &round)
{
    round.site.rabbit().setOthers([](const http::Request &request) -> std::optional<http::Response> {
        if (request.url.path().endsWith(QLatin1String("/nodes")))
            return http::Response{200, {}, R"([{"name":"fake@localhost","running":true,"os_pid":"100","uptime":99999},
                                               {"name":"other@localhost","running":false}])"};
        return std::nullopt;
    });
}

// From 4.0 on such a queue is bound, and a publish to it is answered like one to a full queue.
void TestRabbitMqReturns::aRefusalOfANodeThatIsDownEjectsNothing()
{
    Round round(1);
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    const QString orders = QStringLiteral("orders");
    round.admin.removeQueue(orders);
    round.admin.makeQueue(orders, {{QStringLiteral("x-max-length"), 0},
                                   {QStringLiteral("x-overflow"), QStringLiteral("reject-publish")}});
    const StagingPlace place{QStringLiteral("redrive.store.1.a"), {orders}};
    QVERIFY(round.site.wait(staging.open(place)));
    QVERIFY(round.site.wait(staging.stage(place, {copy(orders, 1)})).first().verdict == Verdict::Accepted);
    round.site.rabbit().setOthers([](const http::Request &request) -> std::optional<http::Response> {
        const QString path = request.url.path();
        if (path.endsWith(QLatin1String("/nodes")))
            return http::Response{200, {}, R"([{"name":"fake@localhost","running":true,"os_pid":"100","uptime":99999},
                                               {"name":"other@localhost","running":false}])"};
        const bool isListed = request.url.query().contains(QLatin1String("orders"));
        if (request.verb == "GET" && path.endsWith(QLatin1String("/queues/a/b")) && isListed)
            return http::Response{200, {}, R"({"items":[],"page":1,"page_count":1,"page_size":500,"item_count":0,
                                               "filtered_count":0,"total_count":0})"};
        return std::nullopt;
    });
    const core::Result<ForwardReport> report = round.site.wait(staging.forward({place, {}, 1}, {}));
    QVERIFY(report);
    QCOMPARE(report->ejected.size(), 0);
    QCOMPARE(report->kept.size(), 1);
    QVERIFY(report->kept.first().reason.contains(QLatin1String("other@localhost")));
}

// RabbitMQ 3.10 answers as if it did not exist.
void TestRabbitMqReturns::aQueueOfANodeThatIsDownDoesNotCountAsRemoved()
{
    Round round(1);
    broker::rabbitmq::OwnedQueues queues(round.admin.api());
    const QString name = QStringLiteral("redrive.store.1.a");
    QVERIFY(round.site.wait(queues.removeQueue(name)));
    letNodeBeDown(round);
    const core::Result<> removed = round.site.wait(queues.removeQueue(name));
    QVERIFY(!removed && removed.error().kind == core::ErrorKind::Transient);
    const core::Result<> removedIfEmpty = round.site.wait(queues.removeQueueIfEmpty(name));
    QVERIFY(!removedIfEmpty && removedIfEmpty.error().kind == core::ErrorKind::Transient);
}

// Nobody can get it back, but a person has to know of it.
void TestRabbitMqReturns::aPageThatANodeLostIsTold()
{
    Round round(1);
    round.admin.publish(test::errorQueue, {test::message("1"), test::message("2")});
    broker::TakeRequest request;
    request.queue = test::errorQueue;
    request.holdingName = QStringLiteral("redrive.store.1.run");
    request.limit = 10;
    request.isNew = true;
    QVERIFY(round.site.wait(round.rabbit.prefetch(request)));
    for (auto &[name, queue] : round.site.rabbit().broker().vhost(test::vhost)->queues) {
        if (name.startsWith(request.holdingName))
            queue.ready.clear();
    }
    round.site.kill();
    QVERIFY(round.site.restart());
    const core::Result<broker::ReceivedPage> page = round.site.wait(round.rabbit.take(request));
    QVERIFY2(page.has_value(), page ? "" : qPrintable(page.error().message));
    QVERIFY(page->messages.isEmpty());
    QVERIFY(page->trouble && page->trouble->message.contains(test::errorQueue));
    QCOMPARE(round.admin.ours(), QStringList());
}

REDRIVE_TEST(TestRabbitMqReturns)
#include "tst_rabbitmq_returns.moc"
