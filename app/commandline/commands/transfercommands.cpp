// `redrive export` and `redrive import`: messages as files.
#include "app/commandline/arguments/named.h"
#include "app/commandline/arguments/selectionoptions.h"
#include "app/commandline/commands/commands.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"
#include "backend/transfer/exporter.h"
#include "backend/transfer/importer.h"

#include <QFileInfo>
#include <QJsonObject>

namespace commandline {

using core::ErrorKind;
using core::Result;

namespace {

const QString standardOutput = QStringLiteral("-");

// Nothing else writes to the standard output meanwhile, so the thread does not matter.
class OutputSink final : public transfer::ExportSink
{
public:
    explicit OutputSink(Printer out)
        : m_out(std::move(out))
    {
    }

    Result<> write(const QByteArray &bytes) override
    {
        m_out.raw(bytes);
        return commit();
    }
    Result<> commit() override
    {
        if (m_out.isBroken())
            return core::fail(ErrorKind::Refused, Text::tr("Cannot write to the standard output."));
        return {};
    }

private:
    Printer m_out; // its own: the command may end while a page is written
};

transfer::Exporter::OpenSink sinkFor(const Context &context, const QString &path)
{
    using Opened = Result<std::unique_ptr<transfer::ExportSink>>;
    if (path == standardOutput)
        return [out = context.out]() -> Opened { return std::make_unique<OutputSink>(out); };
    return [target = context.output(path)]() -> Opened { return transfer::FileSink::open(target); };
}

Result<records::MessageFilter> exportedMessages(const Arguments &given)
{
    TRY(records::MessageFilter filter, selectedMessages(given, QStringLiteral("export")));
    TRY(filter.status, givenStatus(given));
    return filter;
}

void printExport(Context &context, const QString &path, const transfer::ExportCounts &counts)
{
    if (context.out.json() && path != standardOutput)
        context.out.document(QJsonObject{{QStringLiteral("written"), path},
                                         {QStringLiteral("messages"), counts.written},
                                         {QStringLiteral("changed"), counts.changed},
                                         {QStringLiteral("deleted"), counts.gone},
                                         {QStringLiteral("unreadable"), json::unreadable(counts.unreadable)}});
    else if (path != standardOutput)
        context.out.line(Text::tr("Exported %1 to %2.").arg(Text::messages(counts.written), path));
    if (counts.changed > 0)
        context.out.aside(Text::tr("Changed while the file was written, and in it as they were then: %1.")
                              .arg(Text::messages(counts.changed)));
    if (counts.gone > 0)
        context.out.aside(
            Text::tr("Deleted while the file was written, and not in it: %1.").arg(Text::messages(counts.gone)));
    if (counts.unreadable.count > 0)
        context.out.aside(Text::tr("Cannot be read, and not in the file: %1").arg(counts.unreadable.text()));
}

core::Task<int> writeExport(Context &context, records::MessageFilter filter, QString path)
{
    api::MessageQuery list;
    list.filter = filter;
    const QString name = path == standardOutput ? QString() : QFileInfo(path).fileName();
    const auto progress = [&context](qint64 done, qint64 total) { context.out.progress(bar(done, total)); };
    transfer::Exporter exporter(context.client);
    const Result<transfer::ExportCounts> counts =
        co_await context.ask(exporter.start(list, sinkFor(context, path), name, context.clock.now(), progress));
    context.out.endProgress();
    if (!counts && path == standardOutput && context.out.isUnread())
        co_return int(ExitCode::Done);
    if (!counts)
        co_return context.fail(counts.error());
    printExport(context, path, *counts);
    co_return int(counts->unreadable.count > 0 ? ExitCode::DoneWithRest : ExitCode::Done);
}

QList<records::Connection> connectionsOf(const api::Snapshot &snapshot)
{
    QList<records::Connection> all;
    for (const api::ConnectionView &view : snapshot.connections)
        all.append(view.connection);
    return all;
}

// Nothing is imported: each fault on a line of its own.
int refuseFile(Context &context, const QString &path, const transfer::FileCheck &check)
{
    context.out.error(Text::tr("%1 is invalid, so nothing was imported. Correct it, or use --skip-invalid.").arg(path));
    const QStringList lines = check.lines();
    for (const QString &line : lines)
        context.out.error(line);
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("imported"), 0},
                                         {QStringLiteral("already_there"), 0},
                                         {QStringLiteral("refused"), check.faultCount}});
    return int(ExitCode::Usage);
}

