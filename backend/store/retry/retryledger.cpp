#include "backend/store/retry/retryledger.h"

#include "backend/store/database/database.h"
#include "backend/store/database/enumsql.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/retrysql.h"

#include <algorithm>
#include <array>

namespace store {

using core::ErrorKind;
using core::fail;
using records::Claim;
using records::MemberMark;
using records::MessageStatus;
using records::Outcome;
using records::ReasonChange;
using records::Transition;

namespace {

// What is yes or no comes as the bits of one number: a thousand members are read in each step, and a column costs as much as a
// look into an index.
enum LedgerBit { HasIntent = 1, IsBack = 2, MayBeSecond = 4, IsLive = 8, IsOwn = 16 };
const QString ledgerColumns = QStringLiteral(
    "SELECT m.operation, m.ordinal, m.message, m.batch, m.attempt, m.stage_attempts, m.reason, m.deliver_at,"
    " m.outcome, m.closure, f.status, f.flags, coalesce(c.attempt, 0), m.intent + 2 * m.came_back"
    " + 4 * m.possible_duplicate + 8 * coalesce(c.live, 0)"
    " + CASE WHEN c.operation = m.operation AND c.ordinal = m.ordinal THEN 16 ELSE 0 END");
const QString besidesMembers =
    QStringLiteral(" JOIN failed_message f ON f.id = m.message LEFT JOIN claim c ON c.message = m.message ");
const QString fromMembers = QStringLiteral(" FROM retry_member m") + besidesMembers;
const QString fromOwners = QStringLiteral(
    " JOIN claim c ON c.message = f.id JOIN retry_member m ON m.operation = c.operation AND m.ordinal = c.ordinal ");

Claim claimOf(bool live, bool own)
{
    if (own)
        return live ? Claim::Own : Claim::Ended;
    return live ? Claim::Anothers : Claim::Free;
}

LedgerEntry ledgerEntryFrom(const Statement &row)
{
    LedgerEntry entry;
    entry.operation = {row.integer(0)};
    entry.ordinal = row.integer(1);
    entry.message = {row.integer(2)};
    entry.batch = {row.integer(3)};
    entry.attempt = int(row.integer(4));
    entry.stageAttempts = int(row.integer(5));
    entry.reason = row.text(6);
    entry.deliverAt = row.optionalTime(7);
    entry.fate.outcome = row.as<Outcome>(8);
    entry.fate.closure = row.as<ClaimEndReason>(9);
    entry.fate.message = row.as<MessageStatus>(10);
    entry.fate.earlierCopy = (row.integer(11) & qint64(records::MessageFlag::PossibleDuplicate)) != 0;
    entry.lastAttempt = int(row.integer(12));
    const qint64 bits = row.integer(13);
    entry.fate.intent = (bits & HasIntent) != 0;
    entry.fate.cameBack = (bits & IsBack) != 0;
    entry.fate.possibleDuplicate = (bits & MayBeSecond) != 0;
    entry.fate.claim = claimOf((bits & IsLive) != 0, (bits & IsOwn) != 0);
    entry.fate.batched = entry.batch.isValid();
    return entry;
}

LedgerEntry after(const LedgerEntry &entry, const Transition &transition, const MemberNews &news)
{
    LedgerEntry now = entry;
    now.fate = records::apply(entry.fate, news.event, transition);
    if (transition.claim == records::ClaimChange::Taken)
        now.attempt = now.lastAttempt = entry.lastAttempt + 1;
    if (transition.marks.contains(MemberMark::NewBatch))
        now.batch = news.batch;
    if (transition.marks.contains(MemberMark::OneRefusalMore))
        ++now.stageAttempts;
    if (transition.marks.contains(MemberMark::NoRefusals))
        now.stageAttempts = 0;
    if (transition.reason == ReasonChange::Given)
        now.reason = news.only ? news.only->value(entry.ordinal) : news.reason;
    if (transition.reason == ReasonChange::Cleared)
        now.reason.clear();
    return now;
}

QList<qint64> ordinalsOf(const QList<LedgerEntry> &entries)
{
    QList<qint64> ordinals;
    for (const LedgerEntry &entry : entries)
        ordinals.append(entry.ordinal);
    return ordinals;
}

} // namespace

RetryLedger::RetryLedger(Database &database, MessageStore &messages)
    : m_database(database)
    , m_messages(messages)
{
}

// ---- reading ---------------------------------------------------------------------------------------------------------

Result<QList<LedgerEntry>> RetryLedger::entries(const QString &from, const QString &condition,
                                                const QVariantList &values)
{
    Statement rows = m_database.sql(ledgerColumns + from + condition);
    QList<LedgerEntry> found;
    TRY(rows.bindAll(values).each([&] { found.append(ledgerEntryFrom(rows)); }));
    TRY(readHandOver(found));
    return found;
}

// Of a few batches, and not with each of their members: it would cost as much as the rest of the member.
Result<> RetryLedger::readHandOver(QList<LedgerEntry> &entries)
{
    QHash<core::BatchId, bool> viaQueue{{core::BatchId{}, false}};
    for (LedgerEntry &entry : entries) {
        auto known = viaQueue.find(entry.batch);
        if (known == viaQueue.end()) {
            Statement row = m_database.sql(QStringLiteral("SELECT place <> '' FROM retry_batch WHERE id = ?"));
            TRY(const bool found, row.bind(entry.batch).step());
            known = viaQueue.insert(entry.batch, found && row.integer(0) != 0);
        }
        entry.fate.viaQueue = *known;
    }
    return {};
}

// Asked only of members that arrive, which each does once.
Result<> RetryLedger::readEarlierCopies(QList<LedgerEntry> &entries)
{
    QMultiHash<core::MessageId, LedgerEntry *> arriving;
    for (LedgerEntry &entry : entries)
        arriving.insert(entry.message, &entry);
    Statement rows = m_database.sql(
        QStringLiteral("SELECT e.message, e.operation %1 AND e.message IN " SQL_LIST_VALUES).arg(unaccountedCopies()));
    return rows.bind(listOf(arriving.uniqueKeys())).each([&] {
        for (auto [one, end] = arriving.equal_range(core::MessageId{rows.integer(0)}); one != end; ++one) {
            LedgerEntry &entry = **one;
            entry.fate.earlierCopy |= entry.operation.value != rows.integer(1);
        }
    });
}

Result<QList<LedgerEntry>> RetryLedger::ofBatch(core::BatchId batch)
{
    return entries(fromMembers, QStringLiteral("WHERE m.batch = ? AND m.batch > 0"), {batch.value});
}

Result<QList<LedgerEntry>> RetryLedger::of(core::OperationId operation, const QList<qint64> &ordinals)
{
    return entries(QStringLiteral(" FROM (SELECT DISTINCT value FROM " SQL_LIST " l) j " SQL_JOIN_IN_ORDER
                                  " retry_member m ON m.operation = ? AND m.ordinal = j.value")
                       + besidesMembers,
                   {}, {listOf(ordinals), operation.value});
}

// Without the named index SQLite walks over all earlier members each time.
Result<QList<LedgerEntry>> RetryLedger::waiting(core::OperationId operation, int limit)
{
    return entries(QStringLiteral(" FROM (SELECT ordinal FROM retry_member " SQL_USING_INDEX(
                                      "member_free") " WHERE operation = ? AND batch = 0 AND outcome = %1"
                                                     " ORDER BY turn, ordinal LIMIT ?) j " SQL_JOIN_IN_ORDER
                                                     " retry_member m ON m.operation = ? AND m.ordinal = j.ordinal")
                           .arg(numberOf(Outcome::Pending))
                       + besidesMembers,
                   {}, {operation.value, limit, operation.value});
}

Result<QList<LedgerEntry>> RetryLedger::ownersOf(const QList<core::MessageId> &messages)
{
    return entries(QStringLiteral(" FROM (SELECT DISTINCT value FROM " SQL_LIST " l) j " SQL_JOIN_IN_ORDER
                                  " failed_message f ON f.id = j.value")
                       + fromOwners,
                   {}, {listOf(messages)});
}

Result<std::optional<LedgerEntry>> RetryLedger::ownerOf(const QString &uniqueId)
{
    TRY(const QList<LedgerEntry> found, entries(QStringLiteral(" FROM failed_message f") + fromOwners,
                                                QStringLiteral("WHERE f.unique_id = ?"), {uniqueId}));
    return found.isEmpty() ? std::optional<LedgerEntry>() : std::optional<LedgerEntry>(found.first());
}

// ---- events ----------------------------------------------------------------------------------------------------------

QHash<qint64, QString> byOrdinal(const QList<MemberReason> &members)
{
    QHash<qint64, QString> named;
    for (const MemberReason &member : members)
        named.insert(member.ordinal, member.reason);
    return named;
}

Result<int> RetryLedger::record(QList<LedgerEntry> &entries, const MemberNews &news)
{
    QList<qsizetype> concerned;
    QList<LedgerEntry> before;
    bool someArrive = false;
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const LedgerEntry &entry = entries.at(i);
        if (news.only && !news.only->contains(entry.ordinal))
            continue;
        if (const Transition *transition = records::transitionOf(entry.fate, news.event)) {
            concerned.append(i);
            before.append(entry);
            someArrive |= transition->to == Outcome::Sent || transition->marks.contains(MemberMark::CameBack);
        }
    }
    if (someArrive)
        TRY(readEarlierCopies(before));
    QList<LedgerEntry> now;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const LedgerEntry &entry = before.at(i);
        now.append(after(entry, *records::transitionOf(entry.fate, news.event), news));
        entries[concerned.at(i)] = now.at(i);
    }
    TRY(writeMembers(before, now, news));
    TRY(writeClaims(before, now));
    TRY(writeStatuses(before, now));
    TRY(writeCounts(before, now));
    return int(now.size());
}

