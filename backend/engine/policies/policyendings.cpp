#include "backend/engine/policies/policyendings.h"

#include "backend/api/rights.h"
#include "backend/broker/brokertraits.h"
#include "backend/engine/planning/planrules.h"
#include "backend/engine/text.h"
#include "backend/store/messages/messagestore.h"

#include <algorithm>

namespace engine {

using core::ErrorKind;
using core::fail;
using core::Result;
using Do = recovery::Exhausted::Do;
using RuntimePtr = std::shared_ptr<ConnectionRuntime>;

// Of one queue; without a name, of any dead-letter queue of this connection.
static bool isClosed(const PlanBasis &basis, const QString &queue)
{
    if (!basis.known)
        return false;
    return !cannotPutBack(basis, queue.isEmpty() ? QStringLiteral("any/$DeadLetterQueue") : queue).isEmpty();
}

namespace {

Result<> noWay(const PlanBasis &basis)
{
    return fail(ErrorKind::Refused, QStringLiteral("exhausted.queue: ") + noWayBackText(basis.connection.name));
}

// True: what the connection takes can be put back, at least from an error queue that a person named.
bool hasWay(const PlanBasis &basis)
{
    const QStringList &named = basis.connection.errorQueues;
    return !isClosed(basis, {})
           || std::any_of(named.cbegin(), named.cend(), [&](const QString &queue) { return !isClosed(basis, queue); });
}

} // namespace

bool isClosed(const ConnectionService &connections, core::ConnectionId connection, const QString &queue)
{
    const Result<RuntimePtr> runtime = connections.find(connection);
    return runtime && isClosed((*runtime)->planBasis(), queue);
}

QString noWayBackText(const QString &connection)
{
    return Text::tr("Only the broker of %1 can put messages into its dead-letter queues, so they cannot go back there. "
                    "Name a queue for them: {\"do\": \"dead-letter\", \"queue\": \"parking\"}.")
        .arg(connection);
}

Result<WaysBack> waysBack(store::Store &store, const PlanBasis &basis, const QList<core::MessageId> &messages)
{
    return store.read<WaysBack>([&](store::Session &session) -> Result<WaysBack> {
        WaysBack ways;
        for (const core::MessageId id : messages) {
            TRY(const records::FailedMessage message, session.messages().load(id));
            (isClosed(basis, message.queue) ? ways.closed : ways.open).append(id);
        }
        return ways;
    });
}

Result<> checkEnding(const ConnectionService &connections, const recovery::Policy &policy, const recovery::Scope &scope)
{
    const recovery::Exhausted &ending = policy.exhausted;
    const bool isMove = ending.what == Do::Move;
    if (!isMove && ending.what != Do::DeadLetter)
        return {};
    if (!ending.queue.isEmpty() && ending.queue == scope.queue)
        return fail(ErrorKind::Rejected,
                    Text::tr("The policy moves what it gives up to %1, which is this queue.").arg(ending.queue));
    for (const RuntimePtr &runtime : connections.all()) {
        if (scope.connection.isValid() && scope.connection != runtime->connection().id)
            continue;
        const PlanBasis basis = runtime->planBasis();
        const bool needsQueue = isMove || isClosed(basis, scope.queue);
        if (needsQueue && ending.queue.isEmpty())
            return noWay(basis);
        if (needsQueue && scope.connection.isValid())
            TRY(api::checkRights(runtime->connection(), records::Right::Redirect));
    }
    return {};
}

Result<> checkEndingAnywhere(const ConnectionService &connections, const recovery::Policy &policy)
{
    if (policy.exhausted.what != Do::DeadLetter || !policy.exhausted.queue.isEmpty())
        return {};
    const QList<RuntimePtr> all = connections.all();
    const bool isSomewhere =
        std::any_of(all.cbegin(), all.cend(), [](const RuntimePtr &runtime) { return hasWay(runtime->planBasis()); });
    return all.isEmpty() || isSomewhere ? Result<>() : noWay(all.constFirst()->planBasis());
}

} // namespace engine
