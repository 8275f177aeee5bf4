#include "app/commandline/arguments/named.h"

#include "app/commandline/text.h"
#include "backend/api/requests/queries.h"

#include <QSet>

#include <algorithm>

namespace commandline {

namespace {

// Lists at most ten ids, so that the error stays one line.
template<typename Id>
QString listed(const QList<Id> &ids)
{
    constexpr qsizetype most = 10;
    QStringList words;
    for (const Id id : ids.first(std::min(most, ids.size())))
        words.append(QString::number(id.value));
    const QString text = words.join(QStringLiteral(", "));
    return ids.size() > most ? Text::tr("%1 and %2 more").arg(text, QString::number(ids.size() - most)) : text;
}

core::Error noGroup(const QList<core::GroupId> &ids, const QString &connection)
{
    const QString text = connection.isEmpty()
                             ? Text::tr("There is no failure group %1. redrive groups lists them.").arg(listed(ids))
                             : Text::tr("Connection %1 has no failure group %2. redrive groups lists them.")
                                   .arg(connection, listed(ids));
    return {core::ErrorKind::NotFound, text, {}, {}};
}

core::Task<core::Result<>> checkMessages(Context &context, records::MessageFilter filter)
{
    const api::MessageRowQuery query{filter.messages};
    CO_TRY(const QList<records::FailedMessage> rows, co_await context.ask(query));
    QSet<core::MessageId> there;
    for (const records::FailedMessage &row : rows) {
        if (!filter.connection.isValid() || row.connection == filter.connection)
            there.insert(row.id);
    }
    filter.messages.removeIf([&there](core::MessageId id) { return there.contains(id); });
    if (!filter.messages.isEmpty())
        co_return core::fail(noMessage(filter.messages, context.nameOf(filter.connection)));
    co_return {};
}

bool isQueueOf(const api::Snapshot &snapshot, const records::MessageFilter &filter)
{
    return std::any_of(snapshot.queues.cbegin(), snapshot.queues.cend(), [&filter](const api::QueueView &view) {
        return view.name == filter.queue && (!filter.connection.isValid() || view.connection == filter.connection);
    });
}

// A queue exists when the broker lists it or the store has messages of it.
core::Task<core::Result<>> checkQueue(Context &context, records::MessageFilter filter)
{
    const api::SnapshotPtr snapshot = context.stream.last();
    if (snapshot && isQueueOf(*snapshot, filter))
        co_return {};
    api::MessageQuery query;
    query.filter.connection = filter.connection;
    query.filter.queue = filter.queue;
    query.limit = 1;
    CO_TRY(const api::MessagePage page, co_await context.ask(query));
    if (page.rows.isEmpty()) {
        co_return core::fail(core::ErrorKind::NotFound,
                             Text::tr("Unknown queue %1. redrive queues lists the known queues.").arg(filter.queue));
    }
    co_return {};
}

} // namespace

core::Error noMessage(const QList<core::MessageId> &ids, const QString &connection)
{
    const QString text =
        connection.isEmpty()
            ? Text::tr("There is no message %1. redrive messages lists them.").arg(listed(ids))
            : Text::tr("Connection %1 has no message %2. redrive messages lists them.").arg(connection, listed(ids));
    return {core::ErrorKind::NotFound, text, {}, {}};
}

core::Task<core::Result<>> checkNamed(Context &context, records::MessageFilter filter)
{
    if (!filter.messages.isEmpty())
        CO_TRY(co_await checkMessages(context, filter));
    if (!filter.queue.isEmpty())
        CO_TRY(co_await checkQueue(context, filter));
    QList<core::GroupId> missing;
    for (const core::GroupId group : std::as_const(filter.groups)) {
        api::MessageQuery query;
        query.filter.connection = filter.connection;
        query.filter.groups = {group};
        query.limit = 1;
        CO_TRY(const api::MessagePage page, co_await context.ask(query));
        if (page.rows.isEmpty())
            missing.append(group);
    }
    if (!missing.isEmpty())
        co_return core::fail(noGroup(missing, context.nameOf(filter.connection)));
    co_return {};
}

} // namespace commandline
