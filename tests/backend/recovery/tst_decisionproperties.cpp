// What holds for every policy: thousands of random ones, each followed to its end. A seed gives the same run again.
#include "backend/recovery/decision.h"
#include "backend/recovery/schedule.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Milliseconds;
using core::TimePoint;
using recovery::Decision;
using recovery::FailureClass;
using recovery::Jitter;
using recovery::Policy;
using recovery::Progress;
using recovery::Schedule;
using Do = Decision::Do;
using namespace std::chrono_literals;

class TestDecisionProperties final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noPolicyDoesMoreThanItPromises();
    void delaysOfAGrowingScheduleNeverShrink();
    void jitterStaysInItsBounds_data();
    void jitterStaysInItsBounds();
    void hugeSchedulesDoNotOverflow();
};

namespace {

constexpr int policies = 4000;
const TimePoint start = core::fromMs(1'767'225'600'000);

int upTo(core::Random &random, int most)
{
    return int(random.below(quint64(most) + 1));
}

Milliseconds span(core::Random &random, Milliseconds most)
{
    return Milliseconds{1000 * (1 + qint64(random.below(quint64(most.count() / 1000))))};
}

Schedule randomSchedule(core::Random &random)
{
    Schedule schedule;
    schedule.kind = Schedule::Kind(upTo(random, 3));
    schedule.first = span(random, 10h);
    schedule.factor = 1 + 3 * random.unit();
    if (upTo(random, 1) == 0)
        schedule.cap = schedule.first + span(random, 24h);
    for (int i = upTo(random, 5); i >= 0; --i)
        schedule.delays.append(span(random, 24h));
    schedule.every = span(random, 48h);
    schedule.offset = Milliseconds{qint64(random.below(quint64(schedule.every.count())))};
    return schedule;
}

Policy randomPolicy(core::Random &random)
{
    Policy policy;
    policy.immediate = upTo(random, 4);
    policy.delayed = upTo(random, 6);
    policy.schedule = randomSchedule(random);
    policy.jitter.kind = Jitter::Kind(upTo(random, 3));
    policy.jitter.percent = 1 + upTo(random, 99);
    if (upTo(random, 2) == 0)
        policy.longestGap = span(random, 24h);
    if (upTo(random, 2) == 0)
        policy.backstop = recovery::Backstop{.cycle = span(random, 24h), .plus = span(random, 3h)};
    return policy;
}

struct Run
{
    int attempts = 1;
    int inRound = 0; // immediate retries since the last delayed one
    int delayed = 0;
};

// The name of the first promise that the decision breaks; empty if none.
const char *brokenBy(const Decision &decision, const Policy &policy, const Run &run, TimePoint now)
{
    if (run.attempts > (policy.immediate + 1) * (policy.delayed + 1))
        return "attempts";
    if (run.inRound > policy.immediate)
        return "immediate retries in a round";
    if (run.delayed > policy.delayed)
        return "delayed retries";
    if (decision.what != Do::RetryAt)
        return "";
    if (decision.delay < 0ms || decision.at != now + decision.delay)
        return "a delay from now on";
    const bool isCadence = policy.schedule.kind == Schedule::Kind::Cadence;
    if ((policy.longestGap || !isCadence) && decision.delay > policy.longestGap.value_or(24h))
        return "the longest gap";
    if (policy.backstop && decision.at - start > 3 * policy.backstop->cycle + policy.backstop->plus)
        return "the backstop";
    if (isCadence && !policy.backstop && decision.at - start > 3 * policy.schedule.every + 3h)
        return "the backstop of a cadence";
    if (isCadence && (core::toMs(decision.at) - policy.schedule.offset.count()) % policy.schedule.every.count() != 0)
        return "a turn of the cadence";
    return "";
}

QString follow(const Policy &policy, core::Random &random)
{
    Run run;
    TimePoint now = start;
    Progress progress;
    progress.firstFailure = start;
    while (true) {
        const auto as = FailureClass(upTo(random, 9) == 0);
        const Decision decision = decide(policy, as, progress, now, &random);
        const bool isDelayed = decision.what == Do::RetryAt;
        if (decision.what == Do::GiveUp)
            return {};
        ++run.attempts;
        run.inRound = isDelayed ? 0 : run.inRound + 1;
        run.delayed += isDelayed ? 1 : 0;
        if (const char *broken = brokenBy(decision, policy, run, now); *broken != '\0')
            return QString::fromLatin1(broken);
        progress = progressAfter(progress, decision, now);
        now = (isDelayed ? decision.at : now) + Milliseconds{upTo(random, 2000)};
    }
}

} // namespace

