// Copies that a node loses, or that somebody removes, before or while they are forwarded, on the RabbitMQ in memory: none
// of them is called sent.
#include "backend/broker/rabbitmq/staging/forwardmark.h"
#include "backend/broker/rabbitmq/staging/ownedqueues.h"
#include "tests/brokers/round.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using broker::ForwardReport;
using broker::StagingPlace;
using broker::Verdict;
using support::FakeRabbit;
using test::copy;
using test::Round;

namespace {

const QString here = QStringLiteral("fake@localhost");
const QString far = QStringLiteral("far@localhost");
const QString orders = QStringLiteral("orders");

// A place with two copies for `orders`.
struct Staged
{
    Staged()
    {
        hooks.keepMark = [this](const QString &text) {
            mark = text;
            return core::Result<>();
        };
        if (!round.site.wait(queue().open(place)))
            qFatal("not open");
        const auto sent = round.site.wait(queue().stage(place, {copy(orders, 1), copy(orders, 2)}));
        if (sent.at(0).verdict != Verdict::Accepted || sent.at(1).verdict != Verdict::Accepted)
            qFatal("not staged");
    }

    [[nodiscard]] broker::StagingQueue &queue() { return *round.rabbit.stagingQueue(); }
    [[nodiscard]] FakeRabbit &rabbit() { return round.site.rabbit(); }
    [[nodiscard]] core::Result<ForwardReport> forward()
    {
        return round.site.wait(queue().forward({place, mark, 2}, hooks));
    }
    void lose(int count)
    {
        std::deque<support::fakerabbit::Message> &ready = queueAt(place.name).ready;
        for (; count > 0 && !ready.empty(); --count)
            ready.pop_front();
    }
    [[nodiscard]] support::fakerabbit::Queue &queueAt(const QString &name)
    {
        return rabbit().broker().vhost(test::vhost)->queues.at(name);
    }
    // Calls it with each request before it arrives.
    void onRequest(std::function<void(const http::Request &)> seen)
    {
        rabbit().setFaults([seen = std::move(seen)](const http::Request &request) {
            seen(request);
            return FakeRabbit::Fault::None;
        });
    }

    Round round{1};
    const StagingPlace place{QStringLiteral("redrive.store.1.a"), {orders}};
    QString mark;
    broker::ForwardHooks hooks;
};

bool isPublish(const http::Request &request)
{
    return request.verb == "POST" && request.url.path().endsWith(QLatin1String("/publish"));
}

bool isLookAtShovels(const http::Request &request)
{
    return request.verb == "GET" && request.url.path().contains(QLatin1String("/api/shovels/"));
}

bool isStart(const http::Request &request)
{
    return request.verb == "PUT" && request.url.path().contains(QLatin1String("/parameters/shovel/"));
}

} // namespace

class TestRabbitMqLosses final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasLostBeforeForwardingIsNotCalledSent();
    void whatWasLostBeforeTheFirstShovelIsNotCalledSent_data();
    void whatWasLostBeforeTheFirstShovelIsNotCalledSent();
    void aLossBeforeTheEndMarkerIsNoticed();
    void whatWasLostOnTheWayIsInDoubt();
    void anEndMarkerOnAnotherNodeProvesNothingAfterARestart_data();
    void anEndMarkerOnAnotherNodeProvesNothingAfterARestart();
    void withoutAnEntranceALossIsNoticed_data();
    void withoutAnEntranceALossIsNoticed();
    void aLateEndMarkerKeepsNothingFromBeingWithdrawn();
    void aRefusedEndMarkerNamesTheDestinations();
    void aRefusalOfANodeThatIsBackEjectsNothing();
};

// A node that comes back without its disk has the queue, and its bindings, and no messages.
void TestRabbitMqLosses::whatWasLostBeforeForwardingIsNotCalledSent()
{
    Staged staged;
    staged.lose(2);
    const core::Result<ForwardReport> report = staged.forward();
    QVERIFY(!report && report.error().kind == core::ErrorKind::NotFound);
    QVERIFY(staged.mark.isEmpty()); // so nothing was forwarded
}

void TestRabbitMqLosses::whatWasLostBeforeTheFirstShovelIsNotCalledSent_data()
{
    QTest::addColumn<int>("lost");
    QTest::addColumn<bool>("isOfEarlierVersion"); // which kept a mark before its first shovel
    QTest::newRow("all") << 2 << false;
    QTest::newRow("some") << 1 << false;
    QTest::newRow("all, mark of an earlier version") << 2 << true;
    QTest::newRow("some, mark of an earlier version") << 1 << true;
}

