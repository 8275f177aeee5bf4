// The scenario "telemetry" on a simulated clock: what Azure Service Bus says of locks, prefetching and dead letters.
#include "tests/backend/sandbox/scenariorig.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using support::runScenario;

class TestTelemetry final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_outcome = runScenario({QStringLiteral("telemetry"), 7}); }
    void everyReadingHasAnEnd();
    void prefetchingTooMuchLosesLocksAndProcessesTwice();
    void deadLettersHaveTheReasonsOfTheBroker();
    void messagesAreSettledInFourWays();
    void withoutGreedNoLockIsLost();
    void moreDeadLettersThanFitInOnePage();
    void theSameSeedGivesTheSameRun();

private:
    [[nodiscard]] qint64 count(const char *field) const
    {
        return m_outcome.report.value(QLatin1StringView(field)).toInteger(-1);
    }
    [[nodiscard]] int in(const char *field, const char *name) const
    {
        return m_outcome.report.value(QLatin1StringView(field)).toObject().value(QLatin1StringView(name)).toInt(0);
    }

    support::ScenarioOutcome m_outcome;
};

void TestTelemetry::everyReadingHasAnEnd()
{
    QVERIFY(m_outcome.isOver);
    QCOMPARE(count("sent"), 300);
    QCOMPARE(count("unaccounted"), 0);
    QCOMPARE(count("processed") + count("failed_for_good"), count("sent"));
}

// 40 messages of 0.8 s each take 32 s, and the lock lasts 15 s: the second half of each buffer belongs to somebody else.
void TestTelemetry::prefetchingTooMuchLosesLocksAndProcessesTwice()
{
    QVERIFY(in("locks_lost_by", "greedy") > 10);
    QCOMPARE(in("locks_lost_by", "careful"), 0);
    QVERIFY(count("processed_twice") > 10);
    QVERIFY(count("processed_twice") <= count("locks_lost"));
    const auto lines = std::count_if(m_outcome.log.cbegin(), m_outcome.log.cend(), [](const QString &line) {
        return line.startsWith(QStringLiteral("greedy: LockLostException: message "));
    });
    QCOMPARE(lines, count("locks_lost"));
}

void TestTelemetry::deadLettersHaveTheReasonsOfTheBroker()
{
    QVERIFY(in("dead_letters", "MaxDeliveryCountExceeded") > 0);
    QVERIFY(in("dead_letters", "TTLExpiredException") > 0);
    QVERIFY(in("dead_letters", "InvalidJson") > 0);
    QCOMPARE(in("dead_letters", "InvalidJson"), count("dead_lettered"));
}

void TestTelemetry::messagesAreSettledInFourWays()
{
    QVERIFY(count("completed") > 100);
    QVERIFY(count("abandoned") > 10);
    QVERIFY(count("dead_lettered") > 0);
    QVERIFY(count("deferred") > 0);
}

void TestTelemetry::withoutGreedNoLockIsLost()
{
    const support::ScenarioOutcome calm = runScenario({QStringLiteral(SCENARIO_FILES "/calm.json"), 7});
    QVERIFY(calm.isOver);
    QCOMPARE(calm.report.value(QStringLiteral("locks_lost")).toInt(-1), 0);
    QCOMPARE(calm.report.value(QStringLiteral("processed_twice")).toInt(-1), 0);
    QCOMPARE(calm.report.value(QStringLiteral("processed")).toInt(-1), 60);
    QCOMPARE(calm.report.value(QStringLiteral("unaccounted")).toInt(-1), 0);
}

// The broker gives 1,000 messages at most in one answer.
void TestTelemetry::moreDeadLettersThanFitInOnePage()
{
    const support::ScenarioOutcome spoiled = runScenario({QStringLiteral(SCENARIO_FILES "/spoiled.json"), 7});
    QVERIFY(spoiled.isOver);
    QCOMPARE(spoiled.report.value(QStringLiteral("dead_lettered")).toInt(-1), 1100);
    QCOMPARE(spoiled.report.value(QStringLiteral("failed_for_good")).toInt(-1), 1100);
    QCOMPARE(spoiled.report.value(QStringLiteral("unaccounted")).toInt(-1), 0);
}

void TestTelemetry::theSameSeedGivesTheSameRun()
{
    const support::ScenarioOutcome again = runScenario({QStringLiteral("telemetry"), 7});
    QCOMPARE(again.report, m_outcome.report);
    QCOMPARE(again.log, m_outcome.log);
}

REDRIVE_TEST(TestTelemetry)
#include "tst_telemetry.moc"
