#include "app/commandline/json/pipelinejson.h"

#include "app/commandline/json/json.h"
#include "app/commandline/json/jsonparts.h"
#include "backend/core/time/durationtext.h"

namespace commandline::json {

static QJsonValue taskTime(const std::optional<core::TimePoint> &at)
{
    return at && records::isEndless(*at) ? QJsonValue(records::endlessText(*at)) : time(at);
}

QJsonObject pipeline(const records::Pipeline &pipeline, const QString &connection)
{
    return {
        {QStringLiteral("id"), id(pipeline.id)},
        {QStringLiteral("name"), pipeline.name},
        {QStringLiteral("url"), pipeline.url},
        {QStringLiteral("rights"), QJsonArray::fromStringList(records::toStrings(pipeline.rights))},
        {QStringLiteral("connection"), orNull(connection)},
    };
}

QJsonObject pipelineTask(const records::PipelineTask &task)
{
    return {
        {QStringLiteral("report_id"), task.reportId},
        {QStringLiteral("next_action"), task.nextAction},
        {QStringLiteral("next_action_at"), taskTime(task.nextActionAt)},
        {QStringLiteral("schema_name"), orNull(task.schemaName)},
        {QStringLiteral("receiver_name"), orNull(task.receiverName)},
        {QStringLiteral("item_count"), orNull(task.itemCount)},
        {QStringLiteral("created_at"), taskTime(task.createdAt)},
    };
}

QJsonArray overdueTasks(const api::PipelineReading &reading)
{
    QJsonArray rows;
    for (const records::StepTasks &step : reading.overdue) {
        for (const records::PipelineTask &task : step.tasks)
            rows.append(pipelineTask(task));
    }
    return rows;
}

QJsonObject pipelineAction(const records::PipelineAction &action)
{
    return {
        {QStringLiteral("action_id"), orNull(action.id)},
        {QStringLiteral("action_name"), action.name},
        {QStringLiteral("action_params"), orNull(action.parameters)},
        {QStringLiteral("action_result"), orNull(action.result)},
        {QStringLiteral("created_at"), taskTime(action.createdAt)},
    };
}

QJsonObject pipelineReceiver(const records::PipelineReceiver &receiver)
{
    using From = records::PipelineReceiver::CadenceFrom;
    const QString from = receiver.cadenceFrom == From::File       ? QStringLiteral("file")
                         : receiver.cadenceFrom == From::Settings ? QStringLiteral("settings")
                                                                  : QString();
    return {
        {QStringLiteral("receiver"), receiver.receiver},
        {QStringLiteral("cadence"),
         receiver.cadence ? QJsonValue(core::durationWord(*receiver.cadence)) : QJsonValue()},
        {QStringLiteral("cadence_from"), orNull(from)},
        {QStringLiteral("number_per_day"), receiver.numberPerDay ? QJsonValue(*receiver.numberPerDay) : QJsonValue()},
        {QStringLiteral("initial_time"), orNull(receiver.initialTime)},
        {QStringLiteral("time_zone"), orNull(receiver.timeZone)},
        {QStringLiteral("backstop_at"), taskTime(receiver.backstopAt)},
        {QStringLiteral("oldest_task"), taskTime(receiver.oldestTask)},
        {QStringLiteral("oldest_report_id"), orNull(receiver.oldestReport)},
        {QStringLiteral("waiting"), receiver.waiting},
        {QStringLiteral("ignored_past_backstop"), orNull(receiver.ignoredPastBackstop)},
    };
}

QJsonObject sendRetry(const records::SendRetry &retry)
{
    QJsonObject shape = pipelineTask(retry.task);
    shape.insert(QStringLiteral("retries"), retry.retries ? QJsonValue(*retry.retries) : QJsonValue());
    return shape;
}

QJsonObject pipelineStep(const records::StepTasks &tasks, const api::StepQueues &queues)
{
    return {
        {QStringLiteral("step"), records::toString(tasks.step)},
        {QStringLiteral("queue_depth"), orNull(queues.depth)},
        {QStringLiteral("poison_queue"), orNull(queues.poisonQueue)},
        {QStringLiteral("poison"), orNull(queues.poison)},
        {QStringLiteral("poison_taken"), queues.poisonTaken},
        {QStringLiteral("overdue"), tasks.tasks.size()},
        {QStringLiteral("more_overdue"), tasks.more},
    };
}

QJsonObject raisedEvent(const api::RaisedEvent &event)
{
    return {
        {QStringLiteral("report_id"), event.task.reportId},
        {QStringLiteral("step"), records::toString(event.step)},
        {QStringLiteral("queue"), orNull(event.queue)},
        {QStringLiteral("was_due_at"), taskTime(event.task.nextActionAt)},
        {QStringLiteral("next_action_at"), time(event.nextActionAt)},
    };
}

} // namespace commandline::json