Result<> RetryLedger::record(QList<LedgerEntry> &entries, const QList<SendResult> &ends)
{
    QMap<records::SendEnd, QHash<qint64, QString>> members;
    for (const SendResult &one : ends)
        members[one.end].insert(one.ordinal, one.reason);
    for (auto end = members.cbegin(); end != members.cend(); ++end)
        TRY(record(entries, {.event = records::eventOf(end.key()), .only = *end}));
    return {};
}

// What an event changes in the row of a member; nothing: the column stays. Most members of a batch change in the same way.
struct RetryLedger::Change
{
    std::optional<core::BatchId> batch{};
    std::optional<Outcome> outcome{};
    std::optional<int> attempt{};
    std::optional<int> stageAttempts{};
    std::optional<bool> intent{};
    std::optional<bool> cameBack{};
    std::optional<bool> possibleDuplicate{};
    std::optional<QString> reason{};
    std::optional<ClaimEndReason> closure{};

    Change(const LedgerEntry &was, const LedgerEntry &is)
    {
        const auto note = [](auto &change, const auto &before, const auto &now) {
            if (before != now)
                change = now;
        };
        note(batch, was.batch, is.batch);
        note(outcome, was.fate.outcome, is.fate.outcome);
        note(attempt, was.attempt, is.attempt);
        note(stageAttempts, was.stageAttempts, is.stageAttempts);
        note(intent, was.fate.intent, is.fate.intent);
        note(cameBack, was.fate.cameBack, is.fate.cameBack);
        note(possibleDuplicate, was.fate.possibleDuplicate, is.fate.possibleDuplicate);
        note(reason, was.reason, is.reason);
        note(closure, was.fate.closure, is.fate.closure);
    }
    // "outcome = ?, intent = ?"; adds their values.
    [[nodiscard]] QString columns(const MemberNews &news, QVariantList &values) const
    {
        QStringList columns;
        const auto set = [&](const char *column, const auto &value) {
            if (!value)
                return;
            columns.append(QLatin1String(column) + QStringLiteral(" = ?"));
            values.append(Statement::toVariant(*value));
        };
        set("batch", batch);
        set("outcome", outcome);
        set("attempt", attempt);
        set("stage_attempts", stageAttempts);
        set("intent", intent);
        set("came_back", cameBack);
        set("possible_duplicate", possibleDuplicate);
        set("reason", reason);
        set("closure", closure);
        if (closure) {
            const bool isQuiet = news.event == records::MemberEvent::Quiet;
            set("closed_at", std::optional(news.at));
            set("closed_by", std::optional(news.who));
            set("quiet_for", isQuiet ? std::optional(news.quietFor) : std::nullopt);
        }
        return columns.join(QStringLiteral(", "));
    }
    friend bool operator==(const Change &, const Change &) = default;
};

