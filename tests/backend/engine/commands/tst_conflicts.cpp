// What a person saw changed before the decision arrived: optimistic concurrency on the decisions of people (deferred
// dispatch).
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/retries.h"
#include "backend/core/limits.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using api::Decision;
using api::DecisionCounts;
using core::ErrorKind;
using core::Result;
using records::MessageStatus;
using support::EngineFixture;

namespace {

constexpr int longest = 30000; // ms

const QString ada = QStringLiteral("ada@desk");
const QString bob = QStringLiteral("bob@ops");

struct Shop : EngineFixture
{
    explicit Shop(int messages)
    {
        connection.rights |= records::Right::Delete;
        clock.jump(std::chrono::hours(24 * 365)); // later than the failures of the sample messages
        fill(messages);
        dependencies.queries = store::QueryService::open(dependencies.storePath);
        start();
        const auto slice =
            ask<store::Slice>([](store::Session &session) { return session.messages().slice({}, {}, 100); });
        ids = slice.ids;
    }

    qint64 change()
    {
        return ask<qint64>([](store::Session &session) { return session.changeNumber(); });
    }

    // Who asks the query threads waits in real time, while the clock of the engine stands still.
    template<api::Request R>
    Result<typename R::Answer> as(const QString &who, R request)
    {
        const auto asked = std::make_shared<api::Asked<R>>(std::move(request));
        const auto answer = asked->reply.future();
        engine->carryOut(asked, who);
        const bool ended = QTest::qWaitFor(
            [&] {
                advance(core::Milliseconds{0});
                return answer.isFinished();
            },
            longest);
        if (!ended)
            return core::fail(ErrorKind::Transient, QStringLiteral("no answer"));
        return answer.result();
    }

    Result<DecisionCounts> decide(const QString &who, Decision decision, const QList<core::MessageId> &messages,
                                  qint64 asOf = 0)
    {
        api::DecideMessages command;
        command.filter.connection = shop;
        command.filter.messages = messages;
        command.decision = decision;
        command.asOfChange = asOf;
        return as(who, command);
    }

    // Archived and restored: the status is as before, the version is not.
    void touch(core::MessageId id)
    {
        test::must(store->transact([&](store::Session &session) -> Result<> {
            const store::Decided decided{clock.now(), bob};
            TRY(session.messages().decide({id}, {MessageStatus::Unresolved}, MessageStatus::Archived, decided));
            TRY(session.messages().decide({id}, {MessageStatus::Archived}, MessageStatus::Unresolved, decided));
            return {};
        }));
    }

    QList<core::MessageId> ids;
};

} // namespace

