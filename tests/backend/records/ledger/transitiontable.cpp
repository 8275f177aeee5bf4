#include "tests/backend/records/ledger/transitiontable.h"

#include <QStringList>

using records::ClaimChange;
using records::ClaimEndReason;
using records::EnumSet;
using records::Fate;
using records::FateIs;
using records::MemberEvent;
using records::MemberMark;
using records::MessageChange;
using records::Outcome;
using records::ReasonChange;
using records::Transition;

namespace test {

namespace {

QString nameOf(MemberEvent event)
{
    return wordsOf(event);
}

QString nameOf(Outcome outcome)
{
    return records::toString(outcome);
}

QString nameOf(FateIs condition)
{
    switch (condition) {
    case FateIs::Unbatched:
        return QStringLiteral("in no batch");
    case FateIs::Batched:
        return QStringLiteral("in a batch");
    case FateIs::ClaimFree:
        return QStringLiteral("message free");
    case FateIs::ClaimOwn:
        return QStringLiteral("owns the message");
    case FateIs::AwaitingNews:
        return QStringLiteral("awaits news");
    case FateIs::Unresolved:
        return QStringLiteral("message Unresolved");
    case FateIs::Issued:
        return QStringLiteral("message RetryIssued");
    case FateIs::Undecided:
        return QStringLiteral("message undecided");
    case FateIs::InIntentLog:
        return QStringLiteral("intent log");
    case FateIs::NoIntent:
        return QStringLiteral("no intent");
    case FateIs::WithBroker:
        return QStringLiteral("broker may have it");
    case FateIs::Seen:
        return QStringLiteral("seen");
    case FateIs::Unseen:
        return QStringLiteral("not seen");
    case FateIs::PossibleDuplicate:
        return QStringLiteral("possible duplicate");
    }
    return {};
}

QString nameOf(ClaimChange change)
{
    switch (change) {
    case ClaimChange::Taken:
        return QStringLiteral("taken");
    case ClaimChange::Ends:
        return QStringLiteral("ends");
    case ClaimChange::Stays:
        break;
    }
    return {};
}

QString nameOf(MessageChange change)
{
    switch (change) {
    case MessageChange::Issued:
        return QStringLiteral("RetryIssued");
    case MessageChange::Freed:
        return QStringLiteral("Unresolved");
    case MessageChange::Resolved:
        return QStringLiteral("Resolved");
    case MessageChange::Released:
        return QStringLiteral("Released");
    case MessageChange::Stays:
        break;
    }
    return {};
}

QString nameOf(ReasonChange change)
{
    switch (change) {
    case ReasonChange::Given:
        return QStringLiteral("reason given");
    case ReasonChange::Cleared:
        return QStringLiteral("reason removed");
    case ReasonChange::Stays:
        break;
    }
    return {};
}

QString nameOf(MemberMark mark)
{
    switch (mark) {
    case MemberMark::Intent:
        return QStringLiteral("intent");
    case MemberMark::NoIntent:
        return QStringLiteral("no intent");
    case MemberMark::CameBack:
        return QStringLiteral("came back");
    case MemberMark::PossibleDuplicate:
        return QStringLiteral("possible duplicate");
    case MemberMark::NewBatch:
        return QStringLiteral("new batch");
    case MemberMark::OneRefusalMore:
        return QStringLiteral("one refusal more");
    case MemberMark::NoRefusals:
        return QStringLiteral("refusals 0");
    }
    return {};
}

template<typename Enum>
QString nameOf(EnumSet<Enum> set, Enum last)
{
    QStringList words;
    for (int i = 0; i <= int(last); ++i) {
        if (set.contains(Enum(i)))
            words.append(nameOf(Enum(i)));
    }
    return words.join(QStringLiteral(", "));
}

QString outcomes(const Transition &row)
{
    for (int i = 0; i <= int(lastOf(Outcome{})); ++i) {
        if (!row.from.contains(Outcome(i)))
            return nameOf(row.from, lastOf(Outcome{}));
    }
    return QStringLiteral("any");
}

QString also(const Transition &row)
{
    QStringList words{nameOf(row.marks, MemberMark::NoRefusals), nameOf(row.reason)};
    words.removeAll(QString());
    return words.join(QStringLiteral(", "));
}

QString becomes(const Transition &row)
{
    if (row.isImpossible)
        return QStringLiteral("never");
    return row.to ? nameOf(*row.to) : QString();
}

} // namespace

QString wordsOf(MemberEvent event)
{
    switch (event) {
    case MemberEvent::Batched:
        return QStringLiteral("its batch is formed");
    case MemberEvent::Claiming:
        return QStringLiteral("its batch claims");
    case MemberEvent::StagingNamed:
        return QStringLiteral("nameStaging");
    case MemberEvent::StagingRefused:
        return QStringLiteral("the staging queue refused it");
    case MemberEvent::Staged:
        return QStringLiteral("commitStaged");
    case MemberEvent::SetAside:
        return QStringLiteral("set aside");
    case MemberEvent::IntentStored:
        return QStringLiteral("recordIntents");
    case MemberEvent::Accepted:
        return QStringLiteral("accepted");
    case MemberEvent::NotAccepted:
        return QStringLiteral("not accepted, for certain");
    case MemberEvent::AcceptedPerhaps:
        return QStringLiteral("no answer, to be sent again");
    case MemberEvent::Unanswered:
        return QStringLiteral("no answer");
    case MemberEvent::Interrupted:
        return QStringLiteral("broker or shovel interrupted");
    case MemberEvent::Ejected:
        return QStringLiteral("ejected");
    case MemberEvent::Cancelled:
        return QStringLiteral("cancelled");
    case MemberEvent::GivenBack:
        return QStringLiteral("the batch of a release ended");
    case MemberEvent::AssumedSent:
        return QStringLiteral("a person: it was sent");
    case MemberEvent::SentAgain:
        return QStringLiteral("sent again");
    case MemberEvent::CameBack:
        return QStringLiteral("came back");
    case MemberEvent::Acknowledged:
        return QStringLiteral("confirmed by its endpoint");
    case MemberEvent::ResolvedByHand:
        return QStringLiteral("a person: resolved");
    case MemberEvent::TakenBack:
        return QStringLiteral("a person: taken back");
    case MemberEvent::FailedAgain:
        return QStringLiteral("failed again without our stamp");
    case MemberEvent::Quiet:
        return QStringLiteral("quiet period over");
    case MemberEvent::Restored:
        return QStringLiteral("backup restored");
    case MemberEvent::EarlierFailed:
        return QStringLiteral("an earlier copy failed");
    }
    return {};
}

QString wordsOf(const Fate &fate)
{
    static const QStringList claims{QStringLiteral("free"), QStringLiteral("own"), QStringLiteral("ended"),
                                    QStringLiteral("another's")};
    QStringList words{nameOf(fate.outcome), QStringLiteral("claim ") + claims.at(int(fate.claim)),
                      QStringLiteral("message ") + records::toString(fate.message)};
    const auto add = [&words](bool is, const QString &what) {
        if (is)
            words.append(what);
    };
    add(fate.closure != ClaimEndReason::None, QStringLiteral("closure %1").arg(int(fate.closure)));
    add(fate.batched, QStringLiteral("in a batch"));
    add(fate.viaQueue, QStringLiteral("staging queue"));
    add(fate.intent, QStringLiteral("intent"));
    add(fate.cameBack, QStringLiteral("came back"));
    add(fate.possibleDuplicate, QStringLiteral("possible duplicate"));
    add(fate.earlierCopy, QStringLiteral("earlier copy"));
    return words.join(QStringLiteral(", "));
}

QString transitionTable()
{
    QString table = QStringLiteral("| event | outcome | if | becomes | claim | message | also |\n"
                                   "| --- | --- | --- | --- | --- | --- | --- |\n");
    QString above;
    for (const Transition &row : records::transitions()) {
        const QString event = nameOf(row.on, lastOf(MemberEvent{}));
        const QStringList cells{event == above ? QString() : event,
                                outcomes(row),
                                nameOf(row.when, lastOf(FateIs{})),
                                becomes(row),
                                nameOf(row.claim),
                                nameOf(row.message),
                                also(row)};
        QString line = QStringLiteral("|");
        for (const QString &cell : cells)
            line += cell.isEmpty() ? QStringLiteral(" |") : QStringLiteral(" %1 |").arg(cell);
        table += line + u'\n';
        above = event;
    }
    return table;
}

} // namespace test
