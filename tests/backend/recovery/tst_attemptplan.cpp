// How often and when a policy tries. The tables are those of NServiceBus, recoverability.
#include "backend/recovery/attemptplan.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Milliseconds;
using recovery::AttemptPlan;
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
    QCOMPARE(plan.steps.first(), (recovery::PlannedAttempt{1, Kind::First, 0s, 0s}));
    QCOMPARE(plan.steps.at(5), (recovery::PlannedAttempt{6, Kind::Immediate, 0s, 0s}));
    QCOMPARE(plan.steps.at(6), (recovery::PlannedAttempt{7, Kind::Delayed, 10s, 10s}));
    QCOMPARE(plan.steps.at(12), (recovery::PlannedAttempt{13, Kind::Delayed, 20s, 30s}));
    QCOMPARE(plan.steps.at(18), (recovery::PlannedAttempt{19, Kind::Delayed, 30s, 60s}));
    QCOMPARE(plan.steps.last(), (recovery::PlannedAttempt{24, Kind::Immediate, 0s, 60s}));
}

void TestAttemptPlan::aPlanOfTwoImmediateAndOneDelayedRetry()
{
    Policy policy;
    policy.immediate = 2;
    policy.delayed = 1;
    const QList<recovery::PlannedAttempt> expected{
        {1, Kind::First, 0s, 0s},     {2, Kind::Immediate, 0s, 0s},  {3, Kind::Immediate, 0s, 0s},
        {4, Kind::Delayed, 10s, 10s}, {5, Kind::Immediate, 0s, 10s}, {6, Kind::Immediate, 0s, 10s},
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
    QCOMPARE(delaysOf(plan), (QList<Milliseconds>{24h, 24h, 24h}));
    QCOMPARE(plan.givesUpAfter, Milliseconds{72h});
    policy.longestGap = Milliseconds{24h}; // a turn a day is not more than that
    QVERIFY(recovery::planAttempts(policy) == plan);
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