// One statement for all members of an operation that change in the same way.
Result<> RetryLedger::writeMembers(const QList<LedgerEntry> &before, const QList<LedgerEntry> &now,
                                   const MemberNews &news)
{
    struct Alike
    {
        core::OperationId operation;
        Change change;
        QList<qint64> ordinals{};
    };
    QList<Alike> groups;
    for (qsizetype i = 0; i < now.size(); ++i) {
        const Change change(before.at(i), now.at(i));
        auto group = std::find_if(groups.begin(), groups.end(), [&](const Alike &one) {
            return one.operation == now.at(i).operation && one.change == change;
        });
        if (group == groups.end())
            group = groups.insert(groups.cend(), {now.at(i).operation, change});
        group->ordinals.append(now.at(i).ordinal);
    }
    for (const Alike &group : std::as_const(groups)) {
        QVariantList values;
        const QString columns = group.change.columns(news, values);
        if (columns.isEmpty())
            continue;
        values += {group.operation.value, listOf(group.ordinals)};
        TRY(const int written,
            m_database.execute(
                QStringLiteral("UPDATE retry_member SET %1 WHERE operation = ? AND ordinal IN " SQL_LIST_VALUES)
                    .arg(columns),
                values));
        if (written != group.ordinals.size()) // one is gone, or was named twice: its counts would be wrong for ever
            return fail(ErrorKind::Conflict,
                        QStringLiteral("Members of operation %1 changed meanwhile.").arg(group.operation.value));
    }
    return {};
}