void TestDecisionProperties::noPolicyDoesMoreThanItPromises()
{
    for (int seed = 0; seed < policies; ++seed) {
        core::SeededRandom random{quint64(seed)};
        const QString broken = follow(randomPolicy(random), random);
        QVERIFY2(broken.isEmpty(), qPrintable(QStringLiteral("seed %1: %2").arg(QString::number(seed), broken)));
    }
}

void TestDecisionProperties::delaysOfAGrowingScheduleNeverShrink()
{
    core::SeededRandom random(20260101);
    for (int i = 0; i < policies; ++i) {
        Schedule schedule = randomSchedule(random);
        schedule.kind = Schedule::Kind(upTo(random, 1));
        Milliseconds before{0};
        for (int round = 0; round < 100; ++round) {
            const Milliseconds delay = recovery::delayOf(schedule, round, start);
            QVERIFY(delay >= before);
            if (schedule.kind == Schedule::Kind::Exponential && schedule.cap)
                QVERIFY(delay <= *schedule.cap);
            before = delay;
        }
    }
}

void TestDecisionProperties::jitterStaysInItsBounds_data()
{
    QTest::addColumn<Jitter>("jitter");
    QTest::addColumn<qint64>("least"); // of 10,000 ms
    QTest::addColumn<qint64>("most");
    QTest::newRow("none") << Jitter{Jitter::Kind::None, 0} << qint64{10000} << qint64{10000};
    QTest::newRow("full") << Jitter{Jitter::Kind::Full, 0} << qint64{0} << qint64{10000};
    QTest::newRow("equal") << Jitter{Jitter::Kind::Equal, 0} << qint64{5000} << qint64{10000};
    QTest::newRow("10 %") << Jitter{Jitter::Kind::Percent, 10} << qint64{9000} << qint64{11000};
    QTest::newRow("100 %") << Jitter{Jitter::Kind::Percent, 100} << qint64{0} << qint64{20000};
}

// The bounds hold, and both ends are nearly reached: the spread is not smaller than it says.
void TestDecisionProperties::jitterStaysInItsBounds()
{
    QFETCH(const Jitter, jitter);
    QFETCH(const qint64, least);
    QFETCH(const qint64, most);
    core::SeededRandom random(42);
    qint64 smallest = std::numeric_limits<qint64>::max();
    qint64 largest = 0;
    for (int i = 0; i < 10000; ++i) {
        const qint64 delay = recovery::withJitter(10s, jitter, random).count();
        smallest = std::min(smallest, delay);
        largest = std::max(largest, delay);
    }
    QVERIFY2(smallest >= least && smallest <= least + 100, qPrintable(QString::number(smallest)));
    QVERIFY2(largest <= most && largest >= most - 100, qPrintable(QString::number(largest)));
}

void TestDecisionProperties::hugeSchedulesDoNotOverflow()
{
    constexpr int round = std::numeric_limits<int>::max();
    core::SeededRandom random(1);
    for (int kind = 0; kind <= int(Schedule::Kind::Cadence); ++kind) {
        Schedule schedule;
        schedule.kind = Schedule::Kind(kind);
        schedule.first = Milliseconds::max();
        schedule.factor = 1e300;
        schedule.delays = {Milliseconds::max()};
        schedule.every = Milliseconds::max();
        const Milliseconds delay = recovery::delayOf(schedule, round, start);
        QVERIFY(delay > 0ms && delay <= 100 * 366 * 24h);
        for (int jitter = 0; jitter <= int(Jitter::Kind::Percent); ++jitter)
            QVERIFY(recovery::withJitter(delay, {Jitter::Kind(jitter), 100}, random) >= 0ms);
    }
    Schedule empty;
    for (const Schedule::Kind kind : {Schedule::Kind::List, Schedule::Kind::Cadence}) {
        empty.kind = kind;
        QCOMPARE(recovery::delayOf(empty, round, start), Milliseconds{0});
    }
}

REDRIVE_TEST(TestDecisionProperties)
#include "tst_decisionproperties.moc"
