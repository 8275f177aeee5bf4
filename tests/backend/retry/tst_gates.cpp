// The one question to all gates: how many messages may go now, and if none may, why and until when.
#include "backend/retry/gates/gates.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "tests/backend/retry/retrystorefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::OperationId;
using test::must;

class TestGates final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void withoutLimitsEverythingMayGo();
    void nothingIsMarkedBeforeTheStartTime();
    void unseenReturnsHoldAnOperationUntilTheyAreSeen();
    void aMarkedBatchWaitsForItsDestination();
    void aReasonStaysWhileTheRateSaysWait();
    void aShareOfTheBrokerIsMeasuredAndKept();
    void anotherOperationDoesNotStarveOneWithAShare();
    void aQueueThatDropsItsOldestIsNotFilled();
    void whatIsOnItsWayTakesItsRoom();
    void onlyABatchThatWaitsForRoomHoldsNoOther();

private:
    qint64 roomToMark(OperationId operation);
    bool mayStage(OperationId operation, core::BatchId batch);
    void observeDepth(const QStringList &queues, qint64 depth);
    // The one destination of the messages keeps so many, and drops the oldest.
    void observeLimit(const QString &queue, qint64 most, qint64 depth);
    [[nodiscard]] QList<qint64> beyondRoom(OperationId operation, const QList<store::RetryMember> &members);
    [[nodiscard]] QList<store::RetryMember> membersOf(core::BatchId batch);
    void forward(core::BatchId batch);

    std::unique_ptr<test::RetryStoreFixture> m_fixture;
    std::unique_ptr<retry::ProcessorContext> m_context;
    std::unique_ptr<retry::Gates> m_gates;
    retry::QueueObservation m_observation;
    std::optional<core::Task<>> m_measuring;
};

void TestGates::init()
{
    m_observation = {};
    m_fixture = std::make_unique<test::RetryStoreFixture>();
    m_context = std::make_unique<retry::ProcessorContext>(m_fixture->connection, m_fixture->dependencies());
    m_context->observe = [this](const store::Returns &) { return m_observation; };
    m_gates = std::make_unique<retry::Gates>(*m_context);
    m_gates->beginRound();
}

void TestGates::cleanup()
{
    m_gates.reset();
    m_context.reset();
    m_fixture.reset();
}

qint64 TestGates::roomToMark(OperationId id)
{
    const records::RetryOperation operation = m_fixture->operation(id);
    qint64 members = 0;
    m_fixture->transact(
        [&](store::Session &session) { members = must(m_gates->roomToMark(session, operation)).members; });
    return members;
}

bool TestGates::mayStage(OperationId id, core::BatchId batch)
{
    const records::RetryOperation operation = m_fixture->operation(id);
    bool may = false;
    m_fixture->transact([&](store::Session &session) { may = must(m_gates->mayStage(session, operation, batch)); });
    return may;
}

void TestGates::observeDepth(const QStringList &queues, qint64 depth)
{
    m_observation = {};
    for (const QString &name : queues) {
        broker::QueueInfo queue;
        queue.name = name;
        queue.depth = depth;
        m_observation.queues.append(queue);
    }
    m_observation.asOf = m_fixture->clock.steady();
}

void TestGates::withoutLimitsEverythingMayGo()
{
    const OperationId operation = m_fixture->addOperation(3);
    QVERIFY(roomToMark(operation) >= 3);
    const records::RetryBatch batch = m_fixture->addBatch(operation, 3);
    QVERIFY(mayStage(operation, batch.id));
    QCOMPARE(m_gates->askAgainIn(), core::Milliseconds{30000});
    QVERIFY(m_gates->takeChangedReasons().isEmpty());
}

void TestGates::nothingIsMarkedBeforeTheStartTime()
{
    records::Plan plan;
    plan.notBefore = m_fixture->clock.now() + core::Milliseconds{2000};
    const OperationId operation = m_fixture->addOperation(3, plan);
    QCOMPARE(roomToMark(operation), 0);
    QCOMPARE(m_gates->askAgainIn(), core::Milliseconds{2000});
    m_gates->beginRound(); // forgets what was due
    QCOMPARE(m_gates->askAgainIn(), core::Milliseconds{30000});
}

