#include "backend/recovery/decision.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Milliseconds;
using core::TimePoint;
using recovery::Backstop;
using recovery::ClassRule;
using recovery::Decider;
using recovery::Decision;
using recovery::Failure;
using recovery::FailureClass;
using recovery::Jitter;
using recovery::Policy;
using recovery::Progress;
using recovery::Reason;
using recovery::Schedule;
using Do = Decision::Do;
using namespace std::chrono_literals;

class TestDecision final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theDefaultsAreThoseOfTheSeeds();
    void decisionsOfTheDefaultPolicy_data();
    void decisionsOfTheDefaultPolicy();
    void fiveDelayedTriesThatDouble_data();
    void fiveDelayedTriesThatDouble();
    void fourTriesOfAQueue();
    void aConflictIsRetriedFiveTimes();
    void anUnrecoverableFailureIsGivenUpAtOnce();
    void aDelayedFailureSkipsTheImmediateRetries();
    void failuresOfBothKindsShareTheBudget();
    void theBoundOnAttemptsHoldsWhateverElseIsKnown();
    void aGapOfTwentyFourHours_data();
    void aGapOfTwentyFourHours();
    void aMessageThatComesTooLateIsGivenUp_data();
    void aMessageThatComesTooLateIsGivenUp();
    void theBackstopOfADailyReceiver_data();
    void theBackstopOfADailyReceiver();
    void theBackstopEndsImmediateRetriesToo();
    void aCadenceWaitsForItsTurn_data();
    void aCadenceWaitsForItsTurn();
    void anExpiredMessageIsDiscarded();
    void noRetryAfterTheExpiry();
    void anObsoleteMessageIsDiscarded();
    void aClockThatWasSetBackIsNoAge();
    void aRandomSourceSpreadsTheDelay();
    void eachReasonHasItsText();
};

namespace {

const TimePoint start = core::fromMs(1'767'225'600'000); // 2026-01-01 00:00 UTC

Failure failure(const char *type)
{
    Failure one;
    one.exceptionType = QString::fromLatin1(type);
    return one;
}

Policy daily()
{
    Policy policy;
    policy.immediate = 0;
    policy.delayed = 100;
    policy.schedule.kind = Schedule::Kind::Cadence;
    policy.schedule.every = 24h;
    return policy;
}

Progress progress(int failed, int inRound, int delayed)
{
    return {
        .failed = failed, .inRound = inRound, .delayed = delayed, .firstFailure = start, .lastDelayed = std::nullopt};
}

} // namespace

void TestDecision::theDefaultsAreThoseOfTheSeeds()
{
    const Policy policy;
    QCOMPARE(policy.immediate, 5); // 003
    QCOMPARE(policy.delayed, 3);
    QVERIFY(policy.schedule.kind == Schedule::Kind::Linear);
    QCOMPARE(policy.schedule.first, Milliseconds{10s});
    QVERIFY(policy.jitter.kind == Jitter::Kind::None); // 003: 10, 20, 30 s
    QVERIFY(recovery::jitterByDefault(Schedule::Kind::Exponential).kind == Jitter::Kind::Full); // 002: never without
    QCOMPARE(recovery::longestGapOf(policy), std::optional(Milliseconds{24h}));
    QVERIFY(!recovery::backstopOf(policy));
    QVERIFY(policy.exhausted.what == recovery::Exhausted::Do::Leave);
}

