#include "app/commandline/commands/commands.h"
#include "app/commandline/context.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"
#include "backend/api/requests/groupmarks.h"

namespace commandline {

namespace {

constexpr int longestList = 1000;

core::Result<QList<core::GroupId>> groupsFrom(const QStringList &words)
{
    QList<core::GroupId> groups;
    for (const QString &word : words) {
        TRY(const qint64 id, Arguments::idFrom(word));
        groups.append(core::GroupId{id});
    }
    return groups;
}

core::Task<int> note(Context &context, QString text)
{
    const core::Result<qint64> id = Arguments::idFrom(context.arguments.positional().value(1));
    if (!id)
        co_return context.misuse(id.error().message);
    const api::SetGroupNote command{core::GroupId{*id}, text, std::nullopt};
    const core::Result<> done = co_await context.ask(command);
    if (!done)
        co_return context.fail(done.error());
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("group"), QString::number(*id)},
                                         {QStringLiteral("note"), text.isEmpty() ? QJsonValue() : QJsonValue(text)}});
    else
        context.out.line(text.isEmpty() ? Text::tr("Note of group %1 removed.").arg(*id)
                                        : Text::tr("Note of group %1 saved.").arg(*id));
    co_return int(ExitCode::Done);
}

core::Task<int> mute(Context &context, std::optional<core::TimePoint> until)
{
    const core::Result<QList<core::GroupId>> groups = groupsFrom(context.arguments.positional().mid(1));
    if (!groups)
        co_return context.misuse(groups.error().message);
    const api::MuteGroups command{*groups, until};
    const core::Result<> done = co_await context.ask(command);
    if (!done)
        co_return context.fail(done.error());
    if (context.out.json()) {
        QJsonArray ids;
        for (const core::GroupId group : *groups)
            ids.append(QString::number(group.value));
        context.out.document(
            QJsonObject{{QStringLiteral("groups"), ids}, {QStringLiteral("muted_until"), json::time(until)}});
    } else {
        const QString what = groups->size() == 1 ? Text::tr("1 group") : Text::tr("%1 groups").arg(groups->size());
        context.out.line(until ? Text::tr("Muted until %1: %2.").arg(localTime(*until), what)
                               : Text::tr("Unmuted: %1.").arg(what));
    }
    co_return int(ExitCode::Done);
}

core::Task<int> muteUntil(Context &context)
{
    const auto until = context.arguments.timeAhead(QStringLiteral("until"), context.clock.now());
    if (!until)
        co_return context.misuse(until.error().message);
    if (!*until)
        co_return context.misuse(Text::tr("--until is missing: --until 8h, --until 08:00 or a date and time."));
    const int code = co_await mute(context, *until);
    co_return code;
}

QString lostText(const records::Expiry &expiry)
{
    return expiry.known == records::Expiry::Known::Latest ? Text::tr("%1 at the latest").arg(localTime(expiry.at))
                                                          : localTime(expiry.at);
}

void printExpiring(Context &context, const api::ExpiryPage &page)
{
    if (context.out.json()) {
        context.out.document(json::expiring(page, [&](core::ConnectionId id) { return context.nameOf(id); }));
        return;
    }
    Table table{{Text::tr("EXPIRES"), Text::tr("MESSAGE"), Text::tr("QUEUE"), Text::tr("TYPE"), Text::tr("CAUSE")},
                {false, true},
                {}};
    for (const api::ExpiringRow &row : page.rows)
        table.rows.append(
            {lostText(row.expiry), QString::number(row.message.value), row.queue, row.messageType, row.cause});
    context.out.table(table);
    context.out.line(Text::tr("%1 of %2").arg(page.rows.size()).arg(page.total));
    if (page.notKnown > 0)
        context.out.line(Text::tr("The broker gives no expiry time for %1.").arg(Text::messages(page.notKnown)));
    if (page.never > 0)
        context.out.line(Text::tr("Browsed messages that never expire: %1.").arg(page.never));
}

core::Result<api::ExpiryQuery> expiryQueryFrom(const Context &context)
{
    const Arguments &given = context.arguments;
    TRY(const std::optional<qint64> limit, given.number(QStringLiteral("limit"), 1));
    TRY(const std::optional<qint64> group, given.number(QStringLiteral("group"), 1));
    TRY(const std::optional<core::TimePoint> within, given.timeAhead(QStringLiteral("within"), context.clock.now()));
    if (limit.value_or(1) > longestList)
        return core::fail(core::ErrorKind::Rejected, Text::tr("--limit must be at most %1.").arg(longestList));
    api::ExpiryQuery query;
    query.queue = given.value(QStringLiteral("queue"));
    query.group = core::GroupId{group.value_or(0)};
    query.until = within;
    query.limit = int(limit.value_or(query.limit));
    return query;
}

} // namespace

core::Task<int> groupCommand(Context &context)
{
    const QString action = context.arguments.first();
    const QStringList &words = context.arguments.positional();
    const bool timed = context.arguments.has(QStringLiteral("until"));
    int code = int(ExitCode::Usage);
    if (action == QLatin1String("note") && words.size() == 3 && !words.at(2).trimmed().isEmpty() && !timed)
        code = co_await note(context, words.at(2).trimmed());
    else if (action == QLatin1String("unnote") && words.size() == 2 && !timed)
        code = co_await note(context, QString());
    else if (action == QLatin1String("mute") && words.size() >= 2)
        code = co_await muteUntil(context);
    else if (action == QLatin1String("unmute") && words.size() >= 2 && !timed)
        code = co_await mute(context, std::nullopt);
    else if (!QStringList{QStringLiteral("note"), QStringLiteral("unnote"), QStringLiteral("mute"),
                          QStringLiteral("unmute")}
                  .contains(action))
        code =
            context.misuse(Text::tr("redrive group has no action '%1'. Use note, unnote, mute or unmute.").arg(action));
    else
        code = context.misuse(
            Text::tr("Usage: redrive group note ID TEXT | unnote ID | mute ID... --until TIME | unmute ID..."));
    co_return code;
}

core::Task<int> expiringCommand(Context &context)
{
    core::Result<api::ExpiryQuery> query = expiryQueryFrom(context);
    if (!query)
        co_return context.misuse(query.error().message);
    const core::Result<api::SnapshotPtr> names = co_await context.stream.ready();
    if (!names)
        co_return context.fail(names.error());
    if (context.arguments.has(QStringLiteral("connection"))) {
        const core::Result<api::ConnectionView> connection = co_await context.theConnection();
        if (!connection)
            co_return context.fail(connection.error());
        query->connection = connection->connection.id;
    }
    const core::Result<api::ExpiryPage> page = co_await context.ask(*query);
    if (!page)
        co_return context.fail(page.error());
    printExpiring(context, *page);
    co_return int(ExitCode::Done);
}

} // namespace commandline