// After the members, whose rows have the attempt.
Result<> RetryLedger::writeClaims(const QList<LedgerEntry> &before, const QList<LedgerEntry> &now)
{
    QMap<core::OperationId, QList<qint64>> taken;
    QList<core::MessageId> ended;
    for (qsizetype i = 0; i < now.size(); ++i) {
        if (now.at(i).fate.claim == before.at(i).fate.claim)
            continue;
        if (now.at(i).fate.claim == Claim::Own)
            taken[now.at(i).operation].append(now.at(i).ordinal);
        else
            ended.append(now.at(i).message);
    }
    for (auto one = taken.cbegin(); one != taken.cend(); ++one) {
        TRY(const int claimed,
            m_database.execute(
                QStringLiteral(
                    "INSERT INTO claim (message, operation, ordinal, attempt, live)"
                    " SELECT message, operation, ordinal, attempt, 1 FROM retry_member WHERE operation = ?"
                    " AND ordinal IN " SQL_LIST_VALUES
                    " ON CONFLICT (message) DO UPDATE SET operation = excluded.operation,"
                    " ordinal = excluded.ordinal, attempt = excluded.attempt, live = 1 WHERE claim.live = 0"),
                {one.key().value, listOf(*one)}));
        if (claimed != one->size()) // rolls back
            return fail(ErrorKind::Conflict,
                        QStringLiteral("Two members of operation %1 claim one message.").arg(one.key().value));
    }
    if (!ended.isEmpty())
        TRY(m_database.execute(QStringLiteral("UPDATE claim SET live = 0 WHERE message IN " SQL_LIST_VALUES),
                               {listOf(ended)}));
    return {};
}

Result<> RetryLedger::writeStatuses(const QList<LedgerEntry> &before, const QList<LedgerEntry> &now)
{
    QMap<MessageStatus, QList<core::MessageId>> changed;
    for (qsizetype i = 0; i < now.size(); ++i) {
        if (now.at(i).fate.message != before.at(i).fate.message)
            changed[now.at(i).fate.message].append(now.at(i).message);
    }
    const QList<MessageStatus> all{MessageStatus::Unresolved, MessageStatus::RetryIssued, MessageStatus::Unknown};
    for (auto one = changed.cbegin(); one != changed.cend(); ++one)
        TRY(m_messages.setStatus(*one, all, one.key()));
    return {};
}

Result<> RetryLedger::writeCounts(const QList<LedgerEntry> &before, const QList<LedgerEntry> &now)
{
    QMap<core::BatchId, records::OutcomeCounts> batches;
    QMap<core::OperationId, records::OutcomeCounts> operations;
    for (qsizetype i = 0; i < now.size(); ++i) {
        const LedgerEntry &was = before.at(i);
        const LedgerEntry &is = now.at(i);
        records::OutcomeCounts &left = batches[was.batch];
        left = difference(left, countsOf(was.fate));
        records::OutcomeCounts &entered = batches[is.batch];
        entered = sum(entered, countsOf(is.fate));
        records::OutcomeCounts &of = operations[is.operation];
        of = sum(of, difference(countsOf(is.fate), countsOf(was.fate)));
    }
    batches.remove({}); // those that are in no batch count for the operation alone
    for (auto one = batches.cbegin(); one != batches.cend(); ++one)
        TRY(addCounts(QStringLiteral("retry_batch"), one.key().value, *one));
    for (auto one = operations.cbegin(); one != operations.cend(); ++one)
        TRY(addCounts(QStringLiteral("retry_operation"), one.key().value, *one));
    return {};
}

