#include "backend/store/policies/heldmessagestore.h"

#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/messagerow.h"
#include "backend/store/policies/policysql.h"
#include "backend/store/retry/retryledger.h"
#include "backend/store/retry/retrysql.h"
#include "backend/store/text.h"

namespace store {

using core::ErrorKind;
using core::fail;
using recovery::HeldState;

HeldMessageStore::HeldMessageStore(Database &database, RetryLedger &ledger)
    : m_database(database)
    , m_ledger(ledger)
{
}

Result<qint64> HeldMessageStore::followed()
{
    Statement row = m_database.sql(QStringLiteral("SELECT policies_followed FROM store_meta"));
    TRY(row.step());
    return row.integer(0);
}

Result<> HeldMessageStore::setFollowed(qint64 change)
{
    return m_database.sql(QStringLiteral("UPDATE store_meta SET policies_followed = ?"))
        .bind(change)
        .run()
        .map([](int) {});
}

Result<PolicyCandidates> HeldMessageStore::changedSince(qint64 change, int limit)
{
    PolicyCandidates found;
    found.until = change;
    QList<core::MessageId> ids;
    int rowsRead = 0;
    {
        Statement rows = m_database.sql(
            QStringLiteral("SELECT m.id, m.change, m.status = ? AND m.flags & ? = 0 OR p.message IS NOT NULL"
                           " FROM failed_message m " SQL_USING_INDEX(
                               "message_change") " LEFT JOIN policy_message p ON p.message = m.id WHERE m.change > ?"
                                                 " ORDER BY m.change LIMIT ?"));
        rows.bind(records::MessageStatus::Unresolved, int(records::MessageFlag::BrowsedOnly), change, limit);
        TRY(rows.each([&] {
            ++rowsRead;
            found.until = rows.integer(1);
            if (rows.integer(2) != 0)
                ids.append(core::MessageId{rows.integer(0)});
        }));
    }
    found.more = rowsRead == limit;
    TRY(found.messages, candidates(ids));
    return found;
}

Result<QList<PolicyCandidate>> HeldMessageStore::letGo(core::MessageId after, int limit)
{
    QList<core::MessageId> ids;
    {
        Statement rows =
            m_database.sql(QStringLiteral("SELECT p.message FROM policy_message p " SQL_USING_INDEX(
                                              "policy_message_in_retry") " JOIN failed_message f ON f.id = p.message"
                                                                         " WHERE p.state = %1 AND p.message > ? AND "
                                                                         "f.status = ? ORDER BY p.message LIMIT ?")
                               .arg(numberOf(HeldState::InRetry)));
        rows.bind(after, records::MessageStatus::Unresolved, limit);
        TRY(ids, readIds(rows));
    }
    return candidates(ids);
}

Result<QList<PolicyCandidate>> HeldMessageStore::candidates(const QList<core::MessageId> &messages)
{
    return messages.isEmpty() ? QList<PolicyCandidate>() : readCandidates(listOf(messages));
}

Result<QList<PolicyCandidate>> HeldMessageStore::readCandidates(const QString &ids)
{
    Statement rows = m_database.sql(
        QStringLiteral(
            "SELECT %1, m.group0, m.group1, m.group2, m.group3, m.group4, coalesce(c.operation, 0),"
            " coalesce(c.attempt, 0), " SQL_GREATEST(
                "m.created",
                "m.failed_in") ", %2 FROM " SQL_LIST " j " SQL_JOIN_IN_ORDER " failed_message m ON m.id = j.value"
                               " JOIN destination d ON d.id = m.destination"
                               " LEFT JOIN claim c ON c.message = m.id LEFT JOIN policy_message p ON p.message = m.id"
                               " ORDER BY j.key")
            .arg(messageColumns(), heldColumns()));
    rows.bind(ids);
    QList<PolicyCandidate> found;
    TRY(rows.each([&] {
        PolicyCandidate one;
        int column = messageColumnCount;
        one.message = readMessage(rows);
        for (core::GroupId &group : one.groups)
            group = {rows.integer(column++)};
        one.operation = {rows.integer(column++)};
        one.retries = int(rows.integer(column++));
        one.failedIn = rows.integer(column++);
        if (!rows.isNull(column))
            one.held = readHeld(rows, column);
        found.append(one);
    }));
    return found;
}

Result<> HeldMessageStore::hold(const recovery::HeldMessage &held)
{
    return m_database
        .sql(QStringLiteral(
            "INSERT INTO policy_message (message, connection, assignment, version, state,"
            " failed, in_round, delayed, first_failure, last_delayed, attempts, is_delayed, decided_at,"
            " next_attempt, deliver_at, operation, has_left, reason, body, returned_as)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (message) DO UPDATE SET connection = excluded.connection, assignment = excluded.assignment, "
            "version = excluded.version,"
            " state = excluded.state, failed = excluded.failed, in_round = excluded.in_round,"
            " delayed = excluded.delayed, first_failure = excluded.first_failure, last_delayed = excluded.last_delayed,"
            " attempts = excluded.attempts, is_delayed = excluded.is_delayed, decided_at = excluded.decided_at,"
            " next_attempt = excluded.next_attempt, deliver_at = excluded.deliver_at, operation = excluded.operation,"
            " has_left = excluded.has_left, reason = excluded.reason, body = excluded.body,"
            " returned_as = excluded.returned_as"))
        .bind(held.message, held.connection, held.assignment, held.version, held.state, held.progress.failed,
              held.progress.inRound, held.progress.delayed, held.progress.firstFailure, held.progress.lastDelayed,
              held.attempts, held.isDelayed, held.decidedAt, held.nextAttempt, held.deliverAt, held.operation,
              held.hasLeft, held.reason, held.body, held.returnedAs)
        .run()
        .map([](int) {});
}

// What an operation has, it keeps; when it has ended, the message has an end, or no policy gets it.
Result<bool> HeldMessageStore::detachOrphans(int rows)
{
    Statement gone =
        m_database.sql(QStringLiteral("UPDATE policy_message SET assignment = 0, version = 0, next_attempt = NULL,"
                                      " reason = CASE WHEN state = ? THEN reason ELSE '' END,"
                                      " state = CASE WHEN state IN (?, ?) THEN state ELSE ? END"
                                      " WHERE message IN (SELECT message FROM policy_message WHERE assignment > 0"
                                      " AND assignment NOT IN (SELECT id FROM policy_assignment) LIMIT ?)"));
    TRY(const int changed,
        gone.bind(HeldState::Excluded, HeldState::Excluded, HeldState::InRetry, HeldState::Ended, rows).run());
    return changed == rows;
}

Result<std::optional<PolicyCandidate>> HeldMessageStore::sentWith(const QString &body, const PolicyCandidate &failed)
{
    const records::FailedMessage &message = failed.message;
    QList<core::MessageId> ids;
    {
        Statement rows = m_database.sql(
            QStringLiteral(
                "SELECT p.message FROM policy_message p " SQL_USING_INDEX(
                    "policy_message_body") " JOIN failed_message f ON f.id = p.message WHERE p.body = ?"
                                           " AND p.body <> '' AND p.state = %1 AND p.connection = ?"
                                           " AND p.message <> ? AND f.queue = ? AND f.status = ? AND f.change < ?"
                                           " ORDER BY p.operation, p.message LIMIT 1")
                .arg(numberOf(HeldState::InRetry)));
        rows.bind(body, message.connection, message.id, message.queue, records::MessageStatus::RetryIssued,
                  failed.failedIn);
        TRY(ids, readIds(rows));
    }
    TRY(const QList<PolicyCandidate> found, candidates(ids));
    return found.isEmpty() ? std::nullopt : std::optional(found.first());
}

Result<qint64> HeldMessageStore::returnsBesides(core::OperationId operation)
{
    Statement row = m_database.sql(QStringLiteral("SELECT count(*) FROM policy_message WHERE operation = ?"
                                                  " AND returned_as <> 0 AND returned_as <> message"));
    TRY(row.bind(operation).step());
    return row.integer(0);
}

Result<> HeldMessageStore::forgiveReturnsBesides(core::OperationId operation)
{
    return m_database
        .sql(QStringLiteral("UPDATE policy_message SET returned_as = message WHERE operation = ? AND returned_as <> 0"))
        .bind(operation)
        .run()
        .map([](int) {});
}

Result<QList<recovery::HeldMessage>> HeldMessageStore::due(core::AssignmentId assignment, core::ConnectionId connection,
                                                           HeldState state, core::TimePoint now, int limit)
{
    Statement rows = m_database.sql(QStringLiteral("SELECT ") + heldColumns()
                                    + QStringLiteral(" FROM policy_message p WHERE p.assignment = ? AND p.state = ?"
                                                     " AND p.next_attempt <= ? AND p.connection = ?"
                                                     " ORDER BY p.next_attempt LIMIT ?"));
    rows.bind(assignment, state, now, connection, limit);
    QList<recovery::HeldMessage> found;
    TRY(rows.each([&] { found.append(readHeld(rows)); }));
    return found;
}

Result<std::optional<core::TimePoint>> HeldMessageStore::nextDue(core::AssignmentId assignment)
{
    std::optional<core::TimePoint> next;
    for (const HeldState state : {HeldState::Waiting, HeldState::Leaving}) {
        Statement row = m_database.sql(
            QStringLiteral("SELECT min(next_attempt) FROM policy_message WHERE assignment = ? AND state = ?"));
        TRY(row.bind(assignment, state).step());
        if (const std::optional<core::TimePoint> at = row.optionalTime(0); at && (!next || *at < *next))
            next = at;
    }
    return next;
}

// Messages `p` of a lane that go to this queue; no queue: all of them. Values: laneValues().
static QString ofLane(const QString &times)
{
    return QStringLiteral(
               "(SELECT p.message FROM policy_message p " SQL_USING_INDEX(
                   "policy_message_due") " " SQL_JOIN_IN_ORDER " failed_message f ON f.id = p.message"
                                         " " SQL_JOIN_IN_ORDER " destination d ON d.id = f.destination"
                                         " WHERE p.assignment = ? AND p.state = ? AND p.next_attempt %1 AND "
                                         "p.connection = ?"
                                         " AND (? <> 0 OR CASE WHEN ? <> 0 THEN f.queue ELSE d.queue END = ?) LIMIT ?)")
        .arg(times);
}

static QVariantList laneValues(const PolicyLane &lane, const std::optional<QString> &queue, int rows)
{
    return {lane.connection.value, queue ? 0 : 1, lane.isRelease ? 1 : 0,
            Statement::toVariant(queue.value_or(QString())), rows};
}

Result<bool> HeldMessageStore::holdBack(const PolicyLane &lane, const QString &queue, core::TimePoint now,
                                        const QString &reason, int rows)
{
    Statement update =
        m_database.sql(QStringLiteral("UPDATE policy_message SET next_attempt = NULL, reason = ? WHERE message IN ")
                       + ofLane(QStringLiteral("<= ?")));
    TRY(const int held,
        update.bind(reason, lane.assignment, lane.state, now).bindAll(laneValues(lane, queue, rows)).run());
    return held == rows;
}

Result<core::MessageId> HeldMessageStore::heldBack(const PolicyLane &lane, const QString &queue)
{
    Statement row =
        m_database.sql(QStringLiteral("SELECT * FROM ") + ofLane(QStringLiteral("IS NULL")) + QStringLiteral(" l"));
    TRY(const bool found, row.bind(lane.assignment, lane.state).bindAll(laneValues(lane, queue, 1)).step());
    return found ? core::MessageId{row.integer(0)} : core::MessageId{};
}

Result<bool> HeldMessageStore::releaseHeld(const PolicyLane &lane, const std::optional<QString> &queue,
                                           core::TimePoint now, int rows)
{
    Statement update =
        m_database.sql(QStringLiteral("UPDATE policy_message SET next_attempt = ?, reason = '' WHERE message IN ")
                       + ofLane(QStringLiteral("IS NULL")));
    TRY(const int released, update.bind(now, lane.assignment, lane.state).bindAll(laneValues(lane, queue, rows)).run());
    return released == rows;
}

Result<int> HeldMessageStore::capNextAttempts(core::AssignmentId assignment, core::TimePoint now,
                                              const std::function<core::Milliseconds(int round)> &longest)
{
    struct Step
    {
        bool isDelayed = false;
        int round = 0;
        HeldState state = HeldState::Waiting;
    };
    QList<Step> steps{{false, 0, HeldState::Leaving}};
    {
        Statement rows = m_database.sql(
            QStringLiteral("SELECT DISTINCT is_delayed, delayed FROM policy_message"
                           " WHERE assignment = ? AND state = ? AND (next_attempt > ? OR deliver_at > ?)"));
        TRY(rows.bind(assignment, HeldState::Waiting, now, now).each([&] {
            steps.append({rows.integer(0) != 0, int(rows.integer(1)), HeldState::Waiting});
        }));
    }
    int capped = 0;
    for (const Step &step : std::as_const(steps)) {
        const core::TimePoint latest = step.isDelayed ? now + longest(step.round) : now;
        Statement update = m_database.sql(
            QStringLiteral(
                "UPDATE policy_message SET next_attempt = " SQL_LEAST(
                    "next_attempt",
                    "?") ","
                         " deliver_at = " SQL_LEAST("deliver_at", "?") ", decided_at = " SQL_LEAST(
                             "decided_at",
                             "?") " WHERE assignment = ? AND state = ? AND (next_attempt > ? OR deliver_at > ?)"
                                  " AND (state <> %1 OR (is_delayed = ? AND delayed = ?))")
                .arg(numberOf(HeldState::Waiting)));
        TRY(const int changed,
            update.bind(latest, latest, now, assignment, step.state, latest, latest, step.isDelayed, step.round).run());
        capped += changed;
    }
    return capped;
}

Result<> HeldMessageStore::entered(core::OperationId operation, core::AssignmentId assignment, core::TimePoint now)
{
    TRY(const int changed,
        m_database
            .sql(QStringLiteral(
                "UPDATE policy_message SET state = CASE WHEN state = ? THEN ? ELSE ? END, has_left = CASE WHEN state = "
                "? THEN 1 ELSE 0 END,"
                " reason = CASE WHEN state = ? THEN '' ELSE reason END, next_attempt = NULL, operation = ?, "
                "returned_as = 0"
                " WHERE message IN (SELECT message FROM retry_member WHERE operation = ?)"
                " AND state IN (?, ?) AND assignment = ? AND next_attempt <= ?"
                " AND (SELECT m.change FROM failed_message m WHERE m.id = policy_message.message)"
                " <= (SELECT policies_followed FROM store_meta)"))
            .bind(HeldState::Waiting, HeldState::InRetry, HeldState::Exhausted, HeldState::Leaving, HeldState::Waiting,
                  operation, operation, HeldState::Waiting, HeldState::Leaving, assignment, now)
            .run());
    {
        Statement members = m_database.sql(QStringLiteral("SELECT count(*) FROM retry_member WHERE operation = ?"));
        TRY(members.bind(operation).step());
        if (members.integer(0) != changed)
            return fail(ErrorKind::Conflict, Text::tr("Some messages or the policies have changed."));
    }
    return freezeDeliveries(operation, now);
}

// The copies that the broker holds back.
Result<> HeldMessageStore::freezeDeliveries(core::OperationId operation, core::TimePoint now)
{
    TRY(const int delayed, m_ledger.freezeDeliveries(operation, now));
    if (delayed == 0)
        return {};
    return m_database
        .sql(QStringLiteral("UPDATE retry_operation SET delivers_until ="
                            " (SELECT max(deliver_at) FROM retry_member WHERE operation = ?) WHERE id = ?"))
        .bind(operation, operation)
        .run()
        .map([](int) {});
}

Result<std::optional<MemberEnd>> HeldMessageStore::endIn(core::OperationId operation, core::MessageId message)
{
    Statement row = m_database.sql(QStringLiteral("SELECT outcome, closure, closed_by, reason FROM retry_member"
                                                  " WHERE message = ? AND operation = ?"));
    TRY(const bool found, row.bind(message, operation).step());
    if (!found)
        return std::optional<MemberEnd>();
    return std::optional(MemberEnd{row.as<records::Outcome>(0), row.as<ClaimEndReason>(1), row.text(2), row.text(3)});
}

Result<HeldCounts> HeldMessageStore::counts(core::AssignmentId assignment, core::TimePoint now)
{
    HeldCounts counts;
    {
        Statement rows = m_database.sql(QStringLiteral(
            "SELECT state, count(*), min(next_attempt) FROM policy_message WHERE assignment = ? GROUP BY state"));
        TRY(rows.bind(assignment).each([&] {
            const auto state = rows.as<HeldState>(0);
            counts.byState.insert(state, rows.integer(1));
            if (state == HeldState::Waiting)
                counts.nextDue = rows.optionalTime(2);
        }));
    }
    Statement due = m_database.sql(QStringLiteral("SELECT count(*) FROM policy_message WHERE assignment = ?"
                                                  " AND state IN (?, ?) AND next_attempt <= ?"));
    TRY(due.bind(assignment, HeldState::Waiting, HeldState::Leaving, now).step());
    counts.due = due.integer(0);
    Statement away = m_database.sql(
        QStringLiteral("SELECT count(*), min(deliver_at) FROM policy_message WHERE assignment = ? AND state = ?"
                       " AND deliver_at > ?"));
    TRY(away.bind(assignment, HeldState::InRetry, now).step());
    counts.atBroker = away.integer(0);
    counts.nextAtBroker = away.optionalTime(1);
    if (counts.byState.value(HeldState::NotMoved) == 0)
        return counts;
    Statement why =
        m_database.sql(QStringLiteral("SELECT reason FROM policy_message WHERE assignment = ? AND state = ? LIMIT 1"));
    TRY(why.bind(assignment, HeldState::NotMoved).step());
    counts.notMovedWhy = why.text(0);
    return counts;
}

} // namespace store
