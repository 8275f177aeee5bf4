#include "backend/store/sqlite/groupmarks.h"

#include "backend/store/sqlite/database.h"
#include "backend/store/sqlite/transactioncounters.h"
#include "backend/store/text.h"

namespace store {

using records::GroupMute;

// A group without marks has no row: then every condition is NULL, which is not true.
QString MarkSql::isMuted()
{
    return QStringLiteral("coalesce(k.muted_until > t.now, 0)");
}

QString MarkSql::isQuiet(const QString &unresolved)
{
    return QStringLiteral("(%1 AND NOT (%2 >= k.muted_count * %3 AND %2 >= k.muted_count + %4))")
        .arg(isMuted(), unresolved)
        .arg(GroupMute::loudTimes)
        .arg(GroupMute::loudMore);
}

QString MarkSql::columns(const QString &unresolved)
{
    return QStringLiteral("k.note, k.note_who, k.note_at, %1, k.muted_until, k.muted_who, k.muted_at, k.muted_count,"
                          " %2")
        .arg(isMuted(), isQuiet(unresolved));
}

records::GroupMarks MarkSql::read(const Statement &row, int first)
{
    records::GroupMarks marks;
    if (!row.text(first).isEmpty())
        marks.note = records::GroupNote{row.text(first), row.text(first + 1), row.time(first + 2)};
    if (row.integer(first + 3) != 0)
        marks.mute = GroupMute{row.time(first + 4), row.text(first + 5), row.time(first + 6), row.integer(first + 7),
                               row.integer(first + 8) == 0};
    return marks;
}

SqliteGroupMarkStore::SqliteGroupMarkStore(Database &database, TransactionCounters &books)
    : m_database(database)
    , m_books(books)
{
}

Result<MarkedGroup> SqliteGroupMarkStore::load(core::GroupId group, core::TimePoint now)
{
    const QString unresolved =
        QStringLiteral("(SELECT coalesce(sum(unresolved), 0) FROM group_count WHERE group_id = g.id)");
    Statement row = m_database.sql(QStringLiteral("SELECT g.connection, g.title, %1, %2 FROM (SELECT ? AS now) t"
                                                  " CROSS JOIN failure_group g"
                                                  " LEFT JOIN group_mark k ON k.group_id = g.id WHERE g.id = ?")
                                       .arg(unresolved, MarkSql::columns(unresolved)));
    TRY(const bool found, row.bind(now, group).step());
    if (!found)
        return core::fail(core::ErrorKind::NotFound, Text::tr("The failure group %1 does not exist.").arg(group.value));
    return MarkedGroup{core::ConnectionId{row.integer(0)}, row.text(1), row.integer(2), MarkSql::read(row, 3)};
}

Result<> SqliteGroupMarkStore::write(core::GroupId group, const QString &assignments, const QVariantList &values)
{
    TRY(m_database
            .sql(QStringLiteral("INSERT INTO group_mark (group_id, connection)"
                                " SELECT id, connection FROM failure_group WHERE id = ? ON CONFLICT DO NOTHING"))
            .bind(group)
            .run());
    TRY(m_database.sql(QStringLiteral("UPDATE group_mark SET %1 WHERE group_id = ?").arg(assignments))
            .bindAll(values)
            .bind(group)
            .run());
    static_cast<void>(m_books.nextChange()); // lists of groups are read again
    return {};
}

Result<> SqliteGroupMarkStore::setNote(core::GroupId group, const std::optional<records::GroupNote> &note)
{
    const records::GroupNote written = note.value_or(records::GroupNote{});
    return write(group, QStringLiteral("note = ?, note_who = ?, note_at = ?"),
                 {Statement::toVariant(written.text), Statement::toVariant(written.who), core::toMs(written.at)});
}

Result<> SqliteGroupMarkStore::setMute(core::GroupId group, const std::optional<records::GroupMute> &mute)
{
    const GroupMute written = mute.value_or(GroupMute{});
    return write(group, QStringLiteral("muted_until = ?, muted_who = ?, muted_at = ?, muted_count = ?"),
                 {core::toMs(written.until), Statement::toVariant(written.who), core::toMs(written.at), written.count});
}

} // namespace store
