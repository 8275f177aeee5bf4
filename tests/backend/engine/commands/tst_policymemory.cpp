// What belongs to a message and its failure, and not to the policy that happens to have it: the attempts that were used,
// also when the application drops our headers, and that a person took it out. And which messages a policy is for.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/retryplan.h"
#include "backend/records/rules/stoprule.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/support/policyfixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace support;
using namespace std::chrono_literals;
using records::MessageStatus;
using recovery::HeldState;

namespace {

const QString standard = QStringLiteral("standard");
const QByteArray twice = R"({"name": "standard", "immediate": 2, "delayed": 0, "stop_when": "never"})";

// An application that publishes the body of a failed message again, without its headers.
class BodyOnlyConsumers final
{
public:
    explicit BodyOnlyConsumers(EngineFixture &fixture)
        : m_fixture(fixture)
    {
        fixture.broker->delivered = [this](const FakeBroker::Delivery &delivery) {
            if (delivery.destination == errorQueue)
                return;
            ++total;
            const QByteArray body =
                changesBody ? "try " + QByteArray::number(total) : QByteArray(delivery.envelope.body);
            const records::Envelope failed = failure(body, delivery.destination);
            m_fixture.clock.after(core::Milliseconds{200},
                                  [broker = m_fixture.broker, failed] { broker->put(errorQueue, failed); });
        };
    }
    ~BodyOnlyConsumers() { m_fixture.broker->delivered = {}; }
    BodyOnlyConsumers(const BodyOnlyConsumers &) = delete;
    BodyOnlyConsumers &operator=(const BodyOnlyConsumers &) = delete;

    static records::Envelope failure(const QByteArray &body, const QString &destination)
    {
        records::Envelope failed;
        failed.body = body;
        records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(destination));
        records::set(failed.headers, QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"),
                     QCborValue(QStringLiteral("System.TimeoutException")));
        return failed;
    }

    int total = 0;
    bool changesBody = false;

private:
    EngineFixture &m_fixture;
};

recovery::Scope errorScope(EngineFixture &fixture)
{
    recovery::Scope scope;
    scope.connection = fixture.shop;
    scope.queue = errorQueue;
    return scope;
}

store::StoredPolicy policyOf(EngineFixture &fixture)
{
    return fixture.ask<store::StoredPolicy>(
        [](store::Session &session) { return session.policies().policy(standard); });
}

// How many messages are at the end of what their policy does.
qint64 exhausted(EngineFixture &fixture, core::AssignmentId assignment = core::AssignmentId{1})
{
    return heldStates(fixture, assignment).value(HeldState::Exhausted);
}

// As a person who looks at the plan confirms it.
core::Result<core::OperationId> retryThese(EngineFixture &fixture, const QList<core::MessageId> &messages,
                                           const records::Plan &plan = {})
{
    api::ConfirmRetry command;
    command.draft.filter.connection = fixture.shop;
    command.draft.filter.messages = messages;
    command.draft.plan = plan;
    command.watchBack = 1h;
    TRY(const api::PlanPreview shown, fixture.carryOut(api::PreviewRetry{command.draft}));
    command.draft.asOfChange = shown.asOfChange;
    command.expectedCount = shown.frozenCount;
    return fixture.carryOut(command);
}

// A second policy whose rule matches nothing here: the book of policies is never empty.
void addAnother(EngineFixture &fixture)
{
    setPolicy(fixture, R"({"name": "another", "immediate": 0, "delayed": 0})");
    recovery::Scope scope;
    scope.of = recovery::Scope::Of::Rule;
    scope.rule.exception = QStringLiteral("Nothing.*");
    QVERIFY(fixture.carryOut(api::AssignPolicy{QStringLiteral("another"), scope}).has_value());
}

} // namespace

