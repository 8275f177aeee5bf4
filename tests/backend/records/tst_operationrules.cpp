// When an operation goes on, has ended, is stopped by its rule, or waits because its store was copied or restored; and what
// keeps a connection.
#include "backend/records/ledger/operationlife.h"
#include "backend/records/rules/connectionuse.h"
#include "backend/records/rules/stoprule.h"
#include "backend/records/rules/storecopies.h"
#include "tests/support/testmain/testmain.h"

#include <QSet>
#include <QTest>

using records::OperationState;
using records::PausedBy;
using records::RetryOperation;

namespace {

constexpr core::TimePoint now = core::fromMs(1'800'000'000'000);

QList<OperationState> statesThat(bool (*rule)(OperationState))
{
    QList<OperationState> found;
    for (int value = 0; value <= int(lastOf(OperationState{})); ++value) {
        if (rule(OperationState(value)))
            found.append(OperationState(value));
    }
    return found;
}

// One of ten messages came back, and the limit is 1.
RetryOperation overItsLimit(OperationState state, PausedBy by = PausedBy::Nobody)
{
    RetryOperation operation;
    operation.state = state;
    operation.pausedBy = by;
    operation.total = 20;
    operation.counts.sent = 10;
    operation.counts.cameBack = 1;
    operation.plan.stopWhen = records::StopWhen{1, false};
    operation.waitingReason = QStringLiteral("for its turn");
    return operation;
}

} // namespace

