#include "backend/store/messages/groupcounters.h"

#include "backend/core/digest.h"
#include "backend/core/limits.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"

#include <QtEndian>

#include <algorithm>

namespace store {

using core::Result;

static constexpr qsizetype groupsRemembered = 100'000;

core::GroupId groupId(core::ConnectionId connection, records::Classifier classifier, const QString &text)
{
    if (text.isEmpty())
        return {};
    const QByteArray whose =
        QByteArray::number(connection.value) + ':' + QByteArray::number(static_cast<int>(classifier)) + ':';
    const QByteArray digest = core::sha256({whose, text.toUtf8()});
    const qint64 value = qFromBigEndian<qint64>(digest.constData()) & 0x7fffffffffffffff;
    return core::GroupId{std::max<qint64>(value, 1)};
}

GroupCounters::GroupCounters(Database &database)
    : m_database(database)
{
}

Result<core::GroupId> GroupCounters::open(core::ConnectionId connection, records::Classifier classifier,
                                          const QString &title, const QString &cause)
{
    const core::GroupId ofTitle = groupId(connection, classifier, title);
    if (!ofTitle.isValid())
        return ofTitle;
    const QString whole = cause.isEmpty() ? title : cause;
    // No title has more than one line, so this is the id of no title.
    const core::GroupId ofCause = groupId(connection, classifier, QLatin1Char('\n') + whole);
    const std::pair key(ofTitle.value, ofCause.value);
    if (const auto known = m_known.constFind(key); known != m_known.cend())
        return *known;
    TRY(const bool isFirst, take({ofTitle, connection, classifier, title, ofCause}));
    if (!isFirst)
        TRY(take({ofCause, connection, classifier, whole, ofCause}));
    if (m_known.size() >= groupsRemembered)
        m_known.clear();
    return *m_known.insert(key, isFirst ? ofTitle : ofCause);
}

Result<bool> GroupCounters::take(const NewGroup &group)
{
    // The update gives a group of an older program its cause; else it only makes RETURNING give the existing row.
    Statement row = m_database.sql(
        QStringLiteral("INSERT INTO failure_group (id, connection, classifier, title, cause) VALUES (?, ?, ?, ?, ?)"
                       " ON CONFLICT (id) DO UPDATE SET cause = CASE WHEN failure_group.cause = 0 THEN excluded.cause "
                       "ELSE failure_group.cause END"
                       " RETURNING cause"));
    row.bind(group.id, group.connection, group.classifier, group.title.left(core::limits::groupTitleChars),
             group.cause);
    TRY(row.step());
    return row.integer(0) == group.cause.value;
}

void GroupCounters::enter(const Place &place, const FailedBetween &failed)
{
    move(place, 1);
    const qint64 first = core::toMs(failed.first);
    const qint64 last = core::toMs(failed.last);
    for (const core::GroupId group : place.groups) {
        if (!group.isValid())
            continue;
        Counts &counts = m_groups[Key(group.value, place.queue)];
        counts.firstFailed = counts.seen ? std::min(counts.firstFailed, first) : first;
        counts.lastFailed = counts.seen ? std::max(counts.lastFailed, last) : last;
        counts.seen = true;
    }
}

void GroupCounters::move(const Place &place, int by)
{
    const auto status = static_cast<size_t>(place.status);
    for (const core::GroupId group : place.groups) {
        if (!group.isValid())
            continue;
        Counts &counts = m_groups[Key(group.value, place.queue)];
        counts.byStatus.at(status) += by;
        counts.cameBack += place.cameBack ? by : 0;
        counts.browsedOnly += place.browsedOnly ? by : 0;
    }
    Counts &ofQueue = m_queues[Key(place.connection.value, place.queue)];
    ofQueue.byStatus.at(status) += by;
    ofQueue.browsedOnly += place.browsedOnly ? by : 0;
}

Result<> GroupCounters::flush()
{
    for (auto entry = m_groups.cbegin(); entry != m_groups.cend(); ++entry)
        TRY(writeGroup(entry.key(), entry.value()));
    for (auto entry = m_queues.cbegin(); entry != m_queues.cend(); ++entry)
        TRY(writeQueue(entry.key(), entry.value()));
    m_groups.clear();
    m_queues.clear();
    return {};
}

Result<> GroupCounters::writeGroup(const Key &key, const Counts &counts)
{
    const auto &s = counts.byStatus;
    if (!counts.seen) // nothing failed: the row exists and keeps its times
        return m_database
            .sql(QStringLiteral("UPDATE group_count SET unresolved = unresolved + ?, retry_issued = retry_issued + ?,"
                                " resolved = resolved + ?, archived = archived + ?, released = released + ?,"
                                " unknown = unknown + ?, came_back = came_back + ?, looked_at = looked_at + ? WHERE "
                                "group_id = ? AND queue = ?"))
            .bind(s[0], s[1], s[2], s[3], s[4], s[5], counts.cameBack, counts.browsedOnly, key.first, key.second)
            .run()
            .map([](int) {});
    return m_database
        .sql(QStringLiteral(
            "INSERT INTO group_count (group_id, queue, unresolved, retry_issued, resolved, archived, released,"
            " unknown, came_back, looked_at, first_failed, last_failed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (group_id, queue) DO UPDATE SET unresolved = group_count.unresolved + excluded.unresolved,"
            " retry_issued = group_count.retry_issued + excluded.retry_issued, resolved = group_count.resolved + "
            "excluded.resolved,"
            " archived = group_count.archived + excluded.archived, released = group_count.released + excluded.released,"
            " unknown = group_count.unknown + excluded.unknown, came_back = group_count.came_back + "
            "excluded.came_back, looked_at = group_count.looked_at "
            "+ excluded.looked_at,"
            " first_failed = " SQL_LEAST("group_count.first_failed",
                                         "excluded.first_failed") ","
                                                                  " last_failed = " SQL_GREATEST(
                                                                      "group_count.last_failed",
                                                                      "excluded.last_failed")))
        .bind(key.first, key.second, s[0], s[1], s[2], s[3], s[4], s[5], counts.cameBack, counts.browsedOnly,
              counts.firstFailed, counts.lastFailed)
        .run()
        .map([](int) {});
}

Result<> GroupCounters::writeQueue(const Key &key, const Counts &counts)
{
    const auto &s = counts.byStatus;
    return m_database
        .sql(QStringLiteral(
            "INSERT INTO queue_count (connection, queue, unresolved, retry_issued, resolved, archived, released,"
            " unknown, looked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (connection, queue) DO UPDATE SET unresolved = queue_count.unresolved + excluded.unresolved,"
            " retry_issued = queue_count.retry_issued + excluded.retry_issued, resolved = queue_count.resolved + "
            "excluded.resolved,"
            " archived = queue_count.archived + excluded.archived, released = queue_count.released + excluded.released,"
            " unknown = queue_count.unknown + excluded.unknown, looked_at = queue_count.looked_at + "
            "excluded.looked_at"))
        .bind(key.first, key.second, s[0], s[1], s[2], s[3], s[4], s[5], counts.browsedOnly)
        .run()
        .map([](int) {});
}

void GroupCounters::forget()
{
    m_groups.clear();
    m_queues.clear();
    m_known.clear();
}

} // namespace store
