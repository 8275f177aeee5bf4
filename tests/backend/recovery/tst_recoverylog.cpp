// Replays the decisions for the output example of NServiceBus, recoverability, "Retry logging": 3 immediate and 2
// delayed retries, 12 attempts.
#include "backend/recovery/recoverylog.h"
#include "tests/support/recoverabilitylog.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using recovery::Decider;
using recovery::Decision;
using recovery::Failure;
using recovery::LogLine;
using recovery::Policy;
using recovery::Progress;
using Do = Decision::Do;
using Level = LogLine::Level;
using recovery::LoggerNames;
using namespace std::chrono_literals;

class TestRecoveryLog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTwelveAttemptsOfTheExample();
    void aCountOfAttemptsAloneGivesTheSameLog();
    void eachKindHasALoggerSinceVersion8();
    void levels_data();
    void levels();
    void hoursOfALongDelay_data();
    void hoursOfALongDelay();
    void namesAreTakenAsTheyAre();
};

namespace {

const core::TimePoint start = core::fromMs(1'700'000'000'000);

Policy policyOfTheExample()
{
    Policy policy;
    policy.immediate = 3;
    policy.delayed = 2;
    return policy;
}

QString entry(int attempt, const Decision &decision, const QString &instance = {},
              LoggerNames names = LoggerNames::BeforeVersion8)
{
    return QStringLiteral("Handler - Attempt %1\n").arg(attempt)
           + toString(recovery::logLine(decision, QStringLiteral("messageId"), QStringLiteral("error")), instance,
                      names)
           + QLatin1Char('\n');
}

} // namespace

void TestRecoveryLog::theTwelveAttemptsOfTheExample()
{
    const Decider decider(policyOfTheExample());
    core::TimePoint now = start;
    Progress progress;
    progress.firstFailure = start;
    QString log;
    for (int attempt = 1; attempt <= 100; ++attempt) {
        const Decision decision = decider.decide(Failure{}, progress, now);
        log += entry(attempt, decision);
        if (decision.what == Do::GiveUp)
            break;
        progress = progressAfter(progress, decision, now);
        now += decision.delay + 30ms; // a handler takes some time
    }
    QCOMPARE(log, QString::fromLatin1(support::recoverabilityLog));
}

void TestRecoveryLog::aCountOfAttemptsAloneGivesTheSameLog()
{
    const Decider decider(policyOfTheExample());
    QString log;
    for (int attempt = 1; attempt <= 12; ++attempt)
        log += entry(attempt, decider.decide(Failure{}, attempt, start, start + 1min));
    QCOMPARE(log, QString::fromLatin1(support::recoverabilityLog));
}

// "From version 8, the logger names used are".
void TestRecoveryLog::eachKindHasALoggerSinceVersion8()
{
    const Decider decider(policyOfTheExample());
    QString log;
    for (int attempt = 1; attempt <= 12; ++attempt)
        log += entry(attempt, decider.decide(Failure{}, attempt, start, start + 1min), QStringLiteral("sales-1"),
                     LoggerNames::SinceVersion8);
    QCOMPARE(log, support::recoverabilityLogSince8(QStringLiteral("sales-1")));
    QVERIFY(
        log.startsWith(QStringLiteral("Handler - Attempt 1\nInfo NServiceBus.ImmediateRetry. Instance: sales-1\n")));
    QCOMPARE(log.count(QStringLiteral("Info NServiceBus.ImmediateRetry.")), 9);
    QCOMPARE(log.count(QStringLiteral("Warn NServiceBus.DelayedRetry.")), 2);
    QCOMPARE(log.count(QStringLiteral("Error NServiceBus.MoveToError.")), 1);
}

void TestRecoveryLog::levels_data()
{
    QTest::addColumn<Do>("what");
    QTest::addColumn<Level>("level");
    QTest::addColumn<QString>("text");
    QTest::newRow("immediate") << Do::RetryNow << Level::Info
                               << "Immediate Retry is going to retry message 'order-7' because of an exception:";
    QTest::newRow("delayed")
        << Do::RetryAt << Level::Warn
        << "Delayed Retry will reschedule message 'order-7' after a delay of 01:02:03 because of an "
           "exception:";
    QTest::newRow("to error queue")
        << Do::GiveUp << Level::Error
        << "Moving message 'order-7' to the error queue 'error' because processing failed due "
           "to an exception:";
    QTest::newRow("discard") << Do::Discard << Level::Info << "Discarding message with id 'order-7'. Reason: Expired";
}

void TestRecoveryLog::levels()
{
    QFETCH(const Do, what);
    QFETCH(const Level, level);
    QFETCH(const QString, text);
    const Decision decision{.what = what, .reason = recovery::Reason::Expired, .delay = 1h + 2min + 3s, .at = start};
    const LogLine line = recovery::logLine(decision, QStringLiteral("order-7"), QStringLiteral("error"));
    QCOMPARE(line.level, level);
    QCOMPARE(line.text, text);
}

void TestRecoveryLog::hoursOfALongDelay_data()
{
    QTest::addColumn<core::Milliseconds>("delay");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing") << core::Milliseconds{0} << "00:00:00";
    QTest::newRow("parts of a second") << core::Milliseconds{10999ms} << "00:00:10";
    QTest::newRow("a day") << core::Milliseconds{24h} << "24:00:00";
    QTest::newRow("a week") << core::Milliseconds{168h + 1s} << "168:00:01";
}

void TestRecoveryLog::hoursOfALongDelay()
{
    QFETCH(const core::Milliseconds, delay);
    QFETCH(const QString, text);
    const Decision decision{.what = Do::RetryAt, .reason = recovery::Reason::None, .delay = delay, .at = start};
    const LogLine line = recovery::logLine(decision, QStringLiteral("m"), {});
    QVERIFY2(line.text.contains(QStringLiteral("after a delay of %1 because").arg(text)), qPrintable(line.text));
}

void TestRecoveryLog::namesAreTakenAsTheyAre()
{
    const Decision decision{.what = Do::GiveUp, .reason = recovery::Reason::Permanent, .delay = {}, .at = {}};
    const LogLine line = recovery::logLine(decision, QStringLiteral("%2"), QStringLiteral("%1"));
    QCOMPARE(line.text, QStringLiteral("Moving message '%2' to the error queue '%1' because processing failed due to "
                                       "an exception:"));
}

REDRIVE_TEST(TestRecoveryLog)
#include "tst_recoverylog.moc"
