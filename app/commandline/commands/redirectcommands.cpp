#include "app/commandline/commands/commands.h"
#include "app/commandline/context.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"

namespace commandline {

namespace {

// Lists the redirects of one connection, or of all.
core::Task<int> listRedirects(Context &context)
{
    core::ConnectionId only;
    if (context.arguments.has(QStringLiteral("connection"))) {
        const core::Result<api::ConnectionView> named = co_await context.theConnection();
        if (!named)
            co_return context.fail(named.error());
        only = named->connection.id;
    }
    const core::Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    if (!snapshot)
        co_return context.fail(snapshot.error());
    QJsonArray json;
    Table table{{Text::tr("CONNECTION"), Text::tr("FROM"), Text::tr("TO")}, {}, {}};
    for (const api::ConnectionView &view : (*snapshot)->connections) {
        if (only.isValid() && view.connection.id != only)
            continue;
        for (const records::Redirect &one : view.redirects) {
            json.append(json::redirect(one, view.connection.name));
            table.rows.append({view.connection.name, one.from, one.to});
        }
    }
    if (context.out.json())
        context.out.document(json);
    else
        context.out.table(table);
    co_return int(ExitCode::Done);
}

core::Task<int> change(Context &context, bool remove)
{
    const QStringList &words = context.arguments.positional();
    const core::Result<api::ConnectionView> view = co_await context.theConnection();
    if (!view)
        co_return context.fail(view.error());
    const QString name = view->connection.name;
    const records::Redirect redirect{records::Redirect::Of::Queue, words.value(1), words.value(2)};
    const api::ChangeRedirect command{view->connection.id, redirect, remove};
    const auto asked = context.askBroker(command, [name] { return name; });
    const core::Result<api::RedirectAnswer> done = co_await asked;
    if (!done)
        co_return context.fail(done.error());
    QJsonObject shape = json::redirect(redirect, name);
    if (remove) {
        context.out.line(Text::tr("Redirect of %1 on %2 removed.").arg(redirect.from, name));
        shape = {{QStringLiteral("removed"), redirect.from}, {QStringLiteral("connection"), name}};
    } else {
        context.out.line(Text::tr("On %2, retries to %1 now go to %3.").arg(redirect.from, name, redirect.to));
        const bool known = done->notKnown.isEmpty();
        shape.insert(QStringLiteral("exists"), known ? QJsonValue(true) : QJsonValue(QJsonValue::Null));
        if (!known)
            context.out.aside(
                Text::tr("Redrive cannot check whether queue %1 exists. %2").arg(redirect.to, done->notKnown));
    }
    if (context.out.json())
        context.out.document(shape);
    co_return int(ExitCode::Done);
}

} // namespace

core::Task<int> redirectCommand(Context &context)
{
    const QString action = context.arguments.first();
    const QStringList &words = context.arguments.positional();
    const bool named = !words.contains(QString());
    int code = int(ExitCode::Usage);
    if (action == QLatin1String("list") && words.size() == 1)
        code = co_await listRedirects(context);
    else if (action == QLatin1String("add") && words.size() == 3 && named)
        code = co_await change(context, false);
    else if (action == QLatin1String("remove") && words.size() == 2 && named)
        code = co_await change(context, true);
    else
        code = context.misuse(Text::tr("Usage: redrive redirect list | add FROM TO | remove FROM."));
    co_return code;
}

} // namespace commandline
