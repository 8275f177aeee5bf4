// The intake, browse and subscribe commands of ConnectionService.
#include "backend/engine/connectionservice.h"
#include "backend/engine/text.h"

#include "backend/core/limits.h"
#include "backend/engine/auditlog.h"
#include "backend/engine/connectionruntime.h"
#include "backend/engine/rights.h"

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

core::Task<core::Result<records::IntakeCounts>> ConnectionService::intake(api::IntakeRequest request, QString who)
{
    CO_TRY(const std::shared_ptr<ConnectionRuntime> runtime, find(request.connection));
    CO_TRY(checkRight(runtime->connection(), records::Right::Take));
    const core::Result<records::IntakeCounts> counts = co_await runtime->intake(request.queue, request.limit, who);
    co_return counts;
}

core::Task<core::Result<records::BrowseCounts>> ConnectionService::browse(api::BrowseRequest request, QString who)
{
    CO_TRY(const std::shared_ptr<ConnectionRuntime> runtime, find(request.connection));
    CO_TRY(checkRight(runtime->connection(), records::Right::See));
    const int limit = request.limit.value_or(core::limits::browseMost);
    const core::Result<records::BrowseCounts> counts = co_await runtime->browse(request.queue, limit, who);
    co_return counts;
}

core::Result<> ConnectionService::subscribe(const api::SubscribeRequest &request, const QString &who)
{
    TRY(const std::shared_ptr<ConnectionRuntime> runtime, find(request.connection));
    TRY(const QStringList queues,
        request.subscribe ? queuesToSubscribe(*runtime, request.queue) : queuesToUnsubscribe(*runtime, request.queue));
    for (const QString &queue : queues) {
        const core::Result<> done = runtime->subscribe(queue, request.subscribe);
        m_around.auditLog.note(who, request.subscribe ? Text::tr("Queue subscribed") : Text::tr("Queue unsubscribed"),
                               runtime->connection().name + QStringLiteral(" / ") + queue, done);
        if (!done)
            return done;
    }
    return {};
}

core::Result<QStringList> ConnectionService::queuesToSubscribe(const ConnectionRuntime &runtime, const QString &queue)
{
    const QStringList known = runtime.failureQueues();
    const QStringList queues = queue.isEmpty() ? known : QStringList{runtime.spelled(queue)};
    TRY(checkRight(runtime.connection(), records::Right::Take));
    TRY(checkFailureQueues(runtime.connection(), known, queues));
    return queues;
}

// Unsubscribing needs no right.
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
