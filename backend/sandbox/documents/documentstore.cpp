#include "backend/sandbox/documents/documentstore.h"

#include "backend/sandbox/text.h"

#include <QFile>

namespace sandbox {

using core::Result;

namespace {

constexpr const char *schemaOfDocuments[] = {
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL", // what is committed survives the death of the process
    "CREATE TABLE IF NOT EXISTS document (id TEXT PRIMARY KEY, type TEXT NOT NULL, number INTEGER NOT NULL,"
    " etag INTEGER NOT NULL, set_aside_by INTEGER NOT NULL, dispatched_by INTEGER NOT NULL,"
    " changed_at INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS outbox (number INTEGER PRIMARY KEY, document TEXT NOT NULL, target TEXT NOT NULL,"
    " wants_confirmation INTEGER NOT NULL)",
    "CREATE INDEX IF NOT EXISTS outbox_document ON outbox (document)",
    "CREATE TABLE IF NOT EXISTS inbox (number INTEGER NOT NULL, document TEXT NOT NULL,"
    " wants_confirmation INTEGER NOT NULL, times INTEGER NOT NULL, PRIMARY KEY (number, document))",
    "CREATE TABLE IF NOT EXISTS sandbox_note (which TEXT PRIMARY KEY, value INTEGER NOT NULL)",
};

const QString originNote = QStringLiteral("origin"); // of sandbox_note, in milliseconds
const QString newestNote = QStringLiteral("newest");
const QString ticketNote = QStringLiteral("ticket");

} // namespace

QString documentTypeOf(const QString &id)
{
    const QString kind = id.section(QLatin1Char('-'), 0, 0);
    return QStringLiteral("Shop.Documents.%1%2, Shop.Documents").arg(kind.left(1).toUpper(), kind.mid(1));
}

DocumentStore::DocumentStore()
    : m_sql(Text::tr("The documents in %1 cannot be read or written: %2"))
{
}

Result<> DocumentStore::open(const QString &path)
{
    TRY(m_sql.openFile(path));
    for (const char *statement : schemaOfDocuments)
        TRY(m_sql.run(QString::fromLatin1(statement)));
    return {};
}

Result<> DocumentStore::transact(const std::function<Result<>()> &step)
{
    TRY(m_sql.run(QStringLiteral("BEGIN IMMEDIATE")));
    Result<> done = step();
    if (done) {
        const Result<QSqlQuery> committed = m_sql.run(QStringLiteral("COMMIT"));
        if (committed)
            return {};
        done = core::fail(committed.error());
    }
    const Result<QSqlQuery> back = m_sql.run(QStringLiteral("ROLLBACK"));
    Q_UNUSED(back) // the first error says what is wrong
    return done;
}

Result<core::TimePoint> DocumentStore::origin(core::TimePoint now)
{
    TRY(m_sql.run(QStringLiteral("INSERT OR IGNORE INTO sandbox_note VALUES (?, ?)"),
                  {originNote, qint64{core::toMs(now)}}));
    TRY(const qint64 ms, m_sql.number(QStringLiteral("SELECT value FROM sandbox_note WHERE which = ?"), {originNote}));
    return core::fromMs(ms);
}

Result<QList<Document>> DocumentStore::documents(const QString &where, SqlConnection::Values values)
{
    const QString sql =
        QStringLiteral("SELECT document.id, type, document.number, etag, set_aside_by, dispatched_by, changed_at,"
                       " outbox.number, target, wants_confirmation FROM document"
                       " LEFT JOIN outbox ON outbox.document = document.id %1 ORDER BY document.id, outbox.number");
    TRY(QSqlQuery query, m_sql.run(sql.arg(where), values));
    QList<Document> found;
    while (query.next()) {
        const QString id = query.value(0).toString();
        if (found.isEmpty() || found.constLast().id != id) {
            Document document;
            document.id = id;
            document.type = query.value(1).toString();
            document.number = query.value(2).toInt();
            document.etag = query.value(3).toULongLong();
            document.setAsideBy = query.value(4).toInt();
            document.dispatchedBy = query.value(5).toInt();
            document.changedAt = core::fromMs(query.value(6).toLongLong());
            found.append(document);
        }
        if (!query.value(7).isNull())
            found.last().outbox.append(
                {query.value(7).toInt(), id, query.value(8).toString(), query.value(9).toBool()});
    }
    return found;
}

Result<Document> DocumentStore::load(const QString &id)
{
    TRY(const QList<Document> found, documents(QStringLiteral("WHERE document.id = ?"), {id}));
    if (!found.isEmpty())
        return found.constFirst();
    Document fresh;
    fresh.id = id;
    fresh.type = documentTypeOf(id);
    return fresh;
}

Result<std::optional<Document>> DocumentStore::find(const QString &id, const QString &type)
{
    TRY(const QList<Document> found, documents(QStringLiteral("WHERE document.id = ? AND type = ?"), {id, type}));
    return found.isEmpty() ? std::nullopt : std::optional(found.constFirst());
}

Result<bool> DocumentStore::hasProcessed(const QString &id, int message)
{
    TRY(const qint64 count,
        m_sql.number(QStringLiteral("SELECT count(*) FROM inbox WHERE number = ? AND document = ?"), {message, id}));
    return count > 0;
}

Result<bool> DocumentStore::saveRow(const Document &document, core::TimePoint now)
{
    const auto etag = qint64(document.etag);
    if (etag == 0) {
        TRY(const QSqlQuery added,
            m_sql.run(QStringLiteral("INSERT OR IGNORE INTO document VALUES (?, ?, ?, 1, ?, ?, ?)"),
                      {document.id, document.type, document.number, document.setAsideBy, document.dispatchedBy,
                       qint64{core::toMs(now)}}));
        return added.numRowsAffected() > 0;
    }
    TRY(const QSqlQuery changed,
        m_sql.run(
            QStringLiteral("UPDATE document SET etag = etag + 1, set_aside_by = ?, dispatched_by = ?, changed_at = ?"
                           " WHERE id = ? AND etag = ?"),
            {document.setAsideBy, document.dispatchedBy, qint64{core::toMs(now)}, document.id, etag}));
    return changed.numRowsAffected() > 0;
}

Result<> DocumentStore::saveMessages(const Document &document)
{
    for (const int message : document.processed) {
        TRY(m_sql.run(QStringLiteral("INSERT INTO inbox SELECT ?, ?, coalesce((SELECT wants_confirmation FROM outbox"
                                     " WHERE number = ?), 0), 1 WHERE true"
                                     " ON CONFLICT (number, document) DO UPDATE SET times = times + 1"),
                      {message, document.id, message}));
    }
    TRY(m_sql.run(QStringLiteral("DELETE FROM outbox WHERE document = ?"), {document.id}));
    for (const DocumentMessage &message : document.outbox) {
        TRY(m_sql.run(QStringLiteral("INSERT INTO outbox VALUES (?, ?, ?, ?)"),
                      {message.number, document.id, message.to, message.wantsConfirmation}));
    }
    return {};
}

Result<bool> DocumentStore::save(const Document &document, core::TimePoint now)
{
    bool isCurrent = false;
    TRY(transact([&]() -> Result<> {
        TRY(isCurrent, saveRow(document, now));
        if (!isCurrent)
            return {};
        TRY(saveMessages(document));
        TRY(m_sql.run(QStringLiteral("INSERT OR REPLACE INTO sandbox_note VALUES (?, ?)"),
                      {newestNote, qint64{core::toMs(now)}}));
        return {};
    }));
    return isCurrent;
}

Result<> DocumentStore::touch(const QString &id, core::TimePoint now)
{
    TRY(const Document current, load(id));
    TRY(save(current, now));
    return {};
}

Result<QList<Document>> DocumentStore::withOutbox()
{
    return documents(QStringLiteral("WHERE document.id IN (SELECT document FROM outbox)"));
}

Result<int> DocumentStore::nextTicket()
{
    TRY(m_sql.run(
        QStringLiteral("INSERT INTO sandbox_note VALUES (?, 1) ON CONFLICT (which) DO UPDATE SET value = value + 1"),
        {ticketNote}));
    TRY(const qint64 ticket,
        m_sql.number(QStringLiteral("SELECT value FROM sandbox_note WHERE which = ?"), {ticketNote}));
    return int(ticket);
}

Result<DocumentStore::Counts> DocumentStore::counts()
{
    const auto count = [this](const char *of) {
        return m_sql.number(QStringLiteral("SELECT count(*) FROM ") + QString::fromLatin1(of));
    };
    Counts counts;
    TRY(counts.documents, count("document"));
    TRY(counts.orders, count("document WHERE id GLOB 'order-*'"));
    TRY(counts.processed, count("inbox"));
    TRY(counts.confirming, count("inbox WHERE wants_confirmation"));
    TRY(counts.processedTwice, count("inbox WHERE times > 1"));
    TRY(counts.open, count("outbox WHERE number NOT IN (SELECT number FROM inbox)"));
    return counts;
}

std::optional<core::TimePoint> DocumentStore::lastSaveIn(const QString &path)
{
    if (!QFile::exists(path))
        return std::nullopt;
    DocumentStore store;
    if (!store.open(path))
        return std::nullopt;
    const Result<qint64> newest =
        store.m_sql.number(QStringLiteral("SELECT value FROM sandbox_note WHERE which = ?"), {newestNote});
    return newest && *newest > 0 ? std::optional(core::fromMs(*newest)) : std::nullopt;
}

} // namespace sandbox
