#include "app/backup/backupprograms.h"

#include "app/backup/restoretext.h"
#include "app/commandline/commandline.h"
#include "app/commandline/exitcode.h"
#include "app/commandline/printer.h"
#include "app/commandline/text.h"
#include "app/runonworker.h"
#include "app/text.h"
#include "backend/core/time/systemclock.h"
#include "backend/engine/dispatch/currentuser.h"
#include "backend/store/backup/storebackup.h"
#include "backend/store/backup/storerestore.h"

#include <QJsonObject>

namespace app {

namespace {

using commandline::ExitCode;

int failed(commandline::Printer &printer, const core::Error &error, int code)
{
    printer.error(error.message);
    return code != 0 ? code : int(commandline::exitCodeOf(error.kind, commandline::Source::StoreFile));
}

core::Result<> checkConfirmed(const store::StoreRestore &restore, const commandline::BackupOptions &options)
{
    const qint64 count = restore.facts().counts.unknown;
    if (options.confirmed == count || (!options.confirmed && restore.kept().isEmpty()))
        return {};
    return core::fail(core::ErrorKind::Refused,
                      Text::tr("%1 If that is right, repeat with --confirm %2.")
                          .arg(restoreMeaning(restore, options.file), QString::number(count)));
}

core::Result<> checkIsFile(const records::StoreAddress &store, const QString &instead)
{
    if (!store.isShared())
        return {};
    return core::fail(core::ErrorKind::Refused, instead.arg(store.text()));
}

} // namespace

int runBackup(const commandline::Settings &settings, const commandline::BackupOptions &options)
{
    commandline::Printer printer(commandline::CommandLine::standardTerminal(), settings.json);
    const core::Result<> isFile = checkIsFile(
        settings.store, Text::tr("%1 is a shared store. Back it up with the means of PostgreSQL, such as pg_dump, or "
                                 "copy it into a file: redrive store copy."));
    if (!isFile)
        return failed(printer, isFile.error(), 0);
    const auto replace = options.replace ? store::PartFile::Replace::Yes : store::PartFile::Replace::No;
    int code = 0;
    const core::Result<store::StoreFacts> facts = runOnWorker<store::StoreFacts>(
        [&](const std::stop_token &stop) { return store::backUp(settings.store.file, options.file, replace, stop); },
        code);
    if (!facts)
        return failed(printer, facts.error(), code);
    if (printer.json())
        printer.document(QJsonObject{{QStringLiteral("written"), options.file},
                                     {QStringLiteral("store_id"), facts->storeId},
                                     {QStringLiteral("messages"), facts->messages},
                                     {QStringLiteral("bytes"), facts->bytes}});
    else
        printer.line(
            Text::tr("Backed up %1 with %2 to %3. The backup contains complete messages: protect it like the store.")
                .arg(settings.store.file, commandline::Text::messages(facts->messages), options.file));
    return int(ExitCode::Done);
}

int runRestore(const commandline::Settings &settings, const commandline::BackupOptions &options)
{
    commandline::Printer printer(commandline::CommandLine::standardTerminal(), settings.json);
    const core::Result<> isFile = checkIsFile(
        settings.store,
        Text::tr("%1 is a shared store: a backup of a file is not restored over it. Restore it into a file, "
                 "and copy that into an empty schema: redrive store copy."));
    if (!isFile)
        return failed(printer, isFile.error(), 0);
    core::SystemRandom random;
    core::SystemClock clock;
    const store::StoreRestore::Request request{options.file, settings.store.file, engine::currentUser(), clock.now()};
    int code = 0;
    core::Result<store::StoreRestore> prepared = runOnWorker<store::StoreRestore>(
        [&](const std::stop_token &stop) { return store::StoreRestore::prepare(request, random, stop); }, code);
    if (!prepared)
        return failed(printer, prepared.error(), code);
    const core::Result<> confirmed = checkConfirmed(*prepared, options);
    if (!confirmed)
        return failed(printer, confirmed.error(), code);
    const core::Result<> installed = prepared->install();
    if (!installed)
        return failed(printer, installed.error(), 0);
    const store::RestoreFacts &facts = prepared->facts();
    if (printer.json())
        printer.document(QJsonObject{{QStringLiteral("store"), settings.store.file},
                                     {QStringLiteral("kept"), prepared->kept()},
                                     {QStringLiteral("messages"), facts.backup.messages},
                                     {QStringLiteral("unknown"), facts.counts.unknown},
                                     {QStringLiteral("operations_ended"), facts.counts.ended}});
    else
        printer.line(
            Text::tr(
                "Restored %1 from %2. The state of %3 is unknown: list them with redrive messages --status unknown, "
                "then use redrive decide. No queue is subscribed.")
                .arg(settings.store.file, options.file, commandline::Text::messages(facts.counts.unknown))
            + (prepared->kept().isEmpty()
                   ? QString()
                   : QLatin1Char(' ') + Text::tr("The previous store is kept as %1.").arg(prepared->kept())));
    return int(ExitCode::Done);
}

} // namespace app
