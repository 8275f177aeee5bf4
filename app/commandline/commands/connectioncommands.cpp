#include "app/commandline/commands/commands.h"
#include "app/commandline/commands/errorqueuecommands.h"
#include "app/commandline/context.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"
#include "backend/core/text/safetext.h"
#include "backend/records/address/connectionurl.h"
#include "backend/records/takinginsteps.h"

#include <QFileInfo>

namespace commandline {

namespace {

core::Result<> applyOptions(const Arguments &given, records::Connection &connection)
{
    using core::ErrorKind;
    if (given.has(QStringLiteral("environment"))) {
        const QString word = given.value(QStringLiteral("environment"));
        const std::optional<records::Environment> environment = records::environmentFrom(word);
        if (!environment) {
            return core::fail(ErrorKind::Rejected,
                              Text::tr("--environment must be development, test or production, not '%1'.").arg(word));
        }
        connection.environment = *environment;
    }
    if (given.has(QStringLiteral("rights"))) {
        const QString words = given.value(QStringLiteral("rights"));
        const std::optional<records::Rights> rights = records::rightsFrom(words.split(QLatin1Char(',')));
        if (!rights) {
            return core::fail(
                ErrorKind::Rejected,
                Text::tr("--rights must be a list from see,take,retry,edit,redirect,archive,delete, not '%1'.")
                    .arg(words));
        }
        connection.rights = *rights;
    }
    connection.errorQueues = given.values(QStringLiteral("error-queue"));
    if (given.has(QStringLiteral("ca-file"))) {
        const QString path = given.value(QStringLiteral("ca-file"));
        if (!QFileInfo(path).isReadable())
            return core::fail(ErrorKind::Rejected, Text::tr("--ca-file: the file '%1' cannot be read.").arg(path));
        connection.caFile = QFileInfo(path).absoluteFilePath();
    }
    return {};
}

// Why the engine could not keep the secret, from the snapshot that shows the new connection; empty when it could.
core::Task<QString> secretNotKept(Context &context, core::ConnectionId id)
{
    constexpr int mostSnapshots = 20; // another program may remove the connection meanwhile
    core::Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    for (int i = 0; snapshot && i < mostSnapshots; ++i) {
        for (const api::ConnectionView &view : (*snapshot)->connections) {
            if (view.connection.id == id)
                co_return view.secretNotKept;
        }
        const quint64 seen = (*snapshot)->sequence;
        snapshot = co_await context.stream.newer(seen);
    }
    co_return QString();
}

core::Task<int> add(Context &context)
{
    const Arguments &given = context.arguments;
    const QString name = given.positional().value(1);
    if (given.positional().size() != 3 || name.isEmpty())
        co_return context.misuse(Text::tr("The name or the URL is missing. Usage: redrive connection add NAME URL."));
    const core::Result<records::ConnectionUrl> url = records::connectionUrlFrom(given.positional().at(2));
    if (!url)
        co_return context.misuse(url.error().message);
    api::ConnectionDraft draft;
    draft.connection.name = name;
    draft.connection.kind = url->kind;
    draft.connection.url = url->url;
    draft.secret = url->secret;
    const core::Result<> applied = applyOptions(given, draft.connection);
    if (!applied)
        co_return context.misuse(applied.error().message);
    const core::Result<std::optional<QString>> filed = co_await context.filedSecret(name);
    if (!filed)
        co_return context.misuse(filed.error().message);
    if (*filed)
        draft.secret = *filed;
    else if (!context.settings.secretFile.isEmpty())
        context.out.error(Text::tr("The secret file has no line '%1=SECRET'. Add it to the file.").arg(name));
    if (url->url.scheme() == QLatin1String("http") && !records::isOnThisMachine(url->url))
        context.out.error(
            Text::tr("http sends the secret of %1 unencrypted. Use https outside this machine.").arg(name));
    if (url->secret)
        context.out.error(
            Text::tr("Other users of this machine can see the secret in the URL. Use --secret-file next time."));
    const api::SaveConnection command{draft};
    const core::Result<core::ConnectionId> id = co_await context.ask(command);
    if (!id && id.error().kind == core::ErrorKind::Conflict) // the name is in use, so the user must choose another one
        co_return context.misuse(id.error().message);
    if (!id)
        co_return context.fail(id.error());
    QString notKept;
    if (draft.secret)
        notKept = co_await secretNotKept(context, *id);
    if (!notKept.isEmpty())
        context.out.error(notKept);
    context.out.line(Text::tr("Connection %1 added. Test it with redrive connection test %1.").arg(name));
    QJsonObject shape{{QStringLiteral("id"), QString::number(id->value)}, {QStringLiteral("name"), name}};
    draft.connection.id = *id;
    const int code = co_await offerErrorQueues(context, draft, shape);
    if (context.out.json())
        context.out.document(shape);
    co_return code;
}

core::Task<int> listConnections(Context &context)
{
    const core::Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    if (!snapshot)
        co_return context.fail(snapshot.error());
    QJsonArray json;
    Table table{
        {Text::tr("NAME"), Text::tr("ENVIRONMENT"), Text::tr("RIGHTS"), Text::tr("URL"), Text::tr("STATE")}, {}, {}};
    for (const api::ConnectionView &view : (*snapshot)->connections) {
        const QJsonObject shape = json::connection(view);
        json.append(shape);
        table.rows.append({view.connection.name, records::toString(view.connection.environment),
                           records::toStrings(view.connection.rights).join(QLatin1Char(',')),
                           records::connectionUrlText(view.connection.kind, view.connection.url),
                           view.words.isEmpty() ? shape.value(QStringLiteral("health")).toString() : view.words});
    }
    if (context.out.json())
        context.out.document(json);
    else
        context.out.table(table);
    for (const api::ConnectionView &view : (*snapshot)->connections) {
        if (!view.breakerWords.isEmpty())
            context.out.line(QStringLiteral("%1: %2").arg(view.connection.name, view.breakerWords));
        if (const QString unanswered = unansweredText(view); !unanswered.isEmpty())
            context.out.line(unanswered);
    }
    co_return int(ExitCode::Done);
}

int codeOf(const api::ConnectionTest &test)
{
    return int(test.missingQueues.isEmpty() ? ExitCode::Done : ExitCode::DoneWithRest);
}

void sayMissingQueues(Context &context, const api::ConnectionTest &test)
{
    for (const QString &queue : test.missingQueues)
        context.out.error(Text::tr("The error queue %1 does not exist. Check its name.").arg(queue));
    for (const api::ConnectionTest::Queue &queue : test.otherQueues) {
        const QString depth = queue.depth ? Text::messages(*queue.depth) : Text::tr("message count unknown");
        context.out.line(Text::tr("  existing queue: %1, %2").arg(queue.name, depth));
    }
}

core::Task<int> test(Context &context, QString name)
{
    const core::Result<api::ConnectionView> view = co_await context.connectionNamed(name);
    if (!view)
        co_return context.fail(view.error());
    const core::Result<std::optional<QString>> filed = co_await context.filedSecret(name);
    if (!filed)
        co_return context.misuse(filed.error().message);
    const api::ConnectionDraft draft{view->connection, *filed};
    const auto tested = context.askBroker(api::TestConnection{draft}, [name] { return name; });
    const core::Result<api::ConnectionTest> answer = co_await tested;
    if (!answer)
        co_return context.fail(answer.error(), Source::Broker);
    if (context.out.json()) {
        context.out.document(json::connectionTest(*answer));
        co_return codeOf(*answer);
    }
    context.out.line(answer->product);
    for (const QString &ability : answer->can)
        context.out.line(Text::tr("  can: %1").arg(ability));
    for (const QString &perhaps : answer->notKnown)
        context.out.line(Text::tr("  unknown: %1").arg(perhaps));
    for (const QString &lack : answer->missing)
        context.out.line(Text::tr("  missing or limited: %1").arg(lack));
    if (answer->offersSteps)
        context.out.line(records::stepsOffer(name));
    if (!answer->notKnownReason.isEmpty())
        context.out.line(answer->notKnownReason);
    if (!answer->guarantee.isEmpty())
        context.out.line(Text::tr("Guarantee: %1").arg(answer->guarantee));
    sayMissingQueues(context, *answer);
    co_return codeOf(*answer);
}

// Without an option it prints what is guaranteed, so that the choice is made by somebody who knows.
core::Task<int> steps(Context &context, QString name)
{
    const bool accepts = context.arguments.has(QStringLiteral("accept"));
    const bool ends = context.arguments.has(QStringLiteral("off"));
    if (accepts && ends)
        co_return context.misuse(Text::tr("--accept and --off exclude each other."));
    const core::Result<api::ConnectionView> view = co_await context.connectionNamed(name);
    if (!view)
        co_return context.fail(view.error());
    if (view->connection.kind != records::BrokerKind::RabbitMq)
        co_return context.misuse(Text::tr("%1 is no RabbitMQ: messages are taken without small steps.").arg(name));
    bool takes = records::takesInSteps(view->connection);
    if (accepts || ends) {
        api::SaveConnection command{{view->connection, {}}};
        command.draft.connection.url = records::withSteps(view->connection.url, accepts);
        const core::Result<core::ConnectionId> saved = co_await context.ask(command);
        if (!saved)
            co_return context.fail(saved.error());
        takes = accepts;
    }
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("connection"), name},
                                         {QStringLiteral("takes_in_steps"), takes},
                                         {QStringLiteral("guarantee"), records::stepsGuarantee()}});
    context.out.line(Text::tr("Guarantee: %1").arg(records::stepsGuarantee()));
    context.out.line(
        takes ? Text::tr("Messages of %1 are taken in small steps where the shovel cannot move them.").arg(name)
              : Text::tr("Messages of %1 are not taken in small steps. To choose that: redrive connection "
                         "steps %2 --accept")
                    .arg(name, core::shellWord(name)));
    co_return int(ExitCode::Done);
}

