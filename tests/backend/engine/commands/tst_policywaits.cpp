// Why due messages of a policy wait, and that none of them waits longer or more silently than it has to.
#include "backend/api/requests/policyview.h"
#include "backend/api/requests/retries.h"
#include "backend/engine/policies/policyoutcomes.h"
#include "backend/engine/policies/policyservice.h"
#include "tests/support/policyfixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace support;
using namespace std::chrono_literals;
using recovery::HeldState;

namespace {

const QString billing = QStringLiteral("billing"); // of the messages with an odd number
const QString sales = QStringLiteral("sales");
const QString ada = QStringLiteral("ada@desk");
const QByteArray once = R"({"name": "standard", "immediate": 1, "delayed": 0, "stop_when": "never"})";

engine::PolicyOutcomes::Obstacle waits(EngineFixture &fixture)
{
    return fixture.engine->policies().scheduler().waits(core::AssignmentId{1});
}

api::AssignmentView viewOf(EngineFixture &fixture)
{
    const auto views = fixture.ask<QList<api::PolicyView>>(
        [&](store::Session &session) { return fixture.engine->policies().views(session, -1); });
    return views.value(0).assignments.value(0);
}

// Takes a message out of its policy before it is due, or returns it.
bool exclude(EngineFixture &fixture, qint64 id, bool exclude)
{
    return fixture.carryOut(api::ExcludeFromPolicy{{core::MessageId{id}}, exclude}).value_or(0) == 1;
}

// The policy retries message 1 for billing in operation 1; message 2 for sales is due after that.
void beginWithFullBilling(EngineFixture &fixture)
{
    fixture.broker->full.insert(billing);
    fixture.fill(2);
    fixture.start();
    setPolicy(fixture, once);
    QVERIFY(fixture.carryOut(api::PausePolicy{QStringLiteral("standard"), true}).has_value());
    QVERIFY(assignPolicy(fixture).has_value());
    QVERIFY(fixture.runUntil([&] { return heldStates(fixture).value(HeldState::Waiting) == 2; }));
    QVERIFY(exclude(fixture, 2, true));
    QVERIFY(fixture.carryOut(api::PausePolicy{QStringLiteral("standard"), false}).has_value());
    QVERIFY(fixture.runUntil([&] { return allOperations(fixture).size() == 1; }));
}

} // namespace

