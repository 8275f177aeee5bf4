#include "app/commandline/commands/commands.h"
#include "app/commandline/context.h"
#include "app/commandline/json/json.h"
#include "app/commandline/text.h"
#include "backend/core/time/durationtext.h"

namespace commandline {

namespace {

using Span = std::optional<core::Milliseconds>; // nothing: never

// A span, or an empty span for the word `never`; nothing when the option was not given.
core::Result<std::optional<Span>> spanOption(const Arguments &given, const QString &option, const QString &never)
{
    if (!given.has(option))
        return std::optional<Span>();
    const QString text = given.value(option).trimmed();
    if (text == never)
        return std::optional<Span>(Span());
    const Span span = core::durationFrom(text);
    if (!span || span->count() == 0) {
        return core::fail(
            core::ErrorKind::Rejected,
            Text::tr("--%1 must be a span like 12h or 90d, or %2, not '%3'.").arg(option, never, given.value(option)));
    }
    return std::optional<Span>(span);
}

QString spanText(const Span &span, const QString &never)
{
    return span ? core::durationText(*span) : never;
}

void print(Context &context, const api::Settings &settings, core::ConnectionId only, bool dryRun)
{
    const QString forEver = Text::tr("forever");
    context.out.line(
        Text::tr("Retention of resolved messages: %1.").arg(spanText(settings.retention.resolved, forEver)));
    context.out.line(
        Text::tr("Retention of archived messages: %1.").arg(spanText(settings.retention.archived, forEver)));
    for (const records::QuietRule &rule : settings.quiet) {
        const QString name = context.nameOf(rule.connection);
        if (only.isValid() && rule.connection != only)
            continue;
        context.out.line(
            rule.after
                ? Text::tr("Quiet period of %1: %2. Retried messages that do not come back in this time are resolved.")
                      .arg(name, core::durationText(*rule.after))
                : Text::tr("Quiet period of %1: never. Messages are not resolved automatically.").arg(name));
    }
    const QString due =
        dryRun ? Text::tr("Messages that would be removed now: %1 resolved, %2 archived. Nothing was changed.")
               : Text::tr("Messages to be removed next: %1 resolved, %2 archived.");
    context.out.line(due.arg(settings.resolvedDue).arg(settings.archivedDue));
}

} // namespace

core::Task<int> settingsCommand(Context &context)
{
    const Arguments &given = context.arguments;
    const auto resolved = spanOption(given, QStringLiteral("keep-resolved"), QStringLiteral("forever"));
    const auto archived = spanOption(given, QStringLiteral("keep-archived"), QStringLiteral("forever"));
    const auto quiet = spanOption(given, QStringLiteral("quiet"), QStringLiteral("never"));
    for (const auto *option : {&resolved, &archived, &quiet}) {
        if (!*option)
            co_return context.misuse(option->error().message);
    }
    const bool dryRun = given.has(QStringLiteral("dry-run"));
    const bool keeps = *resolved || *archived;
    if (dryRun && *quiet)
        co_return context.misuse(Text::tr("--dry-run counts messages to remove. It cannot be combined with --quiet."));
    const core::Result<api::SnapshotPtr> ready = co_await context.stream.ready();
    if (!ready)
        co_return context.fail(ready.error());
    core::ConnectionId only;
    if (*quiet || given.has(QStringLiteral("connection"))) {
        const core::Result<api::ConnectionView> view = co_await context.theConnection();
        if (!view)
            co_return context.fail(view.error());
        only = view->connection.id;
    }
    api::ChangeSettings command;
    if (keeps) {
        const core::Result<api::Settings> now = co_await context.ask(command);
        if (!now)
            co_return context.fail(now.error());
        const records::RetentionPolicy retention{resolved->value_or(now->retention.resolved),
                                                 archived->value_or(now->retention.archived)};
        (dryRun ? command.wouldKeep : command.retention) = retention;
    }
    if (*quiet)
        command.quiet = records::QuietRule{only, **quiet};
    const core::Result<api::Settings> settings = co_await context.ask(command);
    if (!settings)
        co_return context.fail(settings.error());
    if (context.out.json())
        context.out.document(
            json::settings(*settings, [&context](core::ConnectionId id) { return context.nameOf(id); }));
    else
        print(context, *settings, only, dryRun);
    co_return int(ExitCode::Done);
}

} // namespace commandline