// The first call ends before it starts a shovel; the copies are lost before the next one.
void TestRabbitMqLosses::whatWasLostBeforeTheFirstShovelIsNotCalledSent()
{
    QFETCH(const int, lost);
    QFETCH(const bool, isOfEarlierVersion);
    Staged staged;
    staged.rabbit().api().setAlarm(true);
    const core::Result<ForwardReport> held = staged.forward();
    QVERIFY(!held && held.error().kind == core::ErrorKind::Transient);
    QVERIFY(staged.mark.isEmpty());
    if (isOfEarlierVersion) {
        broker::rabbitmq::ForwardMark mark;
        mark.node = here;
        mark.nodes = broker::rabbitmq::ClusterIncarnation({{here, QStringLiteral("100"), 0}});
        staged.mark = mark.toText();
    }
    staged.rabbit().api().setAlarm(false);
    staged.lose(lost);
    const core::Result<ForwardReport> report = staged.forward();
    QVERIFY(!report && report.error().kind == core::ErrorKind::NotFound);
    QVERIFY(isOfEarlierVersion || staged.mark.isEmpty());
    QCOMPARE(staged.round.admin.depth(orders), 0);
}

// The end marker that comes after the loss would arrive.
void TestRabbitMqLosses::aLossBeforeTheEndMarkerIsNoticed()
{
    Staged staged;
    staged.onRequest([&](const http::Request &request) {
        if (isPublish(request))
            staged.lose(2);
    });
    const core::Result<ForwardReport> report = staged.forward();
    QVERIFY(!report && report.error().kind == core::ErrorKind::NotFound);
    QVERIFY(staged.mark.isEmpty());
}

void TestRabbitMqLosses::whatWasLostOnTheWayIsInDoubt()
{
    Staged staged;
    staged.rabbit().shovels().setStuck(true);
    staged.onRequest([&](const http::Request &request) {
        if (isLookAtShovels(request))
            staged.lose(3);
    });
    const core::Result<ForwardReport> report = staged.forward();
    QVERIFY(report);
    QVERIFY(report->lost.contains(staged.place.name));
    QVERIFY(report->lost.contains(QLatin1String("Check at the destination")));
    QCOMPARE(staged.round.admin.depth(orders), 0);
}

void TestRabbitMqLosses::anEndMarkerOnAnotherNodeProvesNothingAfterARestart_data()
{
    QTest::addColumn<QString>("node"); // of the queue with the end marker
    QTest::addColumn<bool>("restarts"); // the node of the staging queue
    QTest::addColumn<bool>("isLost");
    QTest::newRow("another node, restart") << far << true << true;
    QTest::newRow("another node, no restart") << far << false << false;
    QTest::newRow("the same node, restart") << here << true << false;
}

// The staging queue's node restarts when all was moved. Copies that it had got back would be gone with its disk.
void TestRabbitMqLosses::anEndMarkerOnAnotherNodeProvesNothingAfterARestart()
{
    QFETCH(const QString, node);
    QFETCH(const bool, restarts);
    QFETCH(const bool, isLost);
    Staged staged;
    support::fakerabbit::FakeApi &api = staged.rabbit().api();
    api.setNode({far, 77, staged.round.site.clock().steady() - 1h});
    staged.queueAt(staged.place.name + QStringLiteral(".unroutable")).node = node;
    staged.onRequest([&](const http::Request &request) {
        const bool isUnbinding = request.verb == "DELETE" && request.url.path().contains(QLatin1String("/bindings/"));
        if (isUnbinding && restarts)
            api.setNode({here, 555, staged.round.site.clock().steady()});
    });
    const core::Result<ForwardReport> report = staged.forward();
    QVERIFY(report);
    QCOMPARE(report->lost.contains(here), isLost);
    QCOMPARE(report->lost.isEmpty(), !isLost);
    QCOMPARE(staged.round.admin.depth(orders), 2);
}

void TestRabbitMqLosses::withoutAnEntranceALossIsNoticed_data()
{
    QTest::addColumn<bool>("isLost");
    QTest::newRow("nothing is lost") << false;
    QTest::newRow("all is lost on the way") << true;
}

