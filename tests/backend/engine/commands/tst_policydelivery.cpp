// Policies that wait at the broker, on a whole engine with a broker in memory: who waits, what a pause, a redirect and a
// rate limit change, when a retry counts as successful, and what a crash in the middle of a send leaves.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/policies.h"
#include "backend/api/requests/queries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/records/messages/stamp.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/query/queries.h"
#include "tests/support/enginefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using recovery::HeldState;
using std::chrono::minutes;
using support::EngineFixture;

namespace {

const QString errorQueue = QStringLiteral("error");
const QString policyName = QStringLiteral("standard");

const QByteArray tenThenThirty = R"({"name": "standard", "immediate": 0, "delayed": 2, "jitter": "none",
    "wait_at": "broker", "schedule": {"kind": "list", "delays": ["10m", "30m"]}, "stop_when": "never"})";

// Messages under a policy that waits at the broker, which can hold a message for 15 minutes.
class HoldingBroker final
{
public:
    explicit HoldingBroker(EngineFixture &fixture)
        : m_fixture(fixture)
        , m_begun(fixture.clock.now())
    {
        fixture.broker->holdsBack = [this](const QString &queue) {
            return queue.endsWith(QLatin1String(".fifo")) ? core::Milliseconds{0} : longest;
        };
        fixture.broker->delivered = [this](const support::FakeBroker::Delivery &delivery) { arrive(delivery); };
    }
    ~HoldingBroker() { m_fixture.broker->delivered = {}; }
    HoldingBroker(const HoldingBroker &) = delete;
    HoldingBroker &operator=(const HoldingBroker &) = delete;

    bool begin(int messages, const QByteArray &file)
    {
        m_fixture.fill(messages);
        m_fixture.start();
        recovery::Scope scope;
        scope.connection = m_fixture.shop;
        scope.queue = errorQueue;
        return m_fixture.carryOut(api::SetPolicy{file})
               && m_fixture.carryOut(api::AssignPolicy{policyName, scope, true});
    }

    core::Milliseconds longest = minutes(15);
    bool fails = true;
    QList<core::Milliseconds> arrivals; // since the beginning
    QMap<QString, int> copies; // by unique id

private:
    void arrive(const support::FakeBroker::Delivery &delivery)
    {
        if (delivery.destination == errorQueue)
            return;
        arrivals.append(m_fixture.clock.now() - m_begun);
        ++copies[records::stampOf(delivery.envelope.headers)->uniqueId];
        if (!fails)
            return;
        records::Envelope failed = delivery.envelope;
        records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(delivery.destination));
        records::set(failed.headers, QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"),
                     QCborValue(QStringLiteral("System.TimeoutException")));
        m_fixture.clock.after(core::Milliseconds{200},
                              [broker = m_fixture.broker, failed] { broker->put(errorQueue, failed); });
    }

    EngineFixture &m_fixture;
    core::TimePoint m_begun;
};

store::HeldCounts counts(EngineFixture &fixture)
{
    return fixture.ask<store::HeldCounts>([&](store::Session &session) {
        return session.heldMessages().counts(core::AssignmentId{1}, fixture.clock.now());
    });
}

QList<store::PolicyOperation> unsettled(EngineFixture &fixture)
{
    return fixture.ask<QList<store::PolicyOperation>>(
        [](store::Session &session) { return session.policies().unsettled(); });
}

api::MessageDetail detailOf(EngineFixture &fixture, qint64 message)
{
    const auto queries = store::Queries::open(fixture.dependencies.storePath, [&] { return fixture.clock.now(); });
    return (*queries)->ask(api::MessageDetailQuery{core::MessageId{message}}).value();
}

} // namespace

