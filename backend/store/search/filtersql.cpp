#include "backend/store/search/filtersql.h"

#include "backend/core/limits.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/retry/retrysql.h"
#include "backend/store/search/searchfunction.h"
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
        sql.add(QStringLiteral("0")); // groups that do not exist have no members
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

static Result<> addSearch(const QString &search, Unindexed unindexed, FilterSql &sql)
{
    if (search.toUcs4().size() < core::limits::searchMinChars)
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("Type at least %1 characters to search.").arg(core::limits::searchMinChars));
    if (search.contains(QChar::Null)) {
        sql.add(QStringLiteral("0")); // no stored text has it, and the index would end the text there
        return {};
    }
    // A substring of the list's texts, or words of headers and body. Messages that the word index has not reached are
    // read.
    const QString words =
        QStringLiteral("SELECT rowid FROM content_text WHERE content_text MATCH redrive_word_query(?)");
    const QString notReached = QStringLiteral("> (SELECT searched FROM store_meta)");
    const QString hasWords = QStringLiteral("redrive_has_words(c.headers, substr(c.body, 1, %1), ?)")
                                 .arg(core::limits::bodyPreviewBytes + 1);
    sql.add(QStringLiteral("m.id IN (SELECT rowid FROM message_text WHERE message_text MATCH ? UNION %1").arg(words),
            {trigramQuery(search), search});
    if (unindexed == Unindexed::Read) {
        sql.where += QStringLiteral(" UNION SELECT c.message FROM message_content c WHERE c.message %1 AND %2")
                         .arg(notReached, hasWords);
        sql.values += search;
    }
    sql.where += QLatin1Char(')');
    const QString bodyHasWords =
        QStringLiteral("(SELECT %1 FROM message_content c WHERE c.message = m.id)").arg(hasWords);
    if (joinsText(search)) // only the messages with all the words are checked
        sql.add(QStringLiteral("(%1 OR %2)").arg(QLatin1String(searched), bodyHasWords), {foldCase(search), search});
    else
        sql.add(QStringLiteral("(%1 OR m.id IN (%2) OR (m.id %3 AND %4))")
                    .arg(QLatin1String(searched), words, notReached, bodyHasWords),
                {foldCase(search), search, search});
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
        TRY(addSearch(filter.search, unindexed, sql));
    if (sql.where.isEmpty())
        sql.add(QStringLiteral("1"));
    return sql;
}

QString failedIndex(const records::MessageFilter &filter, const FilterSql &sql)
{
    if (sql.groupColumn >= 0)
        return QStringLiteral("message_group%1_failed").arg(sql.groupColumn);
    return filter.queue.isEmpty() ? QStringLiteral("message_failed") : QStringLiteral("message_queue_failed");
}

} // namespace store
