// How often and when a policy tries. The tables are those of NServiceBus, recoverability.
#include "backend/recovery/attemptplan.h"
#include "backend/recovery/decision.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Milliseconds;
using recovery::AttemptPlan;
using recovery::DelayRange;
using recovery::PlannedAttempt;
using recovery::Policy;
using recovery::Schedule;
using Kind = recovery::PlannedAttempt::Kind;
using namespace std::chrono_literals;

class TestAttemptPlan final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void totalNumberOfAttempts_data();
    void totalNumberOfAttempts();
    void scaleOutMultipliesTheMaximum_data();
    void scaleOutMultipliesTheMaximum();
    void theDefaultsOnTheTimeLine();
    void aPlanOfTwoImmediateAndOneDelayedRetry();
    void delayedRetriesOfEachSchedule_data();
    void delayedRetriesOfEachSchedule();
    void theGapEndsAPlanEarly();
    void theBackstopOfADailyReceiver();
    void aCadenceIsPlannedWithTheMostTurns_data();
    void aCadenceIsPlannedWithTheMostTurns();
    void jitterIsARange_data();
    void jitterIsARange();
    void jitterCanBringMoreRetriesBeforeTheBackstop();
    void aPlanHasAnEnd();
    void kindsHaveTheirWords();
};

namespace {

QList<Milliseconds> delaysOf(const AttemptPlan &plan)
{
    QList<Milliseconds> delays;
    for (const recovery::PlannedAttempt &step : plan.steps) {
        if (step.kind == Kind::Delayed)
            delays.append(step.delay);
    }
    return delays;
}

// Without jitter.
PlannedAttempt exact(int attempt, Kind kind, Milliseconds delay, Milliseconds at)
{
    return {attempt, kind, delay, at, DelayRange{delay, delay}, DelayRange{at, at}};
}

Policy cadenceOf(Milliseconds every)
{
    Policy policy;
    policy.immediate = 0;
    policy.delayed = 100;
    policy.schedule.kind = Schedule::Kind::Cadence;
    policy.schedule.every = every;
    return policy;
}

// The attempts that decide() allows, if the message fails first at this time and every retry fails at once. The delays are
// exact.
qint64 attemptsFrom(const Policy &policy, core::TimePoint start)
{
    core::TimePoint now = start;
    recovery::Progress progress;
    progress.firstFailure = start;
    while (true) {
        const recovery::Decision decision = decide(policy, recovery::FailureClass::Transient, progress, now);
        if (decision.what == recovery::Decision::Do::GiveUp)
            return progress.failed;
        progress = progressAfter(progress, decision, now);
        now += decision.delay;
    }
}

} // namespace

void TestAttemptPlan::totalNumberOfAttempts_data()
{
    QTest::addColumn<int>("immediate");
    QTest::addColumn<int>("delayed");
    QTest::addColumn<qint64>("attempts");
    QTest::newRow("0, 0") << 0 << 0 << qint64{1};
    QTest::newRow("1, 0") << 1 << 0 << qint64{2};
    QTest::newRow("2, 0") << 2 << 0 << qint64{3};
    QTest::newRow("3, 0") << 3 << 0 << qint64{4};
    QTest::newRow("0, 1") << 0 << 1 << qint64{2};
    QTest::newRow("1, 1") << 1 << 1 << qint64{4};
    QTest::newRow("2, 1") << 2 << 1 << qint64{6};
    QTest::newRow("3, 1") << 3 << 1 << qint64{8};
    QTest::newRow("1, 2") << 1 << 2 << qint64{6};
    QTest::newRow("2, 2") << 2 << 2 << qint64{9};
    QTest::newRow("1, 3") << 1 << 3 << qint64{8};
    QTest::newRow("5, 3: the default") << 5 << 3 << qint64{24};
}

void TestAttemptPlan::totalNumberOfAttempts()
{
    QFETCH(const int, immediate);
    QFETCH(const int, delayed);
    QFETCH(const qint64, attempts);
    Policy policy;
    policy.immediate = immediate;
    policy.delayed = delayed;
    QCOMPARE(recovery::attemptsOf(policy), attempts);
    const AttemptPlan plan = recovery::planAttempts(policy);
    QCOMPARE(plan.attempts, attempts);
    QCOMPARE(qint64(plan.steps.size()), attempts);
}

