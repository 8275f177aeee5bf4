// The JSON documents about pipelines; the rules of json.h hold.
#pragma once

#include "backend/api/requests/pipelines.h"

#include <QJsonArray>
#include <QJsonObject>

namespace commandline::json {

[[nodiscard]] QJsonObject pipeline(const records::Pipeline &pipeline, const QString &connection);
[[nodiscard]] QJsonObject pipelineTask(const records::PipelineTask &task); // the seven columns, and no others
[[nodiscard]] QJsonArray overdueTasks(const api::PipelineReading &reading);
[[nodiscard]] QJsonObject pipelineAction(const records::PipelineAction &action);
[[nodiscard]] QJsonObject pipelineReceiver(const records::PipelineReceiver &receiver);
[[nodiscard]] QJsonObject sendRetry(const records::SendRetry &retry);
[[nodiscard]] QJsonObject pipelineStep(const records::StepTasks &tasks, const api::StepQueues &queues);
[[nodiscard]] QJsonObject raisedEvent(const api::RaisedEvent &event);

} // namespace commandline::json