void TestDecision::decisionsOfTheDefaultPolicy_data()
{
    QTest::addColumn<int>("failed");
    QTest::addColumn<Do>("what");
    QTest::addColumn<Milliseconds>("delay");
    for (const int failed : {1, 2, 5, 7, 11, 13, 17, 19, 23})
        QTest::addRow("%d", failed) << failed << Do::RetryNow << Milliseconds{0};
    QTest::newRow("6") << 6 << Do::RetryAt << Milliseconds{10s};
    QTest::newRow("12") << 12 << Do::RetryAt << Milliseconds{20s};
    QTest::newRow("18") << 18 << Do::RetryAt << Milliseconds{30s};
    QTest::newRow("24") << 24 << Do::GiveUp << Milliseconds{0};
    QTest::newRow("25") << 25 << Do::GiveUp << Milliseconds{0};
    QTest::newRow("no attempt counts as one") << 0 << Do::RetryNow << Milliseconds{0};
    QTest::newRow("less than none") << std::numeric_limits<int>::min() << Do::RetryNow << Milliseconds{0};
    QTest::newRow("very many") << std::numeric_limits<int>::max() << Do::GiveUp << Milliseconds{0};
}

void TestDecision::decisionsOfTheDefaultPolicy()
{
    QFETCH(const int, failed);
    QFETCH(const Do, what);
    QFETCH(const Milliseconds, delay);
    const TimePoint now = start + 2min;
    const Decision decision = recovery::decide(Policy{}, failure("System.Exception"), failed, start, now);
    QCOMPARE(decision.what, what);
    QCOMPARE(decision.delay, delay);
    if (what == Do::RetryAt)
        QCOMPARE(decision.at, now + delay);
    QCOMPARE(decision.reason, what == Do::GiveUp ? Reason::AttemptsUsed : Reason::None);
}

// Azure Service Bus, "Custom Retry Counter": 5 x 2^n seconds, given up when 5 delayed tries have failed.
void TestDecision::fiveDelayedTriesThatDouble_data()
{
    QTest::addColumn<int>("failed");
    QTest::addColumn<Do>("what");
    QTest::addColumn<Milliseconds>("delay");
    QTest::newRow("retry count 0") << 1 << Do::RetryAt << Milliseconds{5s};
    QTest::newRow("retry count 1") << 2 << Do::RetryAt << Milliseconds{10s};
    QTest::newRow("retry count 2") << 3 << Do::RetryAt << Milliseconds{20s};
    QTest::newRow("retry count 3") << 4 << Do::RetryAt << Milliseconds{40s};
    QTest::newRow("retry count 4") << 5 << Do::RetryAt << Milliseconds{80s};
    QTest::newRow("retry count 5") << 6 << Do::GiveUp << Milliseconds{0};
}

void TestDecision::fiveDelayedTriesThatDouble()
{
    QFETCH(const int, failed);
    QFETCH(const Do, what);
    QFETCH(const Milliseconds, delay);
    Policy policy;
    policy.immediate = 0;
    policy.delayed = 5;
    policy.schedule.kind = Schedule::Kind::Exponential;
    policy.schedule.first = 5s;
    const Decision decision = recovery::decide(policy, failure("A.Exception"), failed, start, start);
    QCOMPARE(decision.what, what);
    QCOMPARE(decision.delay, delay);
}

// ReportStream, Process: a message that fails 4 tries is poison.
void TestDecision::fourTriesOfAQueue()
{
    Policy policy;
    policy.immediate = 3;
    policy.delayed = 0;
    const Decider decider(policy);
    for (int failed = 1; failed <= 3; ++failed)
        QCOMPARE(decider.decide(Failure{}, failed, start, start).what, Do::RetryNow);
    QCOMPARE(decider.decide(Failure{}, 4, start, start).reason, Reason::AttemptsUsed);
}

// Deferred dispatch: HTTP 412 is retried at once, 5 times.
void TestDecision::aConflictIsRetriedFiveTimes()
{
    Policy policy;
    policy.delayed = 0;
    const Decider decider(policy);
    Failure conflict;
    conflict.httpStatus = 412;
    for (int failed = 1; failed <= 5; ++failed)
        QCOMPARE(decider.decide(conflict, failed, start, start).what, Do::RetryNow);
    QCOMPARE(decider.decide(conflict, 6, start, start).what, Do::GiveUp);
}

