#include "backend/store/shared/controltables.h"

#include "backend/store/database/postgresql/postgresdatabase.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/text.h"

#include <QCryptographicHash>

namespace store {

using core::ErrorKind;

namespace {

// Of the lease of the engine (engine_lease).
const QString engineScope = QStringLiteral("engine");

// Milliseconds since 1970, as core::TimePoint has them.
#define SQL_NOW_MS "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
// Of a request that no holder has taken: its asker was there within a minute, or it is no older.
#define SQL_IS_FRESH                                                                                                   \
    "(asked_at > clock_timestamp() - interval '60 seconds' OR EXISTS (SELECT 1 FROM listener l"                        \
    " WHERE l.asker = request.asker AND l.seen_at > clock_timestamp() - interval '60 seconds'))"

// The lease is still ours, and nobody takes it before this statement has ended. One statement, so that a process that stops
// between two does not keep others from taking over.
#define SQL_IF_HELD "EXISTS (SELECT 1 FROM engine_lease WHERE scope = ? AND fence = ? FOR KEY SHARE)"

} // namespace

ControlTables::ControlTables(std::unique_ptr<PostgresDatabase> database)
    : m_database(std::move(database))
{
}

ControlTables::~ControlTables() = default;

Result<std::unique_ptr<ControlTables>> ControlTables::open(const records::StoreAddress &address)
{
    TRY(auto database, PostgresDatabase::open(address, Database::Mode::Control));
    std::unique_ptr<ControlTables> tables(new ControlTables(std::move(database)));
    tables->m_schema = address.schema;
    Statement row = tables->m_database->sql(QStringLiteral("SELECT CAST(session_user AS text)"));
    TRY(row.step());
    tables->m_role = row.text(0);
    return tables;
}

Statement ControlTables::sql(const QString &text)
{
    ++m_calls;
    return m_database->sql(text);
}

Result<> ControlTables::run(const QString &text, const QVariantList &values)
{
    ++m_calls;
    return m_database->execute(text, values).map([](int) {});
}

void ControlTables::abandon()
{
    m_database->line().breakOff();
}

int ControlTables::descriptor() const
{
    return m_database->line().descriptor();
}

void ControlTables::hearWakes()
{
    m_database->line().readNotifications();
}

// A channel belongs to the whole database and its name is short.
QString ControlTables::channel(const char *of) const
{
    const QByteArray digest = QCryptographicHash::hash(m_schema.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return QStringLiteral("redrive_%1_%2").arg(QLatin1String(of), QString::fromLatin1(digest));
}

Result<> ControlTables::hearHolder()
{
    return run(QStringLiteral("LISTEN ") + channel("answered"));
}

Result<> ControlTables::hearAskers()
{
    return run(QStringLiteral("LISTEN ") + channel("asked"));
}

Result<> ControlTables::wakeHolder()
{
    return run(QStringLiteral("NOTIFY ") + channel("asked"));
}

Result<> ControlTables::wakeAskers()
{
    return run(QStringLiteral("NOTIFY ") + channel("answered"));
}

Result<HolderState> ControlTables::holder()
{
    Statement row = sql(QStringLiteral(
        "SELECT e.fence, e.expires_at > clock_timestamp(), e.host, e.pid, e.who, g.protocol, g.passing,"
        " CAST(extract(epoch FROM clock_timestamp() - g.seen_at) * 1000 AS bigint), s.sequence, " SQL_NOW_MS
        ", g.key, e.role"
        " FROM engine_lease e LEFT JOIN holder_greeting g ON g.fence = e.fence"
        " LEFT JOIN holder_snapshot s ON s.fence = e.fence WHERE e.scope = ?"));
    TRY(const bool found, row.bind(engineScope).step());
    HolderState state;
    if (!found)
        return state;
    state.fence = row.integer(0);
    state.isAlive = row.integer(1) != 0;
    state.host = row.text(2);
    state.pid = row.integer(3);
    state.who = row.text(4);
    state.protocol = row.optionalInteger(5);
    state.passing = row.integer(6) != 0;
    state.silent = core::Milliseconds(row.integer(7));
    state.snapshot = row.optionalInteger(8);
    state.now = row.time(9);
    state.key = row.blob(10);
    state.role = row.text(11);
    return state;
}

// ---- an asker ----

Result<bool> ControlTables::mayAsk()
{
    Statement row = sql(QStringLiteral("SELECT has_column_privilege('request', 'payload', 'INSERT')"));
    TRY(row.step());
    return row.integer(0) != 0;
}

Result<bool> ControlTables::ask(const QString &asker, qint64 number, const QString &who, qint64 protocol,
                                const QByteArray &payload, core::TimePoint notAfter)
{
    TRY(const int added,
        sql(QStringLiteral("INSERT INTO request (asker, number, who, protocol, payload)"
                           " SELECT CAST(? AS uuid), ?, CAST(? AS text), ?, ? WHERE " SQL_NOW_MS " <= ?"
                           " ON CONFLICT (asker, number) DO NOTHING"))
            .bind(asker, number, who, protocol, payload, notAfter)
            .run());
    if (added > 0)
        return true;
    Statement row = sql(QStringLiteral("SELECT 1 FROM request WHERE asker = CAST(? AS uuid) AND number = ?"));
    return row.bind(asker, number).step();
}

Result<> ControlTables::stayPresent(const QString &asker, bool listens)
{
    return run(
        QStringLiteral("INSERT INTO listener (asker, seen_at, listens) VALUES (CAST(? AS uuid), clock_timestamp(),"
                       " ? <> 0) ON CONFLICT (asker) DO UPDATE SET seen_at = excluded.seen_at,"
                       " listens = excluded.listens"),
        {asker, listens ? 1 : 0});
}

Result<QMap<qint64, bool>> ControlTables::requests(const QString &asker)
{
    QMap<qint64, bool> found;
    Statement rows =
        sql(QStringLiteral("SELECT number, answered_at IS NOT NULL FROM request WHERE asker = CAST(? AS uuid)"));
    TRY(rows.bind(asker).each([&] { found.insert(rows.integer(0), rows.integer(1) != 0); }));
    return found;
}

Result<QByteArray> ControlTables::answer(const QString &asker, qint64 number)
{
    Statement row = sql(QStringLiteral("SELECT answer FROM request WHERE asker = CAST(? AS uuid) AND number = ?"));
    TRY(row.bind(asker, number).step());
    return row.blob(0);
}

Result<> ControlTables::forget(const QString &asker, const QList<qint64> &numbers)
{
    return run(QStringLiteral("DELETE FROM request WHERE asker = CAST(? AS uuid) AND answered_at IS NOT NULL"
                              " AND number IN " SQL_LIST_VALUES),
               {asker, listOf(numbers)});
}

// The statements follow each other: what is there after the first one has been taken, and cannot be taken back any more.
Result<Withdrawn> ControlTables::withdraw(const QString &asker, const QList<qint64> &kept)
{
    Withdrawn withdrawn;
    Statement gone = sql(QStringLiteral("DELETE FROM request WHERE asker = CAST(? AS uuid) AND taken_fence IS NULL"
                                        " AND number NOT IN " SQL_LIST_VALUES " RETURNING number"));
    TRY(gone.bind(asker, listOf(kept)).each([&] { withdrawn.unheard.append(gone.integer(0)); }));
    Statement rest =
        sql(QStringLiteral("SELECT number FROM request WHERE asker = CAST(? AS uuid) AND answered_at IS NULL"));
    TRY(rest.bind(asker).each([&] { withdrawn.taken.append(rest.integer(0)); }));
    return withdrawn;
}

Result<> ControlTables::leave(const QString &asker)
{
    return run(QStringLiteral("DELETE FROM listener WHERE asker = CAST(? AS uuid)"), {asker});
}

Result<std::optional<SharedSnapshot>> ControlTables::snapshot(qint64 fence)
{
    Statement row = sql(QStringLiteral("SELECT sequence, payload FROM holder_snapshot WHERE id = 1 AND fence = ?"));
    TRY(const bool found, row.bind(fence).step());
    if (!found)
        return std::optional<SharedSnapshot>();
    return std::optional(SharedSnapshot{row.integer(0), row.blob(1)});
}

// ---- the holder ----

Result<> ControlTables::checkFence(qint64 fence)
{
    Statement row = sql(QStringLiteral("SELECT 1 FROM engine_lease WHERE scope = ? AND fence = ?"));
    TRY(const bool mine, row.bind(engineScope, fence).step());
    if (mine)
        return {};
    return core::fail(ErrorKind::StoreFailed, Text::tr("Another Redrive has taken over this store."));
}

Result<> ControlTables::answerAll(const QString &which, const QVariantList &values, const QByteArray &answer)
{
    return run(QStringLiteral("UPDATE request SET answered_at = clock_timestamp(), answer = ?, payload = '' WHERE "
                              "answered_at IS NULL AND ")
                   + which,
               QVariantList{answer} + values);
}

Result<> ControlTables::greet(qint64 fence, const QString &taker, const Greeting &greeting,
                              const QByteArray &goneAnswer)
{
    TRY(checkFence(fence));
    TRY(run(QStringLiteral("INSERT INTO holder_greeting (id, fence, protocol, passing, seen_at, key)"
                           " SELECT 1, ?, ?, ? <> 0, clock_timestamp(), ? WHERE " SQL_IF_HELD
                           " ON CONFLICT (id) DO UPDATE SET fence = excluded.fence, protocol = excluded.protocol,"
                           " passing = excluded.passing, seen_at = excluded.seen_at, key = excluded.key"),
            {fence, greeting.protocol, greeting.passing ? 1 : 0, greeting.key, engineScope, fence}));
    TRY(run(QStringLiteral("DELETE FROM holder_snapshot WHERE fence <> ? AND " SQL_IF_HELD),
            {fence, engineScope, fence}));
    return answerAll(QStringLiteral("taken_fence IS NOT NULL AND taken_by <> CAST(? AS uuid) AND " SQL_IF_HELD),
                     {taker, engineScope, fence}, goneAnswer);
}

Result<> ControlTables::giveSignOfLife(qint64 fence)
{
    return run(QStringLiteral("UPDATE holder_greeting SET seen_at = clock_timestamp() WHERE fence = ?"), {fence});
}

Result<QList<SharedRequest>> ControlTables::take(qint64 fence, const QString &taker, const QList<qint64> &known,
                                                 int most, const QByteArray &staleAnswer)
{
    Statement open =
        sql(QStringLiteral("SELECT 1 FROM request WHERE taken_fence IS NULL AND answered_at IS NULL LIMIT 1"));
    TRY(const bool isOpen, open.step());
    if (isOpen) {
        TRY(checkFence(fence));
        TRY(answerAll(QStringLiteral("taken_fence IS NULL AND NOT " SQL_IS_FRESH " AND " SQL_IF_HELD),
                      {engineScope, fence}, staleAnswer));
        TRY(run(
            QStringLiteral("UPDATE request SET taken_fence = ?, taken_by = CAST(? AS uuid) WHERE taken_fence IS NULL"
                           " AND answered_at IS NULL AND id IN (SELECT id FROM request WHERE taken_fence IS NULL"
                           " AND answered_at IS NULL ORDER BY id LIMIT ?) AND " SQL_IF_HELD),
            {fence, taker, most, engineScope, fence}));
    }
    QList<SharedRequest> taken;
    Statement rows = sql(
        QStringLiteral("SELECT id, role, substr(who, 1, 200), protocol, octet_length(payload), EXISTS (SELECT 1 FROM"
                       " listener l WHERE l.asker = request.asker AND l.listens) FROM request"
                       " WHERE taken_by = CAST(? AS uuid) AND taken_fence IS NOT NULL AND answered_at IS NULL"
                       " AND id NOT IN " SQL_LIST_VALUES " ORDER BY id"));
    TRY(rows.bind(taker, listOf(known)).each([&] {
        taken.append(
            {rows.integer(0), rows.text(1), rows.text(2), rows.integer(3), rows.integer(4), rows.integer(5) != 0});
    }));
    return taken;
}

Result<QByteArray> ControlTables::payload(qint64 id)
{
    Statement row = sql(QStringLiteral("SELECT payload FROM request WHERE id = ?"));
    TRY(row.bind(id).step());
    return row.blob(0);
}

Result<> ControlTables::giveAnswer(qint64 id, const QString &taker, const QByteArray &answer)
{
    return answerAll(QStringLiteral("id = ? AND taken_by = CAST(? AS uuid)"), {id, taker}, answer);
}

// A time in the future is not what this program wrote.
Result<Presence> ControlTables::presence()
{
    Statement row =
        sql(QStringLiteral("SELECT count(*) > 0, coalesce(bool_or(listens), FALSE) FROM listener"
                           " WHERE seen_at BETWEEN clock_timestamp() - interval '10 seconds' AND clock_timestamp()"));
    TRY(row.step());
    return Presence{row.integer(0) != 0, row.integer(1) != 0};
}

Result<> ControlTables::publish(qint64 fence, const SharedSnapshot &snapshot)
{
    return run(QStringLiteral("INSERT INTO holder_snapshot (id, fence, sequence, at, payload)"
                              " SELECT 1, fence, ?, clock_timestamp(), ? FROM engine_lease WHERE scope = ?"
                              " AND fence = ? FOR KEY SHARE ON CONFLICT (id) DO UPDATE SET fence = excluded.fence,"
                              " sequence = excluded.sequence, at = excluded.at, payload = excluded.payload"),
               {snapshot.sequence, snapshot.payload, engineScope, fence});
}

Result<> ControlTables::removeSnapshot(qint64 fence)
{
    return run(QStringLiteral("DELETE FROM holder_snapshot WHERE fence = ?"), {fence});
}

Result<> ControlTables::removeOld()
{
    TRY(run(QStringLiteral("DELETE FROM request WHERE answered_at < clock_timestamp() - interval '1 hour'"), {}));
    return run(QStringLiteral("DELETE FROM listener WHERE seen_at < clock_timestamp() - interval '1 day'"), {});
}

} // namespace store