void TestGates::unseenReturnsHoldAnOperationUntilTheyAreSeen()
{
    records::Plan plan;
    plan.ramp = records::Ramp{{1}};
    const OperationId operation = m_fixture->addOperation(3, plan);
    m_observation.blind = QStringLiteral("error is locked");
    QCOMPARE(roomToMark(operation), 0);
    QVERIFY(m_gates->reason(operation).contains(m_observation.blind));
    QVERIFY(m_gates->askAgainIn() <= retry::RampGate::checkAgain);
    QCOMPARE(m_gates->takeChangedReasons(), QList<OperationId>{operation});
    QVERIFY(m_gates->takeChangedReasons().isEmpty());

    m_observation.blind.clear();
    QCOMPARE(roomToMark(operation), 1);
    QVERIFY(m_gates->reason(operation).isEmpty());
    QCOMPARE(m_gates->takeChangedReasons(), QList<OperationId>{operation});
}

void TestGates::aMarkedBatchWaitsForItsDestination()
{
    records::Plan plan;
    plan.mostWaiting = 10;
    const OperationId operation = m_fixture->addOperation(1, plan);
    const records::RetryBatch batch = m_fixture->addBatch(operation, 1);
    QString destination;
    m_fixture->transact([&](store::Session &session) {
        destination = must(session.retryBatches().membersOf(batch.id)).first().destination;
    });
    observeDepth({destination}, 10);
    QVERIFY(!mayStage(operation, batch.id));
    QVERIFY(m_gates->reason(operation).contains(destination));
    QCOMPARE(m_gates->askAgainIn(), retry::RampGate::checkAgain);

    observeDepth({destination}, 9);
    QVERIFY(mayStage(operation, batch.id));
    QVERIFY(m_gates->reason(operation).isEmpty());
}

// A person who reads why an operation waits must not see the reason come and go with each share of the rate.
void TestGates::aReasonStaysWhileTheRateSaysWait()
{
    records::Plan plan;
    plan.mostWaiting = 10;
    plan.perMinute = 60;
    const OperationId operation = m_fixture->addOperation(2, plan);
    const records::RetryBatch batch = m_fixture->addBatch(operation, 1);
    QList<store::RetryMember> members;
    m_fixture->transact([&](store::Session &session) { members = must(session.retryBatches().membersOf(batch.id)); });
    observeDepth({members.first().destination}, 10);
    QVERIFY(!mayStage(operation, batch.id));
    const QString reason = m_gates->reason(operation);

    retry::Attempt attempt;
    attempt.batch = batch;
    attempt.members = members;
    m_gates->handedOver(m_fixture->operation(operation), attempt, 1);
    QVERIFY(!mayStage(operation, batch.id));
    QCOMPARE(m_gates->reason(operation), reason);
    QVERIFY(m_gates->askAgainIn() <= core::Milliseconds{1000}); // one share of the rate
}

void TestGates::observeLimit(const QString &queue, qint64 most, qint64 depth)
{
    observeDepth({queue}, depth);
    m_observation.queues.first().limits.messages = most;
    m_observation.queues.first().limits.whenFull = records::QueueLimits::WhenFull::DropsOldest;
}

QList<qint64> TestGates::beyondRoom(OperationId id, const QList<store::RetryMember> &members)
{
    const records::RetryOperation operation = m_fixture->operation(id);
    QList<qint64> beyond;
    m_fixture->transact(
        [&](store::Session &session) { beyond = must(m_gates->beyondRoom(session, operation, members)); });
    return beyond;
}

QList<store::RetryMember> TestGates::membersOf(core::BatchId batch)
{
    QList<store::RetryMember> members;
    m_fixture->transact([&](store::Session &session) { members = must(session.retryBatches().membersOf(batch)); });
    for (store::RetryMember &member : members)
        member.destination = members.first().destination;
    return members;
}

