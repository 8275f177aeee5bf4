#include "app/commandline/commands/commands.h"
#include "app/commandline/json/json.h"
#include "app/commandline/operations.h"
#include "app/commandline/text.h"
#include "backend/report/page.h"

namespace commandline {

namespace {

constexpr int usualHistory = 50;
constexpr qint64 longestHistory = 1000;

core::Result<api::OperationsWanted> wantedFrom(const QString &text)
{
    using api::OperationsWanted;
    static const QHash<QString, OperationsWanted> known{
        {QStringLiteral("ended"), OperationsWanted::Ended},
        {QStringLiteral("came-back"), OperationsWanted::CameBack},
        {QStringLiteral("trouble"), OperationsWanted::Trouble},
        {QStringLiteral("cancelled"), OperationsWanted::Cancelled},
    };
    if (text.isEmpty())
        return OperationsWanted::All;
    const auto found = known.constFind(text);
    if (found == known.constEnd())
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("--only must be ended, came-back, trouble or cancelled, not '%1'.").arg(text));
    return *found;
}

core::Result<api::OperationQuery> queryFrom(const Context &context)
{
    const Arguments &given = context.arguments;
    TRY(const std::optional<qint64> limit, given.number(QStringLiteral("limit"), 1));
    TRY(const std::optional<qint64> before, given.number(QStringLiteral("before"), 1));
    if (limit.value_or(1) > longestHistory)
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("--limit must be at most %1. Use --before for the next page.").arg(longestHistory));
    TRY(const std::optional<core::TimePoint> since, given.time(QStringLiteral("since"), context.clock.now()));
    TRY(const std::optional<core::TimePoint> until, given.time(QStringLiteral("until"), context.clock.now()));
    TRY(const api::OperationsWanted wanted, wantedFrom(given.value(QStringLiteral("only"))));
    api::OperationQuery query;
    query.wanted = wanted;
    query.text = given.value(QStringLiteral("search"));
    query.since = since;
    query.until = until;
    query.before = core::OperationId{before.value_or(0)};
    query.limit = int(limit.value_or(usualHistory));
    return query;
}

QString durationText(const records::RetryOperation &operation)
{
    const bool known = operation.started && operation.finished;
    return known
               ? report::span(std::chrono::duration_cast<core::Milliseconds>(*operation.finished - *operation.started))
               : QString();
}

void print(Context &context, const api::OperationPage &page)
{
    if (context.out.json()) {
        context.out.document(json::history(*context.stream.last(), page));
        return;
    }
    Table table{{Text::tr("ID"), Text::tr("STATE"), Text::tr("TOTAL"), Text::tr("SENT"), Text::tr("CAME BACK"),
                 Text::tr("DURATION"), Text::tr("REQUESTED"), Text::tr("WHO"), Text::tr("REASON"), Text::tr("SCOPE")},
                {true, false, true, true, true, true},
                {}};
    for (const api::OperationRow &row : page.rows) {
        const records::RetryOperation &operation = row.operation;
        table.rows.append({QString::number(operation.id.value), records::toString(operation.state),
                           QString::number(operation.total), QString::number(operation.counts.sent),
                           QString::number(operation.counts.cameBack), durationText(operation),
                           localTime(operation.requested), operation.who, operation.plan.reason, operation.scope});
    }
    context.out.table(table);
    if (page.next.isValid())
        context.out.line(
            Text::tr("%1 of %2. Next page: --before %3").arg(page.rows.size()).arg(page.total).arg(page.next.value));
}

} // namespace

core::Task<int> historyCommand(Context &context)
{
    core::Result<api::OperationQuery> query = queryFrom(context);
    if (!query)
        co_return context.misuse(query.error().message);
    const core::Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    if (!snapshot)
        co_return context.fail(snapshot.error());
    if (context.arguments.has(QStringLiteral("connection"))) {
        const core::Result<api::ConnectionView> connection = co_await context.theConnection();
        if (!connection)
            co_return context.fail(connection.error());
        query->connection = connection->connection.id;
    }
    const core::Result<api::OperationPage> page = co_await context.ask(*query);
    if (!page)
        co_return context.fail(page.error());
    print(context, *page);
    co_return int(ExitCode::Done);
}

} // namespace commandline
