// Whole rounds over the RabbitMQ in memory while answers get lost and the broker is killed, decided by a seed: every call
// is simply made again until it succeeds, and nothing may be lost, doubled unflagged, or left behind.
#include "tests/brokers/round.h"
#include "tests/support/clocksthatareset.h"
#include "tests/support/testmain/testmain.h"

using namespace std::chrono_literals;
using broker::ForwardReport;
using broker::Outgoing;
using broker::RabbitMq;
using broker::ReceivedMessage;
using broker::ReceivedPage;
using broker::StagingPlace;
using broker::TakeRequest;
using broker::Verdict;
using core::ErrorKind;
using core::Result;
using support::FakeRabbit;
using test::Arrived;
using test::copy;
using test::errorQueue;
using test::message;
using test::retry;
using test::Round;

class TestRabbitMqFaults final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void intakeLosesNothingAndTakesNothingTwice();
    void forwardingDeliversOnceAndNamesWhatItCannot();
    void aPlaceIsFilledThoughOneRequestInEightFails();
    void aPlaceHalfTakenDownIsFoundAgain();
    void aKilledBrokerDoublesOnlyWhatIsFlagged();
    void aShovelThatBreaksDoublesOnlyWhatIsFlagged();
    void aHoldingShovelThatBreaksIsToldWithItsPage();
    void anEmptyHoldingQueueIsNoInterruption();
    void whatLiesOnAnotherNodeIsNotInterruptedByThat();
    void aRestartOfADestinationsNodeIsTold_data();
    void aRestartOfADestinationsNodeIsTold();
    void aNodeThatIsDownStopsNoIntake();
    void whatIsNotProvedToBeMissingIsKept();
    void aQuorumQueueIsTakenWithoutWaiting_data();
    void aQuorumQueueIsTakenWithoutWaiting();
    void aForeignAnswerTakesNoQueueAway_data();
    void aForeignAnswerTakesNoQueueAway();
    void aListWithoutAnEndIsRefused();
    void aListIsCompleteOnlyWhileEveryNodeIsUp();
    void withoutTheRightToSeeTheNodesNoListIsComplete();
    void anythingMayAnswerForTheFeatureFlags_data();
    void anythingMayAnswerForTheFeatureFlags();
    void theDeliveryLimitOfAQuorumQueueIsKnown_data();
    void theDeliveryLimitOfAQuorumQueueIsKnown();
    void aLateRemovalTakesNothingThatIsNotStored_data() { support::clocksThatAreSet(); }
    void aLateRemovalTakesNothingThatIsNotStored();
    void aShovelAtWorkIsLeftAloneThoughTheClockIsSet_data() { support::clocksThatAreSet(); }
    void aShovelAtWorkIsLeftAloneThoughTheClockIsSet();
    void theSameSeedGivesTheSameRun();
    void anAlarmHoldsSendingBack();
    void aProbeWithoutAnAnswerTakesNothingAway();
};

void TestRabbitMqFaults::intakeLosesNothingAndTakesNothingTwice()
{
    for (quint64 seed = 1; seed <= 40; ++seed) {
        Round round(seed);
        QMap<QByteArray, int> sent;
        QList<records::Envelope> messages;
        for (int i = 0; i < 30; ++i) {
            messages.append(message(QByteArray::number(i / 2))); // each twice: equal, and yet two messages
            ++sent[messages.last().body];
        }
        round.admin.publish(errorQueue, messages);
        round.startFaults(60);
        QSet<QString> known;
        QMap<QByteArray, int> stored;
        for (int pages = 0; pages < 60 && stored != sent; ++pages) {
            const TakeRequest request{errorQueue, QStringLiteral("redrive.store.1.run%1").arg(pages), 12, 1 << 20};
            const ReceivedPage page = round.insist<ReceivedPage>("take", [&] { return round.rabbit.take(request); });
            QVERIFY2(page.messages.size() <= 12, qPrintable(QStringLiteral("seed %1").arg(seed)));
            for (const ReceivedMessage &held : page.messages) {
                QVERIFY(!known.contains(held.nativeId));
                known.insert(held.nativeId);
                ++stored[held.envelope.body];
            }
            round.insistDone("release", [&] { return round.rabbit.release(request, page); });
        }
        round.stopFaults();
        QVERIFY2(stored == sent, qPrintable(QStringLiteral("seed %1").arg(seed)));
        QCOMPARE(round.admin.ours(), QStringList());
        QCOMPARE(round.admin.depth(errorQueue), 0);
    }
}