class TestConflicts final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatOthersDidSinceIsNamed()
    {
        Shop shop(3);
        const core::OperationId id = test::must(shop.retryAll());
        QVERIFY(shop.runToEnd(id));
        const qint64 seen = shop.change();
        QCOMPARE(test::must(shop.decide(bob, Decision::TakeBack, {shop.ids.at(0)})).changed, 1);
        QCOMPARE(test::must(shop.decide(bob, Decision::Archive, {shop.ids.at(0)})).changed, 1);

        const DecisionCounts some = test::must(shop.decide(ada, Decision::Resolve, shop.ids.mid(0, 2), seen));
        QCOMPARE(some.changed, 1);
        QCOMPARE(some.conflicts, 1);
        QCOMPARE(some.change, shop.change());
        for (const QString &part : {bob, QStringLiteral("Archived"), QString::number(shop.ids.at(0).value)})
            QVERIFY2(some.conflict.contains(part), qPrintable(some.conflict));
        QVERIFY(shop.message(shop.ids.at(0)).status == MessageStatus::Archived);
        QVERIFY(shop.message(shop.ids.at(1)).status == MessageStatus::Resolved);

        const Result<DecisionCounts> none = shop.decide(ada, Decision::Resolve, {shop.ids.at(0)}, seen);
        QVERIFY(!none && none.error().kind == ErrorKind::Conflict);
        QVERIFY2(none.error().message.contains(bob), qPrintable(none.error().message));
        // A person who saw the archived message asked for something else; nothing happens, and nothing is a conflict.
        QCOMPARE(test::must(shop.decide(ada, Decision::Resolve, {shop.ids.at(0)}, shop.change())).conflicts, 0);
    }

    void aRetryOfOthersIsNamed()
    {
        Shop shop(2);
        const qint64 seen = shop.change();
        const core::OperationId id = test::must(shop.retryAll());
        QVERIFY(shop.runToEnd(id));
        const Result<DecisionCounts> late = shop.decide(ada, Decision::Archive, shop.ids, seen);
        QVERIFY(!late && late.error().kind == ErrorKind::Conflict);
        QVERIFY2(late.error().message.contains(QStringLiteral("2 messages")), qPrintable(late.error().message));
    }

    void whatOthersDeletedIsNamed()
    {
        Shop shop(2);
        QVERIFY(shop.decide(bob, Decision::Archive, shop.ids));
        const qint64 seen = shop.change();
        QCOMPARE(test::must(shop.decide(bob, Decision::Delete, {shop.ids.at(0)})).changed, 1);
        const DecisionCounts counts = test::must(shop.decide(ada, Decision::Restore, shop.ids, seen));
        QCOMPARE(counts.changed, 1);
        QCOMPARE(counts.conflicts, 1);
        QVERIFY2(counts.conflict.contains(QStringLiteral("deleted")), qPrintable(counts.conflict));
        // Deleted is what was wanted.
        QCOMPARE(test::must(shop.decide(ada, Decision::Delete, {shop.ids.at(0)}, seen)).conflicts, 0);
    }

    void theSameDecisionOfOthersIsNoConflict()
    {
        Shop shop(2);
        const qint64 seen = shop.change();
        QCOMPARE(test::must(shop.decide(bob, Decision::Archive, {shop.ids.at(0)})).changed, 1);
        const DecisionCounts counts = test::must(shop.decide(ada, Decision::Archive, shop.ids, seen));
        QCOMPARE(counts.changed, 1);
        QCOMPARE(counts.conflicts, 0);
    }

    void aNewerVersionThatStillFitsIsTriedAgain()
    {
        Shop shop(2);
        const qint64 seen = shop.change();
        shop.touch(shop.ids.at(0));
        const DecisionCounts counts = test::must(shop.decide(ada, Decision::Archive, shop.ids, seen));
        QCOMPARE(counts.changed, 2);
        QCOMPARE(counts.conflicts, 0);
    }

    // Deferred dispatch gives up when `retryCount >= 5` already: five retries, so six attempts. Here the message changes
    // between two of them, so many times.
    void fiveRetriesThenAConflict_data()
    {
        QTest::addColumn<int>("changes");
        QTest::addColumn<bool>("succeeds");
        const int retries = core::limits::conflictRetries;
        QCOMPARE(retries, 5);
        // The message was changed once before the first attempt.
        QTest::newRow("none between") << 0 << true;
        QTest::newRow("the last retry succeeds") << retries - 1 << true;
        QTest::newRow("every retry fails") << retries << false;
        QTest::newRow("for ever") << 1000 << false;
    }

    void fiveRetriesThenAConflict()
    {
        QFETCH(const int, changes);
        QFETCH(const bool, succeeds);
        Shop shop(2);
        const core::MessageId contested = shop.ids.at(0);
        const qint64 seen = shop.change();
        shop.touch(contested);
        int done = 0;
        bool over = false;
        std::function<void()> interfere = [&] {
            if (over || done == changes)
                return;
            ++done;
            shop.touch(contested);
            shop.clock.after(core::Milliseconds{0}, interfere);
        };
        shop.clock.after(core::Milliseconds{0}, interfere);
        const Result<DecisionCounts> counts = shop.decide(ada, Decision::Archive, shop.ids, seen);
        over = true;
        QVERIFY(counts); // the other message was archived
        QCOMPARE(counts->changed, succeeds ? 2 : 1);
        QCOMPARE(counts->conflicts, succeeds ? 0 : 1);
        QVERIFY(succeeds || counts->conflict.contains(bob));
        QVERIFY(shop.message(contested).status == (succeeds ? MessageStatus::Archived : MessageStatus::Unresolved));
    }

    void aChangeNumberOfAnotherStoreIsRefused()
    {
        Shop shop(1);
        const Result<DecisionCounts> refused = shop.decide(ada, Decision::Archive, shop.ids, shop.change() + 1);
        QVERIFY(!refused && refused.error().kind == ErrorKind::Rejected);
        QVERIFY(shop.message(shop.ids.at(0)).status == MessageStatus::Unresolved);
    }

    void whoSettledADoubtFirstIsNamed()
    {
        Shop shop(2);
        support::FakeBroker::Faults faults;
        faults.lostAfter = 1000;
        shop.broker->setFaults(faults);
        records::Plan plan;
        plan.onUnknown = records::OnUnknown::LeaveInDoubt;
        const core::OperationId id = test::must(shop.retryAll(records::OperationKind::Retry, plan));
        QVERIFY(shop.runToEnd(id));
        QCOMPARE(shop.operation(id).counts.inDoubt, 2);
        const qint64 first = shop.members(id).at(0).ordinal;
        const qint64 second = shop.members(id).at(1).ordinal;
        QCOMPARE(test::must(shop.as(bob, api::SettleInDoubt{id, {first}, api::Settlement::AssumeSent})), 1);

        const Result<qint64> late = shop.as(ada, api::SettleInDoubt{id, {first}, api::Settlement::SendAgain});
        QVERIFY(!late && late.error().kind == ErrorKind::Conflict);
        QVERIFY2(late.error().message.contains(bob), qPrintable(late.error().message));
        QCOMPARE(test::must(shop.as(ada, api::SettleInDoubt{id, {first, second}, api::Settlement::AssumeSent})), 1);
    }
};

REDRIVE_TEST(TestConflicts)
#include "tst_conflicts.moc"
