#include "app/commandline/arguments/edits.h"
#include "app/commandline/arguments/selectionoptions.h"
#include "app/commandline/commands/commands.h"
#include "app/commandline/context.h"
#include "app/commandline/json/conventionjson.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"
#include "app/commandline/workline.h"
#include "backend/api/requests/conventions.h"
#include "backend/records/conventions/conventionfile.h"
#include "backend/records/editing/jsonnode.h"

#include <QJsonArray>

#include <algorithm>

namespace commandline {

namespace {

using core::ErrorKind;

// Rejected: what is wrong with the file, with its path.
core::Result<records::Convention> conventionFromFile(const QString &path)
{
    TRY(const QByteArray content, readFile(path, records::longestJsonFile));
    const core::Result<records::Convention> convention = records::conventionFrom(content);
    if (convention)
        return convention;
    return core::fail(ErrorKind::Rejected, Text::tr("%1: %2").arg(path, convention.error().message));
}

core::Task<core::Result<api::ConventionView>> conventionNamed(Context &context, QString name)
{
    const api::ConventionQuery query;
    CO_TRY(const QList<api::ConventionView> all, co_await context.ask(query));
    const auto found =
        std::find_if(all.cbegin(), all.cend(), [&name](const api::ConventionView &one) { return one.name == name; });
    if (found == all.cend())
        co_return core::fail(ErrorKind::NotFound, Text::tr("There is no convention named %1.").arg(name));
    co_return *found;
}

// The selection on the connection that the options name.
core::Task<core::Result<records::MessageFilter>> selection(Context &context)
{
    CO_TRY(records::MessageFilter filter, selectedMessages(context.arguments, QStringLiteral("convention")));
    if (context.arguments.has(QStringLiteral("connection"))) {
        CO_TRY(const api::ConnectionView connection, co_await context.theConnection());
        filter.connection = connection.connection.id;
    }
    co_return filter;
}

int selectionFailed(Context &context, const core::Error &error)
{
    return error.kind == ErrorKind::Rejected ? context.misuse(error.message) : context.fail(error);
}

void printFile(Printer &out, const QByteArray &file)
{
    const QList<QByteArray> lines = file.trimmed().split('\n');
    for (const QByteArray &line : lines)
        out.line(QString::fromUtf8(line));
}

// ---- list, show ----

core::Task<int> listConventions(Context &context)
{
    const api::ConventionQuery query;
    const core::Result<QList<api::ConventionView>> all = co_await context.ask(query);
    if (!all)
        co_return context.fail(all.error());
    QJsonArray documents;
    Table table{{Text::tr("CONVENTION"), Text::tr("MESSAGES"), Text::tr("SET"), Text::tr("BY"), Text::tr("NOTE")},
                {false, true},
                {}};
    for (const api::ConventionView &one : *all) {
        documents.append(json::convention(one));
        const core::Result<records::Convention> convention = records::conventionFrom(one.file);
        table.rows.append({one.name, QString::number(one.messages), localTime(one.setAt), one.setBy,
                           convention ? convention->note : Text::tr("damaged: set or remove it")});
    }
    if (context.out.json())
        context.out.document(documents);
    else if (table.rows.isEmpty())
        context.out.line(
            Text::tr("There are no conventions. Write one as a JSON file, then: redrive convention set FILE"));
    else
        context.out.table(table);
    co_return int(ExitCode::Done);
}

core::Task<int> showConvention(Context &context)
{
    const QString name = context.arguments.positional().value(1);
    const core::Result<api::ConventionView> found = co_await conventionNamed(context, name);
    if (!found)
        co_return context.fail(found.error());
    if (context.out.json())
        context.out.document(json::convention(*found));
    else
        printFile(context.out, found->file);
    co_return int(ExitCode::Done);
}

// ---- set, remove ----

core::Task<int> setConvention(Context &context)
{
    const core::Result<records::Convention> convention = conventionFromFile(context.arguments.positional().value(1));
    if (!convention)
        co_return context.misuse(convention.error().message);
    const api::SetConvention command{records::toJson(*convention)};
    const core::Result<QString> done = co_await context.ask(command);
    if (!done)
        co_return context.fail(done.error());
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("convention"), *done}});
    context.out.line(Text::tr("Convention %1 saved. It holds for messages that are taken from now on.").arg(*done));
    context.out.aside(Text::tr("To read the stored messages again: redrive convention apply --all"));
    co_return int(ExitCode::Done);
}

core::Task<int> removeConvention(Context &context)
{
    const QString name = context.arguments.positional().value(1);
    const api::RemoveConvention command{name};
    const core::Result<> done = co_await context.ask(command);
    if (!done)
        co_return context.fail(done.error());
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("removed"), name}});
    context.out.line(Text::tr("Convention %1 removed. Messages stay as they were read with it.").arg(name));
    context.out.aside(Text::tr("To read the stored messages again: redrive convention apply --all"));
    co_return int(ExitCode::Done);
}

// ---- try ----

void printChange(Printer &out, const QString &what, const QString &before, const QString &after)
{
    const auto shown = [](const QString &text) { return text.isEmpty() ? QStringLiteral("-") : text; };
    if (before == after)
        out.line(Text::tr("  %1: %2").arg(what, shown(after)));
    else
        out.line(Text::tr("  %1: %2 -> %3").arg(what, shown(before), shown(after)));
}

