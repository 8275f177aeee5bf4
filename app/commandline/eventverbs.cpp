#include "app/commandline/context.h"
#include "app/commandline/shapes.h"
#include "app/commandline/verbs.h"
#include "app/commandline/words.h"

#include <algorithm>

namespace commandline {

namespace {

constexpr int page = 500;

void printLine(Context &context, const records::Event &event)
{
    if (context.out.json()) {
        context.out.document(shapes::event(event)); // one line each: what follows has no end
        return;
    }
    context.out.line(QStringLiteral("%1  %2  %3  %4  %5")
                         .arg(localTime(event.at), event.who, event.what, event.onWhat, event.result));
}

void printAll(Context &context, const QList<records::Event> &events)
{
    if (context.out.json()) {
        QJsonArray shapes;
        for (const records::Event &event : events)
            shapes.append(shapes::event(event));
        context.out.document(shapes);
        return;
    }
    for (const records::Event &event : events)
        printLine(context, event);
}

core::Task<core::Result<QList<records::Event>>> readAll(Context &context, api::EventQuery query)
{
    QList<records::Event> found;
    query.newestFirst = false;
    query.limit = page;
    while (true) {
        const core::Result<QList<records::Event>> rows = co_await context.ask(context.client.events(query));
        if (!rows)
            co_return core::fail(rows.error());
        found += *rows;
        if (rows->size() < page)
            co_return found;
        query.afterSequence = rows->last().sequence;
    }
}

} // namespace

core::Task<int> eventsVerb(Context &context)
{
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
            co_return int(ExitCode::Done); // the error is said at the end
        const core::Result<api::SnapshotPtr> next = co_await context.feed.next();
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
