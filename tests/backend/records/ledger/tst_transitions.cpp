// The ledger of a retry: every fate that a member can have, with every event. What the engine promises holds for each of them.
#include "backend/records/ledger/apply.h"
#include "backend/records/rules/memberrules.h"
#include "tests/backend/records/ledger/transitiontable.h"
#include "tests/support/testmain/testmain.h"

#include <QFile>
#include <QSet>
#include <QTest>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

using records::Claim;
using records::ClaimChange;
using records::ClaimEndReason;
using records::Fate;
using records::FateIs;
using records::MemberEvent;
using records::MemberMark;
using records::MessageStatus;
using records::Outcome;
using records::ReasonChange;
using records::Transition;

namespace {

// An event, and what it made of a member.
struct Step
{
    Fate before;
    MemberEvent event;
    Fate after;
    const Transition *row;
};

template<typename Enum>
QList<Enum> all()
{
    QList<Enum> values;
    for (int i = 0; i <= int(lastOf(Enum{})); ++i)
        values.append(Enum(i));
    return values;
}

QList<Fate> flagged(const Fate &fate)
{
    constexpr std::array flags{&Fate::batched,  &Fate::viaQueue,          &Fate::intent,
                               &Fate::cameBack, &Fate::possibleDuplicate, &Fate::earlierCopy};
    QList<Fate> found{fate};
    for (const auto flag : flags) {
        const QList<Fate> without = found;
        for (Fate with : without) {
            with.*flag = true;
            found.append(with);
        }
    }
    return found;
}

QList<Fate> allFates()
{
    QList<Fate> found;
    for (const Outcome outcome : all<Outcome>()) {
        for (const Claim claim : all<Claim>()) {
            for (const MessageStatus message : records::messageStatuses) {
                for (const ClaimEndReason closure : all<ClaimEndReason>())
                    found += flagged({outcome, claim, message, closure});
            }
        }
    }
    return found;
}

bool isAway(const Fate &fate) // a copy may be at the destination, or get there
{
    return records::mayHaveArrived(fate.outcome) || fate.possibleDuplicate
           || (fate.outcome == Outcome::Staged && holds(FateIs::WithBroker, fate));
}

bool isAwayOrStaged(const Fate &fate)
{
    return fate.outcome == Outcome::Staged || records::mayHaveArrived(fate.outcome);
}

bool endedUnsent(const Fate &fate)
{
    return records::hasEnded(fate.outcome) && !records::mayHaveArrived(fate.outcome);
}

bool isSaidByAPerson(MemberEvent event)
{
    return event == MemberEvent::AssumedSent || event == MemberEvent::SentAgain || event == MemberEvent::ResolvedByHand
           || event == MemberEvent::TakenBack;
}

bool isNews(MemberEvent event) // nobody can make it happen
{
    return event == MemberEvent::CameBack || event >= MemberEvent::FailedAgain || event == MemberEvent::Acknowledged;
}

// The event leaves a trace beside the fate: in a count, in the reason, or in the number of the batch.
bool isNoted(const Transition &row)
{
    return row.reason != ReasonChange::Stays || row.marks.contains(MemberMark::OneRefusalMore)
           || row.marks.contains(MemberMark::NewBatch);
}

// The number of the first row that applies, also one that forbids; that of all rows if there is none.
qsizetype firstRow(const Fate &fate, MemberEvent event)
{
    const std::span rows = records::transitions();
    return std::find_if(rows.begin(), rows.end(), [&](const Transition &row) { return applies(row, fate, event); })
           - rows.begin();
}

// From the first row of the table to its last.
QString shownTable(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString text = QString::fromUtf8(file.readAll());
    const QString begin = QStringLiteral("<!-- transitions -->\n");
    const qsizetype from = text.indexOf(begin);
    const qsizetype to = text.indexOf(QStringLiteral("<!-- end of transitions -->"));
    return from < 0 || to < from ? QString() : text.mid(from + begin.size(), to - from - begin.size());
}

} // namespace

class TestTransitions final : public QObject
{
    Q_OBJECT

    QList<Fate> m_fates; // that can be
    QList<Step> m_steps; // all that can happen to them

    // The first step for which this is so, in words; empty: there is none.
    template<typename Condition>
    [[nodiscard]] QString firstStep(Condition isSo) const
    {
        const auto step = std::find_if(m_steps.begin(), m_steps.end(), isSo);
        if (step == m_steps.end())
            return {};
        return QStringLiteral("%1 [%2] %3")
            .arg(test::wordsOf(step->before), test::wordsOf(step->event), test::wordsOf(step->after));
    }

