// Rate limiting after consecutive failures: NServiceBus, recoverability, "Automatic rate limiting", with its 10
// failures and 5 s.
#include "backend/recovery/consecutivefailures.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Milliseconds;
using core::TimePoint;
using recovery::ConsecutiveFailures;
using recovery::RateLimit;
using Change = ConsecutiveFailures::Change;
using namespace std::chrono_literals;

class TestConsecutiveFailures final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theDefaultsAreThoseOfTheExample();
    void withoutALimitNothingIsLimited();
    void startsAtTheConfiguredNumber();
    void aSuccessResetsTheCount();
    void oneMessageAtATimeWithAWait();
    void theFirstSuccessEndsIt();
    void itNeverEndsByItself();
    void itCanStartAgain();
    void aRestartKeepsIt();
    void aClockThatWasSetBackStopsNothing();
};

namespace {

const TimePoint start = core::fromMs(1'700'000'000'000);

// Fails so many times, a second apart, and returns the last change.
Change failTimes(ConsecutiveFailures &failures, int times, TimePoint from = start)
{
    Change change = Change::None;
    for (int i = 0; i < times; ++i)
        change = failures.failed(from + i * 1s);
    return change;
}

const TimePoint atTenth = start + 9s;

} // namespace

void TestConsecutiveFailures::theDefaultsAreThoseOfTheExample()
{
    QCOMPARE(RateLimit{}.after, 10);
    QCOMPARE(RateLimit{}.wait, Milliseconds{5s});
    QVERIFY(!recovery::Policy{}.rateLimit); // off
}

void TestConsecutiveFailures::withoutALimitNothingIsLimited()
{
    ConsecutiveFailures failures(std::nullopt);
    QCOMPARE(failTimes(failures, 1000), Change::None);
    QVERIFY(!failures.isProbing());
    QVERIFY(failures.mayStart(start, 100));
    QCOMPARE(failures.waitAt(start), Milliseconds{0});
    QCOMPARE(failures.succeeded(start), Change::None);
}

void TestConsecutiveFailures::startsAtTheConfiguredNumber()
{
    ConsecutiveFailures failures(RateLimit{});
    QCOMPARE(failTimes(failures, 9), Change::None);
    QVERIFY(failures.mayStart(start + 8s, 9));
    QCOMPARE(failures.failed(atTenth), Change::Started);
    QVERIFY(failures.isProbing());
    QCOMPARE(failures.state().span->started, atTenth);
    QCOMPARE(failures.state().span->failuresBefore, 10);
    QVERIFY(!failures.state().span->ended);
}

void TestConsecutiveFailures::aSuccessResetsTheCount()
{
    ConsecutiveFailures failures(RateLimit{});
    for (int round = 0; round < 20; ++round) {
        QCOMPARE(failTimes(failures, 9), Change::None);
        QCOMPARE(failures.succeeded(start), Change::None);
    }
    QVERIFY(!failures.isProbing());
    QCOMPARE(failTimes(failures, 10), Change::Started);
}

void TestConsecutiveFailures::oneMessageAtATimeWithAWait()
{
    ConsecutiveFailures failures(RateLimit{});
    failTimes(failures, 10);
    QVERIFY(!failures.mayStart(atTenth, 0)); // the failure that started it waits, too
    QCOMPARE(failures.waitAt(atTenth + 1s), Milliseconds{4s});
    QVERIFY(!failures.mayStart(atTenth + 5s - 1ms, 0));
    QVERIFY(failures.mayStart(atTenth + 5s, 0));
    QVERIFY(!failures.mayStart(atTenth + 5s, 1));
    QCOMPARE(failures.failed(atTenth + 6s), Change::None);
    QVERIFY(!failures.mayStart(atTenth + 10s, 0));
    QVERIFY(failures.mayStart(atTenth + 11s, 0));
    QCOMPARE(failures.state().span->failedProbes, 1);
}

void TestConsecutiveFailures::theFirstSuccessEndsIt()
{
    ConsecutiveFailures failures(RateLimit{});
    failTimes(failures, 10);
    failures.failed(atTenth + 5s);
    QCOMPARE(failures.succeeded(atTenth + 10s), Change::Ended);
    QVERIFY(!failures.isProbing());
    QVERIFY(failures.mayStart(atTenth + 10s, 50));
    QCOMPARE(failures.state().span->ended, std::optional(atTenth + 10s));
    QCOMPARE(failures.state().span->failuresBefore, 10);
    QCOMPARE(failures.succeeded(atTenth + 11s), Change::None);
}

void TestConsecutiveFailures::itNeverEndsByItself()
{
    ConsecutiveFailures failures(RateLimit{});
    QCOMPARE(failTimes(failures, 1000), Change::None);
    QVERIFY(failures.isProbing());
    QVERIFY(failures.mayStart(start + 1000h, 0));
    QVERIFY(!failures.mayStart(start + 1000h, 1));
}

void TestConsecutiveFailures::itCanStartAgain()
{
    ConsecutiveFailures failures(RateLimit{.after = 2, .wait = 1s});
    failTimes(failures, 2);
    failures.succeeded(start + 2s);
    QCOMPARE(failures.failed(start + 3s), Change::None);
    QCOMPARE(failures.failed(start + 4s), Change::Started);
    QCOMPARE(failures.state().span->started, start + 4s);
    QVERIFY(!failures.state().span->ended);
}

void TestConsecutiveFailures::aRestartKeepsIt()
{
    ConsecutiveFailures before(RateLimit{});
    failTimes(before, 10);
    ConsecutiveFailures after(RateLimit{}, before.state());
    QVERIFY(after.isProbing());
    QCOMPARE(after.waitAt(atTenth + 2s), Milliseconds{3s});
    QCOMPARE(after.succeeded(atTenth + 5s), Change::Ended);
    const ConsecutiveFailures switchedOff(std::nullopt, before.state());
    QVERIFY(!switchedOff.isProbing());
}

void TestConsecutiveFailures::aClockThatWasSetBackStopsNothing()
{
    ConsecutiveFailures failures(RateLimit{});
    failTimes(failures, 10);
    QVERIFY(failures.mayStart(start - 24h, 0));
}

REDRIVE_TEST(TestConsecutiveFailures)
#include "tst_consecutivefailures.moc"
