#include "backend/store/retry/frozensetstore.h"

#include "backend/core/limits.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/messagerow.h"
#include "backend/store/retry/retryledger.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/retry/retrysql.h"

#include <algorithm>
#include <limits>

namespace store {

using core::ErrorKind;
using core::fail;
using records::LeftOut;
using records::OperationState;

namespace {

bool isRelease(const FreezeRules &rules)
{
    return rules.kind == records::OperationKind::Release;
}

QString collation(const FreezeRules &rules)
{
    return rules.namesIgnoreCase ? QStringLiteral(" " SQL_IGNORING_CASE) : QString();
}

// The queue that redirects give to what would go to `queue`; the first redirect that matches counts. Values: routes().
QString rerouted(const FreezeRules &rules, const QString &queue)
{
    QString cases;
    for (const records::Redirect &redirect : rules.redirects) {
        switch (redirect.of) {
        case records::Redirect::Of::Queue:
            cases += QStringLiteral(" WHEN %2 = ?%1 THEN ?").arg(collation(rules), queue);
            break;
        case records::Redirect::Of::Unknown:
            cases += QStringLiteral(" WHEN %1 = '' THEN ?").arg(queue);
            break;
        case records::Redirect::Of::Everything:
            cases += QStringLiteral(" WHEN TRUE THEN ?");
            break;
        }
    }
    return cases.isEmpty() ? queue : QStringLiteral("CASE%1 ELSE %2 END").arg(cases, queue);
}

QVariantList routes(const FreezeRules &rules)
{
    QVariantList values;
    for (const records::Redirect &redirect : rules.redirects) {
        if (redirect.of == records::Redirect::Of::Queue)
            values.append(Statement::toVariant(redirect.from));
        values.append(Statement::toVariant(redirect.to));
    }
    return values;
}

// Destinations with the queue to which they lead (`goes`). Values: routedValues().
QString routed(const FreezeRules &rules)
{
    const QString queue = QStringLiteral("queue");
    return QStringLiteral("(SELECT id, queue, certainty, known_from, %1 AS goes FROM destination)")
        .arg(isRelease(rules) ? queue : rerouted(rules, queue));
}

QVariantList routedValues(const FreezeRules &rules)
{
    return isRelease(rules) ? QVariantList() : routes(rules);
}

// Where the copy of a message `f` with the routed destination `d` is sent. Values: targetValues().
QString target(const FreezeRules &rules)
{
    return isRelease(rules) ? rerouted(rules, QStringLiteral("f.queue")) : QStringLiteral("d.goes");
}

QVariantList targetValues(const FreezeRules &rules)
{
    return isRelease(rules) ? routes(rules) : QVariantList();
}

// Another operation has claimed the message `f`, or has it in its set and continues. An operation that is still
// Freezing holds nothing yet. Values: freezing, cancelled.
const QString held =
    QStringLiteral("(EXISTS (SELECT 1 FROM claim c WHERE c.message = f.id AND c.live = 1)"
                   " OR EXISTS (SELECT 1 FROM retry_member x JOIN retry_operation o ON o.id = x.operation"
                   " WHERE x.message = f.id AND x.outcome = 0 AND o.state NOT IN (?, ?)))");

struct Condition
{
    QString sql;
    QVariantList values{};
};

// When a message `f` with the routed destination `d` is left out for this reason, if for no earlier one.
Condition conditionOf(LeftOut why, const FreezeRules &rules)
{
    const int release = isRelease(rules) ? 1 : 0;
    const QString flagged = QStringLiteral("f.flags & ? <> 0");
    switch (why) {
    case LeftOut::Arrived:
        return {QStringLiteral("f.created > ?"), {rules.asOfChange}};
    case LeftOut::Changed:
        return {QStringLiteral("f.change > ? OR f.status <> ?"),
                {rules.asOfChange, int(records::MessageStatus::Unresolved)}};
    case LeftOut::BrowsedOnly:
        return {flagged, {int(records::MessageFlag::BrowsedOnly)}};
    case LeftOut::PossibleDuplicate:
        return {QStringLiteral("f.flags & ? <> 0 AND ? = 0"),
                {int(records::MessageFlag::PossibleDuplicate), rules.includeDuplicates ? 1 : 0}};
    case LeftOut::HeldElsewhere:
        return {held, {int(OperationState::Freezing), int(OperationState::Cancelled)}};
    case LeftOut::NotFaithful:
        return {QStringLiteral("f.flags & ? <> 0 AND NOT (f.flags & ? <> 0 AND ? <> 0)"),
                {int(records::MessageFlag::NotFaithful), int(records::MessageFlag::Decimals),
                 rules.decimalsAreDoubles ? 1 : 0}};
    case LeftOut::Looped:
        return {QStringLiteral("f.came_back >= ? AND ? = 0"),
                {core::limits::loopGuardCameBack, rules.includeLooped ? 1 : 0}};
    case LeftOut::NoDestination:
        return {QStringLiteral("f.flags & ? <> 0 AND ? = 0 OR %1 = ''").arg(target(rules)),
                QVariantList{int(records::MessageFlag::OtherTool), release} + targetValues(rules)};
    case LeftOut::NoSuchQueue:
        return {QStringLiteral("(%1) %2 " SQL_TEXT_VALUES)
                    .arg(target(rules) + collation(rules),
                         rules.existing ? QStringLiteral("NOT IN") : QStringLiteral("IN")),
                targetValues(rules) + QVariantList{listOf(rules.existing.value_or(rules.closed))}};
    case LeftOut::TooLarge:
        return {QStringLiteral("f.body_size > ? AND ? <> 0"), {rules.largestBody, rules.largestBody > 0 ? 1 : 0}};
    case LeftOut::EditMisfit:
        return {QStringLiteral("f.id IN " SQL_LIST_VALUES), {listOf(rules.misfits)}};
    case LeftOut::BeyondLimit:
        break; // depends on the messages before it: weighing()
    }
    return {QStringLiteral("FALSE")};
}

// A number that is no reason: the message is in the set.
constexpr int inSet = -1;

// Why a message is left out of a set, or inSet. Values: verdictValues().
QString verdict(const FreezeRules &rules)
{
    QString cases;
    for (const LeftOut why : records::leftOutReasons)
        cases += QStringLiteral(" WHEN ") + conditionOf(why, rules).sql + QStringLiteral(" THEN %1").arg(int(why));
    return QStringLiteral("CASE%1 ELSE %2 END").arg(cases, QString::number(inSet));
}

QVariantList verdictValues(const FreezeRules &rules)
{
    QVariantList values;
    for (const LeftOut why : records::leftOutReasons)
        values += conditionOf(why, rules).values;
    return values;
}

// Within one slice of the set: the first message of every group and destination, then the second of each, and so on.
// Slices are small compared with a set that needs a ramp, so a step is also mixed in time.
const QString inTurn = QStringLiteral("row_number() OVER (PARTITION BY d.goes, f.group0 ORDER BY j.key)");

// Whether a person took the message `m` back, so that nobody accounts for an earlier copy: 2 if the broker held that copy
// for later, 1 if it was sent, 0 or NULL if there is none. The second copies of both are flagged (records::Fate::earlierCopy).
QString earlierCopy()
{
    return QStringLiteral(
               "(SELECT max(CASE WHEN e.deliver_at > e.closed_at THEN 2 ELSE 1 END) %1 AND e.message = m.id)")
        .arg(unaccountedCopies());
}

// Messages counted by verdict `w`, destination `q` and the destination `o` that they name themselves. Values: room,
// fan-out, derived, damaged, other tool, other tool, those of the verdict, targetValues(), answering dialects, answer
// queues, the messages, routedValues().
QString weighing(const FreezeRules &rules)
{
    // Messages are numbered within their verdict only if there is a limit.
    const QString number =
        rules.limit ? QStringLiteral("row_number() OVER (PARTITION BY v ORDER BY at)") : QStringLiteral("0");
    return QStringLiteral(
               "SELECT CASE WHEN v = %8 AND n > ? THEN %9 ELSE v END AS w, CASE WHEN v IN (%8, %10) THEN queue ELSE '' "
               "END"
               " AS q, min(certainty), substr(min(certainty || known_from), 2), count(*), min(first), max(last),"
               " sum(certainty = ? AND NOT moved), sum(certainty = ? AND NOT moved), sum(flags & ? <> 0),"
               " sum(flags & ? <> 0), sum(straight), max(moved),"
               " CASE WHEN v IN (%8, %10) THEN origin ELSE '' END AS o, sum(flags & %7 <> 0),"
               " min(CASE WHEN flags & ? = 0 THEN id END), min(known_from) <> max(known_from), sum(flags & %11 <> 0),"
               " sum(body), max(body), sum(earlier = 2), sum(earlier = 1), sum(askable),"
               " sum(flags & %13 <> 0), sum(flags & %14 <> 0) FROM"
               " (SELECT *, %1 AS n, queue <> origin%4 AS moved, CASE WHEN v = %8 THEN %12 END AS earlier FROM"
               " (SELECT j.key AS at, f.id AS id, %2 AS v, %3 AS queue,"
               " f.dialect IN " SQL_TEXT_VALUES " AND f.queue%4 IN " SQL_TEXT_VALUES " AS askable,"
               " d.certainty AS certainty,"
               " d.known_from AS known_from,"
               " %6 AS origin, d.goes = f.queue%4 AS straight, f.flags AS flags,"
               " f.first_failed AS first, f.last_failed AS last, f.body_size AS body FROM " SQL_LIST " j"
               " JOIN failed_message f ON f.id = j.value JOIN %5 d ON d.id = f.destination) m) s"
               " GROUP BY w, q, o ORDER BY w, count(*) DESC, q, o")
        .arg(number, verdict(rules), target(rules), collation(rules), routed(rules),
             isRelease(rules) ? QStringLiteral("f.queue") : QStringLiteral("d.queue"),
             QString::number(int(records::MessageFlag::EmptyHeaders)), QString::number(inSet),
             QString::number(int(LeftOut::BeyondLimit)), QString::number(int(LeftOut::NoSuchQueue)),
             QString::number(int(records::MessageFlag::Decimals)), earlierCopy(),
             QString::number(int(records::MessageFlag::Amqp10)),
             QString::number(int(records::MessageFlag::PossibleDuplicate)));
}

// From a row of weighing(): of frozen messages, or of those left out because of their destination. A release goes back to
// its queue, unchanged.
FreezeHazards hazardsOf(Statement &rows, std::optional<LeftOut> leftOut, bool release)
{
    FreezeHazards hazards;
    if (!leftOut) {
        hazards.heldByBroker = rows.integer(20);
        hazards.takenBack = rows.integer(21);
        hazards.amqp10 = rows.integer(23);
        hazards.duplicates = rows.integer(24);
    }
    if (release)
        return hazards;
    if (!leftOut) {
        hazards.fanOut = rows.integer(7);
        hazards.derived = rows.integer(8);
        hazards.damaged = rows.integer(9);
    } else if (leftOut == LeftOut::NoDestination) {
        hazards.otherTool = rows.integer(10);
    }
    return hazards;
}

// Likewise. A released message goes back to its queue, and a redirected one where a person wants it: neither
// destination is in doubt.
records::FrozenShare shareOf(Statement &rows, bool release)
{
    records::FrozenShare share;
    const records::Destination said =
        release ? records::Destination{rows.text(13), records::Certainty::Exact, {}}
                : records::Destination{rows.text(13), rows.as<records::Certainty>(2), rows.text(3)};
    const bool moved = rows.integer(12) != 0;
    share.destination = release || moved ? records::Destination{rows.text(1), records::Certainty::Exact, {}} : said;
    if (moved)
        share.insteadOf = said;
    share.count = rows.integer(4);
    share.firstFailed = rows.time(5);
    share.lastFailed = rows.time(6);
    share.straightBack = release ? 0 : rows.integer(11);
    share.example = core::MessageId{rows.integer(15)};
    share.mixed = !release && rows.integer(16) != 0;
    share.bytes = rows.integer(18);
    share.largest = rows.integer(19);
    return share;
}

} // namespace

FrozenSetStore::FrozenSetStore(Database &database, RetryLedger &ledger, RetryOperationStore &operations)
    : m_database(database)
    , m_ledger(ledger)
    , m_operations(operations)
{
}

Result<QList<core::MessageId>> FrozenSetStore::underWay(const QList<core::MessageId> &messages)
{
    Statement rows = m_database.sql(
        QStringLiteral("SELECT f.id FROM " SQL_LIST " j JOIN failed_message f ON f.id = j.value WHERE %1").arg(held));
    // An operation that is still Freezing counts, too: it may have the message in its set already.
    rows.bind(listOf(messages), OperationState::Cancelled, OperationState::Cancelled);
    return readIds(rows);
}

Result<FreezeTally> FrozenSetStore::evaluate(const QList<core::MessageId> &messages, const FreezeRules &rules,
                                             qint64 already)
{
    constexpr qint64 unlimited = std::numeric_limits<qint64>::max();
    const qint64 room = rules.limit ? std::max<qint64>(0, *rules.limit - already) : unlimited;
    const bool release = isRelease(rules);
    Statement rows = m_database.sql(weighing(rules));
    rows.bind(room, records::Certainty::FanOut, records::Certainty::Derived, int(records::MessageFlag::Damaged),
              int(records::MessageFlag::OtherTool), int(records::MessageFlag::OtherTool));
    rows.bindAll(verdictValues(rules) + targetValues(rules))
        .bind(listOf(rules.answers.dialects), listOf(rules.answers.queues), listOf(messages))
        .bindAll(routedValues(rules));
    FreezeTally tally;
    TRY(rows.each([&] {
        std::optional<LeftOut> leftOut;
        if (rows.integer(0) != inSet)
            leftOut = rows.as<LeftOut>(0);
        (leftOut ? tally.leftOut[*leftOut] : tally.frozen) += rows.integer(4);
        if (!leftOut)
            tally.askable += rows.integer(22);
        if (leftOut == LeftOut::NotFaithful)
            tally.emptyHeaders += rows.integer(14);
        if (leftOut == LeftOut::NotFaithful)
            tally.decimals += rows.integer(17);
        tally.hazards += hazardsOf(rows, leftOut, release);
        if (leftOut == LeftOut::NoDestination)
            tally.unknownExample = core::MessageId{rows.integer(15)};
        if (!leftOut || leftOut == LeftOut::NoSuchQueue)
            records::addShare(leftOut ? tally.missing : tally.shares, shareOf(rows, release));
    }));
    return tally;
}

Result<FreezeTally> FrozenSetStore::freeze(core::OperationId id, const QList<core::MessageId> &messages,
                                           const FreezeRules &rules)
{
    TRY(const records::RetryOperation into, m_operations.load(id));
    if (into.state != OperationState::Freezing)
        return fail(ErrorKind::Conflict, QStringLiteral("The set of operation %1 is frozen already.").arg(id.value));
    const Result<FreezeTally> tally = evaluate(messages, rules, into.total);
    if (!tally || tally->frozen == 0)
        return tally;
    TRY(m_ledger.addMembers(
        id,
        QStringLiteral("SELECT ?, ? + row_number() OVER (ORDER BY j.key), f.id, %1, coalesce(f.group0, 0), %4"
                       " FROM " SQL_LIST " j JOIN failed_message f ON f.id = j.value"
                       " JOIN %2 d ON d.id = f.destination WHERE %3 = %5 ORDER BY j.key LIMIT ?")
            .arg(target(rules), routed(rules), verdict(rules),
                 into.plan.ramp && !into.plan.keepOrder ? inTurn : QStringLiteral("0"), QString::number(inSet)),
        QVariantList{id.value, into.total} + targetValues(rules) + QVariantList{listOf(messages)} + routedValues(rules)
            + verdictValues(rules) + QVariantList{tally->frozen}));
    TRY(noteSources(id, into.total));
    if (rules.answers.isAllThatIsWatched)
        TRY(noteAnswerQueues(id, into.total, rules));
    TRY(noteGroups(id, into.total));
    return tally;
}

// Notes the queues of the members that this slice added.
Result<> FrozenSetStore::noteSources(core::OperationId id, qint64 after)
{
    TRY(m_database.execute(
        QStringLiteral("INSERT INTO operation_source (operation, aim, queue)"
                       " SELECT DISTINCT m.operation, 0, f.queue FROM retry_member m"
                       " JOIN failed_message f ON f.id = m.message WHERE m.operation = ? AND m.ordinal > ?"
                       " UNION ALL SELECT DISTINCT operation, 1, destination FROM retry_member"
                       " WHERE operation = ? AND ordinal > ? ON CONFLICT DO NOTHING"),
        {id.value, after, id.value, after}));
    return {};
}

// Likewise the queues in which their endpoints answer.
Result<> FrozenSetStore::noteAnswerQueues(core::OperationId id, qint64 after, const FreezeRules &rules)
{
    TRY(m_database.execute(
        QStringLiteral("INSERT INTO operation_source (operation, aim, queue)"
                       " SELECT DISTINCT m.operation, 2, f.queue FROM retry_member m"
                       " JOIN failed_message f ON f.id = m.message WHERE m.operation = ? AND m.ordinal > ?"
                       " AND f.dialect IN " SQL_TEXT_VALUES " AND f.queue%1 IN " SQL_TEXT_VALUES
                       " ON CONFLICT DO NOTHING")
            .arg(collation(rules)),
        {id.value, after, listOf(rules.answers.dialects), listOf(rules.answers.queues)}));
    return {};
}

// Likewise their groups, for each classifier.
Result<> FrozenSetStore::noteGroups(core::OperationId id, qint64 after)
{
    for (int i = 0; i < records::classifierCount; ++i) {
        TRY(m_database.execute(QStringLiteral("INSERT INTO operation_group (group_id, operation)"
                                              " SELECT DISTINCT f.group%1, m.operation FROM retry_member m"
                                              " JOIN failed_message f ON f.id = m.message"
                                              " WHERE m.operation = ? AND m.ordinal > ? AND f.group%1 IS NOT NULL"
                                              " ON CONFLICT DO NOTHING")
                                   .arg(i),
                               {id.value, after}));
    }
    return {};
}

Result<bool> FrozenSetStore::discard(core::OperationId id, int rows)
{
    TRY(const records::RetryOperation half, m_operations.load(id));
    if (half.state != OperationState::Freezing)
        return fail(ErrorKind::Conflict, QStringLiteral("The set of operation %1 is frozen already.").arg(id.value));
    const qint64 dropped = std::min<qint64>(rows, half.total);
    TRY(m_ledger.dropMembers(id, half.total - dropped));
    if (dropped < half.total)
        return false;
    for (const char *table : {"operation_source", "operation_group", "operation_edit", "operation_convention"})
        TRY(m_database.execute(QStringLiteral("DELETE FROM %1 WHERE operation = ?").arg(QLatin1String(table)),
                               {id.value}));
    TRY(m_database.execute(QStringLiteral("DELETE FROM retry_operation WHERE id = ?"), {id.value}));
    return true;
}

} // namespace store