void TestDecision::anUnrecoverableFailureIsGivenUpAtOnce()
{
    const Failure broken = failure("NServiceBus.MessageDeserializationException");
    const Decision decision = recovery::decide(Policy{}, broken, 1, start, start);
    QCOMPARE(decision.what, Do::GiveUp);
    QCOMPARE(decision.reason, Reason::Permanent);
    QCOMPARE(recovery::decide(Policy{}, broken, 24, start, start).reason, Reason::Permanent);
}

void TestDecision::aDelayedFailureSkipsTheImmediateRetries()
{
    Policy policy;
    policy.rules = {{.by = ClassRule::By::Exception,
                     .pattern = QStringLiteral("*Timeout*"),
                     .httpStatus = 0,
                     .as = FailureClass::Delayed}};
    const Decider decider(policy);
    const Failure timeout = failure("System.TimeoutException");
    QCOMPARE(decider.decide(timeout, 1, start, start).delay, Milliseconds{10s});
    QCOMPARE(decider.decide(timeout, 2, start, start).delay, Milliseconds{20s});
    QCOMPARE(decider.decide(timeout, 3, start, start).delay, Milliseconds{30s});
    QCOMPARE(decider.decide(timeout, 4, start, start).what, Do::GiveUp);
}

// Three failures that may work at once, then one that needs time: the first delayed retry follows.
void TestDecision::failuresOfBothKindsShareTheBudget()
{
    const Policy policy;
    const Progress before = progress(4, 4, 0);
    const Decision decision = decide(policy, FailureClass::Delayed, before, start);
    QCOMPARE(decision.what, Do::RetryAt);
    QCOMPARE(decision.delay, Milliseconds{10s});
    const Progress after = progressAfter(before, decision, start);
    QCOMPARE(after, (Progress{.failed = 5, .inRound = 1, .delayed = 1, .firstFailure = start, .lastDelayed = start}));
    const Decision next = decide(policy, FailureClass::Transient, after, start + 10s);
    QCOMPARE(next.what, Do::RetryNow);
    QCOMPARE(progressAfter(after, next, start + 10s).inRound, 2);
}

// A copy whose counters were lost must not be retried for ever (Azure Service Bus).
void TestDecision::theBoundOnAttemptsHoldsWhateverElseIsKnown()
{
    const Policy policy;
    QCOMPARE(decide(policy, FailureClass::Transient, progress(24, 1, 0), start).reason, Reason::AttemptsUsed);
    QCOMPARE(decide(policy, FailureClass::Delayed, progress(24, 1, 0), start).reason, Reason::AttemptsUsed);
    QCOMPARE(decide(policy, FailureClass::Delayed, progress(4, 1, 3), start).reason, Reason::AttemptsUsed);
    QCOMPARE(decide(policy, FailureClass::Transient, progress(23, 1, 0), start).what, Do::RetryNow);
}

void TestDecision::aGapOfTwentyFourHours_data()
{
    QTest::addColumn<Milliseconds>("first");
    QTest::addColumn<int>("delayed");
    QTest::addColumn<Do>("what");
    QTest::newRow("exactly 24 h") << Milliseconds{24h} << 0 << Do::RetryAt;
    QTest::newRow("1 s more") << Milliseconds{24h + 1s} << 0 << Do::GiveUp;
    QTest::newRow("second: 24 h") << Milliseconds{12h} << 1 << Do::RetryAt;
    QTest::newRow("third: 36 h") << Milliseconds{12h} << 2 << Do::GiveUp;
}

void TestDecision::aGapOfTwentyFourHours()
{
    QFETCH(const Milliseconds, first);
    QFETCH(const int, delayed);
    QFETCH(const Do, what);
    Policy policy;
    policy.immediate = 0;
    policy.schedule.first = first;
    const Decision decision = decide(policy, FailureClass::Transient, progress(delayed + 1, 1, delayed), start);
    QCOMPARE(decision.what, what);
    QCOMPARE(decision.reason, what == Do::GiveUp ? Reason::GapTooLong : Reason::None);
}