// `settled`: of the messages in the file, those that were not unresolved in the other store.
void printImport(Context &context, const transfer::ImportTotals &totals, qint64 settled, bool dryRun)
{
    if (context.out.json()) {
        context.out.document(QJsonObject{{QStringLiteral("imported"), totals.counts.imported},
                                         {QStringLiteral("already_there"), totals.counts.known},
                                         {QStringLiteral("refused"), totals.refused},
                                         {QStringLiteral("settled_in_other_store"), settled},
                                         {QStringLiteral("dry_run"), dryRun}});
        return;
    }
    const QString count = Text::messages(totals.counts.imported);
    context.out.line(dryRun ? Text::tr("Would import %1.").arg(count) : Text::tr("Imported %1.").arg(count));
    if (totals.counts.known > 0)
        context.out.line(Text::tr("In the store already, left alone: %1.").arg(Text::messages(totals.counts.known)));
    if (totals.refused > 0)
        context.out.line(Text::tr("Invalid lines, left out: %1.").arg(totals.refused));
    if (settled > 0)
        context.out.line(
            Text::tr("Retried, resolved or archived in the other store: %1 of the file. They are unresolved here.")
                .arg(Text::messages(settled)));
    if (totals.counts.imported > 0 && !dryRun)
        context.out.line(Text::tr("The other store still has them. Retry each message in one store only."));
}

core::Task<int> readImport(Context &context, QString path)
{
    const bool skips = context.arguments.has(QStringLiteral("skip-invalid"));
    transfer::Importer importer(context.client, path);
    const auto checking = [&context](qint64 done, qint64 total) {
        context.out.progress(Text::tr("Checking the file: %1").arg(bar(done, total)));
    };
    const Result<transfer::FileCheck> check = co_await context.ask(importer.check(checking));
    context.out.endProgress();
    if (!check)
        co_return check.error().kind == ErrorKind::Cancelled ? context.fail(check.error())
                                                             : context.misuse(check.error().message);
    if (!check->isValid() && !(skips && check->isWhole))
        co_return refuseFile(context, path, *check);
    const Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    if (!snapshot)
        co_return context.fail(snapshot.error());
    const Result<transfer::ImportRoutes> routes =
        transfer::routesFor(*check, connectionsOf(**snapshot), context.arguments.value(QStringLiteral("connection")));
    if (!routes)
        co_return context.fail(routes.error());
    transfer::Importer::Order order{*routes, context.arguments.has(QStringLiteral("dry-run")), skips, check->messages};
    order.progress = [&context](qint64 done, qint64 total) { context.out.progress(bar(done, total)); };
    const Result<transfer::ImportTotals> totals = co_await context.ask(importer.run(order));
    context.out.endProgress();
    if (!totals)
        co_return context.fail(totals.error());
    printImport(context, *totals, check->settled, order.dryRun);
    co_return int(totals->refused > 0 ? ExitCode::DoneWithRest : ExitCode::Done);
}

} // namespace

core::Task<int> exportCommand(Context &context)
{
    const Result<records::MessageFilter> chosen = exportedMessages(context.arguments);
    if (!chosen)
        co_return context.misuse(chosen.error().message);
    const QString path = context.arguments.value(QStringLiteral("to"));
    if (path.isEmpty())
        co_return context.misuse(Text::tr("--to FILE is missing: the file for the messages."));
    const Result<api::ConnectionView> connection = co_await context.theConnection();
    if (!connection)
        co_return context.fail(connection.error());
    records::MessageFilter filter = *chosen;
    filter.connection = connection->connection.id;
    const Result<> named = co_await checkNamed(context, filter);
    if (!named)
        co_return context.fail(named.error());
    const int code = co_await writeExport(context, filter, path);
    co_return code;
}

core::Task<int> importCommand(Context &context)
{
    const int code = co_await readImport(context, context.arguments.first());
    co_return code;
}

} // namespace commandline
