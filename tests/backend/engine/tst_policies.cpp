// Recovery policies on a whole engine: failed messages are retried by themselves, as often as their policy says, and a
// person's word always counts more.
#include "backend/api/decisions.h"
#include "backend/api/policies.h"
#include "backend/records/retrycount.h"
#include "backend/records/stamp.h"
#include "backend/recovery/policyfile.h"
#include "backend/store/policystore.h"
#include "backend/store/retrystore.h"
#include "tests/support/enginefixture.h"

#include <QTest>

using records::MessageStatus;
using recovery::HeldState;
using support::EngineFixture;

namespace {

const QString errorQueue = QStringLiteral("error");

// The queues' consumers: they fail a message as long as `fails` says so.
class Consumers final
{
public:
    explicit Consumers(EngineFixture &fixture)
        : m_fixture(fixture)
    {
        fixture.broker->delivered = [this](const support::FakeBroker::Delivery &delivery) { process(delivery); };
    }

    ~Consumers() { m_fixture.broker->delivered = {}; }
    Consumers(const Consumers &) = delete;
    Consumers &operator=(const Consumers &) = delete;

    std::function<bool(const records::Envelope &)> fails = [](const records::Envelope &) { return true; };
    QString exception = QStringLiteral("System.TimeoutException");
    QMap<QString, int> seen; // by unique id: how often each message came
    QMap<QString, QList<int>> counts; // what its retry count said
    QStringList destinations;

    [[nodiscard]] int most() const
    {
        int most = 0;
        for (const int times : seen)
            most = std::max(most, times);
        return most;
    }
    [[nodiscard]] int total() const
    {
        int sum = 0;
        for (const int times : seen)
            sum += times;
        return sum;
    }

private:
    void process(const support::FakeBroker::Delivery &delivery)
    {
        if (delivery.destination == errorQueue)
            return;
        destinations.append(delivery.destination);
        const records::Envelope &sent = delivery.envelope;
        const QString id = records::stampOf(sent.headers)->uniqueId;
        ++seen[id];
        counts[id].append(records::retryCountOf(sent.headers));
        if (!fails(sent))
            return;
        records::Envelope failed = sent;
        records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(delivery.destination));
        records::set(failed.headers, QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), QCborValue(exception));
        m_fixture.clock.after(core::Milliseconds{200},
                              [broker = m_fixture.broker, failed] { broker->put(errorQueue, failed); });
    }

    EngineFixture &m_fixture;
};

const QByteArray twiceThenDelayed = R"({"name": "standard", "immediate": 1, "delayed": 2, "jitter": "none",
    "schedule": {"kind": "linear", "first": "10s"}, "stop_when": "never"})";

const QByteArray onceInTenMinutes = R"({"name": "standard", "immediate": 0, "delayed": 1, "jitter": "none",
    "schedule": {"kind": "linear", "first": "10m"}})";

QString set(EngineFixture &fixture, const QByteArray &file)
{
    const core::Result<QString> name = fixture.carryOut(api::SetPolicy{file});
    return name ? *name : name.error().message;
}

core::Result<core::AssignmentId> assign(EngineFixture &fixture, const QString &policy = QStringLiteral("standard"))
{
    recovery::Scope scope;
    scope.connection = fixture.shop;
    scope.queue = errorQueue;
    return fixture.carryOut(api::AssignPolicy{policy, scope});
}

// With the policy set and assigned to the error queue.
core::Result<core::AssignmentId> begin(EngineFixture &fixture, int messages, const QByteArray &file)
{
    fixture.fill(messages);
    fixture.start();
    set(fixture, file);
    return assign(fixture);
}

QMap<HeldState, qint64> states(EngineFixture &fixture, core::AssignmentId assignment = core::AssignmentId{1})
{
    return fixture
        .ask<store::HeldCounts>(
            [&](store::Session &session) { return session.policies().counts(assignment, fixture.clock.now()); })
        .byState;
}

QList<records::RetryOperation> operations(EngineFixture &fixture)
{
    QList<records::RetryOperation> all;
    for (qint64 id = 1; id < 1000; ++id) {
        const core::Result<records::RetryOperation> one = fixture.store->read<records::RetryOperation>(
            [id](store::Session &session) { return session.retries().operation(core::OperationId{id}); });
        if (!one)
            break;
        all.append(*one);
    }
    return all;
}

