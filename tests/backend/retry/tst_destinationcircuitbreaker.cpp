// How long a destination that refused is kept out.
#include "backend/retry/gates/destinationcircuitbreaker.h"
#include "tests/support/clocksthatareset.h"
#include "tests/support/testmain/testmain.h"

using retry::DestinationCircuitBreaker;
using namespace std::chrono_literals;

class TestDestinationCircuitBreaker final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatRefusesRestsForAWhile_data() { support::clocksThatAreSet(); }

    void whatRefusesRestsForAWhile()
    {
        QFETCH(const core::Milliseconds, by);
        support::FakeClock clock;
        DestinationCircuitBreaker breaker(clock, 60s);
        QVERIFY(!breaker.isOpen());
        breaker.refused(QStringLiteral("billing"), QStringLiteral("full"), DestinationCircuitBreaker::Cause::Refusing);
        breaker.listed({QStringLiteral("billing")}, Qt::CaseSensitive); // it was there all the time
        QCOMPARE(breaker.refusal(QStringLiteral("billing")), QStringLiteral("full"));
        QVERIFY(breaker.refusal(QStringLiteral("sales")).isEmpty());
        clock.jump(by);
        clock.advance(59s);
        QVERIFY(!breaker.refusal(QStringLiteral("billing")).isEmpty());
        clock.advance(1s);
        QVERIFY(breaker.refusal(QStringLiteral("billing")).isEmpty());
    }

    void whatIsMissingIsKeptOutUntilItIsThere()
    {
        support::FakeClock clock;
        DestinationCircuitBreaker breaker(clock, 60s);
        breaker.refused(QStringLiteral("billing"), QStringLiteral("no such queue"),
                        DestinationCircuitBreaker::Cause::Missing);
        for (int minute = 0; minute < 10; ++minute) {
            clock.advance(60s);
            breaker.listed({QStringLiteral("sales")}, Qt::CaseSensitive); // before each batch
            QVERIFY(!breaker.refusal(QStringLiteral("billing")).isEmpty());
        }
        breaker.listed({QStringLiteral("sales")}, Qt::CaseSensitive);
        QVERIFY(!breaker.refusal(QStringLiteral("billing")).isEmpty());
        breaker.listed({QStringLiteral("sales"), QStringLiteral("billing")}, Qt::CaseSensitive);
        QVERIFY(breaker.refusal(QStringLiteral("billing")).isEmpty());
        QVERIFY(!breaker.isOpen());
    }

    void aRefusalOfAQueueThatIsNotListedMeansMissing()
    {
        support::FakeClock clock;
        DestinationCircuitBreaker breaker(clock, 60s);
        breaker.refused(QStringLiteral("Billing"), QStringLiteral("unroutable"),
                        DestinationCircuitBreaker::Cause::Refusing);
        clock.advance(10min);
        breaker.listed({}, Qt::CaseInsensitive);
        QVERIFY(!breaker.refusal(QStringLiteral("Billing")).isEmpty());
        breaker.listed({QStringLiteral("billing")}, Qt::CaseInsensitive);
        QVERIFY(breaker.refusal(QStringLiteral("Billing")).isEmpty());
    }

    void oneCopyAtATimeMayTryWhatRefused()
    {
        support::FakeClock clock;
        DestinationCircuitBreaker breaker(clock, 60s);
        const QString billing = QStringLiteral("billing");
        QVERIFY(!breaker.isTrialDue(billing));
        breaker.refused(billing, QStringLiteral("full"), DestinationCircuitBreaker::Cause::Refusing);
        const int changes = breaker.changes();
        QVERIFY(!breaker.isTrialDue(billing));
        clock.advance(60s);
        QVERIFY(breaker.isTrialDue(billing));
        breaker.beginTrial(billing);
        QVERIFY(!breaker.isTrialDue(billing)); // until the first one has its answer
        QVERIFY(breaker.isOnTrial(billing));
        QCOMPARE(breaker.refusal(billing), QStringLiteral("full"));
        breaker.refused(billing, QStringLiteral("still full"), DestinationCircuitBreaker::Cause::Refusing);
        QVERIFY(!breaker.isOnTrial(billing));
        QCOMPARE(breaker.changes(), changes); // no news
        clock.advance(60s);
        QVERIFY(breaker.isTrialDue(billing));
        breaker.listed({}, Qt::CaseSensitive);
        QVERIFY(!breaker.isTrialDue(billing)); // nothing to try
        QVERIFY(breaker.isMissing(billing));
    }

    void whatAcceptsIsForgiven()
    {
        support::FakeClock clock;
        DestinationCircuitBreaker breaker(clock, 60s);
        breaker.refused(QStringLiteral("billing"), QStringLiteral("full"), DestinationCircuitBreaker::Cause::Refusing);
        breaker.accepted(QStringLiteral("billing"));
        QVERIFY(breaker.refusal(QStringLiteral("billing")).isEmpty());
    }
};

REDRIVE_TEST(TestDestinationCircuitBreaker)
#include "tst_destinationcircuitbreaker.moc"