void TestRabbitMqFaults::forwardingDeliversOnceAndNamesWhatItCannot()
{
    for (quint64 seed = 1; seed <= 40; ++seed) {
        Round round(seed);
        round.startFaults(seed % 2 == 0 ? 20 : 0);
        const Arrived arrived = retry(round);
        const QByteArray where = QByteArray("seed ") + QByteArray::number(seed);
        QVERIFY2(!arrived.report.interrupted, where.constData());
        QVERIFY2(arrived.report.inDoubt.isEmpty(), where.constData());
        QCOMPARE(arrived.report.ejected.size(), 13);
        QCOMPARE(arrived.copies.size(), 27);
        for (const int count : arrived.copies)
            QCOMPARE(count, 1);
        QCOMPARE(round.admin.ours(), QStringList());
    }
}

// One publish in eight fails, and any other request in eight; what was dropped on its way may still arrive, at any time.
void TestRabbitMqFaults::aPlaceIsFilledThoughOneRequestInEightFails()
{
    int late = 0;
    int rounds = 0;
    for (quint64 seed = 1; seed <= 40; ++seed) {
        Round round(seed);
        FakeRabbit &rabbit = round.site.rabbit();
        rabbit.setFaults([&](const http::Request &request) {
            if (round.chance.below(8) != 0)
                return FakeRabbit::Fault::None;
            if (!request.url.path().endsWith(QLatin1String("/publish")) || round.chance.below(3) != 0)
                return round.chance.below(2) == 0 ? FakeRabbit::Fault::LostBefore : FakeRabbit::Fault::LostAfter;
            ++late;
            const core::Milliseconds delay{qint64(round.chance.below(2000))};
            round.site.clock().after(delay, [&rabbit] { rabbit.letLateArrive(); });
            return FakeRabbit::Fault::Delayed;
        });
        StagingPlace place{QStringLiteral("redrive.store.1.flaky"), {QStringLiteral("orders")}};
        broker::StagingQueue &staging = *round.rabbit.stagingQueue();
        round.insistDone("open", [&] { return staging.open(place); });
        QList<Outgoing> due;
        for (int i = 0; i < 60; ++i)
            due.append(copy(QStringLiteral("orders"), i));
        for (; !due.isEmpty(); ++rounds) {
            const QList<broker::SendOutcome> outcomes = round.site.wait(staging.stage(place, due));
            QVERIFY(outcomes.size() == due.size());
            const auto held = round.insist<QStringList>("reconcile", [&] { return staging.reconcile(place); });
            ++place.entrance;
            for (qsizetype i = 0; i < due.size(); ++i)
                QVERIFY(outcomes.at(i).verdict != Verdict::Accepted || held.contains(due.at(i).uniqueId));
            due.removeIf([&held](const Outgoing &one) { return held.contains(one.uniqueId); });
        }
        QString mark;
        broker::ForwardHooks hooks;
        hooks.keepMark = [&](const QString &text) {
            mark = text;
            return Result<>();
        };
        const auto report = round.insist<ForwardReport>("forward", [&] {
            return staging.forward({place, mark}, hooks);
        });
        const QByteArray where = QByteArray("seed ") + QByteArray::number(seed);
        QVERIFY2(report.ejected.isEmpty() && report.inDoubt.isEmpty() && !report.interrupted, where.constData());
        round.insistDone("discard", [&] { return staging.discard(place); });
        round.site.pause(2000ms);
        round.stopFaults();
        QSet<QByteArray> bodies;
        const QList<records::Envelope> arrived = round.admin.drain(QStringLiteral("orders"));
        for (const records::Envelope &one : arrived)
            bodies.insert(one.body);
        QCOMPARE(arrived.size(), 60);
        QCOMPARE(bodies.size(), 60);
        QCOMPARE(round.admin.ours(), QStringList());
    }
    QVERIFY(late > 20 && rounds > 80); // otherwise nothing went wrong, and this proves nothing
}

