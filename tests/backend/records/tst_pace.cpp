// What the speed of a retry says about the time that it takes.
#include "backend/records/rules/pace.h"
#include "backend/records/rules/rampplan.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace records;

class TestPace final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLimitedRateIsNeverShownAboveItsLimit()
    {
        Plan plan;
        QCOMPARE(shownRate(plan, 812.5), 812.5);
        plan.perMinute = 1200;
        QCOMPARE(shownRate(plan, 23.8), 20.0);
        QCOMPARE(shownRate(plan, 12.0), 12.0);
    }

    void onlyWhatRunsHasATimeLeft_data()
    {
        QTest::addColumn<OperationState>("state");
        QTest::addColumn<bool>("shown");
        QTest::newRow("running") << OperationState::Running << true;
        QTest::newRow("paused") << OperationState::Paused << false;
        QTest::newRow("waiting") << OperationState::Waiting << false;
        QTest::newRow("completed") << OperationState::Completed << false;
    }

    void onlyWhatRunsHasATimeLeft()
    {
        QFETCH(OperationState, state);
        QFETCH(bool, shown);
        RetryOperation operation;
        operation.state = state;
        operation.total = 1000;
        operation.counts.sent = 400;
        QCOMPARE(timeLeft(operation, 20).has_value(), shown);
        if (shown)
            QCOMPARE(*timeLeft(operation, 20), core::Milliseconds{30000});
        QVERIFY(!timeLeft(operation, 0));
    }

    void theWaitsOfARampAreNoSpeed()
    {
        RetryOperation operation;
        operation.state = OperationState::Running;
        operation.total = 100'000;
        operation.plan.ramp = Ramp{{1, 10, 100}, true};
        QVERIFY(!timeLeft(operation, 20));
        while (allowed(*operation.plan.ramp, operation.provedSteps) < operation.total)
            ++operation.provedSteps;
        QVERIFY(timeLeft(operation, 20)); // the rest goes without waits
    }

    void aThrottledRetryTellsNothingAboutAnother()
    {
        QVERIFY(isUnthrottled({}));
        Plan limited;
        limited.perMinute = 60;
        QVERIFY(!isUnthrottled(limited));
        Plan ramped;
        ramped.ramp = Ramp{};
        QVERIFY(!isUnthrottled(ramped));
        Plan held;
        held.mostWaiting = 100;
        QVERIFY(!isUnthrottled(held));
    }
};

REDRIVE_TEST(TestPace)
#include "tst_pace.moc"
