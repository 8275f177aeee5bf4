#include "backend/records/rules/messagetrail.h"

#include "backend/core/time/durationtext.h"
#include "backend/records/rules/memberrules.h"
#include "backend/records/text.h"

#include <QDateTime>

#include <algorithm>

namespace records {

namespace {

QString nameOf(const MessageRetry &retry)
{
    const bool release = retry.kind == OperationKind::Release;
    return (release ? Text::tr("Release operation %1") : Text::tr("Retry operation %1")).arg(retry.operation.value);
}

TrailEntry beginEntry(const MessageRetry &retry)
{
    QString what = nameOf(retry);
    if (retry.batch)
        what += Text::tr(", batch %1").arg(*retry.batch);
    what += Text::tr(", to %1").arg(retry.destination);
    if (!hasEnded(retry.outcome))
        what += QStringLiteral(": ") + toString(retry.outcome);
    return {retry.began, what, retry.who};
}

QString endText(const MessageRetry &retry)
{
    switch (retry.outcome) {
    case Outcome::Sent:
        // It was taken back while it was in doubt: the reason for the doubt was kept.
        if (leavesDoubt(retry.closure) && !retry.reason.isEmpty())
            return Text::tr("may have sent it to %1").arg(retry.destination);
        return (retry.edited ? Text::tr("sent it edited to %1") : Text::tr("sent it to %1")).arg(retry.destination);
    case Outcome::Ejected:
        return Text::tr("could not send it to %1").arg(retry.destination);
    case Outcome::InDoubt:
        return Text::tr("left it in doubt: %1 may or may not have it").arg(retry.destination);
    case Outcome::Skipped:
        return Text::tr("left it out");
    case Outcome::Cancelled:
        return Text::tr("was cancelled before it was sent");
    case Outcome::Pending:
    case Outcome::Claimed:
    case Outcome::Staged:
        break;
    }
    return {};
}

// What the broker does with a copy that it holds back.
QString deliveryText(const MessageRetry &retry)
{
    if (!retry.deliverAt)
        return {};
    const QString time = QDateTime::fromMSecsSinceEpoch(core::toMs(*retry.deliverAt), Qt::UTC)
                             .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss 'UTC'"));
    if (retry.outcome == Outcome::Sent)
        return Text::tr("the broker delivers it at %1").arg(time);
    return retry.outcome == Outcome::InDoubt ? Text::tr("if the broker has it, it delivers it at %1").arg(time)
                                             : QString();
}

// The batch knows when the message was sent. A returned message was sent before it came back, so the beginning of the
// batch counts.
core::TimePoint timeOfEnd(const MessageRetry &retry)
{
    if (retry.sentFrom && (retry.cameBack || !retry.sentUntil))
        return *retry.sentFrom;
    return retry.sentUntil.value_or(retry.ended.value_or(retry.began));
}

TrailEntry endEntry(const MessageRetry &retry)
{
    QStringList parts{nameOf(retry) + QLatin1Char(' ') + endText(retry)};
    if (const QString delivery = deliveryText(retry); !delivery.isEmpty())
        parts.append(delivery);
    if (!retry.reason.isEmpty())
        parts.append(retry.reason);
    if (retry.possibleDuplicate)
        parts.append(Text::tr("it may have been sent twice"));
    return {timeOfEnd(retry), parts.join(QStringLiteral("; ")), {}};
}

QString closureText(const MessageRetry &retry)
{
    switch (retry.closure) {
    case ClaimEndReason::Quiet:
        return Text::tr("Counts as processed: it did not come back for %1 while its error queues were watched")
            .arg(core::durationText(retry.quietFor.value_or(core::Milliseconds{0})));
    case ClaimEndReason::Acknowledged:
        return Text::tr("Confirmed by the endpoint: it was processed");
    case ClaimEndReason::ByHand:
        return Text::tr("Marked as resolved by hand");
    case ClaimEndReason::TakenBack:
        return Text::tr("Taken back: unresolved again; the next retry may send it twice");
    case ClaimEndReason::Restored:
        return Text::tr("A backup was restored: what happened to it since that backup is unknown");
    case ClaimEndReason::FailedAgain:
    case ClaimEndReason::None:
        break;
    }
    return {};
}

void addClosure(QList<TrailEntry> &trail, const MessageRetry &retry)
{
    const QString words = closureText(retry);
    if (!words.isEmpty())
        trail.append({retry.closed.value_or(retry.began), words, retry.closedBy});
}

// The message came back with the first failure taken after the retry began. If the kept failures do not reach back so
// far, the end of the retry says it.
void addReturn(QList<TrailEntry> &trail, qsizetype failures, const MessageRetry &retry)
{
    if (!retry.cameBack)
        return;
    const QString words = Text::tr("it came back from operation %1").arg(retry.operation.value);
    for (qsizetype i = 0; i < failures; ++i) {
        if (trail.at(i).at >= retry.sentFrom.value_or(retry.began)) {
            trail[i].what += QStringLiteral("; ") + words;
            return;
        }
    }
    trail.last().what += QStringLiteral("; ") + words;
}

QString decisionText(MessageStatus status)
{
    switch (status) {
    case MessageStatus::Archived:
        return Text::tr("Archived");
    case MessageStatus::Resolved:
        return Text::tr("Marked as resolved by hand");
    case MessageStatus::Unresolved:
    case MessageStatus::RetryIssued:
    case MessageStatus::Released:
    case MessageStatus::Unknown:
        break;
    }
    return Text::tr("Restored: unresolved again");
}

// What happened to an imported message before: there its first failure is, too.
void addPast(QList<TrailEntry> &trail, const ImportedFrom &from)
{
    for (const TrailEntry &step : from.trail)
        trail.append({std::min(step.at, from.at), Text::tr("In another store: %1").arg(step.what), step.who});
    const QString words =
        from.status == MessageStatus::Unresolved
            ? Text::tr("Imported from %1").arg(from.file)
            : Text::tr("Imported from %1; its status was %2 in the other store").arg(from.file, toString(from.status));
    trail.append({from.at, words, from.who});
}

// The failure with which an imported message was first seen here is not one of this store.
void addFailures(QList<TrailEntry> &trail, const MessageHistory &history)
{
    const QString words = history.isBrowsedOnly ? Text::tr("Failed, browsed in %1") : Text::tr("Failed, taken from %1");
    for (auto failure = history.failures.crbegin(); failure != history.failures.crend(); ++failure) {
        const bool isOfImport = history.imported && history.hasFirst && failure == history.failures.crbegin();
        if (!isOfImport)
            trail.append({failure->takenAt, words.arg(failure->queue), {}});
    }
}

} // namespace

QList<TrailEntry> trailOf(const MessageHistory &history)
{
    QList<TrailEntry> trail;
    addFailures(trail, history);
    const qsizetype failures = trail.size();
    if (history.imported)
        addPast(trail, *history.imported);
    for (const MessageRetry &retry : history.retries) {
        trail.append(beginEntry(retry));
        if (hasEnded(retry.outcome))
            trail.append(endEntry(retry));
        addReturn(trail, failures, retry);
        addClosure(trail, retry);
    }
    for (const MessageDecision &decision : history.decisions)
        trail.append({decision.at, decisionText(decision.status), decision.who});
    std::stable_sort(trail.begin(), trail.end(), [](const TrailEntry &a, const TrailEntry &b) { return a.at < b.at; });
    return trail;
}

} // namespace records