// The program dies at any request of the clean-up: while anything is left, the next start finds the place by its name.
void TestRabbitMqFaults::aPlaceHalfTakenDownIsFoundAgain()
{
    bool isWhole = false;
    for (int at = 0; !isWhole; ++at) {
        Round round(7);
        const StagingPlace place{QStringLiteral("redrive.store.1.half"), {QStringLiteral("orders")}};
        QVERIFY(round.site.wait(round.rabbit.stagingQueue()->open(place)));
        int requests = 0;
        round.site.rabbit().setFaults([&](const http::Request &) {
            return requests++ < at ? FakeRabbit::Fault::None : FakeRabbit::Fault::LostBefore;
        });
        isWhole = round.site.wait(round.rabbit.stagingQueue()->discard(place)).has_value();
        round.stopFaults();
        if (round.admin.ours().isEmpty())
            continue;
        QVERIFY(!isWhole);
        const Result<QList<broker::Leftover>> left = round.site.wait(round.rabbit.leftovers());
        QVERIFY(left);
        QVERIFY2(std::any_of(left->cbegin(), left->cend(),
                             [&](const broker::Leftover &one) {
                                 return one.name == place.name && one.kind != broker::Leftover::Kind::Holding;
                             }),
                 qPrintable(round.admin.ours().join(u' ')));
        QVERIFY(round.site.wait(round.rabbit.stagingQueue()->discard(place)));
        QCOMPARE(round.admin.ours(), QStringList());
    }
}

void TestRabbitMqFaults::aKilledBrokerDoublesOnlyWhatIsFlagged()
{
    int doubled = 0;
    for (quint64 seed = 1; seed <= 40; ++seed) {
        Round round(seed);
        core::Clock::Ticket starting = 0;
        const Arrived arrived = retry(round, core::Milliseconds{qint64(20 + seed * 3)}, [&] {
            round.site.kill();
            starting = round.site.clock().after(3000ms, [&] { static_cast<void>(round.site.restart()); });
        });
        round.site.clock().cancel(starting);
        const QByteArray where = QByteArray("seed ") + QByteArray::number(seed);
        QSet<QByteArray> accounted(arrived.copies.keyBegin(), arrived.copies.keyEnd());
        QVERIFY2(accounted.size() + arrived.report.inDoubt.size() >= 27, where.constData());
        for (const int count : arrived.copies) {
            QVERIFY2(count == 1 || arrived.report.interrupted, where.constData());
            doubled += count - 1;
        }
        QCOMPARE(round.admin.ours(), QStringList());
    }
    QVERIFY(doubled > 0); // otherwise the kills came at no bad moment, and this proves nothing
}

// Its connection breaks, also before anybody has looked at it: RabbitMQ starts it again and sends what was in its hand.
void TestRabbitMqFaults::aShovelThatBreaksDoublesOnlyWhatIsFlagged()
{
    int doubled = 0;
    for (quint64 seed = 1; seed <= 40; ++seed) {
        Round round(seed);
        bool broke = false;
        const Arrived arrived = retry(round, core::Milliseconds{qint64(seed * 2)}, [&] {
            broke = round.site.rabbit().shovels().interrupt(QStringLiteral("redrive.store.1.staging0"));
        });
        const QByteArray where = QByteArray("seed ") + QByteArray::number(seed);
        QVERIFY2(arrived.report.interrupted == broke, where.constData());
        QCOMPARE(arrived.copies.size(), 27);
        for (const int count : arrived.copies)
            doubled += count - 1;
        QCOMPARE(round.admin.ours(), QStringList());
    }
    QVERIFY(doubled > 0); // otherwise it broke at no bad moment, and this proves nothing
}

void TestRabbitMqFaults::aHoldingShovelThatBreaksIsToldWithItsPage()
{
    int doubled = 0;
    for (quint64 seed = 1; seed <= 40; ++seed) {
        Round round(seed);
        QList<records::Envelope> messages;
        for (int i = 0; i < 30; ++i)
            messages.append(message(QByteArray::number(i)));
        round.admin.publish(errorQueue, messages);
        const TakeRequest request{errorQueue, QStringLiteral("redrive.store.1.run"), 100, 1 << 20};
        bool broke = false;
        const core::Clock::Ticket breaking =
            round.site.clock().after(core::Milliseconds{qint64(20 + seed * 2)}, [&, name = request.holdingName] {
                broke = round.site.rabbit().shovels().interrupt(name);
            });
        const Result<ReceivedPage> page = round.site.wait(round.rabbit.take(request));
        QVERIFY(page);
        round.site.clock().cancel(breaking);
        const QByteArray where = QByteArray("seed ") + QByteArray::number(seed);
        QVERIFY2(page->interrupted == broke, where.constData());
        // The program dies before the page is stored: the next one is told the same.
        RabbitMq next(round.site.client(), round.site.clock(), round.ids, round.site.settings(test::vhost));
        const Result<ReceivedPage> again = round.site.wait(next.take(request));
        QVERIFY(again);
        QVERIFY2(again->interrupted == broke, where.constData());
        QVERIFY(page->messages.size() + round.admin.depth(errorQueue) >= 30);
        doubled += int(page->messages.size() + round.admin.depth(errorQueue)) - 30;
        QVERIFY(round.site.wait(next.release(request, *again)));
        QCOMPARE(round.admin.ours(), QStringList());
    }
    QVERIFY(doubled > 0);
}