class TestPolicyMemory final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aReturnWithoutOurHeadersUsesAnAttempt_data()
    {
        QTest::addColumn<bool>("areEqual");
        QTest::addColumn<bool>("restarts");
        QTest::addRow("bodies of their own") << false << false;
        QTest::addRow("equal bodies") << true << false;
        QTest::addRow("with restarts") << false << true;
    }

    void aReturnWithoutOurHeadersUsesAnAttempt()
    {
        QFETCH(const bool, areEqual);
        QFETCH(const bool, restarts);
        constexpr int messages = 3;
        EngineFixture fixture;
        BodyOnlyConsumers consumers(fixture);
        fixture.fill(0);
        for (int n = 0; n < messages; ++n)
            fixture.broker->put(errorQueue,
                                BodyOnlyConsumers::failure(areEqual ? QByteArray("{}") : QByteArray::number(n),
                                                           QStringLiteral("billing")));
        fixture.start();
        setPolicy(fixture, twice);
        QVERIFY(assignPolicy(fixture).has_value());
        QVERIFY(fixture.carryOut(api::ChangeSubscription{fixture.shop, errorQueue}).has_value());
        for (int times = 0; restarts && times < 5; ++times) {
            fixture.runUntil([] { return false; }, 40);
            fixture.restart();
        }
        fixture.advance(10min);
        QVERIFY(consumers.total > 0);
        QVERIFY2(consumers.total <= messages * 2, qPrintable(QString::number(consumers.total)));
        if (restarts)
            return; // what may have been sent twice is left to a person
        QCOMPARE(exhausted(fixture), messages);
        QCOMPARE(consumers.total, messages * 2);
        QCOMPARE(policyOf(fixture).cameBack, messages * 2);
        QVERIFY(hasEvent(fixture, QStringLiteral("Returns known by their bodies")));
    }

    // Not even the body is the same: what comes back cannot be known, but that nothing comes without the policy can.
    void aLoopThatNobodyRecognizesIsStopped_data()
    {
        QTest::addColumn<int>("messages");
        QTest::addColumn<int>("most"); // that are sent
        QTest::addRow("one message") << 1 << 25;
        QTest::addRow("thirty messages") << 30 << 100;
    }

    void aLoopThatNobodyRecognizesIsStopped()
    {
        QFETCH(const int, messages);
        QFETCH(const int, most);
        EngineFixture fixture;
        BodyOnlyConsumers consumers(fixture);
        consumers.changesBody = true;
        fixture.fill(0);
        for (int n = 0; n < messages; ++n)
            fixture.broker->put(errorQueue,
                                BodyOnlyConsumers::failure(QByteArray::number(n), QStringLiteral("billing")));
        fixture.start();
        QVERIFY(fixture.carryOut(api::ChangeSubscription{fixture.shop, errorQueue}).has_value());
        setPolicy(fixture, twice);
        QVERIFY(assignPolicy(fixture).has_value());
        fixture.runUntil([&] { return hasEvent(fixture, QStringLiteral("Policy paused")); });
        QVERIFY(hasEvent(fixture, QStringLiteral("Policy paused")));
        const std::optional<store::PolicyPause> pause = policyOf(fixture).pause;
        QVERIFY(pause.has_value() && !pause->why.isEmpty());
        QVERIFY2(consumers.total <= most, qPrintable(QString::number(consumers.total)));
        const int sent = consumers.total;
        fixture.advance(20min);
        QCOMPARE(consumers.total, sent);
    }

    // The stop rule of the policy counts such returns as it counts those with our stamp.
    void theStopRuleCountsReturnsWithoutOurHeaders()
    {
        EngineFixture fixture;
        BodyOnlyConsumers consumers(fixture);
        fixture.fill(0);
        for (int n = 0; n < 20; ++n)
            fixture.broker->put(errorQueue,
                                BodyOnlyConsumers::failure(QByteArray::number(n), QStringLiteral("billing")));
        fixture.start();
        QVERIFY(fixture.carryOut(api::ChangeSubscription{fixture.shop, errorQueue}).has_value());
        QVERIFY(fixture.runUntil([&] { return fixture.broker->depthOf(errorQueue) == 0; }));
        fixture.advance(5s);
        setPolicy(fixture, R"({"name": "standard", "immediate": 9, "delayed": 0, "stop_when": "10"})");
        QVERIFY(assignPolicy(fixture).has_value());
        QVERIFY(fixture.runUntil([&] { return hasEvent(fixture, QStringLiteral("Policy paused")); }));
        fixture.advance(10min);
        const int sent = consumers.total;
        QVERIFY2(sent <= 40, qPrintable(QString::number(sent)));
        QVERIFY(policyOf(fixture).pause.has_value());
        QVERIFY(!policyOf(fixture).pause->why.isEmpty());
    }

    // Whoever resumes the policy has seen them: they count no more, and no return of later is forgiven in advance.
    void whoeverResumesForgivesReturnsWithoutOurHeaders()
    {
        EngineFixture fixture;
        BodyOnlyConsumers consumers(fixture);
        fixture.fill(0);
        for (int n = 0; n < 20; ++n)
            fixture.broker->put(errorQueue,
                                BodyOnlyConsumers::failure(QByteArray::number(n), QStringLiteral("billing")));
        fixture.start();
        QVERIFY(fixture.carryOut(api::ChangeSubscription{fixture.shop, errorQueue}).has_value());
        QVERIFY(fixture.runUntil([&] { return fixture.broker->depthOf(errorQueue) == 0; }));
        fixture.advance(5s);
        setPolicy(fixture, R"({"name": "standard", "immediate": 9, "delayed": 0, "stop_when": "10"})");
        QVERIFY(assignPolicy(fixture).has_value());
        QVERIFY(fixture.runUntil([&] { return policyOf(fixture).pause.has_value(); }));
        fixture.advance(1min); // what was on its way is back
        fixture.broker->delivered = {}; // from now on the consumers process every message
        QVERIFY(fixture.carryOut(api::PausePolicy{standard, false}).has_value());
        for (const records::RetryOperation &operation : allOperations(fixture))
            QCOMPARE(records::returnsOf(operation).back, 0);
        fixture.advance(10min);
        QVERIFY(!policyOf(fixture).pause.has_value());
    }

    // The return of one retry is none of the next, whoever makes it: no stop rule may count it twice.
    void aReturnBelongsToItsRetryAlone_data()
    {
        QTest::addColumn<bool>("byPerson");
        QTest::addRow("the policy retries") << false;
        QTest::addRow("a person retries") << true;
    }

    void aReturnBelongsToItsRetryAlone()
    {
        QFETCH(const bool, byPerson);
        constexpr core::MessageId first{1};
        EngineFixture fixture;
        int deliveries = 0;
        // The first delivery fails twice: its body alone comes back, then a copy with all headers.
        fixture.broker->delivered = [&](const FakeBroker::Delivery &delivery) {
            if (delivery.destination == errorQueue || ++deliveries > 1)
                return;
            const records::Envelope bare = BodyOnlyConsumers::failure(delivery.envelope.body, delivery.destination);
            records::Envelope whole = delivery.envelope;
            whole.headers += bare.headers;
            const auto comesBack = [&fixture](const records::Envelope &failed) {
                return [broker = fixture.broker, failed] { broker->put(errorQueue, failed); };
            };
            fixture.clock.after(200ms, comesBack(bare));
            fixture.clock.after(30s, comesBack(whole));
        };
        fixture.fill(0);
        fixture.broker->put(errorQueue, BodyOnlyConsumers::failure("{}", QStringLiteral("billing")));
        fixture.start();
        QVERIFY(fixture.carryOut(api::ChangeSubscription{fixture.shop, errorQueue}).has_value());
        QVERIFY(fixture.runUntil([&] { return fixture.broker->depthOf(errorQueue) == 0; }));
        fixture.advance(5s);
        setPolicy(fixture, R"({"name": "standard", "immediate": 0, "delayed": 5, "jitter": "none",
            "schedule": {"kind": "linear", "first": "10m"}, "stop_when": "never"})");
        QVERIFY(assignPolicy(fixture).has_value());
        const auto isBack = [&] {
            return fixture.message(first).attempts == 2 && heldMessage(fixture, first).state == HeldState::Waiting;
        };
        QVERIFY(fixture.runUntil(isBack));
        const recovery::HeldMessage back = heldMessage(fixture, first);
        QVERIFY(back.returnedAs.isValid());
        if (byPerson)
            QVERIFY(retryThese(fixture, {first}).has_value());
        QVERIFY(fixture.runUntil([&] {
            const recovery::HeldMessage now = heldMessage(fixture, first);
            return now.state == HeldState::InRetry && now.operation > back.operation;
        }));
        const recovery::HeldMessage again = heldMessage(fixture, first);
        QVERIFY(!again.returnedAs.isValid());
        QCOMPARE(fixture.ask<qint64>(
                     [&](store::Session &session) { return session.heldMessages().returnsBesides(again.operation); }),
                 0);
        fixture.broker->delivered = {};
    }

    // A message with the same body that was there before the retry is no return of it.
    void anEqualBodyThatWasThereBeforeIsNoReturn()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        fixture.fill(0);
        for (int n = 0; n < 4; ++n)
            fixture.broker->put(errorQueue, BodyOnlyConsumers::failure("{}", QStringLiteral("billing")));
        fixture.start();
        QVERIFY(fixture.carryOut(api::ChangeSubscription{fixture.shop, errorQueue}).has_value());
        QVERIFY(fixture.runUntil([&] { return fixture.broker->depthOf(errorQueue) == 0; }));
        fixture.advance(5s);
        setPolicy(fixture, twice);
        QVERIFY(fixture.carryOut(api::AssignPolicy{standard, errorScope(fixture)}).has_value());
        QCOMPARE(fixture.carryOut(api::ExcludeFromPolicy{{core::MessageId{1}}, false}).value_or(-1), 1);
        QVERIFY(fixture.runUntil([&] { return consumers.total() == 1; }));
        QVERIFY(assignPolicy(fixture).has_value());
        fixture.advance(10min);
        QCOMPARE(consumers.total(), 4);
        QCOMPARE(policyOf(fixture).cameBack, 0);
    }

    // ---- a person's word ----

    void whoeverIsTakenOutBeforeAPolicyComesStaysOut()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        fixture.fill(2);
        fixture.start();
        QCOMPARE(fixture.carryOut(api::ExcludeFromPolicy{{core::MessageId{1}}, true}).value_or(-1), 1);
        QCOMPARE(fixture.carryOut(api::ExcludeFromPolicy{{core::MessageId{1}}, true}).value_or(-1), 0);
        const core::Result<qint64> unknown = fixture.carryOut(api::ExcludeFromPolicy{{core::MessageId{99}}, true});
        QVERIFY(!unknown && unknown.error().kind == core::ErrorKind::NotFound);
        setPolicy(fixture, twice);
        QVERIFY(assignPolicy(fixture).has_value());
        fixture.advance(30min);
        QCOMPARE(consumers.total(), 1);
        QCOMPARE(heldStates(fixture).value(HeldState::Excluded), 1);
        QCOMPARE(fixture.carryOut(api::ExcludeFromPolicy{{core::MessageId{1}}, false}).value_or(-1), 1);
        fixture.advance(30min);
        QCOMPARE(consumers.total(), 2);
    }

    void leavingAPolicyAndComingBackForgetsNothing_data()
    {
        QTest::addColumn<bool>("isRemoved"); // the policy, and set again; otherwise unassigned and assigned again
        QTest::addColumn<bool>("hasAnother"); // there is another policy meanwhile
        QTest::addRow("unassigned, the only policy") << false << false;
        QTest::addRow("unassigned, one of two") << false << true;
        QTest::addRow("removed, the only policy") << true << false;
        QTest::addRow("removed, one of two") << true << true;
    }

    void leavingAPolicyAndComingBackForgetsNothing()
    {
        QFETCH(const bool, isRemoved);
        QFETCH(const bool, hasAnother);
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(beginPolicy(fixture, 4, twice).has_value());
        QCOMPARE(fixture.carryOut(api::ExcludeFromPolicy{{core::MessageId{1}}, true}).value_or(-1), 1);
        QVERIFY(fixture.runUntil([&] { return exhausted(fixture) == 3; }));
        const int sent = consumers.total();
        QVERIFY(sent >= 6);
        if (hasAnother)
            addAnother(fixture);
        if (isRemoved)
            QVERIFY(fixture.carryOut(api::RemovePolicy{standard}).has_value());
        else
            QVERIFY(fixture.carryOut(api::UnassignPolicy{core::AssignmentId{1}}).has_value());
        fixture.advance(10min);
        QCOMPARE(heldStates(fixture).size(), 0);
        setPolicy(fixture, twice);
        const core::Result<core::AssignmentId> again = assignPolicy(fixture);
        QVERIFY(again.has_value());
        fixture.advance(1h);
        QCOMPARE(consumers.total(), sent);
        QCOMPARE(exhausted(fixture, *again), 3);
        QCOMPARE(heldStates(fixture, *again).value(HeldState::Excluded), 1);
    }

    // ---- which messages it is for ----

    void aPolicyIsForNewFailures()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        fixture.fill(4);
        fixture.start();
        setPolicy(fixture, twice);
        const core::Result<core::AssignmentId> assigned =
            fixture.carryOut(api::AssignPolicy{standard, errorScope(fixture)});
        QVERIFY(assigned.has_value());
        fixture.advance(1h);
        QCOMPARE(consumers.total(), 0);
        QCOMPARE(heldStates(fixture).size(), 0);
        fixture.restart();
        fixture.advance(1h);
        QCOMPARE(consumers.total(), 0);

        // One that is there and fails again is a new failure.
        const core::Result<core::OperationId> retried = retryThese(fixture, {core::MessageId{1}});
        QVERIFY2(retried, retried ? "" : qPrintable(retried.error().message));
        QVERIFY(fixture.runUntil([&] { return exhausted(fixture) == 1; }));
        QCOMPARE(consumers.seen.size(), 1);
        QCOMPARE(consumers.total(), 3);

        // A person names one.
        QCOMPARE(fixture.carryOut(api::ExcludeFromPolicy{{core::MessageId{2}}, false}).value_or(-1), 1);
        QVERIFY(fixture.runUntil([&] { return exhausted(fixture) == 2; }));
        QCOMPARE(consumers.seen.size(), 2);

        // The others, too.
        const core::Result<core::AssignmentId> widened =
            fixture.carryOut(api::AssignPolicy{standard, errorScope(fixture), true});
        QVERIFY(widened && *widened == *assigned);
        QVERIFY(fixture.runUntil([&] { return exhausted(fixture) == 4; }));
        QVERIFY(fixture.carryOut(api::AssignPolicy{standard, errorScope(fixture), true}).error().kind
                == core::ErrorKind::Conflict);
    }

    void thePreviewCountsWhatIsThere()
    {
        EngineFixture fixture;
        fixture.fill(6);
        fixture.start();
        setPolicy(fixture, onceInTenMinutes);
        records::Plan later;
        later.notBefore = fixture.clock.now() + 5h;
        QVERIFY(retryThese(fixture, {core::MessageId{1}, core::MessageId{2}, core::MessageId{3}}, later).has_value());
        QCOMPARE(fixture.carryOut(api::ExcludeFromPolicy{{core::MessageId{1}}, true}).value_or(-1), 1);
        fixture.advance(1min);
        const auto queries = store::Queries::open(fixture.folder.filePath(QStringLiteral("store.sqlite")),
                                                  [&fixture] { return fixture.clock.now(); });
        QVERIFY(queries.has_value());
        const auto preview = [&](const recovery::Scope &scope) {
            return (*queries)
                ->ask(api::PreviewAssignment{standard, scope})
                .value_or(api::AssignmentPreview{-1, {}, -1});
        };
        const api::AssignmentPreview queue = preview(errorScope(fixture));
        QCOMPARE(queue.existing, 5);
        QCOMPARE(queue.inOtherRetries, 2);
        QVERIFY(queue.firstRetry == fixture.clock.now() + 10min);
        recovery::Scope rule;
        rule.of = recovery::Scope::Of::Rule;
        rule.rule.exception = QStringLiteral("*Number5*");
        QCOMPARE(preview(rule).existing, 1);
        QVERIFY(fixture.carryOut(api::AssignPolicy{standard, rule, true}).has_value());
        QVERIFY(fixture.runUntil([&] { return heldStates(fixture).value(HeldState::Waiting) == 1; }));
        QCOMPARE(preview(errorScope(fixture)).existing, 4); // the rule is more specific
    }

    // ---- rules that change while a retry begins ----

    void noRetryBeginsByOldRules_data()
    {
        QTest::addColumn<int>("after"); // steps of the clock
        QTest::addColumn<bool>("unassigns"); // otherwise a more specific assignment comes
        for (int after = 0; after < 24; ++after) {
            QTest::addRow("unassigned after %d", after) << after << true;
            QTest::addRow("a more specific one after %d", after) << after << false;
        }
    }

    void noRetryBeginsByOldRules()
    {
        QFETCH(const int, after);
        QFETCH(const bool, unassigns);
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        QVERIFY(beginPolicy(fixture, 4, onceInTenMinutes).has_value());
        QVERIFY(fixture.runUntil([&] { return heldStates(fixture).value(HeldState::Waiting) == 4; }));
        setPolicy(fixture, R"({"name": "later", "immediate": 0, "delayed": 1, "jitter": "none",
            "schedule": {"kind": "linear", "first": "20h"}})");
        fixture.runUntil([&] {
            const std::optional<core::TimePoint> due = heldMessage(fixture, core::MessageId{1}).nextAttempt;
            return due && fixture.clock.now() >= *due;
        });
        fixture.runUntil([] { return false; }, after);
        const auto complete = [&fixture] { // a set that is discarded leaves a gap in their numbers
            int number = 0;
            for (qint64 id = 1; id < 20; ++id) {
                const auto one = fixture.store->read<records::RetryOperation>(
                    [id](store::Session &session) { return session.retryOperations().load(core::OperationId{id}); });
                number += one && one->state != records::OperationState::Freezing ? 1 : 0;
            }
            return number;
        };
        recovery::Scope rule;
        rule.of = recovery::Scope::Of::Rule;
        rule.rule.exception = QStringLiteral("*");
        QVERIFY(unassigns ? fixture.carryOut(api::UnassignPolicy{core::AssignmentId{1}}).has_value()
                          : fixture.carryOut(api::AssignPolicy{QStringLiteral("later"), rule, true}).has_value());
        const auto before = complete();
        fixture.advance(15min);
        QCOMPARE(complete(), before);
        QCOMPARE(consumers.total(), before == 0 ? 0 : 4);
    }

    void aMessageThatWaitsForAMissingQueueFollowsItsNewDestination()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        fixture.broker->removeQueue(QStringLiteral("billing"));
        QVERIFY(beginPolicy(fixture, 2, twice).has_value());
        fixture.advance(5min);
        QCOMPARE(consumers.total(), 1);
        QVERIFY(!heldMessage(fixture, core::MessageId{1}).nextAttempt);
        const core::Result<> changed = fixture.store->transact([](store::Session &session) -> core::Result<> {
            TRY(const records::FailedMessage message, session.messages().load(core::MessageId{1}));
            store::NewMessage anew;
            anew.message = message;
            anew.message.destination.queue = QStringLiteral("sales"); // as a convention would
            return session.messages().reinterpret(message.id, anew);
        });
        QVERIFY(changed.has_value());
        fixture.advance(5min);
        QCOMPARE(consumers.destinations, (QStringList{QStringLiteral("sales"), QStringLiteral("sales")}));
    }
};

REDRIVE_TEST(TestPolicyMemory)
#include "tst_policymemory.moc"