core::Task<int> remove(Context &context, QString name)
{
    const core::Result<api::ConnectionView> view = co_await context.connectionNamed(name);
    if (!view)
        co_return context.fail(view.error());
    const api::RemoveConnection command{view->connection.id};
    const core::Result<> removed = co_await context.ask(command);
    if (!removed)
        co_return context.fail(removed.error());
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("removed"), name}});
    context.out.line(Text::tr("Connection %1 removed.").arg(name));
    co_return int(ExitCode::Done);
}

} // namespace

core::Task<int> connectionCommand(Context &context)
{
    const QString action = context.arguments.first();
    const qsizetype words = context.arguments.positional().size();
    const QString name = context.arguments.positional().value(1);
    int code = int(ExitCode::Usage);
    if (action == QLatin1String("add"))
        code = co_await add(context);
    else if (action == QLatin1String("list") && words == 1)
        code = co_await listConnections(context);
    else if (action == QLatin1String("test") && words == 2)
        code = co_await test(context, name);
    else if (action == QLatin1String("queues") && words == 2)
        code = co_await errorQueuesCommand(context, name);
    else if (action == QLatin1String("steps") && words == 2)
        code = co_await steps(context, name);
    else if (action == QLatin1String("remove") && words == 2)
        code = co_await remove(context, name);
    else if (!QStringList{QStringLiteral("add"), QStringLiteral("list"), QStringLiteral("test"),
                          QStringLiteral("queues"), QStringLiteral("steps"), QStringLiteral("remove")}
                  .contains(action))
        code = context.misuse(
            Text::tr("redrive connection has no action '%1'. Use add, list, test, queues, steps or remove.")
                .arg(action));
    else
        code = context.misuse(Text::tr(
            "Usage: redrive connection add NAME URL | list | test NAME | queues NAME | steps NAME | remove NAME."));
    co_return code;
}

} // namespace commandline