// The program died before its shovel was started: nothing was in hand. The message that waits is not forgotten.
void TestRabbitMqFaults::anEmptyHoldingQueueIsNoInterruption()
{
    Round round(1);
    round.admin.publish(errorQueue, {message("a")});
    const TakeRequest request{errorQueue, QStringLiteral("redrive.store.1.run"), 100, 1 << 20};
    round.site.rabbit().setFaults([](const http::Request &sent) {
        const bool isShovel = sent.verb == "PUT" && sent.url.path().contains(QLatin1String("parameters/shovel"));
        return isShovel ? support::FakeRabbit::Fault::LostBefore : support::FakeRabbit::Fault::None;
    });
    QVERIFY(!round.site.wait(round.rabbit.take(request)));
    round.site.rabbit().setFaults({});
    RabbitMq next(round.site.client(), round.site.clock(), round.ids, round.site.settings(test::vhost));
    const Result<ReceivedPage> page = round.site.wait(next.take(request));
    QVERIFY(page && page->messages.isEmpty());
    QVERIFY(!page->interrupted);
    QVERIFY(page->more);
    QCOMPARE(round.admin.ours(), QStringList());
}

// Each node has a run of its own: two are never compared with each other.
void TestRabbitMqFaults::whatLiesOnAnotherNodeIsNotInterruptedByThat()
{
    Round round(1);
    support::fakerabbit::Node other{QStringLiteral("other@localhost"), 77, round.site.clock().steady() - 1h};
    round.site.rabbit().api().setNode(other);
    round.site.rabbit().broker().vhost(test::vhost)->queues.at(errorQueue).node = other.name;
    round.admin.publish(errorQueue, {message("a"), message("b")});
    const TakeRequest request{errorQueue, QStringLiteral("redrive.store.1.run"), 100, 1 << 20};
    const Result<ReceivedPage> page = round.site.wait(round.rabbit.take(request));
    QVERIFY(page);
    QCOMPARE(page->messages.size(), 2);
    QVERIFY(!page->interrupted);

    other.process = 78;
    other.started = round.site.clock().steady();
    round.site.rabbit().api().setNode(other);
    const Result<ReceivedPage> again = round.site.wait(round.rabbit.take(request));
    QVERIFY(again);
    QVERIFY(again->interrupted);
}

// Copies that its destination's node had not confirmed are sent again, wherever the staging queue is.
void TestRabbitMqFaults::aRestartOfADestinationsNodeIsTold_data()
{
    QTest::addColumn<QString>("node");
    QTest::addColumn<bool>("isInterrupted");
    QTest::newRow("the node of a destination") << QStringLiteral("far@localhost") << true;
    QTest::newRow("a node of nothing of this") << QStringLiteral("idle@localhost") << false;
}

void TestRabbitMqFaults::aRestartOfADestinationsNodeIsTold()
{
    QFETCH(QString, node);
    QFETCH(bool, isInterrupted);
    Round round(1);
    support::fakerabbit::FakeApi &api = round.site.rabbit().api();
    for (const QString &name : {QStringLiteral("far@localhost"), QStringLiteral("idle@localhost")})
        api.setNode({name, 77, round.site.clock().steady() - 1h});
    round.site.rabbit().broker().vhost(test::vhost)->queues.at(QStringLiteral("orders")).node =
        QStringLiteral("far@localhost");
    const Arrived arrived = retry(round, 20ms, [&] { api.setNode({node, 78, round.site.clock().steady()}); });
    QCOMPARE(arrived.report.interrupted, isInterrupted);
}

