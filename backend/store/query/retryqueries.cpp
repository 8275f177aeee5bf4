#include "backend/store/query/retryqueries.h"

#include "backend/api/operations.h"
#include "backend/core/durationtext.h"
#include "backend/store/query/querytable.h"
#include "backend/store/sqlite/database.h"
#include "backend/store/sqlite/imports.h"
#include "backend/store/text.h"

#include <QDateTime>

#include <algorithm>

namespace store {

static constexpr int operationsSearched = 500;
static constexpr int membersMost = 10'000;

static api::MemberRow rowOf(const RetryMember &member)
{
    return {member.operation, member.ordinal,  member.message,           member.uniqueId, member.destination,
            member.outcome,   member.cameBack, member.possibleDuplicate, member.reason};
}

static Result<QList<api::MemberRow>> readMembers(RetryStore &retries, const api::MemberQuery &query)
{
    const int limit = std::clamp(query.limit, 0, membersMost);
    QList<core::OperationId> operations{query.operation};
    if (!query.operation.isValid()) {
        operations.clear();
        TRY(const QList<records::RetryOperation> all, retries.operations({}, operationsSearched));
        for (const records::RetryOperation &one : all)
            operations.append(one.id);
    }
    QList<api::MemberRow> rows;
    for (const core::OperationId operation : std::as_const(operations)) {
        if (rows.size() >= limit)
            break;
        TRY(const QList<RetryMember> members,
            retries.members(operation, query.outcome, query.afterOrdinal, limit - static_cast<int>(rows.size())));
        for (const RetryMember &member : members)
            rows.append(rowOf(member));
    }
    return rows;
}

namespace {

// One retry of the message.
struct Turn
{
    core::OperationId operation;
    records::OperationKind kind = records::OperationKind::Retry;
    std::optional<qint64> batch; // its number
    records::Outcome outcome = records::Outcome::Pending;
    QString destination;
    QString reason;
    bool cameBack = false;
    bool possibleDuplicate = false;
    QString who;
    core::TimePoint began{};
    std::optional<core::TimePoint> ended; // the end of the operation
    std::optional<core::TimePoint> sentFrom; // the copies of its batch were sent between these two times
    std::optional<core::TimePoint> sentUntil;
    ClaimEndReason closure = ClaimEndReason::None;
    std::optional<core::TimePoint> closed;
    QString closedBy;
    std::optional<qint64> quietFor; // ms
    bool edited = false; // the copy was edited
    std::optional<core::TimePoint> deliverAt; // the broker delivers the copy then

