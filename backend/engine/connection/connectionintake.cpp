// The intake, browse and subscribe commands of ConnectionService.
#include "backend/api/requests/connections.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/text.h"

#include "backend/core/limits.h"
#include "backend/engine/connection/connectionruntime.h"

namespace engine {

namespace {

// Only error queues can be subscribed: from any other queue Redrive would take the consumers' work away.
core::Result<> checkFailureQueues(const records::Connection &connection, const QStringList &known,
                                  const QStringList &queues)
{
    if (queues.isEmpty()) {
        return core::fail(
            core::ErrorKind::Refused,
            Text::tr("No error queue of %1 is known. Name one in the connection's settings.").arg(connection.name));
    }
    for (const QString &queue : queues) {
        if (!known.contains(queue)) {
            return core::fail(core::ErrorKind::Refused,
                              Text::tr("%1 is not an error queue of %2. If it holds failed messages, name it in the "
                                       "connection's settings.")
                                  .arg(queue, connection.name));
        }
    }
    return {};
}
} // namespace

core::Task<core::Result<records::IntakeCounts>> ConnectionService::intake(api::TakeMessages command, CommandCall &call)
{
    CO_TRY(const std::shared_ptr<ConnectionRuntime> runtime, find(command.connection));
    const core::Result<records::IntakeCounts> counts =
        co_await runtime->intake(command.queue, command.limit, call.who());
    co_return counts;
}

core::Task<core::Result<records::BrowseCounts>> ConnectionService::browse(api::BrowseMessages command,
                                                                          CommandCall &call)
{
    CO_TRY(const std::shared_ptr<ConnectionRuntime> runtime, find(command.connection));
    const int limit = command.limit.value_or(core::limits::browseMost);
    const core::Result<records::BrowseCounts> counts = co_await runtime->browse(command.queue, limit, call.who());
    co_return counts;
}

core::Result<> ConnectionService::subscribe(const api::ChangeSubscription &command, CommandCall &call)
{
    TRY(const std::shared_ptr<ConnectionRuntime> runtime, find(command.connection));
    TRY(const QStringList queues,
        command.subscribe ? queuesToSubscribe(*runtime, command.queue) : queuesToUnsubscribe(*runtime, command.queue));
    for (const QString &queue : queues) {
        const QString name = runtime->connection().name + QStringLiteral(" / ") + queue;
        call.about(name);
        TRY(runtime->subscribe(queue, command.subscribe));
        call.log(name); // also when one of the others fails
    }
    if (queues.isEmpty())
        call.skip();
    return {};
}

core::Result<QStringList> ConnectionService::queuesToSubscribe(const ConnectionRuntime &runtime, const QString &queue)
{
    const QStringList known = runtime.failureQueues();
    const QStringList queues = queue.isEmpty() ? known : QStringList{runtime.spelled(queue)};
    TRY(checkFailureQueues(runtime.connection(), known, queues));
    return queues;
}

core::Result<QStringList> ConnectionService::queuesToUnsubscribe(ConnectionRuntime &runtime, const QString &queue)
{
    const core::Result<QStringList> subscribed = runtime.subscribed();
    if (!subscribed || queue.isEmpty())
        return subscribed;
    const QString name = subscribed->contains(queue) ? queue : runtime.spelled(queue);
    if (!subscribed->contains(name))
        return core::fail(core::ErrorKind::NotFound, Text::tr("The queue %1 is not subscribed.").arg(queue));
    return QStringList{name};
}

} // namespace engine
