// What a queue drops of messages that are sent to it, from its limits.
#include "backend/records/retries/queuelimits.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using Cause = records::DropForecast::Cause;
using records::Coming;
using records::DropForecast;
using records::QueueLimits;

namespace {

QueueLimits dropping(std::optional<qint64> messages, std::optional<qint64> bytes = {})
{
    QueueLimits limits;
    limits.messages = messages;
    limits.bytes = bytes;
    limits.whenFull = QueueLimits::WhenFull::DropsOldest;
    return limits;
}

Coming coming(qint64 count, std::optional<qint64> waiting)
{
    Coming those;
    those.count = count;
    those.waiting = waiting;
    return those;
}

} // namespace

class TestQueueLimits final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theOldestGoFirstSoOthersLoseTheirs()
    {
        const DropForecast forecast = records::forecastOf(dropping(10), coming(30, 5));
        QVERIFY(forecast.cause == Cause::Length);
        QCOMPARE(forecast.dropped, 25);
        QCOMPARE(forecast.others, 5);
        QVERIFY(!forecast.isCertain); // Redrive waits for room
        const QString text = records::dropText(QStringLiteral("orders"), dropping(10), forecast, coming(30, 5));
        for (const char *number : {"orders", "10", "25", "30", "5"})
            QVERIFY2(text.contains(QLatin1String(number)), qPrintable(text));
    }

    void whatFitsIsNotDropped()
    {
        QVERIFY(records::forecastOf(dropping(10), coming(5, 5)) == DropForecast());
        QVERIFY(records::forecastOf(dropping(10), coming(0, 50)) == DropForecast());
        QueueLimits refusing = dropping(10);
        refusing.whenFull = QueueLimits::WhenFull::Refuses; // nothing is lost: the send fails
        QVERIFY(records::forecastOf(refusing, coming(30, 5)) == DropForecast());
        QVERIFY(records::dropText(QStringLiteral("orders"), refusing, {}, coming(30, 5)).isEmpty());
    }

    // Each attempt leaves a copy there, so what waits stays, and what comes is not sent before there is room.
    void whatIsRefusedMayBeDeadLettered()
    {
        QueueLimits limits = dropping(10);
        limits.whenFull = QueueLimits::WhenFull::DeadLettersNew;
        limits.deadLetters = true;
        const DropForecast forecast = records::forecastOf(limits, coming(30, 5));
        QVERIFY(forecast.cause == Cause::Length);
        QCOMPARE(forecast.dropped, 25);
        QCOMPARE(forecast.others, 0);
        QVERIFY(!forecast.isCertain);
        QCOMPARE(records::forecastOf(limits, coming(3, 40)).dropped, 3);
        const QString text = records::dropText(QStringLiteral("orders"), limits, forecast, coming(30, 5));
        for (const char *word : {"orders", "10", "25", "30", "5", "dead-letter"})
            QVERIFY2(text.contains(QLatin1String(word)), qPrintable(text));
    }

    void aQueueThatKeepsNothingLosesAll()
    {
        QVERIFY(records::forecastOf(dropping(0), coming(3, 0)).isCertain);
        QVERIFY(records::losesEverything(dropping(0), {}));
        QVERIFY(!records::losesEverything(dropping(1), {}));
        QueueLimits passing = dropping(0);
        passing.deadLetters = true;
        QVERIFY(!records::forecastOf(passing, coming(3, 0)).isCertain);
    }

    void aLimitInBytesCannotBeKept()
    {
        Coming those = coming(4, 2);
        those.bytes = 4000;
        those.largest = 1000;
        const DropForecast forecast = records::forecastOf(dropping({}, 2500), those);
        QVERIFY(forecast.cause == Cause::Bytes);
        QVERIFY(forecast.isCertain);
        QCOMPARE(forecast.dropped, 2 + 2); // those that wait, and what does not fit
        QCOMPARE(forecast.others, 2);
        QVERIFY(records::forecastOf(dropping({}, 4000), those) == DropForecast());
    }

    void aShortLifeWithoutAConsumerIsCertainLoss()
    {
        QueueLimits limits;
        limits.keeps = core::Milliseconds{1000};
        Coming those = coming(30, 0);
        QVERIFY(records::forecastOf(limits, those).isCertain); // unknown consumers are none
        QCOMPARE(records::forecastOf(limits, those).dropped, 30);
        those.consumers = 1;
        QVERIFY(!records::forecastOf(limits, those).isCertain);
        QVERIFY(records::forecastOf(limits, those).cause == Cause::Expiry);
        QVERIFY(!records::losesEverything(limits, 1));
        limits.keeps = std::chrono::hours(1);
        those.consumers = 0;
        QVERIFY(!records::forecastOf(limits, those).isCertain);
        limits.keeps = std::chrono::hours(24 * 14);
        QVERIFY(records::forecastOf(limits, those) == DropForecast());
        limits.keeps = core::Milliseconds{1000};
        limits.deadLetters = true; // a delay queue: what expires goes on
        QVERIFY(records::forecastOf(limits, those) == DropForecast());
    }

    void whatIsCertainIsSaidFirst()
    {
        QueueLimits limits = dropping(10);
        limits.keeps = core::Milliseconds{1000};
        QVERIFY(records::forecastOf(limits, coming(30, 5)).cause == Cause::Expiry);
    }
};

REDRIVE_TEST(TestQueueLimits)
#include "tst_queuelimits.moc"