void TestAttemptPlan::scaleOutMultipliesTheMaximum_data()
{
    QTest::addColumn<int>("instances");
    QTest::addColumn<int>("immediate");
    QTest::addColumn<int>("delayed");
    QTest::addColumn<qint64>("minimum");
    QTest::addColumn<qint64>("maximum");
    QTest::newRow("the example of NServiceBus") << 6 << 5 << 3 << qint64{24} << qint64{144};
    QTest::newRow("one instance") << 1 << 5 << 3 << qint64{24} << qint64{24};
    QTest::newRow("no instance counts as one") << 0 << 5 << 3 << qint64{24} << qint64{24};
    QTest::newRow("no retries") << 4 << 0 << 0 << qint64{1} << qint64{4};
    QTest::newRow("two, 1 and 2") << 2 << 1 << 2 << qint64{6} << qint64{12};
}

void TestAttemptPlan::scaleOutMultipliesTheMaximum()
{
    QFETCH(const int, instances);
    QFETCH(const int, immediate);
    QFETCH(const int, delayed);
    QFETCH(const qint64, minimum);
    QFETCH(const qint64, maximum);
    Policy policy;
    policy.immediate = immediate;
    policy.delayed = delayed;
    const AttemptPlan plan = recovery::planAttempts(policy, instances);
    QCOMPARE(plan.attempts, minimum);
    QCOMPARE(plan.attemptsAtMost, maximum);
    QCOMPARE(plan.instances, std::max(1, instances));
}

// 24 attempts in 10 + 20 + 30 s.
void TestAttemptPlan::theDefaultsOnTheTimeLine()
{
    const AttemptPlan plan = recovery::planAttempts(Policy{});
    QCOMPARE(plan.givesUpAfter, Milliseconds{60s});
    QCOMPARE(plan.givesUp, (DelayRange{60s, 60s})); // without jitter
    QCOMPARE(plan.steps.first(), exact(1, Kind::First, 0s, 0s));
    QCOMPARE(plan.steps.at(5), exact(6, Kind::Immediate, 0s, 0s));
    QCOMPARE(plan.steps.at(6), exact(7, Kind::Delayed, 10s, 10s));
    QCOMPARE(plan.steps.at(12), exact(13, Kind::Delayed, 20s, 30s));
    QCOMPARE(plan.steps.at(18), exact(19, Kind::Delayed, 30s, 60s));
    QCOMPARE(plan.steps.last(), exact(24, Kind::Immediate, 0s, 60s));
}

void TestAttemptPlan::aPlanOfTwoImmediateAndOneDelayedRetry()
{
    Policy policy;
    policy.immediate = 2;
    policy.delayed = 1;
    const QList<recovery::PlannedAttempt> expected{
        exact(1, Kind::First, 0s, 0s),     exact(2, Kind::Immediate, 0s, 0s),  exact(3, Kind::Immediate, 0s, 0s),
        exact(4, Kind::Delayed, 10s, 10s), exact(5, Kind::Immediate, 0s, 10s), exact(6, Kind::Immediate, 0s, 10s),
    };
    QCOMPARE(recovery::planAttempts(policy).steps, expected);
}