bool hasEvent(EngineFixture &fixture, const QString &what)
{
    const QList<records::Event> events = fixture.events();
    return std::any_of(events.cbegin(), events.cend(), [&](const records::Event &one) { return one.what == what; });
}

} // namespace

class TestPolicies final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMessageIsRetriedAsOftenAsItsPolicySays()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(begin(fixture, 4, twiceThenDelayed).has_value());
        QVERIFY(fixture.runUntil([&] { return states(fixture).value(HeldState::Exhausted) == 4; }));
        fixture.advance(std::chrono::hours(1));
        QCOMPARE(consumers.seen.size(), 4);
        QCOMPARE(consumers.total(), 4 * 5); // 6 attempts, of which the store saw the first one
        for (const QList<int> &counts : std::as_const(consumers.counts))
            QCOMPARE(counts, (QList<int>{1, 2, 3, 4, 5}));
        for (const records::RetryOperation &operation : operations(fixture)) {
            QCOMPARE(operation.who, QStringLiteral("policy standard"));
            QCOMPARE(operation.policy, QStringLiteral("standard"));
        }
        const records::FailedMessage first = fixture.message(core::MessageId{1});
        QVERIFY(first.status == MessageStatus::Unresolved);
        QCOMPARE(first.attempts, 6);
    }

    void delayedRetriesKeepTheirTimes()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(begin(fixture, 1, R"({"name": "standard", "immediate": 0, "delayed": 2, "jitter": "none",
            "schedule": {"kind": "list", "delays": ["10m", "30m"]}})")
                    .has_value());
        fixture.advance(std::chrono::minutes(9));
        QCOMPARE(consumers.total(), 0);
        fixture.advance(std::chrono::minutes(2));
        QCOMPARE(consumers.total(), 1);
        fixture.advance(std::chrono::minutes(27));
        QCOMPARE(consumers.total(), 1);
        fixture.advance(std::chrono::minutes(4));
        QCOMPARE(consumers.total(), 2);
    }

    void aPermanentFailureIsLeftToAPerson()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(begin(fixture, 3, R"({"name": "standard",
            "classify": [{"exception": "System.Exceptions.Number1Exception", "as": "permanent"}],
            "immediate": 1, "delayed": 0, "exhausted": {"do": "notify"}, "stop_when": "never"})")
                    .has_value());
        QVERIFY(fixture.runUntil([&] { return states(fixture).value(HeldState::Exhausted) == 3; }));
        QCOMPARE(consumers.total(), 2); // numbers 0 and 2, once each
        QVERIFY(hasEvent(fixture, QStringLiteral("Policy gave up")));
    }

    void aRestartForgetsNothingAndAddsNothing_data()
    {
        QTest::addColumn<int>("after"); // steps of the clock
        for (const int after : {1, 5, 20, 60, 150, 400})
            QTest::addRow("%d", after) << after;
    }

    void aRestartForgetsNothingAndAddsNothing()
    {
        QFETCH(const int, after);
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(begin(fixture, 4, twiceThenDelayed).has_value());
        for (int times = 0; times < 5; ++times) {
            fixture.runUntil([] { return false; }, after);
            fixture.restart();
        }
        QVERIFY(fixture.runUntil([&] { return states(fixture).value(HeldState::Exhausted) == 4; }));
        QCOMPARE(consumers.seen.size(), 4);
        QVERIFY2(consumers.most() <= 5, qPrintable(QString::number(consumers.most())));
    }

    void pausedPoliciesAndPauseAllRetryNothing()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        fixture.fill(4);
        fixture.start();
        set(fixture, twiceThenDelayed);
        QVERIFY(fixture.carryOut(api::PausePolicy{QStringLiteral("standard"), true}).has_value());
        QVERIFY(assign(fixture).has_value());
        fixture.advance(std::chrono::minutes(5));
        QCOMPARE(consumers.total(), 0);
        QCOMPARE(states(fixture).value(HeldState::Waiting), 4);
        QVERIFY(fixture.carryOut(api::PauseAll{true}).has_value());
        QVERIFY(fixture.carryOut(api::PausePolicy{QStringLiteral("standard"), false}).has_value());
        fixture.advance(std::chrono::minutes(5));
        QCOMPARE(consumers.total(), 0);
        QVERIFY(fixture.carryOut(api::PauseAll{false}).has_value());
        QVERIFY(fixture.runUntil([&] { return consumers.total() >= 4; }));
    }

    void aPersonsRetryWins()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        fixture.fill(4);
        fixture.start();
        const core::Result<core::OperationId> mine = fixture.retryAll();
        QVERIFY(mine.has_value());
        set(fixture, twiceThenDelayed);
        QVERIFY(assign(fixture).has_value());
        fixture.advance(std::chrono::minutes(30));
        QCOMPARE(consumers.total(), 4);
        QCOMPARE(operations(fixture).size(), 1);
        QVERIFY(operations(fixture).first().policy.isEmpty());
    }

    void archivedMessagesAreLeftAlone()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(begin(fixture, 2, onceInTenMinutes).has_value());
        fixture.advance(std::chrono::minutes(1));
        api::DecideMessages archive;
        archive.filter.messages = {core::MessageId{1}};
        archive.decision = api::Decision::Archive;
        QVERIFY(fixture.carryOut(archive).has_value());
        fixture.advance(std::chrono::minutes(30));
        QCOMPARE(consumers.total(), 1);
        QCOMPARE(states(fixture).value(HeldState::Ended), 1);
    }

    void aMessageThatWasTakenOutWaitsForAPerson()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(begin(fixture, 2, onceInTenMinutes).has_value());
        fixture.advance(std::chrono::minutes(1));
        const core::Result<qint64> out = fixture.carryOut(api::ExcludeFromPolicy{{core::MessageId{1}}, true});
        QCOMPARE(out.value_or(-1), 1);
        fixture.advance(std::chrono::minutes(30));
        QCOMPARE(consumers.total(), 1);
        QCOMPARE(states(fixture).value(HeldState::Excluded), 1);
        const core::Result<qint64> back = fixture.carryOut(api::ExcludeFromPolicy{{core::MessageId{1}}, false});
        QCOMPARE(back.value_or(-1), 1);
        fixture.advance(std::chrono::minutes(30));
        QCOMPARE(consumers.total(), 2);
    }

    // While the consumers are broken one message at a time is tried; the first success releases the rest.
    void theRateLimitProbesUntilOneSucceeds()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        const core::TimePoint mended = fixture.clock.now() + std::chrono::minutes(10);
        consumers.fails = [&](const records::Envelope &) { return fixture.clock.now() < mended; };
        QVERIFY(begin(fixture, 40, R"({"name": "standard", "immediate": 90, "delayed": 0,
            "rate_limit": {"after": 10, "wait": "5s"}})")
                    .has_value());
        QVERIFY(fixture.runUntil([&] { return hasEvent(fixture, QStringLiteral("Rate limit started")); }));
        const int before = consumers.total();
        fixture.runUntil([&] { return fixture.clock.now() > mended - std::chrono::minutes(1); });
        const int probes = consumers.total() - before;
        QVERIFY2(probes > 5 && probes < 9 * 60 / 5, qPrintable(QString::number(probes)));
        QVERIFY(fixture.runUntil([&] { return hasEvent(fixture, QStringLiteral("Rate limit ended")); }));
        fixture.advance(std::chrono::minutes(5));
        QCOMPARE(states(fixture).value(HeldState::Waiting), 0);
        QCOMPARE(fixture.broker->depthOf(errorQueue), 0);
        QCOMPARE(consumers.seen.size(), 40);
    }

    void aPolicyThatMakesThingsWorseIsStopped()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(begin(fixture, 150, R"({"name": "standard", "immediate": 5, "delayed": 0})").has_value());
        QVERIFY(fixture.runUntil([&] { return hasEvent(fixture, QStringLiteral("Policy paused")); }));
        const int sent = consumers.total();
        fixture.advance(std::chrono::hours(1));
        QCOMPARE(consumers.total(), sent);
        QVERIFY(sent <= 150);
        QVERIFY(fixture.carryOut(api::PausePolicy{QStringLiteral("standard"), false}).has_value());
        QVERIFY(fixture.runUntil([&] { return consumers.total() > sent; }));
    }

    void whoeverCancelsARetryOfAPolicyPausesIt()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        fixture.broker->full.insert(QStringLiteral("billing"));
        fixture.broker->full.insert(QStringLiteral("sales"));
        QVERIFY(begin(fixture, 4, twiceThenDelayed).has_value());
        QVERIFY(fixture.runUntil([&] { return operations(fixture).size() == 1; }));
        const core::OperationId first{1};
        QVERIFY(fixture.carryOut(api::ChangeOperation{first, api::OperationAction::Cancel}).has_value());
        QVERIFY(fixture.runUntil([&] { return hasEvent(fixture, QStringLiteral("Policy paused")); }));
        fixture.broker->full.clear();
        fixture.advance(std::chrono::minutes(10));
        QCOMPARE(consumers.total(), 0);
    }

    void whatIsGivenUpGoesWhereThePolicySays()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        fixture.broker->addQueue(QStringLiteral("parking"));
        fixture.connection.rights.setFlag(records::Right::Redirect);
        consumers.fails = [](const records::Envelope &) { return false; };
        const auto begun = begin(fixture, 4, R"({"name": "standard", "immediate": 0, "delayed": 0,
            "exhausted": {"do": "move", "queue": "parking"}})");
        QVERIFY2(begun, begun ? "" : qPrintable(begun.error().message));
        QVERIFY2(fixture.runUntil([&] { return consumers.total() == 4; }, 5000),
                 qPrintable(fixture.engine->policies().scheduler().waits(core::AssignmentId{1})));
        QCOMPARE(consumers.destinations.count(QStringLiteral("parking")), 4);
        fixture.advance(std::chrono::hours(1));
        QCOMPARE(consumers.total(), 4);
        QCOMPARE(states(fixture).value(HeldState::Exhausted), 4);
    }

    void theMoreSpecificPolicyWins()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(begin(fixture, 4, R"({"name": "standard", "immediate": 0, "delayed": 1, "jitter": "none",
            "schedule": {"kind": "linear", "first": "1h"}})")
                    .has_value());
        set(fixture, R"({"name": "quick", "immediate": 1, "delayed": 0, "stop_when": "never"})");
        recovery::Scope scope;
        scope.of = recovery::Scope::Of::Rule;
        scope.rule.exception = QStringLiteral("*Number1*");
        QVERIFY(fixture.carryOut(api::AssignPolicy{QStringLiteral("quick"), scope}).has_value());
        fixture.advance(std::chrono::minutes(10));
        QCOMPARE(consumers.seen.size(), 1);
        QCOMPARE(states(fixture, core::AssignmentId{2}).value(HeldState::Exhausted)
                     + states(fixture, core::AssignmentId{1}).value(HeldState::Exhausted),
                 1);
        QCOMPARE(states(fixture).value(HeldState::Waiting), 3);
    }

    void badAssignmentsAreRefused()
    {
        EngineFixture fixture;
        QVERIFY(begin(fixture, 1, twiceThenDelayed).has_value());
        QVERIFY(assign(fixture).error().kind == core::ErrorKind::Conflict);
        QVERIFY(assign(fixture, QStringLiteral("nobody")).error().kind == core::ErrorKind::NotFound);
        recovery::Scope scope;
        scope.connection = fixture.shop;
        scope.queue = QStringLiteral("no-such-queue");
        const auto unknown = fixture.carryOut(api::AssignPolicy{QStringLiteral("standard"), scope});
        QVERIFY(unknown.error().kind == core::ErrorKind::NotFound);
        QVERIFY(unknown.error().message.contains(scope.queue));
        scope.of = recovery::Scope::Of::Group;
        scope.group = core::GroupId{12345};
        QVERIFY(fixture.carryOut(api::AssignPolicy{QStringLiteral("standard"), scope}).error().kind
                == core::ErrorKind::NotFound);
        scope.of = recovery::Scope::Of::Rule;
        QVERIFY(fixture.carryOut(api::AssignPolicy{QStringLiteral("standard"), scope}).error().kind
                == core::ErrorKind::Rejected);
        const auto assignments = fixture.ask<QList<store::StoredAssignment>>(
            [](store::Session &session) { return session.policies().assignments(); });
        QCOMPARE(assignments.size(), 1); // nothing half stored
    }

    void aRemovedPolicyLetsItsMessagesGo()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(begin(fixture, 4, onceInTenMinutes).has_value());
        QVERIFY(fixture.runUntil([&] { return states(fixture).value(HeldState::Waiting) == 4; }));
        QVERIFY(fixture.carryOut(api::RemovePolicy{QStringLiteral("standard")}).has_value());
        fixture.advance(std::chrono::hours(1));
        QCOMPARE(consumers.total(), 0);
        QCOMPARE(states(fixture).size(), 0);
        QVERIFY(fixture.message(core::MessageId{1}).status == MessageStatus::Unresolved);
    }
};

QTEST_GUILESS_MAIN(TestPolicies)
#include "tst_policies.moc"