    template<typename Condition>
    [[nodiscard]] QString firstFate(Condition isSo) const
    {
        const auto fate = std::find_if(m_fates.begin(), m_fates.end(), isSo);
        return fate == m_fates.end() ? QString() : test::wordsOf(*fate);
    }

    // Whether people and the engine can make it `so` in a few events.
    template<typename Condition>
    [[nodiscard]] static bool canBecome(const Fate &fate, Condition isSo, int events)
    {
        if (isSo(fate))
            return true;
        const QList<MemberEvent> possible = all<MemberEvent>();
        return events > 0 && std::any_of(possible.begin(), possible.end(), [&](MemberEvent event) {
                   const std::optional<Fate> next = isNews(event) ? std::nullopt : records::apply(fate, event);
                   return next && *next != fate && canBecome(*next, isSo, events - 1);
               });
    }

private Q_SLOTS:
    void initTestCase()
    {
        for (const Fate &fate : allFates()) {
            if (!whyImpossible(fate).isEmpty())
                continue;
            m_fates.append(fate);
            for (const MemberEvent event : all<MemberEvent>()) {
                if (const Transition *row = transitionOf(fate, event))
                    m_steps.append({fate, event, apply(fate, event, *row), row});
            }
        }
        QVERIFY(!m_fates.isEmpty());
    }

    // ---- what holds for all fates and events ----

    void everyEventLeadsToAFateThatCanBe()
    {
        QCOMPARE(firstStep([](const Step &step) { return !whyImpossible(step.after).isEmpty(); }), QString());
    }

    void whatWasNotSentOwnsItsMessageNoLonger()
    {
        QCOMPARE(firstStep([](const Step &step) { return endedUnsent(step.after) && step.after.claim == Claim::Own; }),
                 QString());
    }

    void aPossibleDuplicateStaysOneAndNeverEndsUnsent()
    {
        QCOMPARE(firstStep([](const Step &step) {
                     return step.before.possibleDuplicate && (!step.after.possibleDuplicate || endedUnsent(step.after));
                 }),
                 QString());
    }

    void whatWasSeenOrSettledStaysSo()
    {
        QCOMPARE(firstStep([](const Step &step) {
                     const bool isOther = step.after.closure != step.before.closure;
                     return (step.before.cameBack && !step.after.cameBack)
                            || (step.before.closure != ClaimEndReason::None && isOther);
                 }),
                 QString());
    }

    // A doubt is all that is ever left: by a person (sent again also by the plan), by news, and by a restored backup.
    void onlyADoubtEnds()
    {
        QSet<QString> left;
        for (const Step &step : std::as_const(m_steps)) {
            if (records::hasEnded(step.before.outcome) && step.after.outcome != step.before.outcome) {
                QVERIFY2(isSaidByAPerson(step.event) || isNews(step.event), qPrintable(test::wordsOf(step.event)));
                left.insert(
                    QStringLiteral("%1, %2, %3")
                        .arg(toString(step.before.outcome), test::wordsOf(step.event), toString(step.after.outcome)));
            }
        }
        const QSet<QString> wanted{QStringLiteral("InDoubt, a person: it was sent, Sent"),
                                   QStringLiteral("InDoubt, a person: resolved, Sent"),
                                   QStringLiteral("InDoubt, a person: taken back, Sent"),
                                   QStringLiteral("InDoubt, backup restored, Sent"),
                                   QStringLiteral("InDoubt, came back, Sent"),
                                   QStringLiteral("InDoubt, confirmed by its endpoint, Sent"),
                                   QStringLiteral("InDoubt, failed again without our stamp, Sent"),
                                   QStringLiteral("InDoubt, sent again, Claimed")};
        QCOMPARE(left, wanted);
    }

    void aClaimIsTakenOnlyWhereNobodyHasOne()
    {
        QCOMPARE(firstStep([](const Step &step) {
                     const bool isTaken = step.after.claim == Claim::Own && step.before.claim != Claim::Own;
                     return isTaken && (step.event != MemberEvent::Claiming || step.before.claim == Claim::Anothers);
                 }),
                 QString());
        QCOMPARE(firstStep([](const Step &step) {
                     return step.after.claim != step.before.claim && step.after.claim != Claim::Own
                            && !(step.before.claim == Claim::Own && step.after.claim == Claim::Ended);
                 }),
                 QString());
    }