// Through a staging queue, with one message.
void TestGates::forward(core::BatchId batch)
{
    m_fixture->transact([&](store::Session &session) {
        (void)must(session.staging().nameStaging(batch, QStringLiteral("staging"), QStringLiteral("place")));
        must(session.staging().beginForwarding(batch, QStringLiteral("staging"), 1));
    });
}

void TestGates::aShareOfTheBrokerIsMeasuredAndKept()
{
    records::Plan plan;
    plan.brokerShare = 40;
    const OperationId operation = m_fixture->addOperation(2, plan);
    const records::RetryBatch first = m_fixture->addBatch(operation, 1);
    const records::RetryBatch second = m_fixture->addBatch(operation, 1);
    support::FakeBroker &broker = m_fixture->broker;
    broker.reading = broker::LoadReading{QStringLiteral("rabbit@a"), 1, 4, QStringLiteral("1")};
    const auto measure = [this] { m_measuring = m_gates->measureBroker(); };
    measure();
    QCOMPARE(broker.measurements, 0); // nobody waits for it
    QVERIFY(!mayStage(operation, first.id));
    measure();
    QCOMPARE(broker.measurements, 1);
    QVERIFY(mayStage(operation, first.id)); // half of 40 %
    QVERIFY(m_gates->reason(operation).isEmpty());
    broker.worked = core::Milliseconds{200};
    QVERIFY(mayStage(operation, first.id)); // it was only asked: another operation had its turn
    broker.worked = {};
    m_gates->begun(m_fixture->operation(operation));

    forward(first.id);
    broker.worked = core::Milliseconds{400};
    m_fixture->clock.advance(core::Milliseconds{2000});
    m_gates->beginRound();
    QVERIFY(!mayStage(operation, second.id)); // what the first one costs is not known before it has arrived
    QCOMPARE(m_gates->askAgainIn(), retry::BrokerPace::measureAgain);
    m_fixture->transact([&](store::Session &session) { must(session.forwarding().finishForwarding(first.id, {})); });
    QVERIFY(mayStage(operation, second.id));
    m_gates->begun(m_fixture->operation(operation));

    broker.worked = core::Milliseconds{1400};
    broker.reading = broker::LoadReading{QStringLiteral("rabbit@a"), 9, 4, QStringLiteral("2")};
    m_fixture->clock.advance(retry::BrokerPace::measureAgain);
    m_gates->beginRound();
    measure();
    QCOMPARE(broker.measurements, 2);
    QVERIFY(!mayStage(operation, second.id)); // 1 s is a tenth of 10 s, and 5 s have passed
    QVERIFY(m_gates->reason(operation).contains(QLatin1String("rabbit@a")));
    QCOMPARE(m_gates->askAgainIn(), retry::BrokerPace::measureAgain);
    m_fixture->clock.advance(retry::BrokerPace::measureAgain);
    QVERIFY(mayStage(operation, second.id));
    QVERIFY(!m_gates->reason(operation).isEmpty()); // it does not come and go with each batch
}

// An operation without a share has batches on their way nearly always.
void TestGates::anotherOperationDoesNotStarveOneWithAShare()
{
    records::Plan plan;
    plan.brokerShare = 4;
    const OperationId gentle = m_fixture->addOperation(2, plan);
    const records::RetryBatch batch = m_fixture->addBatch(gentle, 1);
    const records::RetryBatch ofOther = m_fixture->addBatch(m_fixture->addOperation(1), 1);
    m_fixture->broker.reading = broker::LoadReading{QStringLiteral("rabbit@a"), 1, 4, QStringLiteral("1")};
    QVERIFY(!mayStage(gentle, batch.id));
    m_measuring = m_gates->measureBroker();
    forward(ofOther.id);
    QVERIFY(mayStage(gentle, batch.id));
    m_gates->begun(m_fixture->operation(gentle));
    m_fixture->broker.worked = core::Milliseconds{400};
    m_fixture->clock.advance(core::Milliseconds{400});
    QVERIFY(!mayStage(gentle, batch.id));
    QVERIFY(!m_gates->reason(gentle).isEmpty()); // it rests for long, although the broker is calm
    m_gates->held(gentle); // a person paused and resumed it
    QVERIFY(mayStage(gentle, batch.id));
}