void TestDecision::aMessageThatComesTooLateIsGivenUp_data()
{
    QTest::addColumn<Milliseconds>("since");
    QTest::addColumn<Reason>("reason");
    QTest::newRow("on time") << Milliseconds{10s} << Reason::None;
    QTest::newRow("after 24 h") << Milliseconds{24h} << Reason::None;
    QTest::newRow("after more than 24 h") << Milliseconds{24h + 1ms} << Reason::GapTooLong;
}

// NServiceBus: the time of the last delayed retry is more than a day ago.
void TestDecision::aMessageThatComesTooLateIsGivenUp()
{
    QFETCH(const Milliseconds, since);
    QFETCH(const Reason, reason);
    Policy policy;
    policy.immediate = 0;
    Progress late = progress(2, 1, 1);
    late.lastDelayed = start;
    QCOMPARE(decide(policy, FailureClass::Transient, late, start + since).reason, reason);
    late.firstFailure = start + since; // so that only the gap of a cadence could be too long
    Policy cadence = daily();
    cadence.longestGap = Milliseconds{24h};
    QCOMPARE(decide(cadence, FailureClass::Transient, late, start + since).reason, Reason::None);
}

// ReportStream, Batch: data once a day, backstop 3 days + 3 hours.
void TestDecision::theBackstopOfADailyReceiver_data()
{
    QTest::addColumn<Milliseconds>("age");
    QTest::addColumn<Reason>("reason");
    QTest::newRow("first failure") << Milliseconds{0} << Reason::None;
    QTest::newRow("a day") << Milliseconds{24h} << Reason::None;
    QTest::newRow("2 days") << Milliseconds{48h} << Reason::None;
    QTest::newRow("3 days: the next turn is too late") << Milliseconds{72h} << Reason::BackstopReached;
    QTest::newRow("older than the backstop") << Milliseconds{75h + 1ms} << Reason::BackstopReached;
}

void TestDecision::theBackstopOfADailyReceiver()
{
    QFETCH(const Milliseconds, age);
    QFETCH(const Reason, reason);
    QCOMPARE(decide(daily(), FailureClass::Transient, progress(1, 1, 0), start + age).reason, reason);
    Policy other = daily();
    other.backstop = Backstop{.cycle = 30h, .plus = 6h}; // 96 h: the fourth turn is in time, to the millisecond
    QCOMPARE(decide(other, FailureClass::Transient, progress(1, 1, 0), start + 72h).reason, Reason::None);
    Progress later = progress(1, 1, 0);
    later.firstFailure = start - 1ms;
    QCOMPARE(decide(other, FailureClass::Transient, later, start + 72h).reason, Reason::BackstopReached);
}

void TestDecision::theBackstopEndsImmediateRetriesToo()
{
    Policy policy;
    policy.backstop = Backstop{.cycle = 1h, .plus = 0s};
    QCOMPARE(decide(policy, FailureClass::Transient, progress(1, 1, 0), start + 3h).what, Do::RetryNow);
    QCOMPARE(decide(policy, FailureClass::Transient, progress(1, 1, 0), start + 3h + 1ms).reason,
             Reason::BackstopReached);
}

void TestDecision::aCadenceWaitsForItsTurn_data()
{
    QTest::addColumn<Milliseconds>("now"); // since midnight
    QTest::addColumn<Milliseconds>("at");
    QTest::newRow("before the turn") << Milliseconds{5h} << Milliseconds{6h};
    QTest::newRow("just before it") << Milliseconds{6h - 1ms} << Milliseconds{6h};
    QTest::newRow("at the turn: the next one") << Milliseconds{6h} << Milliseconds{30h};
    QTest::newRow("after it") << Milliseconds{7h} << Milliseconds{30h};
    QTest::newRow("at midnight") << Milliseconds{0} << Milliseconds{6h};
}

