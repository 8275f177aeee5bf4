#include "app/commandline/commands/commands.h"
#include "app/commandline/context.h"
#include "app/commandline/json/json.h"
#include "app/commandline/json/pipelinejson.h"
#include "app/commandline/text.h"
#include "backend/core/time/durationtext.h"

#include <QFile>

#include <algorithm>

namespace commandline {

namespace {

using core::ErrorKind;
using core::Result;
using records::Pipeline;
using records::PipelineStep;

constexpr qint64 mostFileBytes = 1024 * 1024; // the engine names the limit of a column file

QString whenText(const std::optional<core::TimePoint> &time)
{
    if (time && records::isEndless(*time))
        return records::endlessText(*time);
    return time ? localTime(*time) : QStringLiteral("-");
}

core::Task<Result<Pipeline>> pipelineNamed(Context &context, QString name)
{
    const api::ListPipelines question;
    CO_TRY(const QList<Pipeline> all, co_await context.ask(question));
    for (const Pipeline &one : all) {
        if (one.name == name)
            co_return one;
    }
    co_return core::fail(ErrorKind::NotFound,
                         Text::tr("There is no pipeline '%1'. redrive pipeline list shows the names.").arg(name));
}

// ---- add, list, remove -------------------------------------------------------------------------------------------

Result<QByteArray> columnFile(const Arguments &given)
{
    if (!given.has(QStringLiteral("columns")))
        return QByteArray();
    QFile file(given.value(QStringLiteral("columns")));
    if (!file.open(QIODevice::ReadOnly))
        return core::fail(
            ErrorKind::Rejected,
            Text::tr("--columns: the file '%1' cannot be read: %2.").arg(file.fileName(), file.errorString()));
    return file.read(mostFileBytes);
}

Result<api::AddPipeline> additionFrom(const Arguments &given)
{
    api::AddPipeline command;
    Pipeline &pipeline = command.pipeline;
    pipeline.name = given.positional().at(1);
    const records::PipelineUrl url = records::pipelineUrlFrom(given.positional().at(2));
    pipeline.url = url.url;
    command.secret = url.secret;
    TRY(pipeline.columns, columnFile(given));
    if (given.has(QStringLiteral("rights"))) {
        const QString words = given.value(QStringLiteral("rights"));
        const std::optional<records::Rights> rights = records::rightsFrom(words.split(QLatin1Char(',')));
        if (!rights)
            return core::fail(ErrorKind::Rejected, Text::tr("--rights must be see or see,retry, not '%1'.").arg(words));
        pipeline.rights = *rights;
    }
    return command;
}

core::Task<int> addPipeline(Context &context)
{
    Result<api::AddPipeline> command = additionFrom(context.arguments);
    if (!command)
        co_return context.misuse(command.error().message);
    const QString name = command->pipeline.name;
    if (context.arguments.has(QStringLiteral("connection"))) {
        const Result<api::ConnectionView> connection = co_await context.theConnection();
        if (!connection)
            co_return context.fail(connection.error());
        command->pipeline.connection = connection->connection.id;
    }
    if (command->secret)
        context.out.error(
            Text::tr("Other users of this machine can see the secret in the URL. Use --secret-file next time."));
    const Result<std::optional<QString>> filed = co_await context.filedSecret(name);
    if (!filed)
        co_return context.misuse(filed.error().message);
    if (*filed)
        command->secret = *filed;
    const api::AddPipeline question = *command;
    const auto asked = context.askBroker(question, [name] { return name; });
    const Result<api::PipelineAdded> added = co_await asked;
    const bool isMistake =
        !added && (added.error().kind == ErrorKind::Rejected || added.error().kind == ErrorKind::Conflict);
    if (isMistake)
        co_return context.misuse(added.error().message);
    if (!added)
        co_return context.fail(added.error(), Source::Broker);
    if (!added->secretNotKept.isEmpty())
        context.out.error(added->secretNotKept);
    if (context.out.json())
        context.out.document(
            QJsonObject{{QStringLiteral("id"), QString::number(added->id.value)}, {QStringLiteral("name"), name}});
    context.out.line(Text::tr("Pipeline %1 added. List its stuck tasks with redrive pipeline overdue %1.").arg(name));
    co_return int(ExitCode::Done);
}

core::Task<int> listPipelines(Context &context)
{
    const Result<api::SnapshotPtr> names = co_await context.stream.ready();
    if (!names)
        co_return context.fail(names.error());
    const api::ListPipelines question;
    const Result<QList<Pipeline>> all = co_await context.ask(question);
    if (!all)
        co_return context.fail(all.error());
    QJsonArray shapes;
    Table table{{Text::tr("NAME"), Text::tr("RIGHTS"), Text::tr("CONNECTION"), Text::tr("URL")}, {}, {}};
    for (const Pipeline &one : *all) {
        const QString connection = context.nameOf(one.connection);
        shapes.append(json::pipeline(one, connection));
        table.rows.append({one.name, records::toStrings(one.rights).join(QLatin1Char(',')),
                           connection.isEmpty() ? QStringLiteral("-") : connection, one.url});
    }
    if (context.out.json())
        context.out.document(shapes);
    context.out.table(table);
    co_return int(ExitCode::Done);
}

core::Task<int> removePipeline(Context &context, Pipeline pipeline)
{
    const api::RemovePipeline command{pipeline.id};
    const Result<> removed = co_await context.ask(command);
    if (!removed)
        co_return context.fail(removed.error());
    if (context.out.json())
        context.out.document(QJsonObject{{QStringLiteral("removed"), pipeline.name}});
    context.out.line(Text::tr("Pipeline %1 removed. Its database was not touched.").arg(pipeline.name));
    co_return int(ExitCode::Done);
}

// ---- reading -----------------------------------------------------------------------------------------------------

Result<QList<PipelineStep>> stepsFrom(const Arguments &given)
{
    if (!given.has(QStringLiteral("step")))
        return QList<PipelineStep>(records::taskSteps.begin(), records::taskSteps.end());
    const QString word = given.value(QStringLiteral("step"));
    const std::optional<PipelineStep> step = records::pipelineStepFrom(word);
    if (!step || *step == PipelineStep::Receive)
        return core::fail(ErrorKind::Rejected, Text::tr("--step must be process, batch or send, not '%1'.").arg(word));
    return QList<PipelineStep>{*step};
}

Result<api::ReadPipeline> questionFrom(const Context &context)
{
    api::ReadPipeline question;
    TRY(const std::optional<qint64> limit, context.arguments.number(QStringLiteral("limit"), 1));
    if (limit.value_or(1) > api::ReadPipeline::longest)
        return core::fail(ErrorKind::Rejected, Text::tr("--limit must be at most %1.").arg(api::ReadPipeline::longest));
    question.limit = int(limit.value_or(context.out.json() ? api::ReadPipeline::longest : question.limit));
    return question;
}

bool leavesOut(const api::PipelineReading &reading)
{
    const bool ofSteps = std::any_of(reading.overdue.cbegin(), reading.overdue.cend(),
                                     [](const records::StepTasks &step) { return step.more; });
    return ofSteps || reading.moreSendActions || reading.moreSendRetries || reading.moreReceivers;
}

// Tells what the lists leave out, and returns the exit code: a program sees by it that a list is not whole, unless it
// chose the limit.
int endOfReading(Context &context, const api::PipelineReading &reading)
{
    for (const records::StepTasks &step : reading.overdue) {
        if (step.more)
            context.out.error(Text::tr("Only the %1 oldest tasks of %2 are listed. Use --limit to list more.")
                                  .arg(QString::number(step.tasks.size()), records::toString(step.step)));
    }
    if (reading.moreSendActions)
        context.out.error(Text::tr("Only the %1 newest actions are listed. Use --limit to list more.")
                              .arg(reading.sendActions.size()));
    if (reading.moreSendRetries)
        context.out.error(
            Text::tr("Only the next %1 sends are listed. Use --limit to list more.").arg(reading.sendRetries.size()));
    if (reading.moreReceivers)
        context.out.error(
            Text::tr("Only %1 receivers are listed. Use --limit to list more.").arg(reading.receivers.size()));
    if (!reading.unreadable.isEmpty())
        context.out.error(reading.unreadable);
    if (reading.cutTexts > 0)
        context.out.error(Text::tr("Of texts with more than %1 characters, only the beginning is listed: %2 here.")
                              .arg(QString::number(records::pipelineCellChars), QString::number(reading.cutTexts)));
    const bool isShort = leavesOut(reading) && !context.arguments.has(QStringLiteral("limit"));
    const bool isCut = context.out.json() && (isShort || reading.cutTexts > 0);
    return int(isCut || !reading.unreadable.isEmpty() ? ExitCode::DoneWithRest : ExitCode::Done);
}

void printOverdue(Context &context, const api::PipelineReading &reading)
{
    QStringList statements;
    for (const records::StepTasks &step : reading.overdue)
        statements.append(step.sql + QLatin1Char(';'));
    const bool asksForSql = context.arguments.has(QStringLiteral("sql"));
    if (context.out.json() && asksForSql)
        context.out.document(QJsonObject{{QStringLiteral("sql"), QJsonArray::fromStringList(statements)},
                                         {QStringLiteral("rows"), json::overdueTasks(reading)}});
    else if (context.out.json())
        context.out.document(json::overdueTasks(reading));
    if (asksForSql) {
        for (const QString &statement : statements)
            context.out.line(statement);
        return;
    }
    Table table{{Text::tr("STEP"), Text::tr("REPORT"), Text::tr("DUE"), Text::tr("CREATED"), Text::tr("ITEMS"),
                 Text::tr("RECEIVER"), Text::tr("SCHEMA")},
                {false, false, false, false, true},
                {}};
    for (const records::StepTasks &step : reading.overdue) {
        for (const records::PipelineTask &task : step.tasks)
            table.rows.append({records::toString(step.step), task.reportId, whenText(task.nextActionAt),
                               whenText(task.createdAt),
                               task.itemCount ? QString::number(*task.itemCount) : QStringLiteral("-"),
                               task.receiverName, task.schemaName});
    }
    context.out.table(table);
}

void printErrors(Context &context, const api::PipelineReading &reading)
{
    QJsonArray shapes;
    Table table{{Text::tr("TIME"), Text::tr("ACTION"), Text::tr("RESULT")}, {}, {}};
    for (const records::PipelineAction &action : reading.sendActions) {
        shapes.append(json::pipelineAction(action));
        table.rows.append(
            {whenText(action.createdAt), action.name, action.result.isEmpty() ? action.parameters : action.result});
    }
    if (context.out.json())
        context.out.document(shapes);
    context.out.table(table);
}

void printReceivers(Context &context, const api::PipelineReading &reading)
{
    QJsonArray shapes;
    Table table{{Text::tr("RECEIVER"), Text::tr("EVERY"), Text::tr("FIRST AT"), Text::tr("WAITING"),
                 Text::tr("IGNORED"), Text::tr("OLDEST TASK"), Text::tr("IGNORED FROM")},
                {false, false, false, true, true},
                {}};
    for (const records::PipelineReceiver &one : reading.receivers) {
        shapes.append(json::pipelineReceiver(one));
        table.rows.append({one.receiver, one.cadence ? core::durationText(*one.cadence) : Text::tr("unknown"),
                           one.initialTime.isEmpty() ? QStringLiteral("-")
                                                     : (one.initialTime + QLatin1Char(' ') + one.timeZone).trimmed(),
                           QString::number(one.waiting),
                           one.ignoredPastBackstop ? QString::number(*one.ignoredPastBackstop) : Text::tr("unknown"),
                           whenText(one.oldestTask), whenText(one.backstopAt)});
    }
    if (context.out.json())
        context.out.document(shapes);
    context.out.table(table);
    const bool isUnknown = std::any_of(reading.receivers.cbegin(), reading.receivers.cend(),
                                       [](const records::PipelineReceiver &one) { return !one.cadence; });
    if (isUnknown && !reading.whyNoSettings.isEmpty())
        context.out.error(Text::tr("The table \"setting\" cannot be read: %1").arg(reading.whyNoSettings));
}

// Its connection, or all without one. Nobody asks them for a single command: that is the work of a console.
QList<api::ConnectionView> brokersOf(const Pipeline &pipeline, const api::Snapshot &snapshot)
{
    QList<api::ConnectionView> found;
    for (const api::ConnectionView &view : snapshot.connections) {
        if (!pipeline.connection.isValid() || view.connection.id == pipeline.connection)
            found.append(view);
    }
    return found;
}

bool wereAsked(const QList<api::ConnectionView> &brokers)
{
    return std::any_of(brokers.cbegin(), brokers.cend(),
                       [](const api::ConnectionView &view) { return view.health != api::Health::Unknown; });
}

QString howToAsk(const QList<api::ConnectionView> &brokers)
{
    if (brokers.isEmpty())
        return Text::tr(
            "The queues were not asked, because there is no connection with a broker: redrive connection add.");
    return Text::tr(
               "The queues were not asked, because neither a console nor redrive run is open. This asks them: redrive"
               " queues --connection %1")
        .arg(brokers.first().connection.name);
}

QString countText(const std::optional<qint64> &count)
{
    return count ? QString::number(*count) : QStringLiteral("-");
}

void printSteps(Context &context, const Pipeline &pipeline, const api::Snapshot &snapshot,
                const api::PipelineReading &reading)
{
    const QList<api::ConnectionView> brokers = brokersOf(pipeline, snapshot);
    const bool asked = wereAsked(brokers);
    QJsonArray steps;
    Table table{
        {Text::tr("STEP"), Text::tr("OVERDUE"), Text::tr("QUEUE"), Text::tr("POISON"), Text::tr("POISON TAKEN")},
        {false, true, true, true, true},
        {}};
    for (const records::StepTasks &tasks : reading.overdue) {
        const api::StepQueues queues = api::stepQueues(snapshot, pipeline, tasks.step);
        steps.append(json::pipelineStep(tasks, queues));
        const QString overdue = QString::number(tasks.tasks.size()) + (tasks.more ? QStringLiteral("+") : QString());
        table.rows.append(
            {records::toString(tasks.step), overdue, asked ? countText(queues.depth) : Text::tr("not asked"),
             asked ? countText(queues.poison) : Text::tr("not asked"), QString::number(queues.poisonTaken)});
    }
    QJsonArray retries;
    Table waiting{{Text::tr("SENT AGAIN"), Text::tr("REPORT"), Text::tr("RETRIES"), Text::tr("RECEIVER")}, {}, {}};
    for (const records::SendRetry &retry : reading.sendRetries) {
        retries.append(json::sendRetry(retry));
        waiting.rows.append({whenText(retry.task.nextActionAt), retry.task.reportId,
                             retry.retries ? QString::number(*retry.retries) : QStringLiteral("-"),
                             retry.task.receiverName});
    }
    if (context.out.json()) {
        QJsonObject shape = json::pipeline(pipeline, context.nameOf(pipeline.connection));
        shape.insert(QStringLiteral("queues_asked"), asked);
        shape.insert(QStringLiteral("steps"), steps);
        shape.insert(QStringLiteral("send_retries"), retries);
        shape.insert(QStringLiteral("more_send_retries"), reading.moreSendRetries);
        context.out.document(shape);
    }
    context.out.table(table);
    if (!waiting.rows.isEmpty())
        context.out.table(waiting);
    if (!asked)
        context.out.aside(howToAsk(brokers));
}

core::Task<int> readPipeline(Context &context, QString action, Pipeline pipeline)
{
    const Result<QList<PipelineStep>> steps = stepsFrom(context.arguments);
    Result<api::ReadPipeline> question = questionFrom(context);
    if (!steps || !question)
        co_return context.misuse(steps ? question.error().message : steps.error().message);
    const bool shows = action == QLatin1String("show");
    question->pipeline = pipeline.id;
    if (shows || action == QLatin1String("overdue"))
        question->steps = *steps;
    question->sends = shows || action == QLatin1String("errors");
    question->receivers = action == QLatin1String("receivers");
    const Result<api::SnapshotPtr> snapshot = co_await context.stream.ready();
    if (!snapshot)
        co_return context.fail(snapshot.error());
    const api::ReadPipeline request = *question;
    const auto asked = context.askBroker(request, [name = pipeline.name] { return name; });
    const Result<api::PipelineReading> reading = co_await asked;
    if (!reading)
        co_return context.fail(reading.error(), Source::Broker);
    if (shows)
        printSteps(context, pipeline, **snapshot, *reading);
    else if (action == QLatin1String("overdue"))
        printOverdue(context, *reading);
    else if (action == QLatin1String("errors"))
        printErrors(context, *reading);
    else
        printReceivers(context, *reading);
    co_return endOfReading(context, *reading);
}

// ---- raise -------------------------------------------------------------------------------------------------------

core::Task<int> raiseEvent(Context &context, Pipeline pipeline)
{
    const api::RaiseEvent command{pipeline.id, context.arguments.positional().at(2), {}};
    const auto asked = context.askBroker(command, [name = pipeline.name] { return name; });
    const Result<api::RaisedEvent> raised = co_await asked;
    if (!raised)
        co_return context.fail(raised.error(),
                               raised.error().kind == ErrorKind::NotFound ? Source::Store : Source::Broker);
    if (context.out.json())
        context.out.document(json::raisedEvent(*raised));
    const QString report = raised->task.reportId;
    const QString step = records::toString(raised->step);
    context.out.line(
        raised->queue.isEmpty()
            ? Text::tr("Task %1 is due for %2 now. No event was sent, because the pipeline has no connection.")
                  .arg(report, step)
            : Text::tr("Task %1 is due for %2 now, and its event is in the queue %3.")
                  .arg(report, step, raised->queue));
    co_return int(ExitCode::Done);
}

core::Task<int> onPipeline(Context &context, QString action)
{
    const Result<Pipeline> pipeline = co_await pipelineNamed(context, context.arguments.positional().at(1));
    if (!pipeline)
        co_return context.fail(pipeline.error());
    int code = int(ExitCode::Usage);
    if (action == QLatin1String("remove"))
        code = co_await removePipeline(context, *pipeline);
    else if (action == QLatin1String("raise"))
        code = co_await raiseEvent(context, *pipeline);
    else
        code = co_await readPipeline(context, action, *pipeline);
    co_return code;
}

} // namespace

core::Task<int> pipelineCommand(Context &context)
{
    static const QStringList ofOne{QStringLiteral("show"), QStringLiteral("overdue"), QStringLiteral("errors"),
                                   QStringLiteral("receivers"), QStringLiteral("remove")};
    const QString action = context.arguments.first();
    const QStringList &words = context.arguments.positional();
    const bool isNamed = !words.contains(QString());
    const bool isOfOne =
        (ofOne.contains(action) && words.size() == 2) || (action == QLatin1String("raise") && words.size() == 3);
    int code = int(ExitCode::Usage);
    if (action == QLatin1String("list") && words.size() == 1)
        code = co_await listPipelines(context);
    else if (action == QLatin1String("add") && words.size() == 3 && isNamed)
        code = co_await addPipeline(context);
    else if (isOfOne && isNamed)
        code = co_await onPipeline(context, action);
    else
        code =
            context.misuse(Text::tr("Usage: redrive pipeline add NAME URL | list | show NAME | overdue NAME | errors "
                                    "NAME | receivers NAME | raise NAME REPORT-ID | remove NAME."));
    co_return code;
}

} // namespace commandline