// The name of a new page is new: that nothing of that name exists needs no proof.
void TestRabbitMqFaults::aNodeThatIsDownStopsNoIntake()
{
    Round round(1);
    round.site.rabbit().api().setNode({QStringLiteral("far@localhost"), 77, {}, false});
    round.admin.publish(errorQueue, {message("a"), message("b")});
    const TakeRequest request{errorQueue, QStringLiteral("redrive.store.1.run"), 100, 1 << 20, {}, true};
    const Result<ReceivedPage> page = round.site.wait(round.rabbit.take(request));
    QVERIFY(page);
    QCOMPARE(page->messages.size(), 2);
    QVERIFY(round.site.wait(round.rabbit.release(request, *page)));
    QCOMPARE(round.admin.ours(), QStringList());
    // Of an earlier process there may be a queue on that node.
    const TakeRequest earlier{errorQueue, QStringLiteral("redrive.store.1.earlier"), 100, 1 << 20};
    QVERIFY(round.site.wait(round.rabbit.take(earlier)).error().kind == ErrorKind::Transient);
}

void TestRabbitMqFaults::whatIsNotProvedToBeMissingIsKept()
{
    Round round(1);
    round.site.rabbit().api().setNode({QStringLiteral("far@localhost"), 77, {}, false});
    const Arrived arrived = retry(round);
    QCOMPARE(arrived.report.kept.size(), 13);
    QVERIFY(arrived.report.ejected.isEmpty() && arrived.report.inDoubt.isEmpty());
    const QList<broker::SendOutcome> sent = round.site.wait(round.rabbit.send({copy(QStringLiteral("missing"), 1)}));
    QCOMPARE(sent.first().verdict, Verdict::Full);
}

// Whatever its old counts say: what is there comes at once, and nothing else is waited for.
void TestRabbitMqFaults::aQuorumQueueIsTakenWithoutWaiting_data()
{
    QTest::addColumn<int>("messages");
    QTest::newRow("none") << 0;
    QTest::newRow("three") << 3;
    QTest::newRow("more than a page") << 25;
}

void TestRabbitMqFaults::aQuorumQueueIsTakenWithoutWaiting()
{
    QFETCH(const int, messages);
    Round round(1);
    const QString queue = QStringLiteral("quorum");
    round.admin.makeQueue(queue, {{QStringLiteral("x-queue-type"), QStringLiteral("quorum")}});
    QList<records::Envelope> failed;
    for (int i = 0; i < messages; ++i)
        failed.append(message(QByteArray::number(i)));
    round.admin.publish(queue, failed);
    const core::SteadyTime begun = round.site.clock().steady();
    const TakeRequest request{queue, QStringLiteral("redrive.store.1.run"), 10, 1 << 20, {}, true};
    int taken = 0;
    for (bool more = true; more;) {
        const Result<ReceivedPage> page = round.site.wait(round.rabbit.take(request));
        QVERIFY(page);
        taken += int(page->messages.size());
        more = page->more;
        if (!page->messages.isEmpty())
            QVERIFY(round.site.wait(round.rabbit.release(request, *page)));
    }
    QCOMPARE(taken, messages);
    QVERIFY(round.site.clock().steady() - begun < 2s); // of the clock in memory
    QCOMPARE(round.admin.ours(), QStringList());
}

void TestRabbitMqFaults::aForeignAnswerTakesNoQueueAway_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("proxy") << QByteArray("<html>404 Not Found</html>");
    QTest::newRow("another RabbitMQ") << QByteArray(R"({"error":"Object Not Found","reason":"Not Found"})");
}

void TestRabbitMqFaults::aForeignAnswerTakesNoQueueAway()
{
    QFETCH(QByteArray, body);
    Round round(1);
    round.admin.publish(errorQueue, {message("a"), message("b")});
    const TakeRequest request{errorQueue, QStringLiteral("redrive.store.1.run"), 100, 1 << 20};
    const Result<ReceivedPage> page = round.site.wait(round.rabbit.take(request));
    QVERIFY(page);
    const StagingPlace place{QStringLiteral("redrive.store.1.staged"), {QStringLiteral("orders")}};
    broker::StagingQueue &staging = *round.rabbit.stagingQueue();
    QVERIFY(round.site.wait(staging.open(place)));

    const auto held = [&round] {
        const QList<broker::Leftover> left =
            round.site.wait(round.rabbit.leftovers()).value_or(QList<broker::Leftover>());
        const auto found = std::find_if(left.cbegin(), left.cend(), [](const broker::Leftover &one) {
            return one.kind == broker::Leftover::Kind::Holding;
        });
        return found == left.cend() ? qint64(-1) : found->depth;
    };
    round.site.rabbit().setOthers([&](const http::Request &) { return http::Response{404, {}, body}; });
    const auto kindOf = [](const auto &result) {
        return result ? QStringLiteral("done") : core::toString(result.error().kind);
    };
    const QString transient = core::toString(ErrorKind::Transient);
    QCOMPARE(kindOf(round.site.wait(round.rabbit.take(request))), transient);
    QCOMPARE(kindOf(round.site.wait(round.rabbit.release(request, *page))), transient);
    QCOMPARE(kindOf(round.site.wait(round.rabbit.release(request, ReceivedPage{}))), transient);
    QCOMPARE(kindOf(round.site.wait(round.rabbit.leftovers())), transient);
    QCOMPARE(kindOf(round.site.wait(staging.depth(place))), transient);
    QCOMPARE(kindOf(round.site.wait(staging.forward({place, {}}, {}))), transient);
    QCOMPARE(kindOf(round.site.wait(staging.discard(place))), transient);

    round.site.rabbit().setOthers({});
    QCOMPARE(held(), 2);
    QVERIFY(round.site.wait(staging.discard(place)));
    QVERIFY(round.site.wait(round.rabbit.release(request, *page)));
    QCOMPARE(round.admin.ours(), QStringList());
}