class TestOperationRules final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void statesSayWhatTheOperationMayDo()
    {
        QVERIFY(statesThat(records::mayGoOn)
                == (QList{OperationState::Waiting, OperationState::Preparing, OperationState::Running}));
        QVERIFY(statesThat(records::isLive)
                == (QList{OperationState::Freezing, OperationState::Waiting, OperationState::Preparing,
                          OperationState::Running, OperationState::Paused}));
    }

    void aCancelledOperationEndsWithItsLastMessage()
    {
        RetryOperation operation;
        operation.total = 2;
        operation.counts.sent = 1;
        operation.counts.staged = 1;
        operation.state = OperationState::Running;
        QVERIFY(!operation.hasEnded());
        operation.state = OperationState::Cancelled;
        QVERIFY(!operation.hasEnded());
        operation.counts.staged = 0;
        operation.counts.cancelled = 1;
        QVERIFY(operation.hasEnded());
        operation.state = OperationState::Completed;
        QVERIFY(operation.hasEnded());
    }

    void theStopRulePausesWithTheReason_data()
    {
        QTest::addColumn<OperationState>("state");
        QTest::addColumn<PausedBy>("by");
        QTest::addColumn<bool>("stops");
        QTest::newRow("running") << OperationState::Running << PausedBy::Nobody << true;
        QTest::newRow("waiting") << OperationState::Waiting << PausedBy::Nobody << true;
        QTest::newRow("paused by a person") << OperationState::Paused << PausedBy::Person << true;
        QTest::newRow("paused with all") << OperationState::Paused << PausedBy::PauseAll << true;
        QTest::newRow("stopped already") << OperationState::Paused << PausedBy::StopRule << false;
        QTest::newRow("in a copied store") << OperationState::Paused << PausedBy::StoreCopy << false;
        QTest::newRow("completed") << OperationState::Completed << PausedBy::Nobody << false;
        QTest::newRow("cancelled") << OperationState::Cancelled << PausedBy::Nobody << false;
        QTest::newRow("freezing") << OperationState::Freezing << PausedBy::Nobody << false;
    }

    void theStopRulePausesWithTheReason()
    {
        QFETCH(const OperationState, state);
        QFETCH(const PausedBy, by);
        QFETCH(const bool, stops);
        const std::optional<RetryOperation> after = records::stopped(overItsLimit(state, by), now);
        QCOMPARE(after.has_value(), stops);
        if (!stops)
            return;
        QVERIFY(after->state == OperationState::Paused);
        QVERIFY(after->pausedBy == PausedBy::StopRule);
        QVERIFY(after->pausedAt == now);
        QVERIFY(after->waitingReason.isEmpty());
        QVERIFY2(after->stoppedBecause.contains(QStringLiteral("1 of 10")), qPrintable(after->stoppedBecause));
    }

    void theStopRuleKeepsWhenThePauseBeganAndLetsTheRestAlone()
    {
        RetryOperation held = overItsLimit(OperationState::Paused, PausedBy::Person);
        held.pausedAt = now - std::chrono::minutes(1);
        held.pausedWho = QStringLiteral("maria");
        const std::optional<RetryOperation> after = records::stopped(held, now);
        QVERIFY(after);
        QVERIFY(after->pausedAt == held.pausedAt);
        QVERIFY(after->pausedWho.isEmpty());
        RetryOperation fine = overItsLimit(OperationState::Running);
        fine.forgiven = 1; // a person resumed it
        QVERIFY(!records::stopped(fine, now));
        fine.plan.stopWhen.reset();
        fine.forgiven = 0;
        QVERIFY(!records::stopped(fine, now));
    }

    void inACopyNothingIsSentUntilAPersonResumesIt()
    {
        RetryOperation operation;
        for (const OperationState idle :
             {OperationState::Freezing, OperationState::Completed, OperationState::Cancelled}) {
            operation.state = idle;
            QVERIFY(!records::pausedInCopy(operation, now));
        }
        operation.state = OperationState::Running;
        const std::optional<RetryOperation> paused = records::pausedInCopy(operation, now);
        QVERIFY(paused);
        QVERIFY(paused->state == OperationState::Paused);
        QVERIFY(paused->pausedBy == PausedBy::StoreCopy);
        QVERIFY(paused->pausedAt == now);
        QVERIFY(!paused->waitingReason.isEmpty());
    }

    void aRestoreEndsAnOperationAndItsPause()
    {
        RetryOperation operation;
        operation.state = OperationState::Paused;
        operation.pausedBy = PausedBy::Person;
        operation.started = now - std::chrono::minutes(2);
        operation.pausedAt = now - std::chrono::minutes(1);
        const RetryOperation ended = records::endedByRestore(operation, now);
        QVERIFY(ended.state == OperationState::Cancelled);
        QVERIFY(ended.finished == now);
        QVERIFY(ended.pausedBy == PausedBy::Nobody);
        QVERIFY(ended.rested == std::chrono::minutes(1));
    }

    void aConnectionIsKeptForWhatIsNowhereElse()
    {
        using Use = records::ConnectionUse;
        QVERIFY(records::whyNotRemoved({}).isEmpty());
        QSet<QString> reasons;
        for (qint64 Use::*part : {&Use::unfinishedRetries, &Use::unresolved, &Use::archived, &Use::unknown,
                                  &Use::inDoubt, &Use::openIntakes}) {
            Use use;
            use.*part = 17;
            const QString why = records::whyNotRemoved(use);
            QVERIFY(!why.isEmpty());
            QVERIFY(part == &Use::openIntakes || why.contains(QStringLiteral("17")));
            reasons.insert(why);
            use.unfinishedRetries = 3; // what a person can end first
            QVERIFY(records::whyNotRemoved(use).contains(QStringLiteral("unfinished retries (3)")));
        }
        QCOMPARE(reasons.size(), 6);
    }

    void anOperationBeginsWithItsSet()
    {
        RetryOperation operation;
        QVERIFY(records::setComplete(operation, false, now).state == OperationState::Completed); // nothing to wait for
        operation.total = 3;
        QVERIFY(records::setComplete(operation, false, now).state == OperationState::Waiting);
        const RetryOperation held = records::setComplete(operation, true, now);
        QVERIFY(held.state == OperationState::Paused && held.pausedBy == PausedBy::PauseAll);
        const RetryOperation begun = records::preparing(operation, records::HandOver::IntentLog, now);
        QVERIFY(begun.state == OperationState::Preparing && begun.started == now);
        QVERIFY(records::running(begun).state == OperationState::Running);
    }

    void aPauseEndsWhereItBegan()
    {
        RetryOperation operation;
        operation.state = OperationState::Waiting;
        const RetryOperation waiting = records::paused(operation, PausedBy::Person, now, QStringLiteral("ada"));
        QCOMPARE(waiting.pausedWho, QStringLiteral("ada"));
        QVERIFY(records::resumed(waiting, now).state == OperationState::Waiting); // it had not begun
        operation.started = now;
        operation.stoppedBecause = QStringLiteral("too many came back");
        const RetryOperation running =
            records::resumed(records::paused(operation, PausedBy::StopRule, now), now + std::chrono::minutes(1));
        QVERIFY(running.state == OperationState::Running && running.stoppedBecause.isEmpty() && !running.pausedAt);
        QVERIFY(running.rested == std::chrono::minutes(1));
    }

    void whatHasEndedGoesOnWithoutItsPast()
    {
        RetryOperation operation;
        operation.started = now;
        operation.stoppedBecause = QStringLiteral("too many came back");
        QVERIFY(records::ended(operation, now).state == OperationState::Completed);
        const RetryOperation cancelled = records::ended(records::cancelled(operation, now), now);
        QVERIFY(cancelled.state == OperationState::Cancelled && cancelled.finished == now);
        const RetryOperation again = records::goesOn(records::ended(operation, now), false);
        QVERIFY(again.state == OperationState::Running && !again.finished && again.stoppedBecause.isEmpty());
        QVERIFY(records::goesOn(cancelled, true).pausedBy == PausedBy::PauseAll);
    }
};

REDRIVE_TEST(TestOperationRules)
#include "tst_operationrules.moc"