    [[nodiscard]] bool isOver() const
    {
        using records::Outcome;
        return outcome != Outcome::Pending && outcome != Outcome::Claimed && outcome != Outcome::Staged;
    }
};

QString nameOf(const Turn &turn)
{
    const bool release = turn.kind == records::OperationKind::Release;
    return (release ? Text::tr("Release operation %1") : Text::tr("Retry operation %1")).arg(turn.operation.value);
}

api::TrailEntry beginOf(const Turn &turn)
{
    QString what = nameOf(turn);
    if (turn.batch)
        what += Text::tr(", batch %1").arg(*turn.batch);
    what += Text::tr(", to %1").arg(turn.destination);
    if (!turn.isOver())
        what += QStringLiteral(": ") + records::toString(turn.outcome);
    return {turn.began, what, turn.who};
}

QString endText(const Turn &turn)
{
    switch (turn.outcome) {
    case records::Outcome::Sent:
        // It was taken back while it was in doubt: the reason for the doubt was kept.
        if ((turn.closure == ClaimEndReason::TakenBack || turn.closure == ClaimEndReason::Restored)
            && !turn.reason.isEmpty())
            return Text::tr("may have sent it to %1").arg(turn.destination);
        return (turn.edited ? Text::tr("sent it edited to %1") : Text::tr("sent it to %1")).arg(turn.destination);
    case records::Outcome::Ejected:
        return Text::tr("could not send it to %1").arg(turn.destination);
    case records::Outcome::InDoubt:
        return Text::tr("left it in doubt: %1 may or may not have it").arg(turn.destination);
    case records::Outcome::Skipped:
        return Text::tr("left it out");
    case records::Outcome::Cancelled:
        return Text::tr("was cancelled before it was sent");
    case records::Outcome::Pending:
    case records::Outcome::Claimed:
    case records::Outcome::Staged:
        break;
    }
    return {};
}

// What the broker does with a copy that it holds back.
QString deliveryText(const Turn &turn)
{
    if (!turn.deliverAt)
        return {};
    const QString time = QDateTime::fromMSecsSinceEpoch(core::toMs(*turn.deliverAt), Qt::UTC)
                             .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss 'UTC'"));
    if (turn.outcome == records::Outcome::Sent)
        return Text::tr("the broker delivers it at %1").arg(time);
    return turn.outcome == records::Outcome::InDoubt ? Text::tr("if the broker has it, it delivers it at %1").arg(time)
                                                     : QString();
}

// The batch knows when the message was sent. A returned message was sent before it came back, so the beginning of the
// batch counts.
core::TimePoint timeOfEnd(const Turn &turn)
{
    if (turn.sentFrom && (turn.cameBack || !turn.sentUntil))
        return *turn.sentFrom;
    return turn.sentUntil.value_or(turn.ended.value_or(turn.began));
}

api::TrailEntry endOf(const Turn &turn)
{
    QStringList parts{nameOf(turn) + QLatin1Char(' ') + endText(turn)};
    if (const QString delivery = deliveryText(turn); !delivery.isEmpty())
        parts.append(delivery);
    if (!turn.reason.isEmpty())
        parts.append(turn.reason);
    if (turn.possibleDuplicate)
        parts.append(Text::tr("it may have been sent twice"));
    return {timeOfEnd(turn), parts.join(QStringLiteral("; ")), {}};
}

QString closureText(const Turn &turn)
{
    switch (turn.closure) {
    case ClaimEndReason::Quiet:
        return Text::tr("Counts as processed: it did not come back for %1 while its error queues were watched")
            .arg(core::durationText(core::Milliseconds{turn.quietFor.value_or(0)}));
    case ClaimEndReason::Acknowledged:
        return Text::tr("Its endpoint acknowledged that it was processed");
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

void addClosure(QList<api::TrailEntry> &trail, const Turn &turn)
{
    const QString words = closureText(turn);
    if (!words.isEmpty())
        trail.append({turn.closed.value_or(turn.began), words, turn.closedBy});
}

Result<QList<Turn>> turnsOf(Database &database, core::MessageId message)
{
    Statement rows = database.sql(QStringLiteral(
        "SELECT m.operation, o.kind, b.number, m.outcome, m.destination, m.reason, m.came_back, m.possible_duplicate,"
        " o.who, coalesce(o.started, o.requested), o.finished,"
        " m.closure, m.closed_at, m.closed_by, m.quiet_for,"
        " EXISTS (SELECT 1 FROM operation_edit e WHERE e.operation = m.operation), b.sent_from, b.sent_until,"
        " m.deliver_at FROM retry_member m"
        " JOIN retry_operation o ON o.id = m.operation"
        " LEFT JOIN retry_batch b ON b.id = m.batch WHERE m.message = ? ORDER BY m.operation"));
    rows.bind(message);
    QList<Turn> turns;
    TRY(rows.each([&] {
        Turn turn;
        turn.operation = {rows.integer(0)};
        turn.kind = rows.as<records::OperationKind>(1);
        turn.batch = rows.optionalInteger(2);
        turn.outcome = rows.as<records::Outcome>(3);
        turn.destination = rows.text(4);
        turn.reason = rows.text(5);
        turn.cameBack = rows.integer(6) != 0;
        turn.possibleDuplicate = rows.integer(7) != 0;
        turn.who = rows.text(8);
        turn.began = rows.time(9);
        turn.ended = rows.optionalTime(10);
        turn.closure = rows.as<ClaimEndReason>(11);
        turn.closed = rows.optionalTime(12);
        turn.closedBy = rows.text(13);
        turn.quietFor = rows.optionalInteger(14);
        turn.edited = rows.integer(15) != 0;
        turn.sentFrom = rows.optionalTime(16);
        turn.sentUntil = rows.optionalTime(17);
        turn.deliverAt = rows.optionalTime(18);
        turns.append(turn);
    }));
    return turns;
}

// The message came back with the first failure taken after the retry began. If the kept failures do not reach back so
// far, the end of the retry says it.
void addReturn(QList<api::TrailEntry> &trail, qsizetype failures, const Turn &turn)
{
    if (!turn.cameBack)
        return;
    const QString words = Text::tr("it came back from operation %1").arg(turn.operation.value);
    for (qsizetype i = 0; i < failures; ++i) {
        if (trail.at(i).at >= turn.sentFrom.value_or(turn.began)) {
            trail[i].what += QStringLiteral("; ") + words;
            return;
        }
    }
    trail.last().what += QStringLiteral("; ") + words;
}

QString decisionText(records::MessageStatus status)
{
    switch (status) {
    case records::MessageStatus::Archived:
        return Text::tr("Archived");
    case records::MessageStatus::Resolved:
        return Text::tr("Marked as resolved by hand");
    case records::MessageStatus::Unresolved:
    case records::MessageStatus::RetryIssued:
    case records::MessageStatus::Released:
    case records::MessageStatus::Unknown:
        break;
    }
    return Text::tr("Restored: unresolved again");
}

Result<> addDecisions(Database &database, core::MessageId message, QList<api::TrailEntry> &trail)
{
    Statement rows =
        database.sql(QStringLiteral("SELECT at, status, who FROM message_decision WHERE message = ? ORDER BY at"));
    return rows.bind(message).each([&] {
        trail.append({rows.time(0), decisionText(rows.as<records::MessageStatus>(1)), rows.text(2)});
    });
}

// What happened to an imported message before: there its first failure is, too.
void addPast(QList<api::TrailEntry> &trail, const ImportedFrom &from)
{
    for (const records::PastStep &step : from.trail)
        trail.append({std::min(step.at, from.at), Text::tr("In another store: %1").arg(step.what), step.who});
    const QString words = from.status == records::MessageStatus::Unresolved
                              ? Text::tr("Imported from %1").arg(from.file)
                              : Text::tr("Imported from %1; its status was %2 in the other store")
                                    .arg(from.file, records::toString(from.status));
    trail.append({from.at, words, from.who});
}

} // namespace

Result<QList<api::TrailEntry>> readTrail(Database &database, const api::MessageDetail &detail)
{
    QList<api::TrailEntry> trail;
    TRY(const std::optional<ImportedFrom> from, readImport(database, detail.message.id));
    const bool onlySeen = detail.message.flags.testFlag(records::MessageFlag::BrowsedOnly);
    const QString words = onlySeen ? Text::tr("Failed, browsed in %1") : Text::tr("Failed, taken from %1");
    const bool hasFirst = detail.attempts.size() == detail.message.attempts;
    for (auto attempt = detail.attempts.crbegin(); attempt != detail.attempts.crend(); ++attempt) {
        if (!from || !hasFirst || attempt != detail.attempts.crbegin())
            trail.append({attempt->takenAt, words.arg(attempt->queue), {}});
    }
    const qsizetype failures = trail.size();
    if (from)
        addPast(trail, *from);
    TRY(const QList<Turn> turns, turnsOf(database, detail.message.id));
    for (const Turn &turn : turns) {
        trail.append(beginOf(turn));
        if (turn.isOver())
            trail.append(endOf(turn));
        addReturn(trail, failures, turn);
        addClosure(trail, turn);
    }
    TRY(addDecisions(database, detail.message.id, trail));
    std::stable_sort(trail.begin(), trail.end(),
                     [](const api::TrailEntry &a, const api::TrailEntry &b) { return a.at < b.at; });
    return trail;
}

// Operations whose sets contained messages of this group when they were frozen.
Result<> addNewestOperation(Database &database, api::GroupRow &group)
{
    Statement newest =
        database.sql(QStringLiteral("SELECT coalesce(max(operation), 0) FROM operation_group WHERE group_id = ?"));
    TRY(newest.bind(group.id).step());
    group.operation = core::OperationId{newest.integer(0)};
    return {};
}

void addRetryQueries(QueryTable &table)
{
    table.on<api::MemberQuery>(QueryLane::Visible, [](QueryContext &context, const api::MemberQuery &query) {
        return readMembers(context.retries, query);
    });
}

} // namespace store
