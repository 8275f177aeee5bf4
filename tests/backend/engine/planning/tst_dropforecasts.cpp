// What a plan says about destinations that drop messages, and when it is refused.
#include "backend/engine/planning/dropforecasts.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

namespace {

engine::PlanBasis basisOf(const records::QueueLimits &limits)
{
    engine::PlanBasis basis;
    basis.connection.name = QStringLiteral("shop");
    basis.connection.kind = records::BrokerKind::RabbitMq;
    basis.capabilities.handOver = records::HandOver::StagingQueue;
    basis.known = true;
    broker::QueueInfo orders;
    orders.name = QStringLiteral("orders");
    orders.depth = 5;
    orders.limits = limits;
    broker::QueueInfo billing;
    billing.name = QStringLiteral("billing");
    basis.listing.queues = {orders, billing};
    return basis;
}

records::FrozenShare share(const char *queue, qint64 count)
{
    records::FrozenShare one;
    one.destination.queue = QString::fromLatin1(queue);
    one.count = count;
    one.bytes = count * 100;
    one.largest = 100;
    return one;
}

records::QueueLimits expiring()
{
    records::QueueLimits limits;
    limits.keeps = core::Milliseconds{1000};
    return limits;
}

records::QueueLimits tenMessages()
{
    records::QueueLimits limits;
    limits.messages = 10;
    limits.whenFull = records::QueueLimits::WhenFull::DropsOldest;
    return limits;
}

} // namespace

class TestDropForecasts final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sharesOfOneQueueAreCountedTogether()
    {
        const QList<api::PlannedDrop> drops = engine::dropsOf(
            basisOf(tenMessages()), {share("orders", 20), share("billing", 7), share("orders", 10), share("gone", 1)});
        QCOMPARE(drops.size(), 1);
        QCOMPARE(drops.first().queue, QStringLiteral("orders"));
        QCOMPARE(drops.first().coming.count, 30);
        QCOMPARE(drops.first().coming.bytes, 3000);
        QCOMPARE(drops.first().forecast.dropped, 25);
        QCOMPARE(engine::certainDropsOf(drops), 0);
        QVERIFY(engine::checkDrops(drops, {}));
    }

    void certainLossIsRefusedUntilItIsAccepted()
    {
        const QList<api::PlannedDrop> drops = engine::dropsOf(basisOf(expiring()), {share("orders", 30)});
        QCOMPARE(engine::certainDropsOf(drops), 30);
        const core::Result<> refused = engine::checkDrops(drops, {});
        QVERIFY(!refused);
        QVERIFY(refused.error().kind == core::ErrorKind::Refused);
        QVERIFY(refused.error().message.contains(u"orders"));
        records::Plan plan;
        plan.acceptDrops = true;
        QVERIFY(engine::checkDrops(drops, plan));
    }

    void aPolicySendsNothingToAQueueThatLosesAll()
    {
        QCOMPARE(engine::keepingQueues(basisOf(expiring())), std::optional(QStringList{QStringLiteral("billing")}));
        QVERIFY(engine::whyHeldBack(basisOf(expiring()), QStringLiteral("orders")).contains(u"orders"));
        QVERIFY(engine::whyHeldBack(basisOf(expiring()), QStringLiteral("billing")).isEmpty());
        QVERIFY(engine::whyHeldBack(basisOf(expiring()), QStringLiteral("gone")).isEmpty()); // the queue is missing
        QCOMPARE(engine::keepingQueues(basisOf(tenMessages()))->size(), 2);
    }

    // A policy says why it holds such a message back, and does not wait for the queue to be created.
    void whatTakesNothingFromAStagingQueueIsHeldBackWithTheReason()
    {
        engine::PlanBasis basis = basisOf({});
        const QString why = QStringLiteral("The queue is exclusive.");
        basis.listing.queues.last().stagingRefusal = why;
        QVERIFY(engine::whyHeldBack(basis, QStringLiteral("billing")).startsWith(why));
        QCOMPARE(engine::keepingQueues(basis), std::optional(QStringList{QStringLiteral("orders")}));
        basis.capabilities.handOver = records::HandOver::IntentLog; // sends to its name
        QVERIFY(engine::whyHeldBack(basis, QStringLiteral("billing")).isEmpty());
        QCOMPARE(engine::keepingQueues(basis)->size(), 2);
    }

    void whatGetsNothingGetsNothingByAnyWay()
    {
        engine::PlanBasis basis = basisOf({});
        const QString why = QStringLiteral("billing is a stream.");
        basis.listing.queues.last().sendRefusal = why;
        for (const records::HandOver way : {records::HandOver::StagingQueue, records::HandOver::IntentLog}) {
            basis.capabilities.handOver = way;
            QVERIFY(engine::whyHeldBack(basis, QStringLiteral("billing")).startsWith(why));
            QCOMPARE(engine::keepingQueues(basis), std::optional(QStringList{QStringLiteral("orders")}));
        }
    }

    void orderIsKeptOnlyWithAStagingQueue()
    {
        engine::PlanBasis basis = basisOf({});
        records::Plan plan;
        plan.keepOrder = true;
        QVERIFY(engine::checkOrder(basis, plan));
        basis.capabilities.handOver = records::HandOver::IntentLog;
        QVERIFY(engine::checkOrder(basis, plan).error().kind == core::ErrorKind::Refused);
        QVERIFY(engine::checkOrder(basis, {}));
    }
};

REDRIVE_TEST(TestDropForecasts)
#include "tst_dropforecasts.moc"