// A tenth stays free for its other producers.
void TestGates::aQueueThatDropsItsOldestIsNotFilled()
{
    const OperationId operation = m_fixture->addOperation(6);
    const records::RetryBatch batch = m_fixture->addBatch(operation, 6);
    const QList<store::RetryMember> members = membersOf(batch.id);
    const QString destination = members.first().destination;
    observeLimit(destination, 10, 5);
    QCOMPARE(beyondRoom(operation, members), (QList<qint64>{members.at(4).ordinal, members.at(5).ordinal}));
    observeLimit(destination, 10, 9);
    QCOMPARE(beyondRoom(operation, members).size(), 6);
    m_observation.queues.first().limits.whenFull = records::QueueLimits::WhenFull::DeadLettersNew;
    QCOMPARE(beyondRoom(operation, members).size(), 6);
    m_observation.queues.first().limits.whenFull = records::QueueLimits::WhenFull::Refuses;
    QVERIFY(beyondRoom(operation, members).isEmpty());

    records::Plan plan;
    plan.acceptDrops = true;
    const OperationId accepting = m_fixture->addOperation(1, plan);
    observeLimit(destination, 10, 9);
    QVERIFY(beyondRoom(accepting, members).isEmpty());
}

void TestGates::whatIsOnItsWayTakesItsRoom()
{
    const OperationId operation = m_fixture->addOperation(1);
    retry::Attempt attempt;
    attempt.batch = m_fixture->addBatch(operation, 1);
    attempt.members = membersOf(attempt.batch.id);
    attempt.place.name = QStringLiteral("redrive.store.1.a");
    const QString destination = attempt.members.first().destination;
    observeLimit(destination, 1, 0);
    QVERIFY(mayStage(operation, attempt.batch.id));
    m_gates->handedOver(m_fixture->operation(operation), attempt, 1);
    m_fixture->clock.advance(retry::BackpressureGate::statisticsLag * 2);
    observeLimit(destination, 1, 0); // it waits in the staging queue
    QVERIFY(!mayStage(operation, attempt.batch.id));
    QVERIFY(m_gates->reason(operation).contains(destination));
    m_gates->arrived(attempt.batch.id);
    QVERIFY(!mayStage(operation, attempt.batch.id)); // and may not be in the count yet
    m_fixture->clock.advance(retry::BackpressureGate::statisticsLag * 2);
    observeLimit(destination, 1, 0); // consumed
    QVERIFY(mayStage(operation, attempt.batch.id));
}

void TestGates::onlyABatchThatWaitsForRoomHoldsNoOther()
{
    records::Plan plan;
    plan.mostWaiting = 10;
    plan.perMinute = 60;
    const OperationId id = m_fixture->addOperation(2, plan);
    const records::RetryOperation operation = m_fixture->operation(id);
    const core::BatchId full = m_fixture->addBatch(id, 1).id;
    const QString destination = membersOf(full).first().destination;
    observeDepth({destination}, 10);
    QVERIFY(!mayStage(id, full));
    QCOMPARE(m_gates->waitingForRoom(id), QList<core::BatchId>{full});

    const auto lookForRoom = [&] {
        m_gates->beginRound();
        m_fixture->transact([&](store::Session &session) { must(m_gates->lookForRoom(session, operation)); });
    };
    lookForRoom();
    QCOMPARE(m_gates->waitingForRoom(id), QList<core::BatchId>{full});
    QVERIFY(m_gates->reason(id).contains(destination));
    QCOMPARE(m_gates->askAgainIn(), retry::RampGate::checkAgain);
    observeDepth({destination}, 9);
    lookForRoom();
    QVERIFY(m_gates->waitingForRoom(id).isEmpty());

    retry::Attempt attempt;
    attempt.batch = m_fixture->addBatch(id, 1);
    m_gates->handedOver(operation, attempt, 1);
    QVERIFY(!mayStage(id, full)); // because of the rate
    QVERIFY(m_gates->waitingForRoom(id).isEmpty());
}

REDRIVE_TEST(TestGates)
#include "tst_gates.moc"