Result<> RetryLedger::addCounts(const QString &table, qint64 id, const records::OutcomeCounts &delta)
{
    if (delta == records::OutcomeCounts{})
        return {};
    TRY(m_database.execute(
        QStringLiteral(
            "UPDATE %1 SET pending = pending + ?, claimed = claimed + ?, staged = staged + ?, sent = sent + ?,"
            " skipped = skipped + ?, ejected = ejected + ?, in_doubt = in_doubt + ?, cancelled = cancelled + ?,"
            " came_back = came_back + ?, possible_duplicates = possible_duplicates + ? WHERE id = ?")
            .arg(table),
        valuesOf(delta) + QVariantList{id}));
    return {};
}

// ---- the set ---------------------------------------------------------------------------------------------------------

Result<> RetryLedger::addMembers(core::OperationId operation, const QString &select, const QVariantList &values)
{
    TRY(const int added,
        m_database.execute(
            QStringLiteral("INSERT INTO retry_member (operation, ordinal, message, destination, cause, turn) ")
                + select,
            values));
    return addToSet(operation, added);
}

Result<> RetryLedger::dropMembers(core::OperationId operation, qint64 ordinal)
{
    TRY(const int dropped,
        m_database.execute(QStringLiteral("DELETE FROM retry_member WHERE operation = ? AND ordinal > ?"),
                           {operation.value, ordinal}));
    return addToSet(operation, -dropped);
}

Result<> RetryLedger::addToSet(core::OperationId operation, qint64 members)
{
    TRY(m_database.execute(QStringLiteral("UPDATE retry_operation SET total = total + ? WHERE id = ?"),
                           {members, operation.value}));
    records::OutcomeCounts more;
    more.pending = members;
    return addCounts(QStringLiteral("retry_operation"), operation.value, more);
}

// A copy that is sent again after a crash is not delayed again.
Result<int> RetryLedger::freezeDeliveries(core::OperationId operation, core::TimePoint now)
{
    return m_database.execute(QStringLiteral("UPDATE retry_member SET deliver_at = p.deliver_at FROM policy_message p"
                                             " WHERE p.message = retry_member.message AND p.deliver_at > ?"
                                             " AND retry_member.operation = ?"),
                              {core::toMs(now), operation.value});
}

// ---- batches ---------------------------------------------------------------------------------------------------------

Result<core::BatchId> RetryLedger::addBatch(core::OperationId operation, records::BatchStage stage,
                                            const QString &session, const QList<LedgerEntry> &members)
{
    const QList<qint64> ordinals = ordinalsOf(members);
    const auto [first, last] = std::minmax_element(ordinals.begin(), ordinals.end());
    Statement insert = m_database.sql(QStringLiteral(
        "INSERT INTO retry_batch (operation, connection, number, first_ordinal, last_ordinal, session, stage)"
        " SELECT id, connection, (SELECT coalesce(max(number), 0) + 1 FROM retry_batch WHERE operation = ?),"
        " ?, ?, ?, ? FROM retry_operation WHERE id = ? RETURNING id"));
    TRY(const bool added, insert.bind(operation, *first, *last, session, stage, operation).step());
    if (!added)
        return fail(ErrorKind::NotFound, QStringLiteral("There is no operation %1.").arg(operation.value));
    return core::BatchId{insert.integer(0)};
}

Result<> RetryLedger::updateBatch(core::BatchId batch, const QString &set, const QVariantList &values)
{
    TRY(m_database.execute(QStringLiteral("UPDATE retry_batch SET %1 WHERE id = ?").arg(set),
                           values + QVariantList{batch.value}));
    return {};
}

Result<> RetryLedger::setStage(core::BatchId batch, records::BatchStage stage)
{
    return updateBatch(batch, QStringLiteral("stage = ?"), {int(stage)});
}