    // Its claim ends only when it is seen, or when its destination certainly refused it.
    void whatTheBrokerMayHaveIsNeitherCancelledNorLetGo()
    {
        const auto isWithBroker = [](const Fate &fate) {
            return fate.outcome == Outcome::Staged && holds(FateIs::WithBroker, fate);
        };
        QCOMPARE(firstStep([&](const Step &step) {
                     return isWithBroker(step.before)
                            && (step.after.outcome == Outcome::Cancelled
                                || (step.event == MemberEvent::SetAside && step.before.intent));
                 }),
                 QString());
        QCOMPARE(firstFate([&](const Fate &fate) {
                     return isWithBroker(fate) && holds(FateIs::Unseen, fate) && fate.claim != Claim::Own;
                 }),
                 QString());
        QCOMPARE(firstStep([&](const Step &step) {
                     return isWithBroker(step.before) && step.before.claim == Claim::Own
                            && step.after.claim != Claim::Own && holds(FateIs::Unseen, step.after)
                            && step.event != MemberEvent::Ejected;
                 }),
                 QString());
    }

    void sentIsNeverLeft()
    {
        QCOMPARE(firstStep([](const Step &step) {
                     return step.before.outcome == Outcome::Sent && step.after.outcome != Outcome::Sent;
                 }),
                 QString());
    }

    // "Set aside" and "not accepted" say that the destination does not have the copy that was on its way.
    void aSecondCopyIsSentOnlyAsAPossibleDuplicate()
    {
        QCOMPARE(firstStep([](const Step &step) {
                     const bool isToBeSent =
                         !records::hasEnded(step.after.outcome) && !holds(FateIs::WithBroker, step.after);
                     return isAway(step.before) && isToBeSent && !step.after.possibleDuplicate
                            && step.event != MemberEvent::SetAside && step.event != MemberEvent::NotAccepted;
                 }),
                 QString());
    }

    // Whatever sends the message next, its copy may be the second one.
    void whatIsLetGoWithoutAnAnswerIsAPossibleDuplicate()
    {
        QCOMPARE(firstStep([](const Step &step) {
                     const bool isFreed = step.before.message == MessageStatus::RetryIssued
                                          && step.after.message == MessageStatus::Unresolved;
                     return isFreed && records::mayHaveArrived(step.before.outcome) && !step.after.possibleDuplicate;
                 }),
                 QString());
    }

    void aSecondCopyThatArrivesIsAPossibleDuplicate()
    {
        QCOMPARE(firstStep([](const Step &step) {
                     const bool arrives = step.after.outcome == Outcome::Sent && step.before.outcome != Outcome::Sent;
                     return step.before.earlierCopy && arrives && !step.after.possibleDuplicate;
                 }),
                 QString());
    }

    // A confirmation also settles a message whose state a restored backup does not know. A copy that came back is stored by intake,
    // as a new failure.
    void aMessageStaysAsSomebodyElseDecided()
    {
        QCOMPARE(firstStep([](const Step &step) {
                     const MessageStatus was = step.before.message;
                     const bool isOurs = was == MessageStatus::Unresolved || was == MessageStatus::RetryIssued
                                         || (was == MessageStatus::Unknown && step.event == MemberEvent::Acknowledged);
                     return step.after.message != was && (!isOurs || step.event == MemberEvent::CameBack);
                 }),
                 QString());
        QCOMPARE(firstStep([](const Step &step) {
                     return step.before.claim != Claim::Own && step.after.message != step.before.message
                            && step.event != MemberEvent::Acknowledged;
                 }),
                 QString());
    }

    void aMessageIsIssuedWhileItIsAway()
    {
        QCOMPARE(firstStep([](const Step &step) {
                     const bool isIssued =
                         step.after.message == MessageStatus::RetryIssued && step.after.message != step.before.message;
                     return isIssued && (step.after.claim != Claim::Own || !isAwayOrStaged(step.after));
                 }),
                 QString());
        // The claim ends, or another batch is to stage it.
        QCOMPARE(firstStep([](const Step &step) {
                     const bool isLetGo = step.before.claim == Claim::Own && step.after.claim != Claim::Own
                                          && step.event != MemberEvent::CameBack;
                     const bool isToBeStaged = isAwayOrStaged(step.before) && step.after.outcome == Outcome::Claimed;
                     return (isLetGo || isToBeStaged) && step.after.message == MessageStatus::RetryIssued;
                 }),
                 QString());
    }

