// Who waits for a delayed retry, the store or the broker: by policy, by broker and by delay.
#include "backend/recovery/delivery.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Milliseconds;
using core::TimePoint;
using recovery::Decision;
using recovery::Delivery;
using recovery::WaitAt;

namespace {

const TimePoint failed = core::fromMs(1767323045000);
constexpr Milliseconds none{0}; // RabbitMQ, a FIFO queue of SQS
constexpr Milliseconds sqs = std::chrono::minutes(15);
constexpr Milliseconds serviceBus = std::chrono::hours(366 * 24);

Decision retryAfter(Milliseconds delay)
{
    return {.what = Decision::Do::RetryAt, .reason = recovery::Reason::None, .delay = delay, .at = failed + delay};
}

Delivery deliveryOf(WaitAt where, const Decision &decision, Milliseconds longest, Milliseconds later = Milliseconds{0})
{
    recovery::Policy policy;
    policy.waitAt = where;
    return recovery::deliveryOf(policy, decision, failed, failed + later, longest);
}

} // namespace

class TestDelivery final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theBrokerWaitsIfItCanHoldTheMessageSoLong_data()
    {
        QTest::addColumn<int>("waitAt");
        QTest::addColumn<qint64>("longest");
        QTest::addColumn<qint64>("delay");
        QTest::addColumn<bool>("isAtBroker");
        const auto row = [](const char *name, WaitAt where, Milliseconds longest, Milliseconds delay, bool isAtBroker) {
            QTest::newRow(name) << int(where) << qint64(longest.count()) << qint64(delay.count()) << isAtBroker;
        };
        using std::chrono::minutes;
        row("Service Bus, 10 s", WaitAt::Broker, serviceBus, std::chrono::seconds(10), true);
        row("Service Bus, 24 h", WaitAt::Broker, serviceBus, std::chrono::hours(24), true);
        row("SQS, 10 min", WaitAt::Broker, sqs, minutes(10), true);
        row("SQS, 15 min", WaitAt::Broker, sqs, minutes(15), true);
        row("SQS, 1 ms more", WaitAt::Broker, sqs, minutes(15) + Milliseconds{1}, false);
        row("SQS, 30 min", WaitAt::Broker, sqs, minutes(30), false);
        row("no broker that can", WaitAt::Broker, none, minutes(1), false);
        row("the policy waits in the store", WaitAt::Store, serviceBus, minutes(1), false);
    }

    void theBrokerWaitsIfItCanHoldTheMessageSoLong()
    {
        QFETCH(const int, waitAt);
        QFETCH(const qint64, longest);
        QFETCH(const qint64, delay);
        QFETCH(const bool, isAtBroker);
        const TimePoint due = failed + Milliseconds{delay};
        const Delivery delivery = deliveryOf(WaitAt(waitAt), retryAfter(Milliseconds{delay}), Milliseconds{longest});
        QVERIFY(delivery.sendAt == (isAtBroker ? failed : due));
        QVERIFY(delivery.deliverAt == (isAtBroker ? std::optional(due) : std::nullopt));
    }

    // Only the rest of the delay counts: 20 minutes were chosen 10 minutes ago.
    void theRestOfTheDelayDecides()
    {
        const Decision decision = retryAfter(std::chrono::minutes(20));
        QVERIFY(!deliveryOf(WaitAt::Broker, decision, sqs).deliverAt);
        QVERIFY(deliveryOf(WaitAt::Broker, decision, sqs, std::chrono::minutes(10)).deliverAt == decision.at);
    }

    void whatIsDueIsSentWithoutATime()
    {
        const Decision decision = retryAfter(std::chrono::minutes(5));
        const Delivery late = deliveryOf(WaitAt::Broker, decision, serviceBus, std::chrono::minutes(5));
        QVERIFY(late.sendAt == decision.at && !late.deliverAt);
        Decision now;
        now.what = Decision::Do::RetryNow;
        const Delivery atOnce = deliveryOf(WaitAt::Broker, now, serviceBus);
        QVERIFY(atOnce.sendAt == failed && !atOnce.deliverAt);
    }
};

REDRIVE_TEST(TestDelivery)
#include "tst_delivery.moc"