class TestPolicyDelivery final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theBrokerDeliversWhileRedriveIsStopped()
    {
        EngineFixture fixture;
        HoldingBroker broker(fixture);
        QVERIFY(broker.begin(4, tenThenThirty));
        QVERIFY(fixture.runUntil([&] { return fixture.broker->heldBack == 4; }));
        QCOMPARE(counts(fixture).atBroker, 4);
        QVERIFY(counts(fixture).nextAtBroker > fixture.clock.now() + minutes(9));
        QCOMPARE(broker.arrivals.size(), 0);
        fixture.stop();
        fixture.advance(minutes(9));
        QCOMPARE(broker.arrivals.size(), 0);
        fixture.advance(minutes(2));
        QCOMPARE(broker.arrivals.size(), 4);
        for (const core::Milliseconds at : std::as_const(broker.arrivals))
            QVERIFY(at >= minutes(10));
        fixture.start(); // it finds what came back, and counts it
        QVERIFY(fixture.runUntil([&] { return fixture.message(core::MessageId{1}).attempts == 2; }));
        QCOMPARE(counts(fixture).atBroker, 0);
    }

    // Of four, two are taken back while the broker holds them. The others are delivered first.
    void thePlanSaysWhatMayArriveTwice()
    {
        EngineFixture fixture;
        HoldingBroker broker(fixture);
        broker.fails = false;
        QVERIFY(broker.begin(4, tenThenThirty));
        QVERIFY(fixture.runUntil([&] { return fixture.broker->heldBack == 4; }));
        QVERIFY(fixture.runToEnd(core::OperationId{1}));
        const auto takeBack = [&](const QList<core::MessageId> &messages) {
            api::DecideMessages back;
            back.filter.connection = fixture.shop;
            back.filter.messages = messages;
            back.decision = api::Decision::TakeBack;
            return fixture.carryOut(back).value().changed;
        };
        const auto warnings = [&](records::OperationKind kind) {
            api::RetryDraft draft;
            draft.kind = kind;
            draft.filter.connection = fixture.shop;
            return fixture.carryOut(api::PreviewRetry{draft}).value().warnings;
        };
        using Kind = api::PlanWarning::Kind;
        QCOMPARE(takeBack({core::MessageId{1}, core::MessageId{2}}), 2);
        QCOMPARE(warnings(records::OperationKind::Retry).size(), 1);
        QVERIFY(warnings(records::OperationKind::Retry).first().kind == Kind::HeldByBroker);
        QCOMPARE(warnings(records::OperationKind::Retry).first().count, 2);
        fixture.advance(minutes(11)); // they were held when they were taken back: nothing else is known of them
        QCOMPARE(broker.arrivals.size(), 4);
        QCOMPARE(takeBack({core::MessageId{3}}), 1);
        for (const records::OperationKind kind : {records::OperationKind::Retry, records::OperationKind::Release}) {
            const QList<api::PlanWarning> both = warnings(kind);
            QCOMPARE(both.size(), 2);
            QVERIFY(both.first().kind == Kind::HeldByBroker && both.first().count == 2);
            QVERIFY(both.last().kind == Kind::TakenBack && both.last().count == 1);
        }
    }

    void whatIsTakenBackMeanwhileArrivesAllTheSame()
    {
        EngineFixture fixture;
        HoldingBroker broker(fixture);
        broker.fails = false;
        QVERIFY(broker.begin(2, tenThenThirty));
        QVERIFY(fixture.runUntil([&] { return fixture.broker->heldBack == 2; }));
        QVERIFY(fixture.runToEnd(core::OperationId{1}));
        api::DecideMessages back;
        back.filter.connection = fixture.shop;
        back.decision = api::Decision::TakeBack;
        const core::Result<api::DecisionCounts> counts = fixture.carryOut(back);
        QVERIFY(counts);
        QCOMPARE(counts->changed, 2);
        QCOMPARE(counts->atBroker, 2); // which is told
        const core::Result<core::OperationId> again = fixture.retryAll();
        QVERIFY(again && fixture.runToEnd(*again));
        fixture.advance(minutes(11));
        QCOMPARE(broker.copies.values(), (QList<int>{2, 2}));
        QCOMPARE(fixture.operation(*again).counts.possibleDuplicates, 2);
    }

    // 10 minutes by the broker, 30 by the store.
    void theStoreWaitsWhereTheBrokerCannot()
    {
        EngineFixture fixture;
        HoldingBroker broker(fixture);
        QVERIFY(broker.begin(1, tenThenThirty));
        fixture.advance(minutes(11));
        QCOMPARE(broker.arrivals.size(), 1);
        fixture.advance(minutes(5));
        QCOMPARE(counts(fixture).byState.value(HeldState::Waiting), 1);
        QCOMPARE(fixture.broker->heldBack, 0);
        fixture.advance(minutes(24));
        QCOMPARE(broker.arrivals.size(), 1);
        fixture.advance(minutes(2));
        QCOMPARE(broker.arrivals.size(), 2);
        QVERIFY(fixture.runUntil([&] { return counts(fixture).byState.value(HeldState::Exhausted) == 1; }));
        fixture.advance(std::chrono::hours(1));
        QCOMPARE(broker.arrivals.size(), 2); // the loop has ended
    }

    // A staging queue is emptied at once, so such a broker offers no delay.
    void aBrokerThatHoldsNothingChangesNothing()
    {
        EngineFixture fixture;
        HoldingBroker broker(fixture);
        broker.longest = core::Milliseconds{0};
        QVERIFY(broker.begin(2, tenThenThirty));
        fixture.advance(minutes(9));
        QCOMPARE(counts(fixture).byState.value(HeldState::Waiting), 2);
        fixture.advance(minutes(2));
        QCOMPARE(broker.arrivals.size(), 2);
    }

    void aRedirectToAQueueWithoutDelaysMakesTheStoreWait()
    {
        EngineFixture fixture;
        HoldingBroker broker(fixture);
        fixture.connection.rights.setFlag(records::Right::Redirect);
        fixture.broker->addQueue(QStringLiteral("billing.fifo"));
        fixture.fill(1); // for billing
        fixture.start();
        const records::Redirect redirect{records::Redirect::Of::Queue, QStringLiteral("billing"),
                                         QStringLiteral("billing.fifo")};
        QVERIFY(fixture.carryOut(api::ChangeRedirect{fixture.shop, redirect, false}).has_value());
        recovery::Scope scope;
        scope.connection = fixture.shop;
        scope.queue = errorQueue;
        QVERIFY(fixture.carryOut(api::SetPolicy{tenThenThirty}).has_value());
        QVERIFY(fixture.carryOut(api::AssignPolicy{policyName, scope, true}).has_value());
        fixture.advance(minutes(9));
        QCOMPARE(counts(fixture).byState.value(HeldState::Waiting), 1);
        QCOMPARE(broker.arrivals.size(), 0);
        fixture.advance(minutes(2));
        QCOMPARE(broker.arrivals.size(), 1);
    }

    void aPauseDoesNotHoldBackWhatTheBrokerHas()
    {
        EngineFixture fixture;
        HoldingBroker broker(fixture);
        QVERIFY(broker.begin(2, tenThenThirty));
        QVERIFY(fixture.runUntil([&] { return fixture.broker->heldBack == 2; }));
        QVERIFY(fixture.carryOut(api::PausePolicy{policyName, true}).has_value());
        QCOMPARE(counts(fixture).atBroker, 2); // which is what a person is told
        fixture.advance(minutes(11));
        QCOMPARE(broker.arrivals.size(), 2);
        fixture.advance(minutes(40));
        QCOMPARE(broker.arrivals.size(), 2); // it hands over nothing more
        QCOMPARE(counts(fixture).byState.value(HeldState::Waiting), 2);
    }

    // While one message at a time is tried, the store waits.
    void nothingIsHandedOverWhileTheRateLimitIsInForce()
    {
        EngineFixture fixture;
        HoldingBroker broker(fixture);
        QVERIFY(broker.begin(6, R"({"name": "standard", "immediate": 1, "delayed": 1, "jitter": "none",
            "wait_at": "broker", "schedule": {"kind": "linear", "first": "10m"}, "rate_limit": {"after": 3}})"));
        QVERIFY(fixture.runUntil([&] { return fixture.message(core::MessageId{6}).attempts == 2; }));
        fixture.advance(minutes(1));
        QCOMPARE(counts(fixture).byState.value(HeldState::Waiting) + counts(fixture).atBroker, 6);
        QVERIFY(counts(fixture).atBroker < 3); // those that failed before the limit began
        broker.fails = false;
        fixture.advance(minutes(20)); // a probe succeeds, and the rest follows
        QCOMPARE(broker.arrivals.size(), 12);
    }

    void theQuietPeriodBeginsWhenTheMessageIsDelivered()
    {
        EngineFixture fixture;
        HoldingBroker broker(fixture);
        broker.fails = false;
        QVERIFY(broker.begin(2, tenThenThirty));
        QVERIFY(fixture.runUntil([&] { return counts(fixture).atBroker == 2; }));
        fixture.advance(minutes(9));
        QCOMPARE(unsettled(fixture).size(), 1);
        QVERIFY(unsettled(fixture).first().isAtRest);
        fixture.advance(minutes(20));
        QCOMPARE(broker.arrivals.size(), 2);
        QCOMPARE(unsettled(fixture).size(), 0);
    }

    void trailAndStandingSayWhenTheBrokerDelivers()
    {
        EngineFixture fixture;
        HoldingBroker broker(fixture);
        QVERIFY(broker.begin(1, tenThenThirty));
        QVERIFY(fixture.runUntil([&] { return counts(fixture).atBroker == 1; }));
        QVERIFY(!detailOf(fixture, 1).policy->isAtBroker); // it is not sent yet
        QVERIFY(fixture.runUntil([&] { return unsettled(fixture).value(0).isAtRest; }));
        const api::MessageDetail waiting = detailOf(fixture, 1);
        QVERIFY(waiting.policy && waiting.policy->isAtBroker);
        QVERIFY(waiting.policy->state == HeldState::InRetry);
        QVERIFY(waiting.policy->nextAttempt > fixture.clock.now() + minutes(9));
        const auto sent =
            std::find_if(waiting.trail.cbegin(), waiting.trail.cend(), [](const records::TrailEntry &entry) {
                return entry.what.contains(QLatin1String("the broker delivers it at 2026-01-02 03:14:"));
            });
        QStringList trail;
        for (const records::TrailEntry &entry : waiting.trail)
            trail.append(entry.what);
        QVERIFY2(sent != waiting.trail.cend(), qPrintable(trail.join(QStringLiteral(" | "))));
        QVERIFY(sent->at <= fixture.clock.now()); // not the time of the delivery
        broker.fails = false;
        fixture.advance(minutes(11));
        QVERIFY(!detailOf(fixture, 1).policy->isAtBroker);
    }

    // The program dies while the copies are on their way to the broker. Whether they are sent again or left in doubt:
    // nothing comes before its time, and nothing later because it was sent again.
    void aSendThatIsCutOffComesNeitherEarlyNorLate_data()
    {
        QTest::addColumn<bool>("sendsAgain");
        QTest::newRow("left in doubt") << false;
        QTest::newRow("sent again") << true;
    }

    void aSendThatIsCutOffComesNeitherEarlyNorLate()
    {
        QFETCH(const bool, sendsAgain);
        int cutOff = 0;
        for (quint64 seed = 1; seed <= 3; ++seed) {
            EngineFixture fixture(records::HandOver::IntentLog, seed);
            fixture.connection.doublesAllowed = sendsAgain;
            HoldingBroker broker(fixture);
            broker.fails = false;
            QVERIFY(broker.begin(2, tenThenThirty));
            fixture.broker->slowest = core::Milliseconds{10000}; // longer than stopping waits
            const auto isOpen = [&] {
                const QList<store::PolicyOperation> operations = unsettled(fixture);
                const QList<store::RetryMember> members =
                    operations.isEmpty() ? QList<store::RetryMember>() : fixture.members(operations.first().id);
                return std::any_of(members.begin(), members.end(), [](const auto &one) { return one.intent; });
            };
            QVERIFY(fixture.runUntil(isOpen));
            fixture.stop();
            cutOff += isOpen() ? 1 : 0;
            const QList<store::RetryMember> members = fixture.members(core::OperationId{1});
            fixture.advance(minutes(3)); // not running
            fixture.start();
            fixture.advance(minutes(5));
            QCOMPARE(broker.arrivals.size(), 0);
            QCOMPARE(fixture.members(core::OperationId{1}).first().deliverAt, members.first().deliverAt);
            fixture.advance(minutes(4));
            for (const core::Milliseconds at : std::as_const(broker.arrivals))
                QVERIFY(at >= minutes(10) && at < minutes(11));
            for (const int copies : std::as_const(broker.copies))
                QVERIFY(copies == 1 || sendsAgain); // flagged as possible duplicates: the plan allows them
            QVERIFY(!sendsAgain || broker.copies.size() == 2);
        }
        QVERIFY(cutOff > 0);
    }
};

REDRIVE_TEST(TestPolicyDelivery)
#include "tst_policydelivery.moc"
