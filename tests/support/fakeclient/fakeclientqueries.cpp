// The half of FakeClient that answers questions about messages and groups.
#include "tests/support/fakeclient/fakeclient.h"

#include <algorithm>
#include <numeric>

namespace support {

namespace {

QString firstFrame(const QString &stackTrace)
{
    for (const QString &line : stackTrace.split(QLatin1Char('\n'))) {
        const QString frame = line.trimmed();
        if (frame.startsWith(QLatin1String("at ")))
            return frame.mid(3);
    }
    return {};
}

bool searched(const QString &needle, const records::FailedMessage &one)
{
    const QStringList fields{one.failure.exceptionType,
                             one.failure.exceptionMessage,
                             one.messageType,
                             one.uniqueId,
                             one.messageId,
                             one.queue};
    return std::any_of(fields.cbegin(), fields.cend(),
                       [&](const QString &field) { return field.contains(needle, Qt::CaseInsensitive); });
}

template<typename Key>
void sortBy(QList<records::FailedMessage> &rows, records::SortDirection direction, Key key)
{
    std::stable_sort(rows.begin(), rows.end(), [&](const records::FailedMessage &a, const records::FailedMessage &b) {
        return direction == records::SortDirection::Ascending ? key(a) < key(b) : key(b) < key(a);
    });
}

} // namespace

QString FakeClient::titleOf(const records::FailedMessage &message, records::Classifier classifier)
{
    switch (classifier) {
    case records::Classifier::ExceptionAndStack: {
        const QString type = message.failure.exceptionType.section(QLatin1Char('.'), -1);
        const QString frame = firstFrame(message.failure.stackTrace);
        return frame.isEmpty() ? type : type + QStringLiteral(": ") + frame;
    }
    case records::Classifier::MessageType:
        return message.messageType;
    case records::Classifier::EndpointAddress:
        return message.destination.queue;
    case records::Classifier::EndpointName:
        return message.failure.endpoint;
    case records::Classifier::EndpointInstance:
        return message.failure.endpoint + QLatin1Char('@') + message.failure.host;
    }
    Q_UNREACHABLE();
}

core::GroupId FakeClient::groupOf(const records::FailedMessage &message, records::Classifier classifier)
{
    const QString key =
        QStringLiteral("%1|%2|%3").arg(message.connection.value).arg(int(classifier)).arg(titleOf(message, classifier));
    const auto found = m_groupIds.constFind(key);
    if (found != m_groupIds.cend())
        return *found;
    const core::GroupId id{m_groupIds.size() + 1};
    m_groupIds.insert(key, id);
    return id;
}

bool FakeClient::matches(const records::MessageFilter &filter, const records::FailedMessage &message)
{
    if (filter.connection.isValid() && filter.connection != message.connection)
        return false;
    if (!filter.messages.isEmpty() && !filter.messages.contains(message.id))
        return false;
    if (filter.except.contains(message.id))
        return false;
    if (!filter.queue.isEmpty() && filter.queue != message.queue)
        return false;
    if (filter.status && *filter.status != message.status)
        return false;
    if (!filter.messageType.isEmpty() && filter.messageType != message.messageType)
        return false;
    if (filter.since && message.lastFailed < *filter.since)
        return false;
    if (filter.until && message.lastFailed >= *filter.until)
        return false;
    if (!filter.search.isEmpty() && !searched(filter.search, message))
        return false;
    if (filter.groups.isEmpty())
        return true;
    for (int i = 0; i < records::classifierCount; ++i) {
        if (filter.groups.contains(groupOf(message, records::Classifier(i))))
            return true;
    }
    return false;
}

QList<records::FailedMessage> FakeClient::ordered(const api::MessageQuery &query)
{
    using records::FailedMessage;
    using records::MessageOrder;
    messageQueries.append(query);
    QList<FailedMessage> rows;
    std::copy_if(store.cbegin(), store.cend(), std::back_inserter(rows),
                 [&](const FailedMessage &one) { return matches(query.filter, one); });
    switch (query.order) {
    case MessageOrder::LastFailed:
        sortBy(rows, query.direction, [](const FailedMessage &one) { return std::pair{one.lastFailed, one.id}; });
        break;
    case MessageOrder::Queue:
        sortBy(rows, query.direction, [](const FailedMessage &one) { return one.queue; });
        break;
    case MessageOrder::MessageType:
        sortBy(rows, query.direction, [](const FailedMessage &one) { return one.messageType; });
        break;
    case MessageOrder::ExceptionType:
        sortBy(rows, query.direction, [](const FailedMessage &one) { return one.failure.exceptionType; });
        break;
    case MessageOrder::Attempts:
        sortBy(rows, query.direction, [](const FailedMessage &one) { return one.attempts; });
        break;
    case MessageOrder::Size:
        sortBy(rows, query.direction, [](const FailedMessage &one) { return one.bodySize; });
        break;
    }
    return rows;
}

api::GroupPage FakeClient::groupPage(const api::GroupQuery &query)
{
    QHash<core::GroupId, api::GroupRow> found;
    for (const records::FailedMessage &one : std::as_const(store)) {
        if ((query.connection.isValid() && one.connection != query.connection)
            || (!query.queue.isEmpty() && one.queue != query.queue))
            continue;
        const core::GroupId id = groupOf(one, query.classifier);
        const bool counts = one.status == query.status;
        if (!counts && !found.contains(id))
            continue;
        api::GroupRow &row = found[id];
        row.inRetry += one.status == records::MessageStatus::RetryIssued ? 1 : 0;
        if (!counts)
            continue;
        const QString title = titleOf(one, query.classifier);
        row.firstFailed = row.count == 0 ? one.firstFailed : std::min(row.firstFailed, one.firstFailed);
        row.lastFailed = std::max(row.lastFailed, one.lastFailed);
        row.id = id;
        row.connection = one.connection;
        row.title = title;
        row.cameBack += one.cameBack;
        row.browsedOnly += one.flags.testFlag(records::MessageFlag::BrowsedOnly) ? 1 : 0;
        row.lastHour = sparklines.value(title);
        row.operation = groupOperations.value(id);
        row.marks = groupMarks.value(id);
        ++row.count;
    }
    api::GroupPage page;
    for (const api::GroupRow &row : std::as_const(found)) {
        const QString note = row.marks.note ? row.marks.note->text : QString();
        if (!query.titleFilter.isEmpty() && !row.title.contains(query.titleFilter, Qt::CaseInsensitive)
            && !note.contains(query.titleFilter, Qt::CaseInsensitive))
            continue;
        using Muted = api::GroupQuery::Muted;
        if (query.muted != Muted::Any && row.marks.mute.has_value() != (query.muted == Muted::Only))
            continue;
        page.rows.append(row);
        page.messages += row.count;
    }
    const auto key = [&query](const api::GroupRow &row) -> std::pair<QString, qint64> {
        using Order = api::GroupQuery::Order;
        switch (query.order) {
        case Order::Title:
            return {row.title, 0};
        case Order::FirstFailed:
            return {{}, core::toMs(row.firstFailed)};
        case Order::LastFailed:
            return {{}, core::toMs(row.lastFailed)};
        case Order::LastHour:
            return {{}, std::accumulate(row.lastHour.cbegin(), row.lastHour.cend(), qint64{0})};
        case Order::Count:
            break;
        }
        return {{}, row.count};
    };
    const bool rises = query.direction == records::SortDirection::Ascending;
    std::sort(page.rows.begin(), page.rows.end(), [&](const api::GroupRow &a, const api::GroupRow &b) {
        if (a.marks.isQuiet() != b.marks.isQuiet())
            return b.marks.isQuiet();
        if (key(a) == key(b))
            return a.id < b.id;
        return rises ? key(a) < key(b) : key(b) < key(a);
    });
    page.total = page.rows.size();
    page.rows = page.rows.mid(query.offset, query.limit);
    page.change = snapshot.change;
    return page;
}

core::Result<api::GroupPage> FakeClient::respond(const api::GroupQuery &query)
{
    groupQueries.append(query);
    return groupPage(query);
}

core::Result<api::ExpiryPage> FakeClient::respond(const api::ExpiryQuery &query)
{
    expiryQueries.append(query);
    api::ExpiryPage page = expiryPage;
    page.rows.removeIf([&](const api::ExpiringRow &row) {
        return (query.until && row.expiry.at >= *query.until)
               || (query.connection.isValid() && row.connection != query.connection)
               || (!query.queue.isEmpty() && row.queue != query.queue)
               || (query.group.isValid() && row.group != query.group);
    });
    page.total = page.rows.size();
    page.change = snapshot.change;
    return page;
}

core::Result<api::MessagePage> FakeClient::respond(const api::MessageQuery &query)
{
    const QList<records::FailedMessage> rows = ordered(query);
    const qsizetype from = query.after.isEmpty() ? 0 : query.after.toLongLong();
    api::MessagePage page;
    page.rows = rows.mid(from, query.limit);
    page.isCounted = !query.countLater || query.filter.search.isEmpty();
    page.total = page.isCounted ? rows.size() : 0;
    page.change = snapshot.change;
    if (from + page.rows.size() < rows.size())
        page.next = QString::number(from + page.rows.size());
    return page;
}

core::Result<qint64> FakeClient::respond(const api::MessageCountQuery &asked)
{
    countQueries.append(asked.list);
    return std::count_if(store.cbegin(), store.cend(),
                         [&](const records::FailedMessage &one) { return matches(asked.list.filter, one); });
}

core::Result<api::MessageIds> FakeClient::respond(const api::MessageIdQuery &asked)
{
    const auto &query = asked.list;
    api::MessageIds list;
    list.change = snapshot.change;
    for (const records::FailedMessage &one : ordered(query))
        list.ids.append(one.id);
    return list;
}

core::Result<api::OtherMatches> FakeClient::respond(const api::OtherMatchesQuery &asked)
{
    const auto &query = asked.list;
    otherQueries.append(query);
    api::OtherMatches other;
    other.atLeast = snapshot.textRead < snapshot.textTotal;
    for (const records::MessageStatus status : records::messageStatuses) {
        records::MessageFilter filter = query.filter;
        if (filter.search.isEmpty() || !filter.status || *filter.status == status)
            continue;
        filter.status = status;
        const auto isFound = [&](const records::FailedMessage &one) { return matches(filter, one); };
        if (const qint64 count = std::count_if(store.cbegin(), store.cend(), isFound); count > 0)
            other.counts.append({status, count});
    }
    return other;
}

core::Result<QList<records::FailedMessage>> FakeClient::respond(const api::MessageRowQuery &asked)
{
    const auto &ids = asked.messages;
    if (m_rowOf.size() != store.size()) {
        m_rowOf.clear();
        for (qsizetype i = 0; i < store.size(); ++i)
            m_rowOf.insert(store.at(i).id, i);
    }
    QList<records::FailedMessage> rows;
    for (const core::MessageId id : ids) {
        const qsizetype at = m_rowOf.value(id, -1);
        if (at >= 0 && at < store.size() && store.at(at).id == id)
            rows.append(store.at(at));
    }
    return rows;
}

core::Result<api::MessageDetail> FakeClient::respond(const api::MessageDetailQuery &asked)
{
    const auto id = asked.message;
    if (details.contains(id))
        return details.value(id);
    const auto found = std::find_if(store.cbegin(), store.cend(), [id](const auto &one) { return one.id == id; });
    if (found == store.cend())
        return core::fail(core::ErrorKind::NotFound, QStringLiteral("This message is not in the store any more."));
    api::MessageDetail detail;
    detail.message = *found;
    detail.envelope.body = bodies.value(id);
    detail.attempts.append(records::ProcessingAttempt{found->lastFailed, found->failure, found->queue});
    return detail;
}

core::Result<QByteArray> FakeClient::respond(const api::BodyQuery &asked)
{
    const auto id = asked.message;
    const QByteArray kept = bodies.contains(id) ? bodies.value(id) : details.value(id).envelope.body;
    return kept;
}

} // namespace support
