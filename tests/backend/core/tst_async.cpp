#include "backend/core/async.h"
#include "backend/core/time/timers.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using core::ErrorKind;
using core::Pending;
using core::Result;
using core::Task;

class TestAsync final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPendingResumesItsAwaiterOnce();
    void theFirstValueWins();
    void sleepEndsAtItsTime();
    void cancelEndsEverySleepWithCancelled();
    void wakeEndsASleepEarlyAndIsRememberedOnce();
    void noMoreThanTheLimitRunAtATime();
};

namespace {

Task<> awaitInto(Pending<int> pending, int &out, int &times)
{
    const int value = co_await pending;
    out = value;
    ++times;
}

Task<> sleepInto(core::Timers &timers, core::Milliseconds delay, bool wakeable, QString &out)
{
    const Pending<Result<>> pending = wakeable ? timers.sleepOrWake(delay) : timers.sleep(delay);
    const Result<> slept = co_await pending;
    out = slept ? QStringLiteral("slept") : core::toString(slept.error().kind);
}

} // namespace

void TestAsync::aPendingResumesItsAwaiterOnce()
{
    const Pending<int> pending;
    int value = 0;
    int times = 0;
    const Task<> task = awaitInto(pending, value, times);
    QCOMPARE(times, 0);
    QVERIFY(pending.resolve(7));
    QCOMPARE(value, 7);
    QCOMPARE(times, 1);
    QVERIFY(task.isReady());
}

void TestAsync::theFirstValueWins()
{
    const Pending<int> pending;
    QVERIFY(pending.resolve(1));
    QVERIFY(!pending.resolve(2));
    int value = 0;
    int times = 0;
    const Task<> task = awaitInto(pending, value, times);
    QCOMPARE(value, 1);
}

void TestAsync::sleepEndsAtItsTime()
{
    support::FakeClock clock;
    core::Timers timers(clock);
    QString outcome;
    const Task<> task = sleepInto(timers, 10s, false, outcome);
    clock.advance(9999ms);
    QCOMPARE(outcome, QString());
    clock.advance(1ms);
    QCOMPARE(outcome, QStringLiteral("slept"));
}

void TestAsync::cancelEndsEverySleepWithCancelled()
{
    support::FakeClock clock;
    core::Timers timers(clock);
    QString first;
    QString second;
    const Task<> a = sleepInto(timers, 10s, false, first);
    const Task<> b = sleepInto(timers, 20s, true, second);
    timers.cancelAll();
    QCOMPARE(first, QStringLiteral("Cancelled"));
    QCOMPARE(second, QStringLiteral("Cancelled"));
    QCOMPARE(clock.waiting(), size_t{0});
    QString later;
    const Task<> c = sleepInto(timers, 1s, false, later);
    QCOMPARE(later, QStringLiteral("Cancelled"));
}

void TestAsync::wakeEndsASleepEarlyAndIsRememberedOnce()
{
    support::FakeClock clock;
    core::Timers timers(clock);
    QString outcome;
    const Task<> task = sleepInto(timers, 30s, true, outcome);
    timers.wake();
    QCOMPARE(outcome, QStringLiteral("slept"));

    timers.wake(); // nobody asleep: the next sleep ends at once, the one after does not
    QString next;
    const Task<> a = sleepInto(timers, 30s, true, next);
    clock.advance(0ms);
    QCOMPARE(next, QStringLiteral("slept"));
    QString afterNext;
    const Task<> b = sleepInto(timers, 30s, true, afterNext);
    clock.advance(29s);
    QCOMPARE(afterNext, QString());
    timers.cancelAll();
}

void TestAsync::noMoreThanTheLimitRunAtATime()
{
    std::vector<Pending<int>> gates(10);
    size_t running = 0;
    size_t most = 0;
    bool done = false;
    const auto step = [&](size_t i) -> Task<> {
        most = std::max(most, ++running);
        const Pending<int> gate = gates[i];
        co_await gate;
        --running;
    };
    const auto all = [&]() -> Task<> {
        co_await core::forEachLimited(gates.size(), 3, step);
        done = true;
    };
    const Task<> task = all();
    for (const Pending<int> &gate : gates) {
        QVERIFY(!done);
        gate.resolve(0);
    }
    QVERIFY(done);
    QCOMPARE(most, size_t{3});
}

REDRIVE_TEST(TestAsync)
#include "tst_async.moc"
