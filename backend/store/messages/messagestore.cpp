#include "backend/store/messages/messagestore.h"

#include "backend/core/limits.h"
#include "backend/store/database/database.h"
#include "backend/store/database/keysetpaging.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/database/transactioncounters.h"
#include "backend/store/messages/expiries.h"
#include "backend/store/messages/imports.h"
#include "backend/store/messages/keptcounts.h"
#include "backend/store/messages/messagerow.h"
#include "backend/store/retry/retrysql.h"
#include "backend/store/search/filtersql.h"
#include "backend/store/search/textindex.h"
#include "backend/store/text.h"

#include <algorithm>
#include <functional>

namespace store {

using core::ErrorKind;
using core::MessageId;
using records::MessageStatus;

static constexpr qsizetype destinationsRemembered = 10'000;

static bool isBrowsedOnly(records::MessageFlags flags)
{
    return flags.testFlag(records::MessageFlag::BrowsedOnly);
}

static QString cut(const QString &text)
{
    return text.left(core::limits::listTextChars);
}

MessageStore::MessageStore(Database &database, TransactionCounters &counters)
    : m_database(database)
    , m_counters(counters)
    , m_text(std::make_unique<TextIndex>(database))
{
}

MessageStore::~MessageStore() = default;

static Result<GroupIds> openGroups(GroupCounters &counters, const NewMessage &fresh)
{
    GroupIds groups;
    for (size_t i = 0; i < groups.size(); ++i) {
        const auto classifier = static_cast<records::Classifier>(i);
        const QString cause = classifier == records::Classifier::ExceptionAndStack ? fresh.cause : QString();
        TRY(const core::GroupId group, counters.open(fresh.message.connection, classifier, fresh.titles.at(i), cause));
        groups.at(i) = group;
    }
    return groups;
}

Result<qint64> MessageStore::destinationId(const records::Destination &destination)
{
    const QString key = QString::number(static_cast<int>(destination.certainty)) + QLatin1Char('\n')
                        + destination.knownFrom + QLatin1Char('\n') + destination.queue;
    const auto known = m_destinations.constFind(key);
    if (known != m_destinations.cend())
        return *known;
    // The update changes nothing; it only makes RETURNING give the existing row.
    Statement row =
        m_database.sql(QStringLiteral("INSERT INTO destination (queue, certainty, known_from) VALUES (?, ?, ?)"
                                      " ON CONFLICT (queue, certainty, known_from) DO UPDATE SET queue = excluded.queue"
                                      " RETURNING id"));
    TRY(row.bind(destination.queue, destination.certainty, destination.knownFrom).step());
    if (m_destinations.size() >= destinationsRemembered)
        m_destinations.clear();
    return *m_destinations.insert(key, row.integer(0));
}

// Inserts a row of these columns, the first of which is the key. `replacing`: into the row that has the key, if there is one;
// not where there is none, because it costs more.
static QString insertInto(const QString &table, const QString &columns, bool replacing)
{
    const QStringList names = columns.split(QStringLiteral(", "));
    QString sql = QStringLiteral("INSERT INTO %1 (%2) VALUES (%3)")
                      .arg(table, columns, QStringList(names.size(), QStringLiteral("?")).join(QStringLiteral(", ")));
    if (!replacing)
        return sql;
    QStringList changes;
    for (const QString &name : names.sliced(1))
        changes += QStringLiteral("%1 = excluded.%1").arg(name);
    return sql
           + QStringLiteral(" ON CONFLICT (%1) DO UPDATE SET %2")
                 .arg(names.first(), changes.join(QStringLiteral(", ")));
}

// Both texts, put together once.
struct Inserts
{
    Inserts(const QString &table, const QString &columns)
        : fresh(insertInto(table, columns, false))
        , replacing(insertInto(table, columns, true))
    {
    }
    const QString fresh;
    const QString replacing;
};

Result<> MessageStore::writeContent(MessageId id, const NewMessage &fresh, bool replacing)
{
    static const Inserts content(QStringLiteral("message_content"),
                                 QStringLiteral("message, headers, properties, exchange, routing_key, body, receipt"));
    const records::Envelope &envelope = fresh.envelope;
    return m_database.sql(replacing ? content.replacing : content.fresh)
        .bind(id, records::toCbor(envelope.headers), records::toCbor(envelope.properties), envelope.exchange,
              envelope.routingKey, envelope.body, receiptToCbor(fresh.receipt))
        .run()
        .map([](int) {});
}

// Most messages follow no convention: `replacing` is false where there can be no row yet.
Result<> MessageStore::writeConventions(MessageId id, const QStringList &names, bool replacing)
{
    if (replacing) {
        TRY(m_database.sql(QStringLiteral("DELETE FROM message_convention WHERE message = ?")).bind(id).run());
    }
    for (const QString &name : names)
        TRY(m_database.sql(QStringLiteral("INSERT INTO message_convention (message, convention) VALUES (?, ?)"))
                .bind(id, name)
                .run());
    return {};
}

Result<> MessageStore::writeAttempt(MessageId id, qint64 number, const NewMessage &fresh, bool replacing)
{
    static const Inserts attempt(
        QStringLiteral("processing_attempt"),
        QStringLiteral("id, number, taken_at, queue, failed_at, endpoint, host, exception_type, exception_message,"
                       " stack_trace"));
    const records::Failure &failure = fresh.message.failure;
    return m_database.sql(replacing ? attempt.replacing : attempt.fresh)
        .bind(attemptKey(id, number), number, fresh.takenAt.value_or(fresh.message.lastFailed), fresh.message.queue,
              failure.at, failure.endpoint, failure.host, failure.exceptionType, failure.exceptionMessage,
              failure.stackTrace)
        .run()
        .map([](int) {});
}

static Statement &bindGroups(Statement &statement, const GroupIds &groups)
{
    for (const core::GroupId group : groups)
        statement.bind(group.isValid() ? std::optional<qint64>(group.value) : std::nullopt);
    return statement;
}

// The facts of a failure, in the order of both statements that write them.
static Statement &bindFacts(Statement &statement, const NewMessage &fresh, qint64 destination)
{
    const records::FailedMessage &m = fresh.message;
    const std::optional<qint64> took = fresh.took ? std::optional<qint64>(fresh.took->count()) : std::nullopt;
    return statement.bind(m.queue, m.dialect, m.nativeId, m.messageId, m.messageType, m.correlationId, m.conversationId,
                          m.failure.exceptionType, cut(m.failure.exceptionMessage), m.failure.endpoint, m.failure.host,
                          m.failure.at, m.lastFailed, destination, m.flags.toInt(), m.bodySize, took);
}

Result<MessageId> MessageStore::insert(const NewMessage &fresh)
{
    const records::FailedMessage &m = fresh.message;
    TRY(const GroupIds groups, openGroups(m_counters.groups(), fresh));
    TRY(const qint64 destination, destinationId(m.destination));
    const MessageId id{m_counters.nextMessage()};
    const qint64 change = m_counters.nextChange();
    Statement insert = m_database.sql(QStringLiteral(
        "INSERT INTO failed_message (queue, dialect, native_id, message_id, message_type,"
        " correlation_id, conversation_id, exception_type, exception_message, endpoint, host, failed_at,"
        " last_failed, destination, flags, body_size, took, id, unique_id, connection, status, change, created,"
        " first_failed, attempts, came_back, group0, group1, group2, group3, group4)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)"));
    bindFacts(insert, fresh, destination)
        .bind(id, m.uniqueId, m.connection, m.status, change, change, m.firstFailed, m.cameBack);
    TRY(bindGroups(insert, groups).run());
    m_counters.groups().enter({m.connection, m.queue, m.status, m.cameBack > 0, isBrowsedOnly(m.flags), groups},
                              {m.firstFailed, m.lastFailed});
    TRY(writeContent(id, fresh, false));
    TRY(writeConventions(id, m.conventions, false));
    TRY(writeAttempt(id, 1, fresh, false));
    if (isBrowsedOnly(m.flags))
        TRY(writeExpiry(m_database, id, fresh.expiry));
    return id;
}

static GroupIds groupsFrom(const Statement &row, int first)
{
    GroupIds groups;
    for (size_t i = 0; i < groups.size(); ++i)
        groups.at(i) = core::GroupId{row.integer(first + static_cast<int>(i))};
    return groups;
}

// Where a message is counted now, and how often it failed. Nothing: no such message.
struct Standing
{
    Place place;
    qint64 attempts = 0;
};

constexpr int standingId = 11;

static QString standingColumns()
{
    return QStringLiteral("SELECT connection, queue, status, came_back, flags, attempts,"
                          " group0, group1, group2, group3, group4, id FROM failed_message");
}

static Standing standingFrom(const Statement &row)
{
    return {{core::ConnectionId{row.integer(0)}, row.text(1), row.as<MessageStatus>(2), row.integer(3) > 0,
             isBrowsedOnly(records::MessageFlags::fromInt(row.as<records::MessageFlags::Int>(4))), groupsFrom(row, 6)},
            row.integer(5)};
}

static Result<std::optional<Standing>> standingOf(Database &database, MessageId id)
{
    Statement row = database.sql(standingColumns() + QStringLiteral(" WHERE id = ?"));
    TRY(const bool found, row.bind(id).step());
    return found ? std::optional(standingFrom(row)) : std::nullopt;
}

Result<> MessageStore::failedAgain(MessageId id, const NewMessage &again, bool cameBack)
{
    return rewrite(id, again, Reading{1, cameBack});
}

Result<> MessageStore::readAgain(MessageId id, const NewMessage &again)
{
    return rewrite(id, again, Reading{0, false});
}

Result<> MessageStore::rewrite(MessageId id, const NewMessage &again, Reading reading)
{
    TRY(const std::optional<Standing> known, standingOf(m_database, id));
    if (!known)
        return core::fail(ErrorKind::NotFound, Text::tr("This message is not in the store."));
    const Place &before = known->place;
    const qint64 attempts = known->attempts + reading.failures;
    NewMessage fresh = again;
    fresh.message.connection = before.connection; // a record never changes its connection
    TRY(const GroupIds groups, openGroups(m_counters.groups(), fresh));
    TRY(const qint64 destination, destinationId(fresh.message.destination));
    Statement update = m_database.sql(QStringLiteral(
        "UPDATE failed_message SET queue = ?, dialect = ?, native_id = ?, message_id = ?,"
        " message_type = ?, correlation_id = ?, conversation_id = ?, exception_type = ?, exception_message = ?,"
        " endpoint = ?, host = ?, failed_at = ?, last_failed = ?, destination = ?, flags = ?, body_size = ?, took = ?,"
        " status = ?, change = ?, attempts = ?, came_back = came_back + ?, first_failed = " SQL_LEAST(
            "first_failed", "?") ", failed_in = CASE WHEN ? <> 0 THEN ? ELSE failed_in END,"
                                 " group0 = ?, group1 = ?, group2 = ?, group3 = ?, group4 = ? WHERE id = ?"));
    const qint64 change = m_counters.nextChange();
    // What was only browsed is new when it is taken: nobody could act on it before.
    const bool isNew = reading.failures > 0 || (before.browsedOnly && !isBrowsedOnly(fresh.message.flags));
    bindFacts(update, fresh, destination)
        .bind(MessageStatus::Unresolved, change, attempts, reading.cameBack, fresh.message.firstFailed, isNew, change);
    TRY(bindGroups(update, groups).bind(id).run());
    m_counters.groups().leave(before);
    // Only the times of this failure: earlier failures of this message may have had other causes.
    m_counters.groups().enter({before.connection, fresh.message.queue, MessageStatus::Unresolved,
                               before.cameBack || reading.cameBack, isBrowsedOnly(fresh.message.flags), groups},
                              {fresh.message.lastFailed, fresh.message.lastFailed});
    TRY(m_text->forget(id));
    TRY(writeContent(id, fresh, true));
    TRY(writeConventions(id, fresh.message.conventions, true));
    TRY(m_text->learn(id));
    if (before.browsedOnly || isBrowsedOnly(fresh.message.flags))
        TRY(writeExpiry(m_database, id, isBrowsedOnly(fresh.message.flags) ? again.expiry : records::Expiry{}));
    return writeAttempt(id, attempts, fresh, reading.failures == 0 || attempts > core::limits::attemptsKept);
}

Result<> MessageStore::reinterpret(MessageId id, const NewMessage &anew)
{
    TRY(const std::optional<Standing> known, standingOf(m_database, id));
    if (!known)
        return core::fail(ErrorKind::NotFound, Text::tr("This message is not in the store."));
    const Place &before = known->place;
    NewMessage fresh = anew;
    fresh.message.connection = before.connection;
    TRY(const GroupIds groups, openGroups(m_counters.groups(), fresh));
    TRY(const qint64 destination, destinationId(fresh.message.destination));
    const records::FailedMessage &m = fresh.message;
    const records::Failure &failure = m.failure;
    Statement update = m_database.sql(QStringLiteral(
        "UPDATE failed_message SET dialect = ?, message_id = ?, message_type = ?, correlation_id = ?,"
        " conversation_id = ?, exception_type = ?, exception_message = ?, endpoint = ?, host = ?, failed_at = ?,"
        " last_failed = ?, first_failed = ?, destination = ?, flags = ?, change = ?,"
        " group0 = ?, group1 = ?, group2 = ?, group3 = ?, group4 = ? WHERE id = ?"));
    update.bind(m.dialect, m.messageId, m.messageType, m.correlationId, m.conversationId, failure.exceptionType,
                cut(failure.exceptionMessage), failure.endpoint, failure.host, failure.at, m.lastFailed, m.firstFailed,
                destination, m.flags.toInt(), m_counters.nextChange());
    TRY(bindGroups(update, groups).bind(id).run());
    m_counters.groups().leave(before);
    m_counters.groups().enter(
        {before.connection, before.queue, before.status, before.cameBack, before.browsedOnly, groups},
        {m.lastFailed, m.lastFailed});
    TRY(writeConventions(id, m.conventions, true));
    return m_database
        .sql(QStringLiteral("UPDATE processing_attempt SET failed_at = ?, endpoint = ?, host = ?, exception_type = ?,"
                            " exception_message = ?, stack_trace = ? WHERE id = ?"))
        .bind(failure.at, failure.endpoint, failure.host, failure.exceptionType, failure.exceptionMessage,
              failure.stackTrace, attemptKey(id, known->attempts))
        .run()
        .map([](int) {});
}

Result<std::optional<MessageId>> MessageStore::findUnique(const QString &uniqueId)
{
    Statement row = m_database.sql(QStringLiteral("SELECT id FROM failed_message WHERE unique_id = ?"));
    TRY(const bool found, row.bind(uniqueId).step());
    return found ? std::optional(MessageId{row.integer(0)}) : std::nullopt;
}

Result<records::FailedMessage> MessageStore::load(MessageId id)
{
    return loadMessage(m_database, id);
}

Result<records::Envelope> MessageStore::loadEnvelope(MessageId id)
{
    return store::loadEnvelope(m_database, id);
}

Result<Original> MessageStore::loadOriginal(MessageId id)
{
    return store::loadOriginal(m_database, id);
}

Result<MessagePast> MessageStore::loadPast(const records::FailedMessage &record)
{
    return readPast(m_database, record);
}

// Reads first, then writes by id: an update that returns rows keeps a journal of its own for each row. Two statements
// for any number of messages, because a retry changes a thousand at a time.
Result<QList<MessageId>> MessageStore::changeStatus(const QList<MessageId> &ids, const QList<MessageStatus> &from,
                                                    MessageStatus to)
{
    QList<MessageId> changed;
    QList<Place> places;
    {
        Statement rows =
            m_database.sql(standingColumns() + QStringLiteral(" WHERE id IN " SQL_LIST_VALUES " ORDER BY id"));
        TRY(rows.bind(listOf(ids)).each([&] {
            const Place place = standingFrom(rows).place;
            if (place.browsedOnly || place.status == to || !from.contains(place.status))
                return;
            changed.append(MessageId{rows.integer(standingId)});
            places.append(place);
        }));
    }
    if (changed.isEmpty())
        return changed;
    const qint64 first = m_counters.nextChanges(changed.size());
    TRY(m_database
            .sql(QStringLiteral("UPDATE failed_message SET status = ?, change = ? + j.key FROM " SQL_LIST " j"
                                " WHERE failed_message.id = j.value"))
            .bind(to, first, listOf(changed))
            .run());
    for (Place &place : places) {
        m_counters.groups().leave(place);
        place.status = to;
        m_counters.groups().enter(place);
    }
    return changed;
}

Result<int> MessageStore::setStatus(const QList<MessageId> &ids, const QList<MessageStatus> &from, MessageStatus to)
{
    return changeStatus(ids, from, to).map([](const QList<MessageId> &changed) { return int(changed.size()); });
}

Result<QList<MessageVersion>> MessageStore::versions(const QList<MessageId> &ids)
{
    QList<MessageVersion> versions;
    Statement rows = m_database.sql(QStringLiteral("SELECT id, status, change FROM failed_message"
                                                   " WHERE id IN " SQL_LIST_VALUES " ORDER BY id"));
    TRY(rows.bind(listOf(ids)).each([&] {
        versions.append({MessageId{rows.integer(0)}, rows.as<MessageStatus>(1), rows.integer(2)});
    }));
    return versions;
}

Result<int> MessageStore::decide(const QList<MessageId> &ids, const QList<MessageStatus> &from, MessageStatus to,
                                 const Decided &decided)
{
    TRY(const QList<MessageId> changed, changeStatus(ids, from, to));
    if (changed.isEmpty())
        return 0;
    TRY(m_database
            .sql(QStringLiteral("INSERT INTO message_decision (message, at, status, who)"
                                " SELECT l.value, ?, ?, ? FROM " SQL_LIST " l WHERE TRUE"
                                " ON CONFLICT (message, at, status) DO UPDATE SET who = excluded.who"))
            .bind(decided.at, to, decided.who, listOf(changed))
            .run());
    return int(changed.size());
}

Result<QList<MessageId>> MessageStore::forgetBrowsedOnly(core::ConnectionId connection, const QString &queue,
                                                         qint64 upTo, MessageId after, int limit)
{
    Statement rows = m_database.sql(QStringLiteral("SELECT id FROM failed_message " SQL_USING_INDEX(
        "message_queue") " WHERE status = ? AND queue = ? AND id > ?"
                         " AND connection = ? AND flags & ? <> 0 AND change <= ? ORDER BY id LIMIT ?"));
    rows.bind(MessageStatus::Unresolved, queue, after, connection, int(records::MessageFlag::BrowsedOnly), upTo, limit);
    TRY(const QList<MessageId> ids, readIds(rows));
    for (const MessageId id : ids)
        TRY(remove(id));
    return ids;
}

Result<> MessageStore::remove(MessageId id)
{
    TRY(const std::optional<Standing> known, standingOf(m_database, id));
    if (!known)
        return {};
    TRY(m_text->forget(id));
    const qint64 firstAttempt = attemptKey(id, 1);
    const std::array statements{
        m_database.sql(QStringLiteral("DELETE FROM processing_attempt WHERE id >= ? AND id < ?"))
            .bind(firstAttempt, firstAttempt + core::limits::attemptsKept)
            .run(),
        m_database.sql(QStringLiteral("DELETE FROM message_content WHERE message = ?")).bind(id).run(),
        m_database.sql(QStringLiteral("DELETE FROM message_expiry WHERE message = ?")).bind(id).run(),
        m_database.sql(QStringLiteral("DELETE FROM message_decision WHERE message = ?")).bind(id).run(),
        m_database.sql(QStringLiteral("DELETE FROM message_import WHERE message = ?")).bind(id).run(),
        m_database.sql(QStringLiteral("DELETE FROM policy_message WHERE message = ?")).bind(id).run(),
        m_database.sql(QStringLiteral("DELETE FROM message_convention WHERE message = ?")).bind(id).run(),
        m_database.sql(QStringLiteral("DELETE FROM failed_message WHERE id = ?")).bind(id).run(),
    };
    for (const Result<int> &done : statements) {
        if (!done)
            return core::fail(done.error());
    }
    static_cast<void>(m_counters.nextChange()); // lists of messages are read again
    m_counters.groups().leave(known->place);
    return {};
}

Result<> MessageStore::noteImport(MessageId id, const records::ImportedFrom &from, const records::FileFacts &facts)
{
    TRY(writeImport(m_database, id, from));
    return writeFileFacts(m_database, id, facts);
}

Result<> MessageStore::keepFileFacts(MessageId id, const records::FileFacts &facts)
{
    return writeFileFacts(m_database, id, facts);
}

Result<std::optional<records::ImportedFrom>> MessageStore::importedFrom(MessageId id)
{
    return readImport(m_database, id);
}

Result<Slice> MessageStore::slice(const records::MessageFilter &filter, const SliceEnd &after, int limit)
{
    return sliceOf(m_database, filter, after, limit);
}

Result<std::optional<qint64>> MessageStore::keptCount(const records::MessageFilter &filter)
{
    if (!filter.messages.isEmpty())
        return filter.messages.size();
    return store::keptCount(m_database, filter);
}

Result<QList<QueueCount>> MessageStore::queueCounts()
{
    Statement rows = m_database.sql(QStringLiteral("SELECT connection, queue, unresolved, looked_at FROM queue_count"));
    QList<QueueCount> counts;
    TRY(rows.each([&] {
        counts.append({core::ConnectionId{rows.integer(0)}, rows.text(1), rows.integer(2), rows.integer(3)});
    }));
    return counts;
}

Result<QList<LossCount>> MessageStore::lossCounts(core::TimePoint now)
{
    return readLossCounts(m_database, now);
}

Result<TextProgress> MessageStore::textProgress()
{
    return m_text->progress();
}

Result<TextProgress> MessageStore::indexText()
{
    return m_text->goOn();
}

Result<QStringList> MessageStore::groupTitles(const QList<core::GroupId> &groups)
{
    QStringList titles;
    for (const core::GroupId group : groups) {
        Statement row = m_database.sql(QStringLiteral("SELECT title FROM failure_group WHERE id = ?"));
        row.bind(group);
        TRY(const bool found, row.step());
        if (found)
            titles << row.text(0);
    }
    return titles;
}

} // namespace store
