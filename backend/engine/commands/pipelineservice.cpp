#include "backend/engine/commands/pipelineservice.h"

#include "backend/api/rights.h"
#include "backend/engine/connection/connectiontext.h"
#include "backend/engine/dispatch/auditlog.h"
#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/text.h"
#include "backend/pipeline/queueevent.h"
#include "backend/store/pipelinestore.h"

#include <algorithm>

namespace engine {

using core::ErrorKind;
using core::Result;
using records::Pipeline;
using records::PipelineStep;

namespace {

Result<> checkDraft(const Pipeline &pipeline)
{
    if (pipeline.name.trimmed().isEmpty())
        return core::fail(ErrorKind::Rejected, Text::tr("A pipeline needs a name."));
    if (pipeline.rights & ~records::pipelineRights || !(pipeline.rights & records::Right::See))
        return core::fail(ErrorKind::Rejected, Text::tr("A pipeline can have the rights see and retry."));
    TRY(pipeline::databaseUrlFrom(pipeline.url));
    return pipeline::columnsFrom(pipeline.columns).map([](const pipeline::Columns &) {});
}

Result<> checkQuestion(const api::ReadPipeline &request)
{
    if (request.limit < 1 || request.limit > api::ReadPipeline::longest)
        return core::fail(ErrorKind::Rejected,
                          Text::tr("The limit must be between 1 and %1.").arg(api::ReadPipeline::longest));
    if (request.steps.contains(PipelineStep::Receive))
        return core::fail(ErrorKind::Rejected,
                          Text::tr("Receive has no tasks: its senders send again what was not accepted."));
    return {};
}

// On the thread of the database.
Result<api::PipelineReading> readTables(pipeline::TaskTables &tables, const api::ReadPipeline &request,
                                        core::TimePoint now)
{
    api::PipelineReading reading;
    reading.asOf = now;
    for (const PipelineStep step : request.steps) {
        TRY(records::StepTasks tasks, tables.overdue(step, request.limit));
        reading.overdue.append(std::move(tasks));
    }
    if (request.sends) {
        TRY(pipeline::TaskTables::Actions actions, tables.sendActions(request.limit));
        reading.sendActions = std::move(actions.actions);
        reading.moreSendActions = actions.more;
        TRY(pipeline::TaskTables::Retries retries, tables.sendRetries(request.limit));
        reading.sendRetries = std::move(retries.retries);
        reading.moreSendRetries = retries.more;
    }
    if (request.receivers) {
        TRY(pipeline::ReceiverTally::Receivers receivers, tables.receivers(request.limit, now));
        reading.receivers = std::move(receivers.receivers);
        reading.moreReceivers = receivers.more;
        reading.whyNoSettings = tables.whyNoSettings();
    }
    reading.unreadable = tables.unreadable();
    reading.cutTexts = tables.cutTexts();
    return reading;
}

// The event certainly was not sent; `restored` says what became of the task.
core::Error notSent(const core::Error &why, const Result<bool> &restored)
{
    if (restored)
        return {why.kind, Text::tr("No event was sent, and the task is as before: %1").arg(why.message), why.detail,
                why.retryAfter};
    if (restored.error().kind == ErrorKind::Conflict)
        return {why.kind,
                Text::tr("No event was sent, and somebody else has changed the task since: %1").arg(why.message),
                why.detail,
                {}};
    if (restored.error().kind == ErrorKind::UnknownOutcome)
        return {ErrorKind::UnknownOutcome,
                Text::tr("No event was sent, and nobody knows whether the task was changed back: %1 %2")
                    .arg(why.message, restored.error().message),
                why.detail,
                {}};
    const QString text =
        Text::tr("No event was sent, and the task stays due since it could not be changed back: %1 %2");
    return {why.kind, text.arg(why.message, restored.error().message), why.detail, {}};
}

} // namespace

PipelineService::PipelineService(ConnectionContext context, ConnectionService &connections)
    : m_context(std::move(context))
    , m_connections(connections)
{
}

void PipelineService::addHandlers(CommandTable &table)
{
    table.on(&Engine::pipelines, &PipelineService::add);
    table.on(&Engine::pipelines, &PipelineService::remove);
    table.on(&Engine::pipelines, &PipelineService::list);
    table.on(&Engine::pipelines, &PipelineService::read);
    table.on(&Engine::pipelines, &PipelineService::raise);
}

Result<QList<Pipeline>> PipelineService::list(const api::ListPipelines &)
{
    return m_context.dependencies.store.read<QList<Pipeline>>(
        [](store::Session &session) { return session.pipelines().all(); });
}

Result<Pipeline> PipelineService::record(core::PipelineId id)
{
    TRY(const QList<Pipeline> all, list({}));
    for (const Pipeline &one : all) {
        if (one.id == id)
            return one;
    }
    return core::fail(ErrorKind::NotFound, Text::tr("This pipeline does not exist. Choose another one."));
}

// A database without a password is asked without one: it may trust this machine.
core::Task<Result<QString>> PipelineService::passwordOf(Pipeline pipeline, std::optional<QString> given)
{
    if (given)
        co_return *given;
    if (pipeline.url.startsWith(QLatin1String("sqlite:")))
        co_return QString();
    Result<QString> known = co_await m_connections.readSecret(pipeline.name);
    if (!known && known.error().kind == ErrorKind::NotFound)
        co_return QString();
    co_return known;
}

template<typename T>
core::Task<Result<T>> PipelineService::ask(Pipeline pipeline, std::optional<QString> secret, Access access,
                                           std::function<Result<T>(pipeline::TaskTables &)> work)
{
    CO_TRY(const pipeline::DatabaseUrl url, pipeline::databaseUrlFrom(pipeline.url));
    CO_TRY(const pipeline::Columns columns, pipeline::columnsFrom(pipeline.columns));
    CO_TRY(const QString password, co_await passwordOf(pipeline, secret));
    const std::function<Result<T>(pipeline::TaskDatabase &)> open =
        [columns, work = std::move(work)](pipeline::TaskDatabase &database) -> Result<T> {
        TRY(pipeline::TaskTables tables, pipeline::TaskTables::open(database, columns));
        return work(tables);
    };
    const pipeline::DatabaseRunner::Place place{url, password, access};
    Result<T> answer = co_await m_databases.run<T>(place, open);
    const bool lacksPassword = !answer && answer.error().kind == ErrorKind::Unauthorized && password.isEmpty()
                               && url.kind == pipeline::DatabaseKind::PostgreSql;
    if (!lacksPassword)
        co_return answer;
    const Result<QString> known = co_await m_connections.readSecret(pipeline.name);
    const QString how = known ? QString() : known.error().message; // how to enter one
    co_return core::fail(ErrorKind::Unauthorized, answer.error().message + u' ' + how, answer.error().detail);
}

core::Task<Result<api::PipelineAdded>> PipelineService::add(api::AddPipeline command, CommandCall &call)
{
    Pipeline pipeline = command.pipeline;
    pipeline.id = {};
    call.about(pipeline.name);
    CO_TRY(checkDraft(pipeline));
    CO_TRY(checkName(pipeline.name, m_connections.namesBeside({})));
    if (pipeline.connection.isValid()) {
        CO_TRY(m_connections.record(pipeline.connection));
    }
    const std::function<Result<bool>(pipeline::TaskTables &)> check = [](pipeline::TaskTables &) { return true; };
    CO_TRY(co_await ask(pipeline, command.secret, Access::Read, check));
    CO_TRY(checkName(pipeline.name, m_connections.namesBeside({}))); // again: the database took its time
    api::PipelineAdded added;
    CO_TRY(added.id, m_context.dependencies.store.transact<core::PipelineId>(
                         [&](store::Session &session) { return session.pipelines().add(pipeline); }));
    call.log(pipeline.name);
    if (command.secret) {
        const Result<> kept = co_await m_context.dependencies.secrets.write(pipeline.name, *command.secret);
        added.secretNotKept = kept ? QString() : kept.error().message;
    }
    co_return added;
}

core::Task<Result<>> PipelineService::remove(api::RemovePipeline command, CommandCall &call)
{
    CO_TRY(const Pipeline pipeline, record(command.pipeline));
    CO_TRY(m_context.dependencies.store.transact(
        [&](store::Session &session) { return session.pipelines().remove(command.pipeline); }));
    call.log(pipeline.name);
    const Result<> forgotten = co_await m_context.dependencies.secrets.remove(pipeline.name);
    if (!forgotten && forgotten.error().kind != ErrorKind::NotFound)
        m_context.auditLog.note({}, Text::tr("Secret not removed"), pipeline.name, forgotten.error().message,
                                records::Severity::Warning);
    co_return Result<>{};
}

core::Task<Result<api::PipelineReading>> PipelineService::read(api::ReadPipeline request)
{
    CO_TRY(checkQuestion(request));
    CO_TRY(const Pipeline pipeline, record(request.pipeline));
    const core::TimePoint now = m_context.dependencies.clock.now();
    const std::function<Result<api::PipelineReading>(pipeline::TaskTables &)> work =
        [request, now](pipeline::TaskTables &tables) { return readTables(tables, request, now); };
    Result<api::PipelineReading> reading = co_await ask(pipeline, {}, Access::Read, work);
    co_return reading;
}

// The task becomes due first, in a transaction that only one of two people wins. A crash before the event is sent leaves
// a due task, which is overdue again after 15 minutes.
core::Task<Result<api::RaisedEvent>> PipelineService::raise(api::RaiseEvent command)
{
    CO_TRY(const Pipeline pipeline, record(command.pipeline));
    if (pipeline.connection.isValid()) {
        CO_TRY(const records::Connection connection, m_connections.record(pipeline.connection));
        CO_TRY(api::checkRights(connection, records::Right::Retry));
    }
    const core::TimePoint now = m_context.dependencies.clock.now();
    const std::function<Result<Raised>(pipeline::TaskTables &)> makeDue = [command, now](pipeline::TaskTables &tables) {
        return tables.makeDue(command.reportId, command.shown, now);
    };
    CO_TRY(const Raised raised, co_await ask(pipeline, {}, Access::Write, makeDue));
    api::RaisedEvent answer{raised.task, raised.step, {}, now};
    if (!pipeline.connection.isValid())
        co_return answer;
    const Result<QString> queue = co_await sendEvent(pipeline.connection, raised);
    if (queue)
        answer.queue = *queue;
    if (queue)
        co_return answer;
    if (queue.error().kind == ErrorKind::UnknownOutcome)
        co_return core::fail(queue.error());
    const std::function<Result<bool>(pipeline::TaskTables &)> restore =
        [raised](pipeline::TaskTables &tables) -> Result<bool> {
        return tables.restore(raised).map([] { return true; });
    };
    const Result<bool> restored = co_await ask(pipeline, {}, Access::Write, restore);
    co_return core::fail(notSent(queue.error(), restored));
}

core::Task<Result<QString>> PipelineService::sendEvent(core::ConnectionId connection, Raised raised)
{
    CO_TRY(const std::shared_ptr<ConnectionRuntime> runtime, m_connections.find(connection));
    if (!runtime->isKnown()) {
        CO_TRY(co_await runtime->refresh());
    }
    const QString queue = runtime->spelled(records::toString(raised.step));
    const QList<broker::QueueInfo> queues = runtime->queues();
    const bool isListed =
        std::any_of(queues.begin(), queues.end(), [&](const broker::QueueInfo &one) { return one.name == queue; });
    if (!isListed && runtime->listing().complete)
        co_return core::fail(ErrorKind::NotFound,
                             Text::tr("The connection %1 has no queue %2.").arg(runtime->connection().name, queue));
    broker::Outgoing event;
    event.uniqueId = m_context.dependencies.random.hexId();
    event.destination = queue;
    event.envelope = pipeline::eventMessage(raised.task, raised.step, raised.events);
    const QList<broker::Outgoing> events{event};
    const QList<broker::SendOutcome> outcomes = co_await runtime->broker().send(events);
    const broker::SendOutcome outcome = outcomes.value(0);
    if (outcome.verdict == broker::Verdict::Accepted)
        co_return queue;
    if (outcome.verdict == broker::Verdict::Unknown)
        co_return core::fail(ErrorKind::UnknownOutcome,
                             Text::tr("The event may or may not be in %1, and the task is due now: %2")
                                 .arg(queue, outcome.error.message));
    co_return core::fail(outcome.error);
}

} // namespace engine
