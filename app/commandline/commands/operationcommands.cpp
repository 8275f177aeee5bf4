#include "app/commandline/commands/commands.h"
#include "app/commandline/json/json.h"
#include "app/commandline/operations.h"
#include "app/commandline/text.h"

namespace commandline {

namespace {

constexpr int listedOperations = 1000;

core::Task<int> show(Context &context, core::OperationId id)
{
    const core::Result<api::OperationView> view = co_await storedOperation(context, id);
    if (!view)
        co_return context.fail(view.error());
    printOperation(context, *view);
    co_return int(ExitCode::Done);
}

core::Task<int> act(Context &context, api::OperationAction action)
{
    const core::Result<qint64> id = Arguments::idFrom(context.arguments.first());
    if (!id)
        co_return context.misuse(id.error().message);
    const api::ChangeOperation command{core::OperationId{*id}, action};
    const core::Result<> done = co_await context.ask(command);
    if (!done)
        co_return context.fail(done.error());
    const int code = co_await show(context, core::OperationId{*id});
    co_return code;
}

// `redrive pause all`, `redrive resume all`.
core::Task<int> actOnAll(Context &context, bool pause)
{
    const api::PauseAll command{pause};
    const core::Result<api::PauseAllAnswer> answer = co_await context.ask(command);
    if (!answer)
        co_return context.fail(answer.error());
    if (context.out.json()) {
        context.out.document(json::pauseAll(*answer));
        co_return int(ExitCode::Done);
    }
    for (const core::OperationId id : answer->changed)
        context.out.line(
            (pause ? Text::tr("Operation %1 is paused.") : Text::tr("Operation %1 continues.")).arg(id.value));
    for (const api::PauseAllAnswer::Held &held : answer->held) {
        context.out.line(
            Text::tr("Operation %1 stays paused: %2").arg(QString::number(held.operation.value), held.why));
    }
    context.out.line(pause ? Text::tr("All operations are paused, and new ones too, until \"redrive resume all\".")
                           : Text::tr("New operations start again."));
    co_return int(ExitCode::Done);
}

bool isAboutAll(const Context &context)
{
    return context.arguments.first() == QLatin1String("all");
}

void printOperations(Context &context, const QList<api::OperationRow> &operations)
{
    QJsonArray json;
    Table table{{Text::tr("ID"), Text::tr("STATE"), Text::tr("TOTAL"), Text::tr("SENT"), Text::tr("PENDING"),
                 Text::tr("EJECTED"), Text::tr("IN DOUBT"), Text::tr("CAME BACK"), Text::tr("REQUESTED"),
                 Text::tr("SCOPE")},
                {true, false, true, true, true, true, true, true},
                {}};
    for (const auto &[operation, connection] : operations) {
        const api::OperationView view = viewOf(*context.stream.last(), operation);
        const records::OutcomeCounts &counts = view.operation.counts;
        json.append(json::operation(view));
        table.rows.append({QString::number(operation.id.value), records::toString(view.operation.state),
                           QString::number(operation.total), QString::number(counts.sent),
                           QString::number(operation.total - counts.ended()), QString::number(counts.ejected),
                           QString::number(counts.inDoubt), QString::number(counts.cameBack),
                           localTime(operation.requested), operation.scope});
    }
    if (context.out.json())
        context.out.document(json);
    else
        context.out.table(table);
}

} // namespace

core::Task<int> operationsCommand(Context &context)
{
    const core::Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    if (!snapshot)
        co_return context.fail(snapshot.error());
    api::OperationQuery query;
    query.dismissed = false;
    query.limit = listedOperations;
    if (context.arguments.has(QStringLiteral("active")))
        query.wanted = api::OperationsWanted::NotEnded;
    const core::Result<api::OperationPage> page = co_await context.ask(query);
    if (!page)
        co_return context.fail(page.error());
    printOperations(context, page->rows);
    co_return int(ExitCode::Done);
}

core::Task<int> operationCommand(Context &context)
{
    const core::Result<qint64> id = Arguments::idFrom(context.arguments.first());
    if (!id)
        co_return context.misuse(id.error().message);
    const core::OperationId operation{*id};
    const bool wait = context.arguments.has(QStringLiteral("wait"));
    core::Result<api::OperationView> view = core::fail(core::ErrorKind::NotFound, QString());
    if (wait)
        view = co_await waitForEnd(context, operation);
    else
        view = co_await findOperation(context, operation);
    if (!view)
        co_return context.fail(view.error());
    const api::OperationDetailQuery query{operation};
    const core::Result<api::OperationDetail> detail = co_await context.ask(query);
    if (!detail)
        co_return context.fail(detail.error());
    printOperation(context, *view, *detail);
    co_return int(wait ? exitCodeOf(view->operation.counts) : ExitCode::Done);
}

core::Task<int> pauseCommand(Context &context)
{
    if (isAboutAll(context)) {
        const int all = co_await actOnAll(context, true);
        co_return all;
    }
    const int code = co_await act(context, api::OperationAction::Pause);
    co_return code;
}

core::Task<int> resumeCommand(Context &context)
{
    if (isAboutAll(context)) {
        const int all = co_await actOnAll(context, false);
        co_return all;
    }
    const int code = co_await act(context, api::OperationAction::Resume);
    co_return code;
}

core::Task<int> cancelCommand(Context &context)
{
    const int code = co_await act(context, api::OperationAction::Cancel);
    co_return code;
}

core::Task<int> rateCommand(Context &context)
{
    const core::Result<qint64> id = Arguments::idFrom(context.arguments.first());
    if (!id)
        co_return context.misuse(id.error().message);
    const QString text = context.arguments.positional().value(1);
    api::SetRate command{core::OperationId{*id}, {}};
    if (text != QLatin1String("none")) {
        const core::Result<qint64> rate = Arguments::perMinuteFrom(text);
        if (!rate)
            co_return context.misuse(rate.error().message);
        command.perMinute = *rate;
    }
    const core::Result<> done = co_await context.ask(command);
    if (!done)
        co_return context.fail(done.error());
    const int code = co_await show(context, command.operation);
    co_return code;
}

core::Task<int> batchesCommand(Context &context)
{
    const core::Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    if (!snapshot)
        co_return context.fail(snapshot.error());
    QJsonArray json;
    Table table{{Text::tr("ID"), Text::tr("OPERATION"), Text::tr("SIZE"), Text::tr("STAGED"), Text::tr("FORWARDED"),
                 Text::tr("STATUS"), Text::tr("STAGING ID")},
                {true, true, true, true, true},
                {}};
    for (const api::BatchView &view : (*snapshot)->batches) {
        const records::RetryBatch &batch = view.batch;
        if (batch.stage == records::BatchStage::Done)
            continue; // the console keeps it visible for a while
        json.append(json::batch(view));
        table.rows.append({QString::number(batch.id.value), QString::number(batch.operation.value),
                           QString::number(batch.size()), QString::number(view.staged), QString::number(view.forwarded),
                           records::toString(batch.stage), batch.stagingId});
    }
    if (context.out.json())
        context.out.document(json);
    else
        context.out.table(table);
    co_return int(ExitCode::Done);
}

} // namespace commandline