Result<> RetryLedger::nameStaging(core::BatchId batch, const QString &stagingId, const QString &place)
{
    return updateBatch(batch, QStringLiteral("staging_id = ?, place = ?, mark = ''"),
                       {stagingId, Statement::toVariant(place)});
}

Result<> RetryLedger::keepMark(core::BatchId batch, const QString &mark)
{
    return updateBatch(batch, QStringLiteral("mark = ?"), {Statement::toVariant(mark)});
}

Result<> RetryLedger::setSettled(core::BatchId batch, bool settled)
{
    return updateBatch(batch, QStringLiteral("settled = ?"), {Statement::toVariant(settled)});
}

Result<> RetryLedger::sendingFrom(core::BatchId batch, core::TimePoint at)
{
    return updateBatch(batch, QStringLiteral("sent_from = coalesce(sent_from, ?)"), {core::toMs(at)});
}

Result<> RetryLedger::sentUntil(core::BatchId batch, core::TimePoint at)
{
    return updateBatch(batch, QStringLiteral("sent_until = ?"), {core::toMs(at)});
}

Result<> RetryLedger::point(const records::RetryBatch &batch, qint64 staged)
{
    TRY(m_database.execute(QStringLiteral("INSERT INTO now_forwarding (connection, batch) VALUES (?, ?)"),
                           {batch.connection.value, batch.id.value}));
    return updateBatch(batch.id, QStringLiteral("stage = ?, staged_count = ?"),
                       {int(records::BatchStage::Forwarding), staged});
}

Result<> RetryLedger::finish(core::BatchId batch)
{
    TRY(remove({QStringLiteral("now_forwarding")}, QStringLiteral("batch = ?"), batch.value));
    return setStage(batch, records::BatchStage::Done);
}

Result<> RetryLedger::endAllClaims()
{
    TRY(m_database.execute(QStringLiteral("UPDATE claim SET live = 0 WHERE live = 1"), {}));
    return {};
}

// ---- what is removed -------------------------------------------------------------------------------------------------

Result<> RetryLedger::remove(const QStringList &tables, const QString &condition, qint64 value)
{
    for (const QString &table : tables)
        TRY(m_database.execute(QStringLiteral("DELETE FROM %1 WHERE %2").arg(table, condition), {value}));
    return {};
}

Result<> RetryLedger::forget(core::MessageId message)
{
    QStringList sums;
    for (int outcome = 0; outcome < records::outcomeCount; ++outcome)
        sums.append(QStringLiteral("CASE WHEN outcome = %1 THEN 1 ELSE 0 END").arg(outcome));
    QStringList adds;
    const QStringList columns = countColumns().split(QStringLiteral(", "));
    for (const QString &column : columns)
        adds.append(QStringLiteral("%1 = member_gone.%1 + excluded.%1").arg(column));
    TRY(m_database.execute(
        QStringLiteral("INSERT INTO member_gone (operation, batch, %1) SELECT operation, batch, %2, came_back,"
                       " possible_duplicate FROM retry_member WHERE message = ?"
                       " ON CONFLICT (operation, batch) DO UPDATE SET %3")
            .arg(countColumns(), sums.join(QStringLiteral(", ")), adds.join(QStringLiteral(", "))),
        {message.value}));
    return remove({QStringLiteral("retry_member"), QStringLiteral("claim")}, QStringLiteral("message = ?"),
                  message.value);
}

Result<> RetryLedger::forget(core::OperationId operation)
{
    return remove({QStringLiteral("member_gone"), QStringLiteral("retry_batch")}, QStringLiteral("operation = ?"),
                  operation.value);
}

Result<> RetryLedger::forget(core::ConnectionId connection)
{
    TRY(remove({QStringLiteral("now_forwarding")}, QStringLiteral("connection = ?"), connection.value));
    TRY(remove({QStringLiteral("claim")},
               QStringLiteral("message IN (SELECT id FROM failed_message WHERE connection = ?)"), connection.value));
    return remove({QStringLiteral("retry_member"), QStringLiteral("member_gone"), QStringLiteral("retry_batch")},
                  QStringLiteral("operation IN (SELECT id FROM retry_operation WHERE connection = ?)"),
                  connection.value);
}

} // namespace store
