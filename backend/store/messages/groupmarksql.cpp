#include "backend/store/messages/groupmarksql.h"

#include "backend/store/database/statement.h"

namespace store {

using records::GroupMute;

// A group without marks has no row: then every condition is NULL, which is not true.
QString GroupMarkSql::isMuted()
{
    return QStringLiteral("coalesce(k.muted_until > t.now, FALSE)");
}

QString GroupMarkSql::isQuiet(const QString &unresolved)
{
    return QStringLiteral("(%1 AND NOT (%2 >= k.muted_count * %3 AND %2 >= k.muted_count + %4))")
        .arg(isMuted(), unresolved)
        .arg(GroupMute::loudTimes)
        .arg(GroupMute::loudMore);
}

QString GroupMarkSql::columns(const QString &unresolved)
{
    return QStringLiteral("k.note, k.note_who, k.note_at, %1, k.muted_until, k.muted_who, k.muted_at, k.muted_count,"
                          " %2")
        .arg(isMuted(), isQuiet(unresolved));
}

records::GroupMarks GroupMarkSql::read(const Statement &row, int first)
{
    records::GroupMarks marks;
    if (!row.text(first).isEmpty())
        marks.note = records::GroupNote{row.text(first), row.text(first + 1), row.time(first + 2)};
    if (row.integer(first + 3) != 0)
        marks.mute = GroupMute{row.time(first + 4), row.text(first + 5), row.time(first + 6), row.integer(first + 7),
                               row.integer(first + 8) == 0};
    return marks;
}

} // namespace store
