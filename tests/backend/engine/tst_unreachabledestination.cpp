// A destination to which nothing can be sent: its messages end or wait with the reason, and hold no others.
#include "backend/api/requests/retries.h"
#include "tests/support/enginefixture.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using core::ErrorKind;
using records::Outcome;
using support::EngineFixture;
using test::must;

namespace {

const QString billing = QStringLiteral("billing");
constexpr int messages = 10; // half of them for billing

core::Error refusal(ErrorKind kind)
{
    return {kind, QStringLiteral("Billing is closed."), {}, {}};
}

int countOf(EngineFixture &fixture, core::OperationId id, Outcome outcome)
{
    const QList<store::RetryMember> members = fixture.members(id);
    return int(std::count_if(members.cbegin(), members.cend(),
                             [outcome](const store::RetryMember &one) { return one.outcome == outcome; }));
}

} // namespace

class TestUnreachableDestination final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aClearAnswerEndsItsMessagesWithTheReason_data()
    {
        QTest::addColumn<ErrorKind>("kind");
        QTest::newRow("a right is missing") << ErrorKind::Unauthorized;
        QTest::newRow("the broker refuses it") << ErrorKind::Rejected;
    }

    void aClearAnswerEndsItsMessagesWithTheReason()
    {
        QFETCH(const ErrorKind, kind);
        EngineFixture fixture(records::HandOver::StagingQueue);
        fixture.fill(messages);
        fixture.broker->unreachable.insert(billing, refusal(kind));
        fixture.start();
        const core::OperationId id = must(fixture.retryAll());
        QVERIFY(fixture.runToEnd(id));
        QCOMPARE(countOf(fixture, id, Outcome::Sent), messages / 2);
        QCOMPARE(countOf(fixture, id, Outcome::Ejected), messages / 2);
        for (const store::RetryMember &member : fixture.members(id))
            QVERIFY(member.outcome != Outcome::Ejected || member.reason.contains(QLatin1String("Billing is closed.")));
    }

    void aNodeThatIsDownHoldsItsMessagesAndNoOthers()
    {
        EngineFixture fixture(records::HandOver::StagingQueue);
        fixture.fill(messages);
        fixture.broker->unreachable.insert(billing, refusal(ErrorKind::Transient));
        fixture.start();
        const core::OperationId id = must(fixture.retryAll());
        QVERIFY(fixture.runUntil([&] { return countOf(fixture, id, Outcome::Sent) == messages / 2; }));
        fixture.advance(3min);
        QCOMPARE(countOf(fixture, id, Outcome::Claimed), messages / 2);
        QVERIFY(fixture.operation(id).waitingReason.contains(QLatin1String("Billing is closed.")));
        fixture.broker->unreachable.clear();
        QVERIFY(fixture.runToEnd(id));
        QCOMPARE(countOf(fixture, id, Outcome::Sent), messages);
    }

    // One message a minute tries whether it accepts any; the answer ends the others, too.
    void aClearAnswerEndsWhatRests_data() { aClearAnswerEndsItsMessagesWithTheReason_data(); }

    void aClearAnswerEndsWhatRests()
    {
        QFETCH(const ErrorKind, kind);
        EngineFixture fixture(records::HandOver::StagingQueue);
        fixture.fill(messages);
        fixture.broker->unreachable.insert(billing, refusal(ErrorKind::Transient));
        fixture.start();
        const core::OperationId id = must(fixture.retryAll());
        QVERIFY(fixture.runUntil([&] { return countOf(fixture, id, Outcome::Sent) == messages / 2; }));
        fixture.broker->unreachable.insert(billing, refusal(kind));
        const core::SteadyTime from = fixture.clock.steady();
        QVERIFY(fixture.runToEnd(id));
        QCOMPARE(countOf(fixture, id, Outcome::Ejected), messages / 2);
        QVERIFY(fixture.clock.steady() - from < 2min);
    }

    void itsMessagesCanBeCancelled()
    {
        EngineFixture fixture(records::HandOver::StagingQueue);
        fixture.fill(messages);
        fixture.broker->unreachable.insert(billing, refusal(ErrorKind::Transient));
        fixture.start();
        const core::OperationId id = must(fixture.retryAll());
        QVERIFY(fixture.runUntil([&] { return countOf(fixture, id, Outcome::Sent) == messages / 2; }));
        must(fixture.carryOut(api::ChangeOperation{id, api::OperationAction::Cancel}));
        QVERIFY(fixture.runToEnd(id));
        QCOMPARE(countOf(fixture, id, Outcome::Cancelled), messages / 2);
    }

    // All copies are staged, and the broker starts no shovel.
    void aBatchWithoutAShovelCanBeCancelled()
    {
        EngineFixture fixture(records::HandOver::StagingQueue);
        fixture.fill(messages);
        fixture.broker->forwardsNothing = true;
        fixture.start();
        const core::OperationId id = must(fixture.retryAll());
        QVERIFY(fixture.runUntil([&] { return countOf(fixture, id, Outcome::Staged) == messages; }));
        fixture.advance(1min);
        must(fixture.carryOut(api::ChangeOperation{id, api::OperationAction::Cancel}));
        QVERIFY(fixture.runToEnd(id));
        QCOMPARE(countOf(fixture, id, Outcome::Cancelled), messages);
        fixture.broker->forwardsNothing = false;
        const core::OperationId next = must(fixture.retryAll());
        QVERIFY(fixture.runToEnd(next));
        QCOMPARE(countOf(fixture, next, Outcome::Sent), messages);
        QVERIFY(fixture.runUntil([&] { return fixture.broker->places().isEmpty(); }));
    }
};

REDRIVE_TEST(TestUnreachableDestination)
#include "tst_unreachabledestination.moc"