    void whatSettlesAMessageSaysWhetherItWasProcessed()
    {
        QCOMPARE(firstStep([](const Step &step) {
                     const ClaimEndReason reason = records::closureOf(step.event);
                     const MessageStatus wanted =
                         records::provesProcessed(reason) ? MessageStatus::Resolved : MessageStatus::Unresolved;
                     return reason != ClaimEndReason::None && step.before.message == MessageStatus::RetryIssued
                            && step.after.message != wanted;
                 }),
                 QString());
        QCOMPARE(firstStep([](const Step &step) {
                     return step.after.closure != step.before.closure && step.before.claim != Claim::Own;
                 }),
                 QString());
    }

    void theBrokerAnswersForWhatItMayHave()
    {
        const QList<MemberEvent> answers{MemberEvent::Accepted, MemberEvent::NotAccepted, MemberEvent::AcceptedPerhaps,
                                         MemberEvent::Unanswered, MemberEvent::Interrupted};
        const QList<MemberEvent> ofLog{MemberEvent::IntentStored, MemberEvent::NotAccepted,
                                       MemberEvent::AcceptedPerhaps};
        QCOMPARE(firstStep([&](const Step &step) {
                     return (answers.contains(step.event) && !holds(FateIs::WithBroker, step.before))
                            || (ofLog.contains(step.event) && step.before.viaQueue);
                 }),
                 QString());
    }

    void onlyWhatCameBackCountsSo()
    {
        QCOMPARE(firstStep([](const Step &step) {
                     const bool isNew = step.after.cameBack && !step.before.cameBack;
                     return isNew != (step.event == MemberEvent::CameBack);
                 }),
                 QString());
    }

    // ---- what nothing may hold back ----

    void newsOfAMessageIsNeverMissed()
    {
        for (const MemberEvent news : {MemberEvent::CameBack, MemberEvent::Acknowledged}) {
            QCOMPARE(firstFate([news](const Fate &fate) {
                         const std::optional<Fate> after = records::apply(fate, news);
                         return holds(FateIs::AwaitingNews, fate) && (!after || after->claim == Claim::Own);
                     }),
                     QString());
        }
        QCOMPARE(firstFate([](const Fate &fate) {
                     return fate.claim == Claim::Own && isAwayOrStaged(fate)
                            && !records::apply(fate, MemberEvent::EarlierFailed);
                 }),
                 QString());
    }

    void aPersonSettlesWhateverIsAway()
    {
        for (const MemberEvent event :
             {MemberEvent::ResolvedByHand, MemberEvent::TakenBack, MemberEvent::FailedAgain, MemberEvent::Restored}) {
            QCOMPARE(firstFate([event](const Fate &fate) {
                         const bool isOurs = fate.claim == Claim::Own && records::mayHaveArrived(fate.outcome);
                         return isOurs && !records::apply(fate, event);
                     }),
                     QString());
        }
    }

    void whatTheBrokerDoesNotHaveCanBeCancelled()
    {
        QCOMPARE(firstFate([](const Fate &fate) {
                     const bool isOpen = !records::hasEnded(fate.outcome);
                     const bool isStaged = fate.outcome == Outcome::Staged;
                     const std::optional<Fate> after = records::apply(fate, MemberEvent::Cancelled);
                     return isOpen && !(isStaged && holds(FateIs::WithBroker, fate))
                            && (!after || !records::hasEnded(after->outcome));
                 }),
                 QString());
    }

    void whatCannotBeSentCanBeEjected()
    {
        QCOMPARE(firstFate([](const Fate &fate) {
                     const bool isTried = fate.outcome == Outcome::Claimed
                                          || (fate.outcome == Outcome::Staged && holds(FateIs::WithBroker, fate));
                     return isTried && !records::apply(fate, MemberEvent::Ejected);
                 }),
                 QString());
    }

    // Also without news: answers of the broker and decisions of people are enough.
    void noMemberIsStuck()
    {
        const auto hasEnded = [](const Fate &fate) { return records::hasEnded(fate.outcome); };
        const auto ownsNothing = [](const Fate &fate) { return fate.claim != Claim::Own; };
        constexpr int most = 4; // a record of intent, an answer, and a decision; one to spare
        QCOMPARE(firstFate([&](const Fate &fate) { return !canBecome(fate, hasEnded, most); }), QString());
        QCOMPARE(firstFate([&](const Fate &fate) { return !canBecome(fate, ownsNothing, most); }), QString());
    }

    // ---- the rows ----