void TestRabbitMqFaults::aListWithoutAnEndIsRefused()
{
    Round round(1);
    for (const QByteArray items : {"[]", R"([{"name":"redrive.x"}])"}) {
        int asked = 0;
        round.site.rabbit().setOthers([&](const http::Request &) {
            ++asked;
            return http::Response{200, {}, "{\"page_count\":1000000000,\"items\":" + items + '}'};
        });
        const Result<QList<broker::Leftover>> left = round.site.wait(round.rabbit.leftovers());
        QVERIFY(!left);
        QCOMPARE(core::toString(left.error().kind), core::toString(ErrorKind::Corrupt));
        QVERIFY(asked <= 1000);
    }
}

// A gateway that lets only some paths through takes no connection down.
void TestRabbitMqFaults::anythingMayAnswerForTheFeatureFlags_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("a 404 of its own") << 404 << QByteArray("<html>not here</html>");
    QTest::newRow("an error") << 500 << QByteArray("{}");
    QTest::newRow("not allowed") << 405 << QByteArray();
    QTest::newRow("no JSON") << 200 << QByteArray("<html>hello</html>");
    QTest::newRow("no list") << 200 << QByteArray("{}");
}

void TestRabbitMqFaults::anythingMayAnswerForTheFeatureFlags()
{
    QFETCH(const int, status);
    QFETCH(const QByteArray, body);
    Round round(1);
    round.site.rabbit().api().setVersion(QStringLiteral("4.3.6"));
    round.admin.makeQueue(QStringLiteral("quorum"), {{QStringLiteral("x-queue-type"), QStringLiteral("quorum")}});
    round.site.rabbit().setOthers([&](const http::Request &sent) -> std::optional<http::Response> {
        if (!sent.url.path().endsWith(QLatin1String("feature-flags")))
            return std::nullopt;
        http::Response answer;
        answer.status = status;
        answer.body = body;
        return answer;
    });
    QVERIFY(round.site.wait(round.rabbit.probe()));
    const Result<broker::Listing> listing = round.site.wait(round.rabbit.queues());
    QVERIFY(listing);
    const auto found = std::find_if(listing->queues.cbegin(), listing->queues.cend(),
                                    [](const broker::QueueInfo &one) { return one.name == QLatin1String("quorum"); });
    QVERIFY(found != listing->queues.cend() && found->deliveryLimit);
    QCOMPARE(*found->deliveryLimit, (records::DeliveryLimit{20, true, {}}));
}

// From 4.0 on the limit is 20 unless it was told otherwise; from 4.3 on a look does not count.
void TestRabbitMqFaults::theDeliveryLimitOfAQuorumQueueIsKnown_data()
{
    QTest::addColumn<QString>("version");
    QTest::addColumn<int>("limit"); // of the queue; 0: none
    QTest::addColumn<int>("policy"); // 0: none
    QTest::addColumn<int>("most"); // -1: no limit
    QTest::addColumn<bool>("looksCount");
    const QString three = QStringLiteral("3.13.7");
    const QString four = QStringLiteral("4.1.0");
    QTest::newRow("3") << three << 0 << 0 << -1 << true;
    QTest::newRow("3, five") << three << 5 << 0 << 5 << true;
    QTest::newRow("3, less than nothing") << three << -1 << 0 << 0 << true;
    QTest::newRow("3, the lower one") << three << 5 << 10 << 5 << true;
    QTest::newRow("4") << four << 0 << 0 << 20 << true;
    QTest::newRow("4, five") << four << 5 << 0 << 5 << true;
    QTest::newRow("4, less than nothing") << four << -1 << 0 << -1 << true;
    QTest::newRow("4, by policy") << four << 0 << -1 << -1 << true;
    QTest::newRow("4, policy of ten") << four << -1 << 10 << 10 << true;
    QTest::newRow("4, a policy lifts no argument") << four << 5 << -1 << 5 << true;
    QTest::newRow("4.3") << QStringLiteral("4.3.6") << 0 << 0 << 20 << false;
}

