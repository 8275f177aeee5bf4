// Recovery policies on a whole engine: failed messages are retried by themselves, as often as their policy says, and a
// person's word always counts more.
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/policies.h"
#include "backend/api/requests/retries.h"
#include "backend/engine/policies/policyservice.h"
#include "backend/store/policies/policystore.h"
#include "tests/support/policyfixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace support;
using records::MessageStatus;
using recovery::HeldState;

class TestPolicies final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMessageIsRetriedAsOftenAsItsPolicySays()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(beginPolicy(fixture, 4, twiceThenDelayed).has_value());
        QVERIFY(fixture.runUntil([&] { return heldStates(fixture).value(HeldState::Exhausted) == 4; }));
        fixture.advance(std::chrono::hours(1));
        QCOMPARE(consumers.seen.size(), 4);
        QCOMPARE(consumers.total(), 4 * 5); // 6 attempts, of which the store saw the first one
        for (const QList<int> &counts : std::as_const(consumers.counts))
            QCOMPARE(counts, (QList<int>{1, 2, 3, 4, 5}));
        for (const records::RetryOperation &operation : allOperations(fixture)) {
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
        QVERIFY(beginPolicy(fixture, 1, R"({"name": "standard", "immediate": 0, "delayed": 2, "jitter": "none",
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
        QVERIFY(beginPolicy(fixture, 3, R"({"name": "standard",
            "classify": [{"exception": "System.Exceptions.Number1Exception", "as": "permanent"}],
            "immediate": 1, "delayed": 0, "exhausted": {"do": "notify"}, "stop_when": "never"})")
                    .has_value());
        QVERIFY(fixture.runUntil([&] { return heldStates(fixture).value(HeldState::Exhausted) == 3; }));
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
        QVERIFY(beginPolicy(fixture, 4, twiceThenDelayed).has_value());
        for (int times = 0; times < 5; ++times) {
            fixture.runUntil([] { return false; }, after);
            fixture.restart();
        }
        QVERIFY(fixture.runUntil([&] { return heldStates(fixture).value(HeldState::Exhausted) == 4; }));
        QCOMPARE(consumers.seen.size(), 4);
        QVERIFY2(consumers.most() <= 5, qPrintable(QString::number(consumers.most())));
    }

    void pausedPoliciesAndPauseAllRetryNothing()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        fixture.fill(4);
        fixture.start();
        setPolicy(fixture, twiceThenDelayed);
        QVERIFY(fixture.carryOut(api::PausePolicy{QStringLiteral("standard"), true}).has_value());
        QVERIFY(assignPolicy(fixture).has_value());
        fixture.advance(std::chrono::minutes(5));
        QCOMPARE(consumers.total(), 0);
        QCOMPARE(heldStates(fixture).value(HeldState::Waiting), 4);
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
        setPolicy(fixture, twiceThenDelayed);
        QVERIFY(assignPolicy(fixture).has_value());
        fixture.advance(std::chrono::minutes(30));
        QCOMPARE(consumers.total(), 4);
        QCOMPARE(allOperations(fixture).size(), 1);
        QVERIFY(allOperations(fixture).first().policy.isEmpty());
    }

    void archivedMessagesAreLeftAlone()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(beginPolicy(fixture, 2, onceInTenMinutes).has_value());
        fixture.advance(std::chrono::minutes(1));
        api::DecideMessages archive;
        archive.filter.messages = {core::MessageId{1}};
        archive.decision = api::Decision::Archive;
        QVERIFY(fixture.carryOut(archive).has_value());
        fixture.advance(std::chrono::minutes(30));
        QCOMPARE(consumers.total(), 1);
        QCOMPARE(heldStates(fixture).value(HeldState::Ended), 1);
    }

    void aMessageThatWasTakenOutWaitsForAPerson()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(beginPolicy(fixture, 2, onceInTenMinutes).has_value());
        fixture.advance(std::chrono::minutes(1));
        const core::Result<qint64> out = fixture.carryOut(api::ExcludeFromPolicy{{core::MessageId{1}}, true});
        QCOMPARE(out.value_or(-1), 1);
        fixture.advance(std::chrono::minutes(30));
        QCOMPARE(consumers.total(), 1);
        QCOMPARE(heldStates(fixture).value(HeldState::Excluded), 1);
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
        QVERIFY(beginPolicy(fixture, 40, R"({"name": "standard", "immediate": 90, "delayed": 0,
            "rate_limit": {"after": 10, "wait": "5s"}})")
                    .has_value());
        QVERIFY(fixture.runUntil([&] { return hasEvent(fixture, QStringLiteral("Rate limit started")); }));
        const int before = consumers.total();
        fixture.runUntil([&] { return fixture.clock.now() > mended - std::chrono::minutes(1); });
        const int probes = consumers.total() - before;
        QVERIFY2(probes > 5 && probes < 9 * 60 / 5, qPrintable(QString::number(probes)));
        QVERIFY(fixture.runUntil([&] { return hasEvent(fixture, QStringLiteral("Rate limit ended")); }));
        fixture.advance(std::chrono::minutes(5));
        QCOMPARE(heldStates(fixture).value(HeldState::Waiting), 0);
        QCOMPARE(fixture.broker->depthOf(errorQueue), 0);
        QCOMPARE(consumers.seen.size(), 40);
    }

    void aPolicyThatMakesThingsWorseIsStopped()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(beginPolicy(fixture, 150, R"({"name": "standard", "immediate": 5, "delayed": 0})").has_value());
        QVERIFY(fixture.runUntil([&] { return hasEvent(fixture, QStringLiteral("Policy paused")); }));
        const int sent = consumers.total();
        fixture.advance(std::chrono::hours(1));
        QCOMPARE(consumers.total(), sent);
        QVERIFY(sent <= 150);
        QVERIFY(fixture.carryOut(api::PausePolicy{QStringLiteral("standard"), false}).has_value());
        QVERIFY(fixture.runUntil([&] { return consumers.total() > sent; }));
    }

    // A share says nothing where there are few, and the attempts bound the policy anyway.
    void theStopRuleKnowsSmallRetries_data()
    {
        QTest::addColumn<int>("messages");
        QTest::addColumn<QString>("rule");
        QTest::addColumn<bool>("stops");
        QTest::addRow("a share of 20") << 20 << QStringLiteral("50%") << false;
        QTest::addRow("a share of 100") << 100 << QStringLiteral("50%") << true;
        QTest::addRow("a number of 20") << 20 << QStringLiteral("10") << true;
    }

    void theStopRuleKnowsSmallRetries()
    {
        QFETCH(const int, messages);
        QFETCH(const QString, rule);
        QFETCH(const bool, stops);
        EngineFixture fixture;
        Consumers consumers(fixture);
        const QString file = QStringLiteral(R"({"name": "standard", "immediate": 2, "delayed": 0, "stop_when": "%1"})");
        QVERIFY(beginPolicy(fixture, messages, file.arg(rule).toUtf8()).has_value());
        fixture.advance(std::chrono::minutes(30));
        QCOMPARE(hasEvent(fixture, QStringLiteral("Policy paused")), stops);
        QCOMPARE(heldStates(fixture).value(HeldState::Exhausted), stops ? 0 : messages);
    }

    void whoeverCancelsARetryOfAPolicyPausesIt()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        fixture.broker->full.insert(QStringLiteral("billing"));
        fixture.broker->full.insert(QStringLiteral("sales"));
        QVERIFY(beginPolicy(fixture, 4, twiceThenDelayed).has_value());
        QVERIFY(fixture.runUntil([&] { return allOperations(fixture).size() == 1; }));
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
        const auto begun = beginPolicy(fixture, 4, R"({"name": "standard", "immediate": 0, "delayed": 0,
            "exhausted": {"do": "move", "queue": "parking"}})");
        QVERIFY2(begun, begun ? "" : qPrintable(begun.error().message));
        QVERIFY2(fixture.runUntil([&] { return consumers.total() == 4; }, 5000),
                 qPrintable(fixture.engine->policies().scheduler().waits(core::AssignmentId{1}).why));
        QCOMPARE(consumers.destinations.count(QStringLiteral("parking")), 4);
        fixture.advance(std::chrono::hours(1));
        QCOMPARE(consumers.total(), 4);
        QCOMPARE(heldStates(fixture).value(HeldState::Exhausted), 4);
    }

    void theMoreSpecificPolicyWins()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(beginPolicy(fixture, 4, R"({"name": "standard", "immediate": 0, "delayed": 1, "jitter": "none",
            "schedule": {"kind": "linear", "first": "1h"}})")
                    .has_value());
        setPolicy(fixture, R"({"name": "quick", "immediate": 1, "delayed": 0, "stop_when": "never"})");
        recovery::Scope scope;
        scope.of = recovery::Scope::Of::Rule;
        scope.rule.exception = QStringLiteral("*Number1*");
        QVERIFY(fixture.carryOut(api::AssignPolicy{QStringLiteral("quick"), scope, true}).has_value());
        fixture.advance(std::chrono::minutes(10));
        QCOMPARE(consumers.seen.size(), 1);
        QCOMPARE(heldStates(fixture, core::AssignmentId{2}).value(HeldState::Exhausted)
                     + heldStates(fixture, core::AssignmentId{1}).value(HeldState::Exhausted),
                 1);
        QCOMPARE(heldStates(fixture).value(HeldState::Waiting), 3);
    }

    void badAssignmentsAreRefused()
    {
        EngineFixture fixture;
        QVERIFY(beginPolicy(fixture, 1, twiceThenDelayed).has_value());
        QVERIFY(assignPolicy(fixture).error().kind == core::ErrorKind::Conflict);
        QVERIFY(assignPolicy(fixture, QStringLiteral("nobody")).error().kind == core::ErrorKind::NotFound);
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

    // The account sees only some of them, or a node is down.
    void aQueueThatIsNotProvedToBeMissingCanBeAssigned()
    {
        EngineFixture fixture;
        fixture.broker->onlyNamed = QStringList{QStringLiteral("error")};
        QVERIFY(beginPolicy(fixture, 1, twiceThenDelayed).has_value());
        recovery::Scope scope;
        scope.connection = fixture.shop;
        scope.queue = QStringLiteral("far");
        QVERIFY(fixture.carryOut(api::AssignPolicy{QStringLiteral("standard"), scope}).has_value());
    }

    void aRemovedPolicyLetsItsMessagesGo()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(beginPolicy(fixture, 4, onceInTenMinutes).has_value());
        QVERIFY(fixture.runUntil([&] { return heldStates(fixture).value(HeldState::Waiting) == 4; }));
        QVERIFY(fixture.carryOut(api::RemovePolicy{QStringLiteral("standard")}).has_value());
        fixture.advance(std::chrono::hours(1));
        QCOMPARE(consumers.total(), 0);
        QCOMPARE(heldStates(fixture).size(), 0);
        QVERIFY(fixture.message(core::MessageId{1}).status == MessageStatus::Unresolved);
    }
};

REDRIVE_TEST(TestPolicies)
#include "tst_policies.moc"
