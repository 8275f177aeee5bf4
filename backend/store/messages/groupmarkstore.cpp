#include "backend/store/messages/groupmarkstore.h"

#include "backend/store/database/database.h"
#include "backend/store/database/transactioncounters.h"
#include "backend/store/messages/groupmarksql.h"
#include "backend/store/text.h"

namespace store {

using records::GroupMute;

GroupMarkStore::GroupMarkStore(Database &database, TransactionCounters &counters)
    : m_database(database)
    , m_counters(counters)
{
}

Result<MarkedGroup> GroupMarkStore::load(core::GroupId group, core::TimePoint now)
{
    const QString unresolved =
        QStringLiteral("(SELECT coalesce(sum(unresolved), 0) FROM group_count WHERE group_id = g.id)");
    Statement row = m_database.sql(QStringLiteral("SELECT g.connection, g.title, %1, %2 FROM (SELECT ? AS now) t"
                                                  " JOIN failure_group g ON TRUE"
                                                  " LEFT JOIN group_mark k ON k.group_id = g.id WHERE g.id = ?")
                                       .arg(unresolved, GroupMarkSql::columns(unresolved)));
    TRY(const bool found, row.bind(now, group).step());
    if (!found)
        return core::fail(core::ErrorKind::NotFound, Text::tr("The failure group %1 does not exist.").arg(group.value));
    return MarkedGroup{core::ConnectionId{row.integer(0)}, row.text(1), row.integer(2), GroupMarkSql::read(row, 3)};
}

Result<> GroupMarkStore::write(core::GroupId group, const QString &assignments, const QVariantList &values)
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
    static_cast<void>(m_counters.nextChange()); // lists of groups are read again
    return {};
}

Result<> GroupMarkStore::setNote(core::GroupId group, const std::optional<records::GroupNote> &note)
{
    const records::GroupNote written = note.value_or(records::GroupNote{});
    return write(group, QStringLiteral("note = ?, note_who = ?, note_at = ?"),
                 {Statement::toVariant(written.text), Statement::toVariant(written.who), core::toMs(written.at)});
}

Result<> GroupMarkStore::setMute(core::GroupId group, const std::optional<records::GroupMute> &mute)
{
    const GroupMute written = mute.value_or(GroupMute{});
    return write(group, QStringLiteral("muted_until = ?, muted_who = ?, muted_at = ?, muted_count = ?"),
                 {core::toMs(written.until), Statement::toVariant(written.who), core::toMs(written.at), written.count});
}

} // namespace store