void TestRabbitMqFaults::theDeliveryLimitOfAQuorumQueueIsKnown()
{
    QFETCH(QString, version);
    QFETCH(int, limit);
    QFETCH(int, policy);
    QFETCH(int, most);
    Round round(1);
    round.site.rabbit().api().setVersion(version);
    QCborMap arguments{{QStringLiteral("x-queue-type"), QStringLiteral("quorum")}};
    if (limit != 0)
        arguments.insert(QStringLiteral("x-delivery-limit"), limit);
    if (policy != 0)
        round.admin.makePolicy(QStringLiteral("house"), QStringLiteral("^quorum"),
                               {{QStringLiteral("delivery-limit"), policy}}, 1);
    round.admin.makeQueue(QStringLiteral("quorum"), arguments);
    broker::rabbitmq::Settings settings = round.site.settings(test::vhost);
    settings.errorQueues = {QStringLiteral("quorum")};
    RabbitMq rabbit(round.site.client(), round.site.clock(), round.ids, settings);
    QVERIFY(round.site.wait(rabbit.probe()));
    const Result<broker::Listing> listing = round.site.wait(rabbit.queues());
    QVERIFY(listing && listing->complete);
    const QList<broker::QueueInfo> &queues = listing->queues;
    const auto found = std::find_if(queues.cbegin(), queues.cend(),
                                    [](const broker::QueueInfo &one) { return one.name == QLatin1String("quorum"); });
    QVERIFY(found != queues.cend());
    QCOMPARE(found->refusal, QString());
    QCOMPARE(found->deliveryLimit ? int(found->deliveryLimit->most) : -1, most);
    if (found->deliveryLimit)
        QTEST(found->deliveryLimit->looksCount, "looksCount");
}

// Queues of a node that is down may be missing in a list that looks like any other.
void TestRabbitMqFaults::aListIsCompleteOnlyWhileEveryNodeIsUp()
{
    Round round(1);
    const auto isComplete = [&] {
        const Result<broker::Listing> listing = round.site.wait(round.rabbit.queues());
        return listing && !listing->queues.isEmpty() && listing->complete;
    };
    QVERIFY(isComplete());
    support::fakerabbit::Node far{QStringLiteral("far@host")};
    far.isRunning = false;
    round.site.rabbit().api().setNode(far);
    QVERIFY(round.site.wait(round.rabbit.queues()));
    QVERIFY(!isComplete());
    far.isRunning = true;
    round.site.rabbit().api().setNode(far);
    QVERIFY(isComplete());
}

void TestRabbitMqFaults::withoutTheRightToSeeTheNodesNoListIsComplete()
{
    Round round(1);
    round.admin.makeUser(QStringLiteral("seer"), QStringLiteral("p"), QStringLiteral("management"));
    broker::rabbitmq::Settings settings = round.site.settings(test::vhost);
    settings.authorization = "Basic " + QByteArray("seer:p").toBase64();
    RabbitMq rabbit(round.site.client(), round.site.clock(), round.ids, settings);
    QVERIFY(round.site.wait(rabbit.probe()));
    const Result<broker::Listing> listing = round.site.wait(rabbit.queues());
    QVERIFY(listing && !listing->queues.isEmpty());
    QVERIFY(!listing->complete);
}

