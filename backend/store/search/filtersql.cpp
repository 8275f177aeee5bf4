#include "backend/store/search/filtersql.h"

#include "backend/core/limits.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/retry/retrysql.h"
#include "backend/store/search/searchfunction.h"
#include "backend/store/search/textsearch.h"
#include "backend/store/text.h"

#include <QMap>
#include <QRegularExpression>

namespace store {

using core::Result;

// The texts in which a search looks for a substring; the same as in the index (backend/store/migrations/searchschema.cpp).
static const char searched[] = "redrive_contains(m.exception_type || char(10) || m.exception_message || char(10)"
                               " || m.message_type || char(10) || m.message_id || char(10) || m.unique_id || char(10)"
                               " || m.queue, ?)";
static constexpr int trigramsAsked = 40; // more pieces would only narrow hits that are checked anyway

void FilterSql::add(const QString &condition, const QVariantList &more)
{
    if (!where.isEmpty())
        where += QStringLiteral(" AND ");
    where += condition;
    values += more;
}

QString trigramQuery(const QString &needle)
{
    const QList<uint> letters = needle.toUcs4();
    QString query;
    for (qsizetype i = 0; i + 3 <= letters.size() && i < trigramsAsked; ++i) {
        QString piece;
        for (const uint letter : letters.mid(i, 3))
            piece += QString::fromUcs4(reinterpret_cast<const char32_t *>(&letter), 1);
        if (!query.isEmpty())
            query += QStringLiteral(" AND ");
        query += QLatin1Char('"') + piece.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
    }
    return query;
}

// Members of any of the groups. Each group has one classifier, and each classifier a column of its own.
static Result<> addGroups(Database &database, const QList<core::GroupId> &groups, FilterSql &sql)
{
    QMap<qint64, QList<core::GroupId>> byColumn;
    for (const core::GroupId group : groups) {
        Statement row = database.sql(QStringLiteral("SELECT classifier FROM failure_group WHERE id = ?"));
        TRY(const bool found, row.bind(group).step());
        if (found)
            byColumn[row.integer(0)].append(group);
    }
    QStringList any;
    QVariantList values;
    for (auto entry = byColumn.cbegin(); entry != byColumn.cend(); ++entry) {
        if (entry->size() == 1) {
            any += QStringLiteral("m.group%1 = ?").arg(entry.key());
            values += entry->first().value;
            sql.groupColumn = byColumn.size() == 1 ? static_cast<int>(entry.key()) : -1;
        } else {
            any += QStringLiteral("m.group%1 IN " SQL_LIST_VALUES).arg(entry.key());
            values += listOf(*entry);
        }
    }
    if (any.isEmpty())
        sql.add(QStringLiteral("FALSE")); // groups that do not exist have no members
    else if (any.size() == 1)
        sql.add(any.first(), values);
    else
        sql.add(QLatin1Char('(') + any.join(QStringLiteral(" OR ")) + QLatin1Char(')'), values);
    return {};
}

// Whether words are joined by something other than a space, as in "V.V": such words match only next to each other,
// which the index does not know. A wrong yes costs reading, never a hit.
static bool joinsText(const QString &search)
{
    static const QRegularExpression joined(QStringLiteral("[^\\s][^\\s\\p{L}\\p{N}]+[^\\s]"),
                                           QRegularExpression::UseUnicodePropertiesOption);
    return joined.match(search).hasMatch();
}

static const char notReached[] = "> (SELECT searched FROM store_meta)"; // ids that the word index has not reached

// Whether headers and body of message_content c have the words of the search, which is the value.
static QString hasWords()
{
    return QStringLiteral("redrive_has_words(c.headers, substr(c.body, 1, %1), ?)")
        .arg(core::limits::bodyPreviewBytes + 1);
}

static QString bodyHasWords()
{
    return QStringLiteral("(SELECT %1 FROM message_content c WHERE c.message = m.id)").arg(hasWords());
}

static Result<> checkSearch(const QString &search)
{
    if (search.toUcs4().size() >= core::limits::searchMinChars)
        return {};
    return core::fail(core::ErrorKind::Rejected,
                      Text::tr("Type at least %1 characters to search.").arg(core::limits::searchMinChars));
}

// No stored text has it, and the index would end the text there.
static bool findsNothing(const QString &search)
{
    return search.contains(QChar::Null);
}

// What the two indexes find.
static const char piecesFound[] = "SELECT rowid FROM message_text WHERE " SQL_HAS_PIECES;
static const char wordsFound[] = "SELECT rowid FROM content_text WHERE " SQL_HAS_WORDS;

// The indexes keep row numbers only, so that each hit is checked. Messages that the word index has not reached are read.
static void addChecks(const QString &search, FilterSql &sql)
{
    if (joinsText(search)) // only the messages with all the words are checked
        sql.add(QStringLiteral("(%1 OR %2)").arg(QLatin1String(searched), bodyHasWords()), {foldCase(search), search});
    else
        sql.add(QStringLiteral("(%1 OR m.id IN (%2) OR (m.id %3 AND %4))")
                    .arg(QLatin1String(searched), QLatin1String(wordsFound), QLatin1String(notReached), bodyHasWords()),
                {foldCase(search), search, search});
}

// A substring of the list's texts, or words of headers and body.
static Result<> addSearch(const TextSearch &index, const QString &search, Unindexed unindexed, FilterSql &sql)
{
    TRY(checkSearch(search));
    if (findsNothing(search)) {
        sql.add(QStringLiteral("FALSE"));
        return {};
    }
    sql.add(QStringLiteral("m.id IN (%1 UNION %2").arg(QLatin1String(piecesFound), QLatin1String(wordsFound)),
            {index.piecesQuery(search), index.wordsQuery(search)});
    if (unindexed == Unindexed::Read && !index.isExact()) {
        sql.where += QStringLiteral(" UNION SELECT c.message FROM message_content c WHERE c.message %1 AND %2")
                         .arg(QLatin1String(notReached), hasWords());
        sql.values += search;
    }
    sql.where += QLatin1Char(')');
    if (!index.isExact())
        addChecks(search, sql);
    return {};
}

static void addPlain(const records::MessageFilter &filter, WithStatus withStatus, FilterSql &sql)
{
    if (withStatus == WithStatus::Yes && filter.status)
        sql.add(QStringLiteral("m.status = ?"), {static_cast<int>(*filter.status)});
    if (filter.connection.isValid())
        sql.add(QStringLiteral("m.connection = ?"), {filter.connection.value});
    if (!filter.queue.isEmpty())
        sql.add(QStringLiteral("m.queue = ?"), {filter.queue});
    if (!filter.messageType.isEmpty())
        sql.add(QStringLiteral("m.message_type = ?"), {filter.messageType});
    if (filter.since)
        sql.add(QStringLiteral("m.last_failed >= ?"), {core::toMs(*filter.since)});
    if (filter.until)
        sql.add(QStringLiteral("m.last_failed < ?"), {core::toMs(*filter.until)});
    if (filter.cameBackFrom.isValid())
        sql.add(QStringLiteral("m.id IN (SELECT message FROM retry_member " SQL_USING_INDEX(
                    "member_came_back") " WHERE operation = ? AND came_back = 1)"),
                {filter.cameBackFrom.value});
    if (!filter.messages.isEmpty())
        sql.add(QStringLiteral("m.id IN " SQL_LIST_VALUES), {listOf(filter.messages)});
    if (!filter.except.isEmpty())
        sql.add(QStringLiteral("m.id NOT IN " SQL_LIST_VALUES), {listOf(filter.except)});
}

Result<FilterSql> filterSql(Database &database, const records::MessageFilter &filter, WithStatus withStatus,
                            Unindexed unindexed)
{
    FilterSql sql;
    addPlain(filter, withStatus, sql);
    if (!filter.groups.isEmpty())
        TRY(addGroups(database, filter.groups, sql));
    if (!filter.search.isEmpty())
        TRY(addSearch(database.search(), filter.search, unindexed, sql));
    if (sql.where.isEmpty())
        sql.add(QStringLiteral("TRUE"));
    return sql;
}

Result<QList<SearchStream>> searchStreams(Database &database, const records::MessageFilter &filter)
{
    const QString &search = filter.search;
    TRY(checkSearch(search));
    if (findsNothing(search))
        return QList<SearchStream>();
    records::MessageFilter others = filter;
    others.search.clear();
    TRY(const FilterSql rest, filterSql(database, others));
    // Conditions are tried in this order: what looks into a text comes after all that is cheap.
    const auto stream = [&rest](const QString &from, const QString &id, const QString &found,
                                const QVariantList &values) {
        SearchStream one{from, id, {}};
        one.filter.add(rest.where, rest.values);
        one.filter.add(found, values);
        return one;
    };
    const auto ofIndex = [](const QString &table) {
        return QStringLiteral("%1 " SQL_JOIN_IN_ORDER " failed_message m ON m.id = %1.rowid").arg(table);
    };
    const TextSearch &index = database.search();
    QString pieces = QLatin1String(SQL_HAS_PIECES);
    QVariantList asked{index.piecesQuery(search)};
    if (!index.isExact()) { // the pieces may be anywhere in the texts
        pieces += QStringLiteral(" AND ") + QLatin1String(searched);
        asked += foldCase(search);
    }
    QList<SearchStream> streams{
        stream(ofIndex(QStringLiteral("message_text")), QStringLiteral("message_text.rowid"), pieces, asked)};
    SearchStream words = stream(ofIndex(QStringLiteral("content_text")), QStringLiteral("content_text.rowid"),
                                QLatin1String(SQL_HAS_WORDS), {index.wordsQuery(search)});
    if (!index.isExact() && joinsText(search))
        words.filter.add(bodyHasWords(), {search});
    streams.append(words);
    if (index.isExact())
        return streams;
    // Read by id, as the others are, and only then what may be a long body.
    const QString unindexed = QStringLiteral("failed_message m " SQL_USING_NO_INDEX " " SQL_JOIN_IN_ORDER
                                             " message_content c ON c.message = m.id");
    streams.append(stream(unindexed, QStringLiteral("m.id"),
                          QStringLiteral("m.id %1 AND %2").arg(QLatin1String(notReached), hasWords()), {search}));
    return streams;
}

QString failedIndex(const records::MessageFilter &filter, const FilterSql &sql)
{
    if (sql.groupColumn >= 0)
        return QStringLiteral("message_group%1_failed").arg(sql.groupColumn);
    return filter.queue.isEmpty() ? QStringLiteral("message_failed") : QStringLiteral("message_queue_failed");
}

} // namespace store
