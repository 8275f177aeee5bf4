#include "backend/store/query/questions/historyqueries.h"

#include "backend/api/requests/operations.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/query/querytable.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/search/searchfunction.h"
#include "backend/store/text.h"

#include <QRegularExpression>
#include <QVariantList>

namespace store {

namespace {

constexpr int largestHistoryPage = 10'000;
constexpr int mostWords = 50; // each is a condition of its own, and SQLite allows no expression deeper than 1,000

struct Where
{
    QString text = QStringLiteral(" FROM retry_operation o JOIN connection c ON c.id = o.connection WHERE TRUE");
    QVariantList values;

    void add(const QString &condition, const QVariantList &given = {})
    {
        text += QStringLiteral(" AND ") + condition;
        values += given;
    }
};

QString conditionOf(api::OperationsWanted wanted)
{
    using api::OperationsWanted;
    switch (wanted) {
    case OperationsWanted::All:
        return QStringLiteral("TRUE");
    case OperationsWanted::NotEnded:
        return QStringLiteral("o.finished IS NULL");
    case OperationsWanted::Ended:
        return QStringLiteral("o.finished IS NOT NULL");
    case OperationsWanted::CameBack:
        return QStringLiteral("o.came_back > 0");
    case OperationsWanted::Trouble:
        return QStringLiteral("(o.ejected > 0 OR o.in_doubt > 0)");
    case OperationsWanted::Cancelled:
        return QStringLiteral("o.state = %1").arg(int(records::OperationState::Cancelled));
    }
    Q_UNREACHABLE();
}

// A search for a number also finds the operation of that number: whoever types 12 does not only want scopes that
// contain it.
void addWord(Where &where, const QString &word)
{
    where.add(QStringLiteral("(o.id = ? OR redrive_contains(o.scope || " SQL_NEWLINE " || o.reason || " SQL_NEWLINE
                             " || o.who"
                             " || " SQL_NEWLINE " || c.name, ?))"),
              {word.toLongLong(), foldCase(word)});
}

QStringList wordsOf(const api::OperationQuery &query)
{
    static const QRegularExpression blanks(QStringLiteral("\\s+"));
    return query.text.split(blanks, Qt::SkipEmptyParts);
}

// Current are those that nobody dismissed. A policy's retry without trouble leaves the snapshot as soon as its outcome is
// known, and stays current for a day, so that a person sees what policies did.
void addCurrent(Where &where, core::TimePoint now)
{
    constexpr auto day = std::chrono::hours(24);
    where.add(QStringLiteral("(o.dismissed = 0 OR (o.dismissed = %1 AND o.finished >= ?))")
                  .arg(int(RetryOperationStore::Hidden::FromList)),
              {core::toMs(now - day)});
}

Where whereOf(const api::OperationQuery &query, core::TimePoint now)
{
    Where where;
    where.add(conditionOf(query.wanted));
    if (query.connection.isValid())
        where.add(QStringLiteral("o.connection = ?"), {query.connection.value});
    if (query.since)
        where.add(QStringLiteral("o.requested >= ?"), {core::toMs(*query.since)});
    if (query.until)
        where.add(QStringLiteral("o.requested < ?"), {core::toMs(*query.until)});
    if (!query.dismissed)
        addCurrent(where, now);
    const QStringList words = wordsOf(query);
    for (const QString &word : words)
        addWord(where, word);
    return where;
}

Result<> addSums(Database &database, const Where &where, api::OperationPage &page)
{
    Statement row = database.sql(
        QStringLiteral("SELECT count(*), coalesce(sum(o.sent), 0), coalesce(sum(o.came_back), 0)") + where.text);
    TRY(row.bindAll(where.values).step());
    page.total = row.integer(0);
    page.sent = row.integer(1);
    page.cameBack = row.integer(2);
    return {};
}

} // namespace

// One page of operations, newest first, and the sums over all that match. Reads every operation once.
static Result<api::OperationPage> readHistory(Database &database, RetryOperationStore &operations,
                                              const api::OperationQuery &query, core::TimePoint now)
{
    if (wordsOf(query).size() > mostWords)
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("The search has %1 words. Use at most %2.")
                              .arg(QString::number(wordsOf(query).size()), QString::number(mostWords)));
    Where where = whereOf(query, now);
    api::OperationPage page;
    TRY(addSums(database, where, page));
    if (query.before.isValid())
        where.add(QStringLiteral("o.id < ?"), {query.before.value});
    const int limit = std::clamp(query.limit, 1, largestHistoryPage);
    Statement rows = database.sql(QStringLiteral("SELECT o.id, c.name") + where.text
                                  + QStringLiteral(" ORDER BY o.id DESC LIMIT %1").arg(limit + 1));
    rows.bindAll(where.values);
    QList<QPair<core::OperationId, QString>> found; // one more than the page, to know whether there is a next page
    TRY(rows.each([&] { found.append({core::OperationId{rows.integer(0)}, rows.text(1)}); }));
    for (const auto &[id, connection] : found.first(std::min(found.size(), qsizetype(limit)))) {
        TRY(const records::RetryOperation operation, operations.load(id));
        page.rows.append({operation, connection});
    }
    if (found.size() > limit)
        page.next = page.rows.last().operation.id;
    return page;
}

void addHistoryQueries(QueryTable &table)
{
    table.on<api::OperationQuery>(QueryLane::Visible, [](QueryContext &context, const api::OperationQuery &query) {
        return readHistory(context.database, context.retryOperations, query, context.now);
    });
}

} // namespace store