void TestAttemptPlan::delayedRetriesOfEachSchedule_data()
{
    QTest::addColumn<Schedule>("schedule");
    QTest::addColumn<int>("delayed");
    QTest::addColumn<QList<Milliseconds>>("delays");
    QTest::newRow("linear: 003") << Schedule{} << 3 << QList<Milliseconds>{10s, 20s, 30s};
    Schedule doubling;
    doubling.kind = Schedule::Kind::Exponential;
    doubling.first = 5s;
    QTest::newRow("exponential: 002") << doubling << 5 << QList<Milliseconds>{5s, 10s, 20s, 40s, 80s};
    Schedule capped = doubling;
    capped.cap = Milliseconds{30s};
    QTest::newRow("with a cap") << capped << 5 << QList<Milliseconds>{5s, 10s, 20s, 30s, 30s};
    Schedule slow = doubling;
    slow.factor = 1.5;
    QTest::newRow("factor 1.5") << slow << 3 << QList<Milliseconds>{5s, 7500ms, 11250ms};
    Schedule constant = doubling;
    constant.factor = 1;
    QTest::newRow("factor 1") << constant << 3 << QList<Milliseconds>{5s, 5s, 5s};
    Schedule list;
    list.kind = Schedule::Kind::List;
    list.delays = {10s, 1min, 1h};
    QTest::newRow("list") << list << 3 << QList<Milliseconds>{10s, 1min, 1h};
    QTest::newRow("part of a list") << list << 2 << QList<Milliseconds>{10s, 1min};
    QTest::newRow("the last of a list repeats") << list << 5 << QList<Milliseconds>{10s, 1min, 1h, 1h, 1h};
    Schedule cadence;
    cadence.kind = Schedule::Kind::Cadence;
    cadence.every = 1h;
    cadence.offset = 20min;
    QTest::newRow("cadence") << cadence << 3 << QList<Milliseconds>{1h, 1h, 1h};
}

void TestAttemptPlan::delayedRetriesOfEachSchedule()
{
    QFETCH(const Schedule, schedule);
    QFETCH(const int, delayed);
    QFETCH(const QList<Milliseconds>, delays);
    Policy policy;
    policy.schedule = schedule;
    policy.delayed = delayed;
    QCOMPARE(delaysOf(recovery::planAttempts(policy)), delays);
}

// 10, 20 and 30 h: the third delay is longer than 24 h.
void TestAttemptPlan::theGapEndsAPlanEarly()
{
    Policy policy;
    policy.immediate = 0;
    policy.schedule.first = 10h;
    const AttemptPlan plan = recovery::planAttempts(policy);
    QCOMPARE(delaysOf(plan), (QList<Milliseconds>{10h, 20h}));
    QCOMPARE(plan.attempts, 3);
    QCOMPARE(plan.givesUpAfter, Milliseconds{30h});
}

// ReportStream, Batch: data once a day, backstop 3 days + 3 hours.
void TestAttemptPlan::theBackstopOfADailyReceiver()
{
    Policy policy;
    policy.immediate = 0;
    policy.delayed = 100;
    policy.schedule.kind = Schedule::Kind::Cadence;
    policy.schedule.every = 24h;
    policy.schedule.offset = 6h;
    QCOMPARE(recovery::backstopOf(policy), std::optional(Milliseconds{75h}));
    const AttemptPlan plan = recovery::planAttempts(policy);
    QCOMPARE(delaysOf(plan), (QList<Milliseconds>{3h, 24h, 24h, 24h})); // failed first three hours before a turn
    QCOMPARE(plan.givesUpAfter, Milliseconds{75h});
    QCOMPARE(plan.steps.at(1).delays, (DelayRange{0h, 24h}));
    QCOMPARE(plan.steps.at(2).delays, (DelayRange{24h, 24h}));
    QCOMPARE(plan.steps.at(2).times, (DelayRange{24h, 48h}));
    QCOMPARE(plan.givesUp, (DelayRange{72h, 75h}));
    policy.longestGap = Milliseconds{24h}; // a turn a day is not more than that
    QVERIFY(recovery::planAttempts(policy) == plan);
}

void TestAttemptPlan::aCadenceIsPlannedWithTheMostTurns_data()
{
    QTest::addColumn<Milliseconds>("every");
    QTest::addColumn<qint64>("attempts");
    QTest::newRow("once a day, 75 h") << Milliseconds{24h} << qint64{5};
    QTest::newRow("every 2 h, 9 h") << Milliseconds{2h} << qint64{6};
    QTest::newRow("every hour, 6 h: a multiple") << Milliseconds{1h} << qint64{7};
}

