#include "app/commandline/context.h"
#include "app/commandline/shapes.h"
#include "app/commandline/verbs.h"
#include "app/commandline/words.h"

namespace commandline {

namespace {

// Of one connection, or of all.
core::Task<int> list(Context &context)
{
    core::ConnectionId only;
    if (context.arguments.has(QStringLiteral("connection"))) {
        const core::Result<api::ConnectionView> named = co_await context.theConnection();
        if (!named)
            co_return context.fail(named.error());
        only = named->connection.id;
    }
    const core::Result<api::SnapshotPtr> snapshot = co_await context.feed.ready();
    if (!snapshot)
        co_return context.fail(snapshot.error());
    QJsonArray shapes;
    Table table{{Words::tr("CONNECTION"), Words::tr("FROM"), Words::tr("TO")}, {}, {}};
    for (const api::ConnectionView &view : (*snapshot)->connections) {
        if (only.isValid() && view.connection.id != only)
            continue;
        for (const records::Redirect &one : view.redirects) {
            shapes.append(shapes::redirect(one, view.connection.name));
            table.rows.append({view.connection.name, one.from, one.to});
        }
    }
    if (context.out.json())
        context.out.document(shapes);
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
    const api::RedirectCommand command{view->connection.id, redirect, remove, context.who};
    const auto asked = context.askBroker(context.client.redirect(command), [name] { return name; });
    const core::Result<api::RedirectAnswer> done = co_await asked;
    if (!done)
        co_return context.fail(done.error());
    QJsonObject shape = shapes::redirect(redirect, name);
    if (remove) {
        context.out.line(Words::tr("Redirect from %1 on %2 removed.").arg(redirect.from, name));
        shape = {{QStringLiteral("removed"), redirect.from}, {QStringLiteral("connection"), name}};
    } else {
        context.out.line(
            Words::tr("What would go to %1 on %2 goes to %3 from now on.").arg(redirect.from, name, redirect.to));
        const bool known = done->notKnown.isEmpty();
        shape.insert(QStringLiteral("exists"), known ? QJsonValue(true) : QJsonValue(QJsonValue::Null));
        if (!known)
            context.out.aside(
                Words::tr("Nobody can say whether there is a queue %1: %2.").arg(redirect.to, done->notKnown));
    }
    if (context.out.json())
        context.out.document(shape);
    co_return int(ExitCode::Done);
}

} // namespace

core::Task<int> redirectVerb(Context &context)
{
    const QString action = context.arguments.first();
    const QStringList &words = context.arguments.positional();
    const bool named = !words.contains(QString());
    int code = int(ExitCode::Usage);
    if (action == QLatin1String("list") && words.size() == 1)
        code = co_await list(context);
    else if (action == QLatin1String("add") && words.size() == 3 && named)
        code = co_await change(context, false);
    else if (action == QLatin1String("remove") && words.size() == 2 && named)
        code = co_await change(context, true);
    else
        code = context.misuse(Words::tr("Write redrive redirect list, add FROM TO or remove FROM."));
    co_return code;
}

} // namespace commandline
