#include "backend/api/requests/pipelines.h"

namespace api {

static void add(std::optional<qint64> &sum, const std::optional<qint64> &depth)
{
    if (depth)
        sum = sum.value_or(0) + *depth;
}

StepQueues stepQueues(const Snapshot &snapshot, const records::Pipeline &pipeline, records::PipelineStep step)
{
    const QString name = records::toString(step);
    const QStringList poisonNames{name + QStringLiteral("-poison"), name + QStringLiteral("_poison")};
    StepQueues found;
    for (const QueueView &queue : snapshot.queues) {
        if (pipeline.connection.isValid() && queue.connection != pipeline.connection)
            continue;
        if (queue.name.compare(name, Qt::CaseInsensitive) == 0) {
            add(found.depth, queue.depth);
        } else if (poisonNames.contains(queue.name, Qt::CaseInsensitive)) {
            add(found.poison, queue.depth);
            found.poisonTaken += queue.unresolved;
            found.poisonQueue = queue.name;
            found.poisonConnection = queue.connection;
        }
    }
    return found;
}

} // namespace api
