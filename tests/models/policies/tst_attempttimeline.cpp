// The attempts of a policy on a time line: where each round stands, and what is read out.
#include "models/policies/attempttimeline.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using models::AttemptTimeline;
using recovery::Schedule;

class TestAttemptTimeline final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void retriesAtOnceShareARound();
    void aLinearScheduleIsToScale();
    void aSteepScheduleIsLogarithmic();
    void turnsOfACadenceAreEven();
    void jitterSpreadsTheRounds();
    void noRetryGivesUpAtOnce();
    void itIsReadOut();
    void manyRoundsAreReadOutInPart();

private:
    static AttemptTimeline lineOf(const recovery::Policy &policy)
    {
        return models::timelineOf(recovery::planAttempts(policy));
    }
};

// NServiceBus: 5 at once and 3 delayed after 10, 20 and 30 s.
void TestAttemptTimeline::retriesAtOnceShareARound()
{
    const AttemptTimeline line = lineOf(recovery::Policy());
    QCOMPARE(line.attempts, 24);
    QCOMPARE(line.rounds.size(), 4);
    for (const models::AttemptRound &round : line.rounds)
        QCOMPARE(round.attempts, 6);
    QCOMPARE(line.givesUp, (recovery::DelayRange{60s, 60s}));
    QVERIFY(!models::isSpread(line));
}

void TestAttemptTimeline::aLinearScheduleIsToScale()
{
    const AttemptTimeline line = lineOf(recovery::Policy());
    QVERIFY(!line.isLogarithmic);
    QCOMPARE(line.rounds.at(0).place, 0.0);
    QCOMPARE(line.rounds.at(1).place, 10.0 / 60);
    QCOMPARE(line.rounds.at(2).place, 30.0 / 60);
    QCOMPARE(line.rounds.at(3).place, 1.0);
}

void TestAttemptTimeline::aSteepScheduleIsLogarithmic()
{
    recovery::Policy policy;
    policy.immediate = 0;
    policy.delayed = 10;
    policy.schedule.kind = Schedule::Kind::Exponential;
    policy.schedule.first = 5s;
    const AttemptTimeline line = lineOf(policy);
    QVERIFY(line.isLogarithmic);
    QCOMPARE(line.rounds.size(), 11);
    QCOMPARE(line.rounds.constFirst().place, 0.0);
    QCOMPARE(line.rounds.constLast().place, 1.0);
    for (qsizetype i = 1; i < line.rounds.size(); ++i)
        QVERIFY(line.rounds.at(i).place - line.rounds.at(i - 1).place > 0.03); // can be told apart
}

void TestAttemptTimeline::turnsOfACadenceAreEven()
{
    recovery::Policy policy;
    policy.immediate = 0;
    policy.delayed = 3;
    policy.schedule.kind = Schedule::Kind::Cadence;
    policy.schedule.every = 24h;
    const AttemptTimeline line = lineOf(policy);
    QVERIFY(!line.isLogarithmic);
    QCOMPARE(line.rounds.size(), 4);
    QCOMPARE(line.rounds.at(1).place, 1.0 / 3);
}

// 10, 20 and 30 s plus or minus a half: the last one comes from 30 to 90 s.
void TestAttemptTimeline::jitterSpreadsTheRounds()
{
    recovery::Policy policy;
    policy.immediate = 0;
    policy.jitter = {.kind = recovery::Jitter::Kind::Percent, .percent = 50};
    const AttemptTimeline line = lineOf(policy);
    QVERIFY(models::isSpread(line));
    QCOMPARE(line.rounds.at(3).earliest, 30.0 / 90);
    QCOMPARE(line.rounds.at(3).place, 60.0 / 90);
    QCOMPARE(line.rounds.at(3).latest, 1.0);
    QCOMPARE(models::givesUpText(line), QStringLiteral("Gives up after 30 s to 1 min 30 s"));
    QVERIFY(models::spokenTimeline(line).contains(QStringLiteral("5 s to 15 s")));
    policy.jitter.kind = recovery::Jitter::Kind::Full; // all rounds can come at once
    QCOMPARE(lineOf(policy).rounds.size(), 4);
}

void TestAttemptTimeline::noRetryGivesUpAtOnce()
{
    recovery::Policy policy;
    policy.immediate = 0;
    policy.delayed = 0;
    const AttemptTimeline line = lineOf(policy);
    QCOMPARE(line.rounds.size(), 1);
    QCOMPARE(line.rounds.constFirst().attempts, 1);
    QCOMPARE(models::givesUpText(line), QStringLiteral("Gives up at once"));
    policy.immediate = 4;
    QCOMPARE(lineOf(policy).rounds.constFirst().attempts, 5);
}

void TestAttemptTimeline::itIsReadOut()
{
    const QString spoken = models::spokenTimeline(lineOf(recovery::Policy()));
    for (const char *part : {"0 s: 5 retries", "10 s: 6 retries", "30 s", "1 min"})
        QVERIFY2(spoken.contains(QLatin1String(part)), qPrintable(spoken));
}

void TestAttemptTimeline::manyRoundsAreReadOutInPart()
{
    recovery::Policy policy;
    policy.immediate = 0;
    policy.delayed = 9999;
    policy.schedule.kind = Schedule::Kind::List;
    policy.schedule.delays = {core::Milliseconds(1s)};
    const AttemptTimeline line = lineOf(policy);
    QCOMPARE(line.rounds.size(), 10000);
    QVERIFY(models::spokenTimeline(line).size() < 500);
}

REDRIVE_TEST(TestAttemptTimeline)
#include "tst_attempttimeline.moc"