class TestPolicyWaits final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFullDestinationKeepsNoOtherWaiting()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        beginWithFullBilling(fixture);
        fixture.advance(2min);
        QCOMPARE(consumers.total(), 0);
        QVERIFY(exclude(fixture, 2, false));
        fixture.advance(2min);
        QCOMPARE(consumers.destinations, QStringList{sales});
        QVERIFY(!fixture.operation(core::OperationId{1}).finished);
        fixture.broker->full.clear();
        fixture.advance(10min);
        QCOMPARE(consumers.destinations, (QStringList{sales, billing})); // each one once
    }

    void onlySoManyOperationsMayBeStuck()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        fixture.broker->full = {billing, sales};
        QVERIFY(beginPolicy(fixture, 10, R"({"name": "standard", "immediate": 0, "delayed": 1, "jitter": "none",
            "schedule": {"kind": "linear", "first": "1m"}})")
                    .has_value());
        QVERIFY(fixture.runUntil([&] { return heldStates(fixture).value(HeldState::Waiting) == 10; }));
        for (qint64 id = 2; id <= 10; ++id)
            QVERIFY(exclude(fixture, id, true));
        for (qint64 id = 2; id <= 10; ++id) {
            fixture.advance(3min);
            QVERIFY(exclude(fixture, id, false));
        }
        fixture.advance(10min);
        QCOMPARE(allOperations(fixture).size(), engine::PolicyOutcomes::mostStuck);
        QVERIFY(waits(fixture).operation == core::OperationId{1});
        QVERIFY(!viewOf(fixture).waits.isEmpty());
    }

    void aPausedOperationSaysWhoPausedIt()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        beginWithFullBilling(fixture);
        const core::OperationId first{1};
        QVERIFY(fixture.carryOut(api::ChangeOperation{first, api::OperationAction::Pause}).has_value());
        QVERIFY(exclude(fixture, 2, false));
        fixture.advance(5min);
        QCOMPARE(consumers.total(), 0);
        const api::AssignmentView view = viewOf(fixture);
        QCOMPARE(view.due, 1);
        QVERIFY(view.waitsFor == first);
        QVERIFY2(view.waits.contains(ada), qPrintable(view.waits));
        fixture.broker->full.clear();
        QVERIFY(fixture.carryOut(api::ChangeOperation{first, api::OperationAction::Resume}).has_value());
        QVERIFY(fixture.runUntil([&] { return consumers.destinations.contains(sales); }));
    }

    // However many there are, one of them is tried once a minute.
    void aMissingQueueIsDecidedForAllOfItsMessages()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        fixture.broker->removeQueue(billing);
        QVERIFY(beginPolicy(fixture, 40, once).has_value());
        fixture.advance(1min);
        QCOMPARE(consumers.destinations.count(sales), 20);
        QCOMPARE(heldStates(fixture).value(HeldState::Waiting), 20);
        const recovery::HeldMessage held = heldMessage(fixture, core::MessageId{1});
        QVERIFY(!held.nextAttempt);
        QVERIFY2(held.reason.contains(billing), qPrintable(held.reason));
        fixture.advance(1h);
        QVERIFY(heldMessage(fixture, core::MessageId{1}) == held); // it is not written again
        QVERIFY(viewOf(fixture).waits.contains(billing));
        QCOMPARE(viewOf(fixture).due, 0);
        fixture.broker->addQueue(billing);
        fixture.advance(5min);
        QCOMPARE(consumers.destinations.count(billing), 20);
        QVERIFY(viewOf(fixture).waits.isEmpty());
    }

    // It keeps messages for a second, and nobody consumes them as far as is known.
    void nothingIsSentIntoCertainLoss()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        records::QueueLimits limits;
        limits.keeps = 1s;
        fixture.broker->limits.insert(billing, limits);
        QVERIFY(beginPolicy(fixture, 40, once).has_value());
        fixture.advance(5min);
        QCOMPARE(consumers.destinations.count(sales), 20);
        QCOMPARE(consumers.destinations.count(billing), 0);
        QVERIFY(viewOf(fixture).waits.contains(billing));
        QVERIFY(!viewOf(fixture).waits.contains(u"does not exist"));
        fixture.broker->limits.remove(billing);
        fixture.advance(5min);
        QCOMPARE(consumers.destinations.count(billing), 20);
    }

    void aRestartForgetsNoMissingQueue()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        fixture.broker->removeQueue(billing);
        QVERIFY(beginPolicy(fixture, 4, once).has_value());
        fixture.advance(1min);
        fixture.restart();
        fixture.advance(1min);
        QVERIFY(viewOf(fixture).waits.contains(billing));
        fixture.stop();
        fixture.broker->addQueue(billing);
        fixture.start();
        fixture.advance(1min);
        QCOMPARE(consumers.destinations.count(billing), 2);
    }

    void aClockThatIsSetBackMakesNoMessageLate_data()
    {
        QTest::addColumn<bool>("whileItRuns");
        QTest::addRow("while it runs") << true;
        QTest::addRow("while no engine runs") << false;
    }

    void aClockThatIsSetBackMakesNoMessageLate()
    {
        QFETCH(const bool, whileItRuns);
        EngineFixture fixture;
        Consumers consumers(fixture);
        consumers.fails = [](const records::Envelope &) { return false; };
        fixture.clock.jump(5h); // wrong until it is set back
        QVERIFY(beginPolicy(fixture, 2, onceInTenMinutes).has_value());
        fixture.advance(1min);
        if (!whileItRuns)
            fixture.stop();
        fixture.clock.jump(-5h);
        if (!whileItRuns)
            fixture.start();
        fixture.advance(8min);
        QCOMPARE(consumers.total(), 0);
        fixture.advance(4min);
        QCOMPARE(consumers.total(), 2);
    }

    void aPausedPolicyHasNoNextRetry()
    {
        EngineFixture fixture;
        Consumers consumers(fixture);
        QVERIFY(beginPolicy(fixture, 2, onceInTenMinutes).has_value());
        fixture.advance(1min);
        QVERIFY(viewOf(fixture).nextDue.has_value());
        QVERIFY(fixture.carryOut(api::PausePolicy{QStringLiteral("standard"), true}).has_value());
        QVERIFY(!viewOf(fixture).nextDue);
        QCOMPARE(viewOf(fixture).held, 2);
        QVERIFY(fixture.carryOut(api::PausePolicy{QStringLiteral("standard"), false}).has_value());
        QVERIFY(viewOf(fixture).nextDue.has_value());
        QVERIFY(fixture.carryOut(api::PauseAll{true}).has_value());
        fixture.advance(2s);
        QVERIFY(!viewOf(fixture).nextDue);
    }
};

REDRIVE_TEST(TestPolicyWaits)
#include "tst_policywaits.moc"