void printTrial(Context &context, const api::ConventionTrial &trial)
{
    Printer &out = context.out;
    if (!trial.unreadable.isEmpty())
        return out.line(
            Text::tr("Message %1 cannot be read: %2").arg(QString::number(trial.message.value), trial.unreadable));
    out.line(trial.applies ? Text::tr("Message %1:").arg(trial.message.value)
                           : Text::tr("Message %1: the convention is not for it.").arg(trial.message.value));
    if (!trial.applies)
        return;
    const api::ReadMessage &before = trial.before;
    const api::ReadMessage &after = trial.after;
    printChange(out, Text::tr("cause"), before.failure.exceptionType, after.failure.exceptionType);
    printChange(out, Text::tr("text"), before.failure.exceptionMessage, after.failure.exceptionMessage);
    printChange(out, Text::tr("group"), before.group, after.group);
    printChange(out, Text::tr("message type"), before.messageType, after.messageType);
    printChange(out, Text::tr("destination"), before.destination.queue, after.destination.queue);
    printChange(out, Text::tr("cannot go back"), before.cannotGoBack, after.cannotGoBack);
    const records::Difference sent = records::difference(trial.sentBefore, trial.sentAfter);
    if (sent.isEmpty())
        return;
    out.line(Text::tr("  What is sent changes:"));
    printDifference(context, sent);
}

core::Task<int> tryConvention(Context &context)
{
    const QString which = context.arguments.positional().value(1);
    api::TryConvention request;
    const core::Result<records::Convention> read = conventionFromFile(which);
    if (read) {
        request.file = records::toJson(*read);
    } else {
        const core::Result<api::ConventionView> stored = co_await conventionNamed(context, which);
        if (!stored)
            co_return context.misuse(read.error().message);
        request.file = stored->file;
    }
    core::Result<records::MessageFilter> filter = co_await selection(context);
    if (!filter)
        co_return selectionFailed(context, filter.error());
    request.filter = *filter;
    request.messages = filter->messages;
    request.limit = request.messages.isEmpty() ? 5 : api::TryConvention::mostMessages;
    const core::Result<QList<api::ConventionTrial>> trials = co_await context.ask(request);
    if (!trials)
        co_return context.fail(trials.error());
    QJsonArray documents;
    for (const api::ConventionTrial &trial : *trials)
        documents.append(json::conventionTrial(trial));
    if (context.out.json()) {
        context.out.document(documents);
        co_return int(ExitCode::Done);
    }
    for (const api::ConventionTrial &trial : *trials)
        printTrial(context, trial);
    if (trials->isEmpty())
        context.out.line(Text::tr("No message matches this selection."));
    co_return int(ExitCode::Done);
}

// ---- apply, suggest ----

core::Task<int> applyConventions(Context &context)
{
    const core::Result<records::MessageFilter> filter = co_await selection(context);
    if (!filter)
        co_return selectionFailed(context, filter.error());
    const api::ApplyConventions command{*filter};
    const core::Result<api::Reread> done = co_await askLong(context, command, Text::tr("Reading again"));
    if (!done)
        co_return context.fail(done.error());
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("read"), done->read},
                                         {QStringLiteral("changed"), done->changed},
                                         {QStringLiteral("skipped"), done->skipped},
                                         {QStringLiteral("unreadable"), json::unreadable(done->unreadable)}});
    context.out.line(Text::tr("%1 read again, %2 of them otherwise than before.")
                         .arg(Text::messages(done->read), QString::number(done->changed)));
    if (done->skipped > 0)
        context.out.line(
            Text::tr("%1 skipped: in a retry now, or stored undecoded.").arg(Text::messages(done->skipped)));
    if (done->unreadable.count > 0)
        context.out.line(Text::tr("Cannot be read, and left as they are: %1").arg(done->unreadable.text()));
    co_return int(done->unreadable.count > 0 ? ExitCode::DoneWithRest : ExitCode::Done);
}

core::Task<int> suggestConvention(Context &context)
{
    const core::Result<records::MessageFilter> filter = co_await selection(context);
    if (!filter)
        co_return selectionFailed(context, filter.error());
    const api::FindEmptyHeaders request{*filter};
    const core::Result<api::EmptyHeaders> found = co_await context.ask(request);
    if (!found)
        co_return context.fail(found.error());
    if (context.out.json()) {
        context.out.document(json::emptyHeaders(*found));
        co_return int(ExitCode::Done);
    }
    if (found->convention.isEmpty()) {
        context.out.aside(
            Text::tr("No message of this selection is left out of a retry because of empty headers only."));
        co_return int(ExitCode::Done);
    }
    context.out.aside(
        Text::tr("%1 left out of a retry only because of headers that are null. If a missing header means "
                 "the same to the application, save this file, then: redrive convention set FILE")
            .arg(Text::messages(found->messages)));
    printFile(context.out, found->convention);
    co_return int(ExitCode::Done);
}

} // namespace

core::Task<int> conventionCommand(Context &context)
{
    const QString action = context.arguments.first();
    const bool named = context.arguments.positional().size() == 2;
    int code = int(ExitCode::Usage);
    if (action == QLatin1String("list") && !named)
        code = co_await listConventions(context);
    else if (action == QLatin1String("show") && named)
        code = co_await showConvention(context);
    else if (action == QLatin1String("set") && named)
        code = co_await setConvention(context);
    else if (action == QLatin1String("try") && named)
        code = co_await tryConvention(context);
    else if (action == QLatin1String("apply") && !named)
        code = co_await applyConventions(context);
    else if (action == QLatin1String("suggest") && !named)
        code = co_await suggestConvention(context);
    else if (action == QLatin1String("remove") && named)
        code = co_await removeConvention(context);
    else
        code =
            context.misuse(Text::tr("Usage: redrive convention list | show NAME | set FILE | try FILE|NAME | apply | "
                                    "suggest | remove NAME"));
    co_return code;
}

} // namespace commandline