// Wherever in the cycle a message fails first, it is tried no more often than the plan says, and once so often.
void TestAttemptPlan::aCadenceIsPlannedWithTheMostTurns()
{
    QFETCH(const Milliseconds, every);
    QFETCH(const qint64, attempts);
    Policy policy = cadenceOf(every);
    QCOMPARE(recovery::planAttempts(policy).attempts, attempts);
    QCOMPARE(recovery::turnsBeforeBackstop(policy), attempts - 1);
    qint64 most = 0;
    for (const Milliseconds before : {Milliseconds{1ms}, every / 7, every / 2, every - 1ms, every})
        most = std::max(most, attemptsFrom(policy, core::TimePoint{every - before}));
    QCOMPARE(most, attempts);
    policy.delayed = 2;
    QCOMPARE(recovery::planAttempts(policy).attempts, 3);
}

void TestAttemptPlan::jitterIsARange_data()
{
    QTest::addColumn<recovery::Jitter>("jitter");
    QTest::addColumn<DelayRange>("second"); // of the second delayed retry, 20 s
    QTest::addColumn<DelayRange>("end");
    using Jitter = recovery::Jitter;
    QTest::newRow("none") << Jitter{} << DelayRange{20s, 20s} << DelayRange{60s, 60s};
    QTest::newRow("full") << Jitter{Jitter::Kind::Full, 0} << DelayRange{0s, 20s} << DelayRange{0s, 60s};
    QTest::newRow("equal") << Jitter{Jitter::Kind::Equal, 0} << DelayRange{10s, 20s} << DelayRange{30s, 60s};
    QTest::newRow("10%") << Jitter{Jitter::Kind::Percent, 10} << DelayRange{18s, 22s} << DelayRange{54s, 66s};
}

void TestAttemptPlan::jitterIsARange()
{
    QFETCH(const recovery::Jitter, jitter);
    QFETCH(const DelayRange, second);
    QFETCH(const DelayRange, end);
    Policy policy;
    policy.jitter = jitter;
    const AttemptPlan plan = recovery::planAttempts(policy);
    QCOMPARE(plan.steps.at(12).delays, second);
    QCOMPARE(plan.steps.at(12).delay, Milliseconds{20s});
    QCOMPARE(plan.givesUp, end);
    core::SeededRandom random(7);
    DelayRange seen{1h, 0s};
    for (int i = 0; i < 200000; ++i) {
        const Milliseconds one = recovery::withJitter(20s, jitter, random);
        seen = {std::min(seen.least, one), std::max(seen.most, one)};
    }
    QCOMPARE(seen, second); // no delay is outside it, and each end of it happens
}

// The backstop of 16 s allows 5 and 10 s; with full jitter all delays can come sooner, so that more of them fit.
void TestAttemptPlan::jitterCanBringMoreRetriesBeforeTheBackstop()
{
    Policy policy;
    policy.immediate = 0;
    policy.delayed = 3;
    policy.schedule.first = 5s;
    policy.backstop = recovery::Backstop{.cycle = 5s, .plus = 1s};
    QCOMPARE(recovery::planAttempts(policy).attempts, 3);
    policy.jitter.kind = recovery::Jitter::Kind::Full;
    const AttemptPlan plan = recovery::planAttempts(policy);
    QCOMPARE(plan.attempts, 4);
    QCOMPARE(plan.givesUp, (DelayRange{0s, 16s}));
    QCOMPARE(plan.givesUpAfter, Milliseconds{16s});
}

void TestAttemptPlan::aPlanHasAnEnd()
{
    Policy policy;
    policy.immediate = std::numeric_limits<int>::max();
    policy.delayed = std::numeric_limits<int>::max();
    QCOMPARE(recovery::planAttempts(policy).steps.size(), qsizetype{recovery::mostSteps});
}

void TestAttemptPlan::kindsHaveTheirWords()
{
    QCOMPARE(recovery::toString(Kind::First), QStringLiteral("first"));
    QCOMPARE(recovery::toString(Kind::Immediate), QStringLiteral("immediate"));
    QCOMPARE(recovery::toString(Kind::Delayed), QStringLiteral("delayed"));
}

REDRIVE_TEST(TestAttemptPlan)
#include "tst_attemptplan.moc"