    // No row is dead or behind another.
    void everyRowIsReachedByEachOfItsEventsAndOutcomes()
    {
        std::set<std::pair<qsizetype, MemberEvent>> events;
        std::set<std::pair<qsizetype, Outcome>> outcomes;
        for (const Fate &fate : std::as_const(m_fates)) {
            for (const MemberEvent event : all<MemberEvent>()) {
                const qsizetype row = firstRow(fate, event);
                events.insert({row, event});
                outcomes.insert({row, fate.outcome});
            }
        }
        const std::span rows = records::transitions();
        for (qsizetype row = 0; row < qsizetype(rows.size()); ++row) {
            const QByteArray name = "row " + QByteArray::number(row + 1) + ": ";
            for (const MemberEvent event : all<MemberEvent>()) {
                QVERIFY2(!rows[row].on.contains(event) || events.contains({row, event}),
                         (name + test::wordsOf(event).toUtf8()).constData());
            }
            for (const Outcome outcome : all<Outcome>()) {
                QVERIFY2(!rows[row].from.contains(outcome) || outcomes.contains({row, outcome}),
                         (name + toString(outcome).toUtf8()).constData());
            }
        }
    }

    void everyRowThatForbidsHoldsALaterOneBack()
    {
        const std::span rows = records::transitions();
        QSet<qsizetype> needless;
        for (qsizetype row = 0; row < qsizetype(rows.size()); ++row) {
            if (rows[row].isImpossible)
                needless.insert(row);
        }
        QVERIFY(!needless.isEmpty());
        for (const Fate &fate : std::as_const(m_fates)) {
            for (const MemberEvent event : all<MemberEvent>()) {
                const qsizetype row = firstRow(fate, event);
                if (needless.contains(row)
                    && std::any_of(rows.begin() + row + 1, rows.end(),
                                   [&](const Transition &later) { return applies(later, fate, event); }))
                    needless.remove(row);
            }
        }
        QCOMPARE(needless, QSet<qsizetype>());
    }

    // EarlierFailed follows a failure that intake stored in the same transaction: tst_memberlives.
    void everyEventChangesSomething()
    {
        const QList<MemberEvent> events = all<MemberEvent>();
        QSet<MemberEvent> idle(events.begin(), events.end());
        for (const Step &step : std::as_const(m_steps)) {
            if (step.after != step.before || isNoted(*step.row))
                idle.remove(step.event);
        }
        QCOMPARE(idle, QSet<MemberEvent>{MemberEvent::EarlierFailed});
    }

    // Whoever must decide about a message reads why; so does whoever took it back without an answer.
    void anEndThatNeedsAPersonSaysWhy()
    {
        for (const Transition &row : records::transitions()) {
            if (!row.to)
                continue;
            const bool needsAPerson =
                *row.to == Outcome::Skipped || *row.to == Outcome::Ejected || *row.to == Outcome::InDoubt;
            QVERIFY(!needsAPerson || row.reason == ReasonChange::Given);
            if (*row.to == Outcome::Sent && !row.on.contains(MemberEvent::AssumedSent)) {
                const bool keepsDoubt =
                    row.on.contains(MemberEvent::TakenBack) || row.on.contains(MemberEvent::Restored);
                QVERIFY((row.reason == ReasonChange::Cleared) != keepsDoubt);
            }
        }
    }

    void whatIsSentAnewIsInABatchOfItsOwn()
    {
        for (const Transition &row : records::transitions()) {
            const bool isAnew = row.on.contains(MemberEvent::Batched) || row.on.contains(MemberEvent::SetAside)
                                || row.on.contains(MemberEvent::SentAgain);
            QCOMPARE(row.marks.contains(MemberMark::NewBatch), isAnew);
            QCOMPARE(row.marks.contains(MemberMark::NoRefusals), row.on.contains(MemberEvent::SentAgain));
            QCOMPARE(row.marks.contains(MemberMark::OneRefusalMore), row.on.contains(MemberEvent::StagingRefused));
        }
        QCOMPARE(firstStep([](const Step &step) { return step.event == MemberEvent::Batched && step.before.batched; }),
                 QString());
    }

    void theReadmeShowsTheTable()
    {
        const QString wanted = test::transitionTable();
        if (shownTable(QStringLiteral(REDRIVE_RETRY_README)) != wanted) {
            QFAIL(qPrintable(QStringLiteral("Between the marks \"transitions\" %1 must have:\n%2")
                                 .arg(QStringLiteral(REDRIVE_RETRY_README), wanted)));
        }
    }
};

REDRIVE_TEST(TestTransitions)
#include "tst_transitions.moc"
