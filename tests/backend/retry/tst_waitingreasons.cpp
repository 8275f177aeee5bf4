// Of several reasons why an operation waits, the one nearest to the end of a message's way is stored.
#include "backend/retry/context/sharedstate.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/backend/retry/retrystorefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::OperationId;
using LaneName = retry::WaitingReasons::LaneName;

class TestWaitingReasons final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theForwardingLaneComesFirst();
    void whatAllWaitForIsStoredAtEach();
    void theReasonOfAnotherOperationIsNotShown();
    void aRefusingDestinationIsAReasonWhileItRefuses();
    void aPausedOperationWaitsForNoGate();

private:
    [[nodiscard]] QString stored(OperationId operation) { return m_fixture->operation(operation).waitingReason; }

    std::unique_ptr<test::RetryStoreFixture> m_fixture;
    std::unique_ptr<retry::SharedState> m_shared;
    OperationId m_first;
    OperationId m_second;
};

void TestWaitingReasons::init()
{
    m_fixture = std::make_unique<test::RetryStoreFixture>();
    m_shared = std::make_unique<retry::SharedState>(m_fixture->connection, m_fixture->dependencies());
    m_first = m_fixture->addOperation(1);
    m_second = m_fixture->addOperation(1);
}

void TestWaitingReasons::cleanup()
{
    m_shared.reset();
    m_fixture.reset();
}

void TestWaitingReasons::theForwardingLaneComesFirst()
{
    retry::WaitingReasons &reasons = m_shared->reasons;
    reasons.set(LaneName::Staging, m_first, QStringLiteral("staging"));
    QCOMPARE(stored(m_first), QStringLiteral("staging"));
    reasons.set(LaneName::Forwarding, m_first, QStringLiteral("forwarding"));
    QCOMPARE(stored(m_first), QStringLiteral("forwarding"));
    reasons.set(LaneName::Forwarding, {}, {});
    QCOMPARE(stored(m_first), QStringLiteral("staging"));
    reasons.set(LaneName::Staging, {}, {});
    QCOMPARE(stored(m_first), QString());
}

void TestWaitingReasons::whatAllWaitForIsStoredAtEach()
{
    m_shared->staging.setReason(QStringLiteral("no login"));
    QVERIFY(m_shared->staging.waitsForAll());
    QCOMPARE(stored(m_first), QStringLiteral("no login"));
    QCOMPARE(stored(m_second), QStringLiteral("no login"));
    m_shared->staging.stepSucceeded();
    QCOMPARE(stored(m_first), QString());
    QCOMPARE(stored(m_second), QString());
}

void TestWaitingReasons::theReasonOfAnotherOperationIsNotShown()
{
    retry::Lane &lane = m_shared->staging;
    lane.workFor(m_first);
    lane.setReason(QStringLiteral("no answer"));
    lane.workFor(m_first); // the same: it still waits
    QCOMPARE(stored(m_first), QStringLiteral("no answer"));
    lane.workFor(m_second);
    QCOMPARE(stored(m_first), QString());
    QCOMPARE(stored(m_second), QString());
}

void TestWaitingReasons::aRefusingDestinationIsAReasonWhileItRefuses()
{
    const QString queue = QStringLiteral("billing");
    m_shared->resting.breaker().refused(queue, QStringLiteral("billing is full"),
                                        retry::DestinationCircuitBreaker::Cause::Refusing);
    m_shared->resting.add(core::BatchId{1}, m_first, {queue});
    m_shared->reasons.store(m_first);
    QVERIFY(stored(m_first).contains(QStringLiteral("billing is full")));
    m_shared->resting.breaker().accepted(queue);
    m_shared->reasons.store(m_first);
    QCOMPARE(stored(m_first), QString());
}

void TestWaitingReasons::aPausedOperationWaitsForNoGate()
{
    m_shared->context.observe = [](const store::Returns &) {
        retry::QueueObservation observation;
        observation.blind = QStringLiteral("error is locked");
        return observation;
    };
    records::Plan plan;
    plan.ramp = records::Ramp{{1}};
    const OperationId guarded = m_fixture->addOperation(2, plan);
    const records::RetryOperation operation = m_fixture->operation(guarded);
    m_fixture->transact([&](store::Session &session) { test::must(m_shared->gates.roomToMark(session, operation)); });
    m_shared->reasons.store(guarded);
    QVERIFY(!stored(guarded).isEmpty());

    m_fixture->transact([&](store::Session &session) {
        records::RetryOperation paused = test::must(session.retryOperations().load(guarded));
        paused.state = records::OperationState::Paused;
        test::must(session.retryOperations().update(paused));
    });
    m_shared->reasons.forgetStored(guarded);
    m_shared->reasons.store(guarded);
    QCOMPARE(stored(guarded), QString());
}

REDRIVE_TEST(TestWaitingReasons)
#include "tst_waitingreasons.moc"
