#include "app/backup/copyprogram.h"

#include "app/commandline/commandline.h"
#include "app/commandline/exitcode.h"
#include "app/commandline/printer.h"
#include "app/commandline/text.h"
#include "app/host/storepassword.h"
#include "app/runonworker.h"
#include "app/text.h"
#include "backend/core/time/systemclock.h"
#include "backend/store/copy/copysource.h"
#include "backend/store/copy/copytarget.h"
#include "backend/store/copy/storecopier.h"

#include <QJsonObject>

namespace app {

using commandline::ExitCode;
using commandline::Source;
using core::Result;
using records::StoreAddress;
using store::CopyFacts;
using store::StoreCopier;

namespace {

// Its own, or the one that both have.
QStringList secretsFor(const char *name)
{
    return {QString::fromLatin1(name), QString::fromLatin1(storeSecret)};
}

QString progressText(StoreCopier::Step step, qint64 done, qint64 total)
{
    const QString how = commandline::bar(done, total);
    return step == StoreCopier::Step::Rows
               ? Text::tr("Copying: %1, %2 of %3 rows").arg(how, QString::number(done), QString::number(total))
               : Text::tr("Indexing: %1, %2 of %3 messages").arg(how, QString::number(done), QString::number(total));
}

// Not for each slice: a terminal may be slower than a store.
StoreCopier::Progress progressOn(commandline::Printer &printer)
{
    static constexpr core::Milliseconds between{200};
    const auto clock = std::make_shared<core::SystemClock>();
    return [&printer, clock, last = clock->steady()](StoreCopier::Step step, qint64 done, qint64 total) mutable {
        const auto now = clock->steady();
        if (now - last < between)
            return;
        last = now;
        printer.progress(progressText(step, done, total));
    };
}

// `about`: what an error is about.
Result<CopyFacts> copy(const commandline::Settings &settings, const commandline::CopyOptions &options,
                       const StoreCopier::Progress &progress, const std::stop_token &stop, Source &about)
{
    TRY(const StoreAddress from, withPassword(options.from, settings.secretFile, secretsFor("store-from")));
    TRY(const StoreAddress to, withPassword(options.to, settings.secretFile, secretsFor("store-to")));
    about = commandline::sourceOf(from);
    TRY(const std::unique_ptr<store::CopySource> source, store::CopySource::open(from));
    about = commandline::sourceOf(to);
    TRY(const std::unique_ptr<store::CopyTarget> target, store::CopyTarget::open(to));
    core::SystemRandom random;
    return StoreCopier(*source, *target, random, progress).run(stop);
}

} // namespace

int runCopy(const commandline::Settings &settings, const commandline::CopyOptions &options)
{
    commandline::Printer printer(commandline::CommandLine::standardTerminal(), settings.json);
    int code = 0;
    const StoreCopier::Progress progress = progressOn(printer);
    Source about = Source::StoreFile;
    const Result<CopyFacts> facts = runOnWorker<CopyFacts>(
        [&](const std::stop_token &stop) { return copy(settings, options, progress, stop, about); }, code);
    printer.endProgress();
    if (!facts) {
        printer.error(facts.error().message);
        return code != 0 ? code : int(commandline::exitCodeOf(facts.error().kind, about));
    }
    if (printer.json())
        printer.document(QJsonObject{{QStringLiteral("from"), options.from.text()},
                                     {QStringLiteral("written"), options.to.text()},
                                     {QStringLiteral("store_id"), facts->storeId},
                                     {QStringLiteral("messages"), facts->messages},
                                     {QStringLiteral("rows"), facts->rows}});
    else
        printer.line(
            Text::tr("Copied %1 with %2 to %3. Retries and policies of the copy are paused, and it takes from no "
                     "queue, because the original goes on. It contains complete messages: protect it.")
                .arg(options.from.text(), commandline::Text::messages(facts->messages), options.to.text()));
    if (!facts->note.isEmpty())
        printer.aside(facts->note);
    return int(ExitCode::Done);
}

} // namespace app
