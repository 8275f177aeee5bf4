#include "app/commandline/arguments/edits.h"
#include "app/commandline/arguments/named.h"
#include "app/commandline/arguments/retrydraft.h"
#include "app/commandline/commands/commands.h"
#include "app/commandline/json/json.h"
#include "app/commandline/operations.h"
#include "app/commandline/text.h"
#include "app/commandline/workline.h"
#include "backend/core/time/durationtext.h"

namespace commandline {

using records::LeftOut;

namespace {

// How the destination is known, where its messages were published, and what else could be chosen.
void printEvidence(Context &context, const api::PlannedDestination &one)
{
    if (!one.why.isEmpty())
        context.out.line(Text::tr("    %1").arg(one.why));
    if (one.route)
        context.out.line(Text::tr("    %1").arg(one.route->sentence));
    if (!one.choices.isEmpty())
        context.out.line(Text::tr("    Queues to choose from: %1").arg(one.choices.join(QStringLiteral(", "))));
}

void printDestination(Context &context, const api::PlannedDestination &one)
{
    const QString count = QString::number(one.count);
    if (!one.insteadOf)
        context.out.line(Text::tr("  to %1: %2").arg(one.destination.queue, count));
    else if (one.origin().isEmpty())
        context.out.line(
            Text::tr("  to %1, redirected because they have no destination: %2").arg(one.destination.queue, count));
    else
        context.out.line(Text::tr("  to %1, redirected from %2: %3").arg(one.destination.queue, one.origin(), count));
}

// Messages left out for this reason, after "left out: 12"; empty: printLeftOut writes a line of its own.
QString textOf(LeftOut why)
{
    switch (why) {
    case LeftOut::Changed:
        return Text::tr("changed since the list was shown");
    case LeftOut::Arrived:
        return Text::tr("arrived since the list was shown");
    case LeftOut::Looped:
        return Text::tr("came back repeatedly");
    case LeftOut::NoDestination:
        return Text::tr("without a destination");
    case LeftOut::PossibleDuplicate:
        return Text::tr("possible duplicates (--include-duplicates sends them, too)");
    case LeftOut::HeldElsewhere:
        return Text::tr("held by another operation");
    case LeftOut::NotFaithful:
        return Text::tr("with headers that cannot be sent unchanged over HTTP");
    case LeftOut::TooLarge:
        return Text::tr("too large for the HTTP interface of the broker");
    case LeftOut::BeyondLimit:
        return Text::tr("beyond the limit");
    case LeftOut::NoSuchQueue:
    case LeftOut::BrowsedOnly:
    case LeftOut::EditMisfit:
        break;
    }
    return {};
}

void printMissing(Context &context, const api::PlanPreview &plan)
{
    for (const api::PlannedDestination &one : plan.missingDestinations) {
        const QString count = QString::number(one.count);
        context.out.line(one.cannotSend.isEmpty()
                             ? Text::tr("  left out: %1, because the destination queue %2 does not exist")
                                   .arg(count, one.destination.queue)
                             : Text::tr("  left out: %1. %2").arg(count, one.cannotSend));
        printEvidence(context, one);
    }
}

void printMisfits(Context &context, const api::PlanPreview &plan)
{
    context.out.line(Text::tr("  left out: %1, because the edit does not fit").arg(plan.leftOut[LeftOut::EditMisfit]));
    for (const records::EditMisfit &one : plan.misfits)
        context.out.line(Text::tr("    %1, for example message %2: %3")
                             .arg(QString::number(one.count), QString::number(one.example.value), one.reason));
}

void printLeftOut(Context &context, const api::PlanPreview &plan, LeftOut why)
{
    const qint64 count = plan.leftOut[why];
    if (why == LeftOut::NoSuchQueue)
        return printMissing(context, plan);
    if (why == LeftOut::EditMisfit)
        return printMisfits(context, plan);
    if (why == LeftOut::BrowsedOnly) {
        context.out.line(
            Text::tr("  left out: %1 browsed only: %2").arg(QString::number(count), plan.browsedOnlyReason));
        return;
    }
    context.out.line(Text::tr("  left out: %1 %2").arg(count).arg(textOf(why)));
    if (why == LeftOut::NoDestination)
        printEvidence(context, plan.unknown);
    if (why == LeftOut::NotFaithful && plan.emptyHeaders > 0)
        context.out.line(
            Text::tr("    %1 of these only because of empty headers; redrive convention suggest says which")
                .arg(plan.emptyHeaders));
    if (why == LeftOut::NotFaithful && plan.decimals > 0)
        context.out.line(
            Text::tr("    %1 of these only because a number in a header may be an AMQP decimal, which HTTP shows "
                     "wrongly; if nobody sends decimals, end the URL of the connection with ?decimals=none")
                .arg(plan.decimals));
    if (why == LeftOut::TooLarge)
        context.out.line(Text::tr("    a body can have %1 bytes; export the messages and send them with an AMQP client")
                             .arg(plan.largestBody));
}

// What the destinations would drop, and whether Redrive waits for room instead.
void printDrops(Context &context, const api::PlanPreview &plan, bool accepted)
{
    for (const api::PlannedDrop &one : plan.drops) {
        QString text = records::dropText(one.queue, one.limits, one.forecast, one.coming);
        const bool waits = one.forecast.cause == records::DropForecast::Cause::Length && !one.forecast.isCertain;
        if (waits && !accepted)
            text += QLatin1Char(' ') + Text::tr("Redrive waits for room instead.");
        context.out.line(Text::tr("Warning: %1").arg(text));
    }
}

void printLeftOut(Context &context, const api::PlanPreview &plan)
{
    constexpr std::array shown{LeftOut::Changed,       LeftOut::Arrived,           LeftOut::Looped,
                               LeftOut::NoDestination, LeftOut::PossibleDuplicate, LeftOut::HeldElsewhere,
                               LeftOut::NotFaithful,   LeftOut::BeyondLimit,       LeftOut::NoSuchQueue,
                               LeftOut::BrowsedOnly,   LeftOut::TooLarge,          LeftOut::EditMisfit};
    static_assert(shown.size() == records::leftOutReasons.size());
    for (const LeftOut why : shown) {
        if (plan.leftOut[why] > 0)
            printLeftOut(context, plan, why);
    }
}

void printPreview(Context &context, const api::PlanPreview &plan, const std::optional<api::EditSample> &sample,
                  const records::Plan &asked)
{
    const bool edits = !asked.edit.isEmpty();
    if (context.out.json()) {
        QJsonObject shape = json::preview(plan);
        shape.insert(QStringLiteral("edit_sample"),
                     sample && edits ? QJsonValue(json::editSample(*sample)) : QJsonValue());
        shape.insert(QStringLiteral("reset_counters"), sample ? json::resetCounters(sample->counters) : QJsonArray());
        shape.insert(QStringLiteral("withheld"), sample ? json::resetCounters(sample->withheld) : QJsonArray());
        shape.insert(QStringLiteral("added_header"),
                     sample && !sample->addedHeader.isEmpty() ? QJsonValue(sample->addedHeader) : QJsonValue());
        shape.insert(QStringLiteral("confirmation_headers"),
                     sample ? QJsonArray::fromStringList(sample->confirmationHeaders) : QJsonArray());
        shape.insert(QStringLiteral("removed_empty_headers"),
                     sample ? QJsonArray::fromStringList(sample->emptyHeaders) : QJsonArray());
        context.out.document(shape);
        return;
    }
    context.out.line(plan.sentence);
    context.out.line(
        Text::tr("%1 would be sent on connection %2 (%3).")
            .arg(Text::messages(plan.frozenCount), plan.connectionName, records::toString(plan.environment)));
    printLeftOut(context, plan);
    if (plan.editUnchanged > 0)
        context.out.line(Text::tr("  unchanged by the edit: %1").arg(plan.editUnchanged));
    for (const api::PlannedDestination &one : plan.destinations) {
        printDestination(context, one);
        printEvidence(context, one);
        if (one.straightBack > 0)
            context.out.line(Text::tr("    %1 of these were taken from this same queue").arg(one.straightBack));
    }
    for (const api::PlanWarning &warning : plan.warnings)
        context.out.line(Text::tr("Warning: %1").arg(warning.sentence));
    printDrops(context, plan, asked.acceptDrops);
    if (sample) {
        printCounters(context, *sample);
        if (edits)
            printSample(context, *sample);
    }
    context.out.line(Text::tr("Guarantee: %1").arg(plan.guarantee));
    if (!plan.refusal.isEmpty())
        context.out.line(Text::tr("It would be refused: %1").arg(plan.refusal));
}

void printQuiet(Context &context, const api::PlanPreview &plan)
{
    const QString quiet = core::durationText(plan.quiet);
    context.out.line(
        plan.takesToFail
            ? Text::tr("  waits %1 after each step, because these messages take up to %2 to fail")
                  .arg(quiet, core::durationText(*plan.takesToFail))
            : Text::tr("  waits %1 after each step, because the time that these messages take to fail is unknown")
                  .arg(quiet));
}

void printRemembered(Context &context, const api::RetryDraft &draft)
{
    if (!context.arguments.has(QStringLiteral("remember")))
        return;
    for (const records::Redirect &one : draft.plan.redirects) {
        if (one.of == records::Redirect::Of::Queue)
            context.out.line(Text::tr("  remembered when confirmed: retries to %1 go to %2").arg(one.from, one.to));
    }
}

// For a release that leaves out what came from queues that only the broker fills.
QStringList wayOut(const api::PlanPreview &plan, records::OperationKind kind)
{
    const bool isClosed = std::any_of(plan.missingDestinations.cbegin(), plan.missingDestinations.cend(),
                                      [](const api::PlannedDestination &one) { return !one.cannotSend.isEmpty(); });
    if (kind != records::OperationKind::Release || !isClosed)
        return {};
    return {Text::tr("Repeat with --redirect QUEUE to put them into another queue.")};
}

// The error that forbids this plan as requested; success when it may start.
core::Result<> checkPlan(const api::PlanPreview &plan, std::optional<qint64> confirmed, bool acceptsDrops,
                         const QStringList &wayOut)
{
    if (plan.certainDrops > 0 && !acceptsDrops) {
        const QString hint = Text::tr("If they may be lost, repeat with --accept-drops.");
        return core::fail(plan.refusalKind, plan.refusal + QLatin1Char(' ') + hint);
    }
    if (!plan.refusal.isEmpty())
        return core::fail(plan.refusalKind, (QStringList{plan.refusal} + wayOut).join(QLatin1Char(' ')));
    if (plan.frozenCount == 0 || (!plan.confirmCount && !confirmed) || confirmed == plan.frozenCount)
        return {};
    if (confirmed) {
        return core::fail(
            core::ErrorKind::Refused,
            Text::tr("The set has %1, not %2. If that is right, repeat with --confirm %3.")
                .arg(Text::messages(plan.frozenCount), QString::number(*confirmed), QString::number(plan.frozenCount)));
    }
    return core::fail(
        core::ErrorKind::Refused,
        Text::tr("Connection %1 is production and the set has %2. If that is right, repeat with --confirm %3.")
            .arg(plan.connectionName, Text::messages(plan.frozenCount), QString::number(plan.frozenCount)));
}

// The span of --watch-back; nothing without the option. "quiet" means the quiet period of the plan.
core::Result<std::optional<core::Milliseconds>> watchBackFrom(const Arguments &given, core::Milliseconds quiet)
{
    const QString option = QStringLiteral("watch-back");
    if (!given.has(option))
        return std::optional<core::Milliseconds>();
    const QString text = given.value(option).trimmed();
    const std::optional<core::Milliseconds> span = text == QLatin1String("quiet") ? quiet : core::durationFrom(text);
    if (!span || span->count() == 0) {
        return core::fail(
            core::ErrorKind::Rejected,
            Text::tr("--watch-back must be a span like 90s or 10m, or quiet, not '%1'.").arg(given.value(option)));
    }
    return span;
}

core::Task<int> report(Context &context, core::OperationId id, std::optional<core::Milliseconds> watching)
{
    if (!watching && !context.arguments.has(QStringLiteral("wait"))) {
        const core::Result<api::OperationView> view = co_await findOperation(context, id);
        if (!view)
            co_return context.fail(view.error());
        printOperation(context, *view);
        if (context.inProcess())
            context.out.error(
                Text::tr("No engine is running. Start redrive run or redrive console to carry out operation %1.")
                    .arg(id.value));
        co_return int(ExitCode::Done);
    }
    core::Result<api::OperationView> ended = co_await waitForEnd(context, id);
    if (!ended)
        co_return context.fail(ended.error());
    const bool watches = watching && hasEnded(ended->operation);
    if (watches) {
        core::Result<api::OperationView> watched = co_await watchBack(context, *ended, *watching);
        if (!watched) {
            printOperation(context, *ended);
            co_return context.fail(watched.error());
        }
        ended = std::move(watched);
    }
    printOperation(context, *ended);
    if (watches)
        context.out.line(Text::tr("%2 came back in the %1 after the end.")
                             .arg(core::durationText(*watching), Text::messages(ended->operation.counts.cameBack)));
    co_return int(exitCodeOf(ended->operation.counts));
}

// An operation without members is not stored, but --json still prints one.
int printNothing(Context &context, records::OperationKind kind)
{
    api::OperationView none;
    none.operation.kind = kind;
    none.operation.state = records::OperationState::Completed;
    if (context.out.json())
        context.out.document(json::operation(none));
    context.out.line(Text::tr("Nothing to do: no message of this set can be sent."));
    return int(ExitCode::Done);
}

// The effect of the edit on the first message that it changes, or on the first message of the set when it changes none.
// Without an edit it says which retry counters start again. Nothing: nothing would be sent, or the edit is refused.
core::Task<core::Result<std::optional<api::EditSample>>> sampleOf(Context &context, api::RetryDraft draft,
                                                                  api::PlanPreview plan)
{
    const bool edits = !draft.plan.edit.isEmpty();
    const bool canSend = draft.kind == records::OperationKind::Retry && plan.frozenCount > 0;
    if ((!edits && !canSend) || (!plan.refusal.isEmpty() && plan.misfits.isEmpty()))
        co_return std::optional<api::EditSample>();
    api::PreviewEdit question;
    question.filter = draft.filter;
    question.edit = draft.plan.edit;
    question.message = plan.editSample;
    question.askEndpoints = draft.plan.askEndpoints;
    const core::Result<api::EditSample> sample = co_await context.ask(question);
    if (!sample && edits)
        co_return core::fail(sample.error());
    if (!sample)
        co_return std::optional<api::EditSample>();
    co_return std::optional<api::EditSample>(*sample);
}

core::Task<int> send(Context &context, records::OperationKind kind)
{
    core::Result<api::RetryDraft> draft = draftFrom(
        context, kind, kind == records::OperationKind::Release ? QStringLiteral("release") : QStringLiteral("retry"));
    if (!draft)
        co_return context.misuse(draft.error().message);
    const core::Result<std::optional<qint64>> confirmed = context.arguments.number(QStringLiteral("confirm"), 0);
    if (!confirmed)
        co_return context.misuse(confirmed.error().message);
    const core::Result<api::ConnectionView> connection = co_await context.theConnection();
    if (!connection)
        co_return context.fail(connection.error());
    draft->filter.connection = connection->connection.id;
    const core::Result<> named = co_await checkNamed(context, draft->filter);
    if (!named)
        co_return context.fail(named.error());
    const api::PreviewRetry preview{*draft};
    const core::Result<api::PlanPreview> plan = co_await askLong(context, preview, Text::tr("Counting"));
    if (!plan)
        co_return context.fail(plan.error());
    if (context.arguments.has(QStringLiteral("dry-run"))) {
        const core::Result<std::optional<api::EditSample>> sample = co_await sampleOf(context, *draft, *plan);
        if (!sample)
            co_return context.fail(sample.error());
        printPreview(context, *plan, *sample, draft->plan);
        for (const QString &hint : wayOut(*plan, kind))
            context.out.line(hint);
        printPace(context, draft->plan);
        printRemembered(context, *draft);
        if (draft->plan.ramp)
            printQuiet(context, *plan);
        co_return int(plan->refusal.isEmpty() ? ExitCode::Done : exitCodeOf(plan->refusalKind, Source::Store));
    }
    const core::Result<> allowed = checkPlan(*plan, *confirmed, draft->plan.acceptDrops, wayOut(*plan, kind));
    if (!allowed)
        co_return context.fail(allowed.error());
    if (plan->frozenCount == 0)
        co_return printNothing(context, kind);
    if (plan->onUnknownApplies && !context.arguments.has(QStringLiteral("on-unknown")))
        draft->plan.onUnknown = plan->onUnknownDefault;
    draft->asOfChange = plan->asOfChange;
    const core::Result<std::optional<core::Milliseconds>> watching = watchBackFrom(context.arguments, plan->quiet);
    if (!watching)
        co_return context.misuse(watching.error().message);
    const core::Milliseconds watchBack = watching->value_or(core::Milliseconds{0});
    api::ConfirmRetry command{*draft, plan->frozenCount, *confirmed, plan->standing, watchBack};
    if (context.arguments.has(QStringLiteral("remember")))
        command.remember = rememberedFrom(*draft);
    const core::Result<core::OperationId> id = co_await askLong(context, command, Text::tr("Freezing"));
    if (!id)
        co_return context.fail(id.error());
    const int code = co_await report(context, *id, *watching);
    co_return code;
}

} // namespace

core::Task<int> retryCommand(Context &context)
{
    const int code = co_await send(context, records::OperationKind::Retry);
    co_return code;
}

core::Task<int> releaseCommand(Context &context)
{
    const int code = co_await send(context, records::OperationKind::Release);
    co_return code;
}

} // namespace commandline