void TestDecision::aCadenceWaitsForItsTurn()
{
    QFETCH(const Milliseconds, now);
    QFETCH(const Milliseconds, at);
    Policy policy = daily();
    policy.schedule.offset = 6h;
    core::SeededRandom random(1);
    const Decision decision = decide(policy, FailureClass::Transient, progress(1, 1, 0), start + now, &random);
    QCOMPARE(decision.at, start + at);
}

void TestDecision::anExpiredMessageIsDiscarded()
{
    Failure late = failure("NServiceBus.MessageDeserializationException"); // even if it is permanent
    late.expiresAt = start + 1min;
    const Decision decision = recovery::decide(Policy{}, late, 1, start, start + 1min);
    QCOMPARE(decision.what, Do::Discard);
    QCOMPARE(decision.reason, Reason::Expired);
    QCOMPARE(recovery::decide(Policy{}, late, 1, start, start + 1min - 1ms).reason, Reason::Permanent);
}

void TestDecision::noRetryAfterTheExpiry()
{
    Policy policy;
    policy.immediate = 0;
    Failure soon;
    soon.expiresAt = start + 10s;
    QCOMPARE(recovery::decide(policy, soon, 1, start, start).reason, Reason::ExpiresBefore);
    soon.expiresAt = start + 10s + 1ms;
    QCOMPARE(recovery::decide(policy, soon, 1, start, start).what, Do::RetryAt);
    policy.backstop = Backstop{.cycle = 1s, .plus = 0s};
    QCOMPARE(recovery::decide(policy, soon, 1, start, start).reason, Reason::BackstopReached);
    policy.backstop->cycle = 1h;
    soon.expiresAt = start + 10s;
    QCOMPARE(recovery::decide(policy, soon, 1, start, start).reason, Reason::ExpiresBefore);
}

void TestDecision::anObsoleteMessageIsDiscarded()
{
    Failure gone;
    gone.isObsolete = true;
    const Decision decision = recovery::decide(Policy{}, gone, 1, start, start);
    QCOMPARE(decision.what, Do::Discard);
    QCOMPARE(decision.reason, Reason::Obsolete);
}

void TestDecision::aClockThatWasSetBackIsNoAge()
{
    Progress ahead = progress(1, 1, 0);
    ahead.firstFailure = start + 1000h;
    const Decision decision = decide(daily(), FailureClass::Transient, ahead, start);
    QCOMPARE(decision.what, Do::RetryAt);
    QCOMPARE(decision.at, start + 24h);
    Policy longer; // no clock makes a delay shorter than the backstop
    longer.immediate = 0;
    longer.schedule.first = 10h;
    longer.backstop = Backstop{.cycle = 1h, .plus = 0s};
    QCOMPARE(decide(longer, FailureClass::Transient, ahead, start).reason, Reason::BackstopReached);
}

void TestDecision::aRandomSourceSpreadsTheDelay()
{
    Policy policy;
    policy.immediate = 0;
    policy.jitter.kind = Jitter::Kind::Equal;
    core::SeededRandom random(7);
    QSet<qint64> delays;
    for (int i = 0; i < 100; ++i) {
        const Decision decision = decide(policy, FailureClass::Transient, progress(1, 1, 0), start, &random);
        QCOMPARE(decision.at, start + decision.delay);
        delays.insert(decision.delay.count());
    }
    QVERIFY2(delays.size() > 90, qPrintable(QString::number(delays.size())));
}

void TestDecision::eachReasonHasItsText()
{
    const Policy policy = daily();
    QVERIFY(recovery::reasonText(Reason::None, policy).isEmpty());
    QSet<QString> texts;
    for (int i = 1; i <= int(lastOf(Reason())); ++i)
        texts.insert(recovery::reasonText(Reason(i), policy));
    QCOMPARE(texts.size(), int(lastOf(Reason())));
    QVERIFY(recovery::reasonText(Reason::BackstopReached, policy).contains(QStringLiteral("3 d 3 h")));
}

REDRIVE_TEST(TestDecision)
#include "tst_decision.moc"
