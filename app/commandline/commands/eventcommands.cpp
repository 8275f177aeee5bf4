#include "app/commandline/commands/commands.h"
#include "app/commandline/context.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"

#include <algorithm>

namespace commandline {

namespace {

constexpr int eventsPerPage = 500;

void printLine(Context &context, const records::Event &event)
{
    if (context.out.json()) {
        context.out.document(json::event(event)); // one document per line, because --follow has no end
        return;
    }
    context.out.line(QStringLiteral("%1  %2  %3  %4  %5")
                         .arg(localTime(event.at), event.who, event.what, event.onWhat, event.result));
}

void printAll(Context &context, const QList<records::Event> &events)
{
    if (context.out.json()) {
        QJsonArray json;
        for (const records::Event &event : events)
            json.append(json::event(event));
        context.out.document(json);
        return;
    }
    for (const records::Event &event : events)
        printLine(context, event);
}

core::Task<core::Result<QList<records::Event>>> readAll(Context &context, api::EventQuery query)
{
    QList<records::Event> found;
    query.newestFirst = false;
    query.limit = eventsPerPage;
    while (true) {
        CO_TRY(const QList<records::Event> rows, co_await context.ask(query));
        found += rows;
        if (rows.size() < eventsPerPage)
            co_return found;
        query.afterSequence = rows.last().sequence;
    }
}

core::Task<int> verify(Context &context)
{
    const QByteArray given = context.arguments.value(QStringLiteral("seal")).toLatin1().toLower();
    const QByteArray seal = QByteArray::fromHex(given);
    if (seal.toHex() != given)
        co_return context.misuse(
            Text::tr("--seal must be the hexadecimal digits that redrive events --verify printed."));
    const api::TrailCheckQuery query{seal};
    const core::Result<records::TrailCheck> check = co_await context.ask(query);
    if (!check)
        co_return context.fail(check.error());
    if (context.out.json())
        context.out.document(json::trail(*check));
    if (check->fault != records::TrailCheck::Fault::None)
        co_return context.fail(core::Error{core::ErrorKind::Corrupt, records::sentence(*check), {}});
    context.out.line(records::sentence(*check));
    if (check->entries > 0)
        context.out.line(
            Text::tr("Seal: %1 (keep it outside this machine)").arg(QString::fromLatin1(check->seal.toHex())));
    co_return int(ExitCode::Done);
}

} // namespace

core::Task<int> eventsCommand(Context &context)
{
    const bool verifies = context.arguments.has(QStringLiteral("verify"));
    if (!verifies && context.arguments.has(QStringLiteral("seal")))
        co_return context.misuse(Text::tr("--seal needs --verify."));
    for (const char *option : {"since", "follow"}) {
        if (verifies && context.arguments.has(QLatin1String(option)))
            co_return context.misuse(Text::tr("--verify and --%1 exclude each other.").arg(QLatin1String(option)));
    }
    if (verifies)
        co_return co_await verify(context);
    const auto since = context.arguments.time(QStringLiteral("since"), context.clock.now());
    if (!since)
        co_return context.misuse(since.error().message);
    api::EventQuery query;
    query.since = *since;
    const core::Result<QList<records::Event>> events = co_await readAll(context, query);
    if (!events)
        co_return context.fail(events.error());
    if (!context.arguments.has(QStringLiteral("follow"))) {
        printAll(context, *events);
        co_return int(ExitCode::Done);
    }
    QList<records::Event> fresh = *events;
    while (true) {
        for (const records::Event &event : fresh) {
            query.afterSequence = std::max(query.afterSequence, event.sequence);
            printLine(context, event);
        }
        if (context.out.isBroken())
            co_return int(ExitCode::Done); // the error is printed at the end
        const core::Result<api::SnapshotPtr> next = co_await context.stream.next();
        if (!next && next.error().kind != core::ErrorKind::Cancelled)
            co_return context.fail(next.error());
        if (!next)
            co_return int(ExitCode::Done);
        const core::Result<QList<records::Event>> more = co_await readAll(context, query);
        if (!more)
            co_return context.fail(more.error());
        fresh = *more;
    }
}

} // namespace commandline