// Of a holding queue that is more than a page only the head is removed. The process dies with that request on its way; the
// next one finds the same page and removes it, and then the request arrives.
void TestRabbitMqFaults::aLateRemovalTakesNothingThatIsNotStored()
{
    QFETCH(const core::Milliseconds, by);
    Round round(1);
    QList<records::Envelope> messages;
    for (int i = 0; i < 30; ++i)
        messages.append(message(QByteArray::number(i)));
    round.admin.publish(errorQueue, messages);
    const QString holding = QStringLiteral("redrive.store.1.run");
    QVERIFY(round.site.wait(round.rabbit.take({errorQueue, holding, 30, 1 << 20})));
    const TakeRequest part{errorQueue, holding, 10, 1 << 20};
    const Result<ReceivedPage> page = round.site.wait(round.rabbit.take(part));
    QVERIFY(page);
    QCOMPARE(page->messages.size(), 10);

    round.site.rabbit().setFaults([](const http::Request &request) {
        const bool removes = request.body.contains("requeue_false");
        return removes ? FakeRabbit::Fault::Delayed : FakeRabbit::Fault::None;
    });
    const core::Task<Result<>> dying = round.rabbit.release(part, *page);
    QVERIFY(round.site.until([&] { return round.site.rabbit().hasLate(); }, 10000ms));
    round.rabbit.cancelAll();
    round.stopFaults();
    RabbitMq next(round.site.client(), round.site.clock(), round.ids, round.site.settings(test::vhost));
    round.site.clock().jump(by);
    QSet<QByteArray> stored;
    for (const ReceivedMessage &held : page->messages)
        stored.insert(held.envelope.body);
    for (int pages = 0; pages < 10; ++pages) {
        const Result<ReceivedPage> found = round.site.wait(next.take(part));
        QVERIFY(found);
        for (const ReceivedMessage &held : found->messages)
            stored.insert(held.envelope.body);
        const core::Clock::Ticket arriving =
            round.site.clock().after(5000ms, [&] { round.site.rabbit().letLateArrive(); });
        QVERIFY(round.site.wait(next.release(part, *found)));
        round.site.clock().cancel(arriving);
        round.site.rabbit().letLateArrive(); // who did not wait is met by it here
        if (found->messages.isEmpty())
            break;
    }
    QCOMPARE(stored.size(), 30);
    QCOMPARE(round.admin.ours(), QStringList());
}

// One that seems to stand still is taken down, and what it has in its hand is in doubt then.
void TestRabbitMqFaults::aShovelAtWorkIsLeftAloneThoughTheClockIsSet()
{
    QFETCH(const core::Milliseconds, by);
    Round round(9);
    int put = 0;
    round.site.rabbit().setFaults([&put](const http::Request &request) {
        put += request.verb == "PUT" && request.url.path().contains(QLatin1String("/parameters/shovel/")) ? 1 : 0;
        return FakeRabbit::Fault::None;
    });
    const Arrived straight = retry(round);
    const int needed = std::exchange(put, 0);
    Round other(9);
    other.site.rabbit().setFaults([&put](const http::Request &request) {
        put += request.verb == "PUT" && request.url.path().contains(QLatin1String("/parameters/shovel/")) ? 1 : 0;
        return FakeRabbit::Fault::None;
    });
    const Arrived arrived = retry(other, 40ms, [&other, by] { other.site.clock().jump(by); });
    QCOMPARE(put, needed);
    QVERIFY(arrived.report.inDoubt.isEmpty());
    QCOMPARE(arrived.report.ejected.size(), straight.report.ejected.size());
    QCOMPARE(arrived.copies, straight.copies);
}

void TestRabbitMqFaults::theSameSeedGivesTheSameRun()
{
    const auto run = [](quint64 seed) {
        Round round(seed);
        round.startFaults(20);
        static_cast<void>(retry(round));
        return core::toMs(round.site.clock().now());
    };
    QCOMPARE(run(5), run(5));
    QVERIFY(run(5) != run(6));
}

void TestRabbitMqFaults::anAlarmHoldsSendingBack()
{
    Round round(1);
    round.site.rabbit().api().setAlarm(true);
    const QList<broker::SendOutcome> outcomes = round.site.wait(round.rabbit.send({copy(QStringLiteral("orders"), 1)}));
    QCOMPARE(outcomes.first().verdict, Verdict::NotSent);
    QVERIFY(outcomes.first().error.message.contains(QLatin1String("alarm")));
    QCOMPARE(round.admin.depth(QStringLiteral("orders")), 0);
}

void TestRabbitMqFaults::aProbeWithoutAnAnswerTakesNothingAway()
{
    Round round(1);
    QVERIFY(round.rabbit.stagingQueue() != nullptr);
    round.site.kill();
    QVERIFY(!round.site.wait(round.rabbit.probe()));
    QVERIFY(round.rabbit.stagingQueue() != nullptr);
}

REDRIVE_TEST(TestRabbitMqFaults)
#include "tst_rabbitmq_faults.moc"