// Somebody deleted the exchange of the place.
void TestRabbitMqLosses::withoutAnEntranceALossIsNoticed()
{
    QFETCH(const bool, isLost);
    Staged staged;
    broker::rabbitmq::OwnedQueues queues(staged.round.admin.api());
    QVERIFY(staged.round.site.wait(queues.removeExchange(staged.place.name)));
    if (isLost) {
        staged.rabbit().shovels().setStuck(true);
        staged.onRequest([&](const http::Request &request) {
            if (isLookAtShovels(request))
                staged.lose(3);
        });
    }
    const core::Result<ForwardReport> report = staged.forward();
    QVERIFY2(report, report ? "" : qPrintable(report.error().message));
    QCOMPARE(report->lost.isEmpty(), !isLost);
    QVERIFY(report->ejected.isEmpty() && report->kept.isEmpty() && report->inDoubt.isEmpty());
    QCOMPARE(staged.round.admin.depth(orders), isLost ? 0 : 2);
    staged.rabbit().setFaults({});
    QVERIFY(staged.round.site.wait(staged.queue().discard(staged.place)));
    QCOMPARE(staged.round.admin.ours(), QStringList());
}

// The end marker of the first call arrives while the shovel of the second one never starts: that is no sign of work.
void TestRabbitMqLosses::aLateEndMarkerKeepsNothingFromBeingWithdrawn()
{
    Staged staged;
    FakeRabbit &rabbit = staged.rabbit();
    rabbit.setFaults([](const http::Request &request) {
        return isPublish(request) ? FakeRabbit::Fault::Delayed : FakeRabbit::Fault::None;
    });
    const core::Result<ForwardReport> first = staged.forward();
    QVERIFY(!first && first.error().kind == core::ErrorKind::Transient);
    rabbit.shovels().setStuck(true);
    staged.onRequest([&](const http::Request &request) {
        if (isLookAtShovels(request))
            rabbit.letLateArrive();
    });
    const core::Result<ForwardReport> second = staged.forward();
    QVERIFY(!second && second.error().kind == core::ErrorKind::Transient);
    QVERIFY(!rabbit.hasLate());
    QCOMPARE(staged.round.admin.depth(staged.place.name), 4); // two copies, two end markers
    const core::Result<bool> withdrawn =
        staged.round.site.wait(staged.queue().withdraw({staged.place, staged.mark, 2}));
    QCOMPARE(withdrawn.value_or(false), true);
    QCOMPARE(staged.round.admin.ours(), QStringList());
    QCOMPARE(staged.round.admin.depth(orders), 0);
}

void TestRabbitMqLosses::aRefusedEndMarkerNamesTheDestinations()
{
    Staged staged;
    staged.rabbit().setOthers([](const http::Request &request) -> std::optional<http::Response> {
        if (!isPublish(request))
            return std::nullopt;
        return http::Response{
            400, {}, R"({"error":"bad_request","reason":"rejected Unable to publish message. Check queue limits."})"};
    });
    const core::Result<ForwardReport> report = staged.forward();
    QVERIFY(!report && report.error().kind == core::ErrorKind::Transient);
    const QString text = report.error().message;
    QVERIFY2(text.contains(orders) && text.contains(QLatin1String("Check queue limits.")), qPrintable(text));
    QVERIFY2(!text.contains(staged.place.name), qPrintable(text));
}

// A destination refuses while its node is down, and the node is back before anybody asks why.
void TestRabbitMqLosses::aRefusalOfANodeThatIsBackEjectsNothing()
{
    Staged staged;
    staged.round.admin.removeQueue(orders);
    staged.round.admin.makeQueue(orders, {{QStringLiteral("x-max-length"), 0},
                                          {QStringLiteral("x-overflow"), QStringLiteral("reject-publish")}});
    staged.queueAt(orders).node = far;
    support::fakerabbit::FakeApi &api = staged.rabbit().api();
    api.setNode({far, 77, {}, false});
    staged.onRequest([&](const http::Request &request) {
        if (isStart(request))
            api.setNode({far, 78, staged.round.site.clock().steady()});
    });
    const core::Result<ForwardReport> report = staged.forward();
    QVERIFY(report);
    QCOMPARE(report->ejected.size(), 0);
    QCOMPARE(report->inDoubt.size(), 0);
    QCOMPARE(report->kept.size(), 2);
    QVERIFY(report->kept.first().reason.contains(far));
}

REDRIVE_TEST(TestRabbitMqLosses)
#include "tst_rabbitmq_losses.moc"
