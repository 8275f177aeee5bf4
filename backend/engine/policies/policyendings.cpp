#include "backend/engine/policies/policyendings.h"

#include "backend/api/rights.h"
#include "backend/broker/brokertraits.h"
#include "backend/engine/planning/redirectrules.h"
#include "backend/engine/policies/policyfollower.h"
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

// Nothing may be sent to this queue. One that does not exist is waited for.
Result<> checkQueue(const PlanBasis &basis, const QString &queue)
{
    const Result<> fits = checkRedirectTarget(basis, queue);
    if (fits || fits.error().kind == ErrorKind::NotFound)
        return {};
    return fail(fits.error().kind, QStringLiteral("exhausted.queue: ") + fits.error().message);
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
        TRY(const QList<store::QueueCount> counts, session.messages().queueCounts());
        const bool isAnyClosed = std::any_of(counts.cbegin(), counts.cend(), [&](const store::QueueCount &one) {
            return one.connection == basis.connection.id && isClosed(basis, one.queue);
        });
        if (!isAnyClosed)
            return WaysBack{messages, {}};
        WaysBack ways;
        for (const core::MessageId id : messages) {
            const Result<records::FailedMessage> message = session.messages().load(id);
            // The release says what is wrong with a damaged one.
            if (!message && !PolicyFollower::isAboutMessage(message.error()))
                return fail(message.error());
            (message && isClosed(basis, message->queue) ? ways.closed : ways.open).append(id);
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
        if (needsQueue)
            TRY(checkQueue(basis, ending.queue));
        if (needsQueue && scope.connection.isValid())
            TRY(api::checkRights(runtime->connection(), records::Right::Redirect));
    }
    return {};
}

Result<> checkEndingAnywhere(const ConnectionService &connections, const recovery::Policy &policy)
{
    const recovery::Exhausted &ending = policy.exhausted;
    const QList<RuntimePtr> all = connections.all();
    if (!ending.queue.isEmpty()) {
        Result<> last;
        for (const RuntimePtr &runtime : all) {
            const PlanBasis basis = runtime->planBasis();
            const bool needsQueue = ending.what == Do::Move || isClosed(basis, {});
            last = needsQueue ? checkQueue(basis, ending.queue) : Result<>();
            if (last)
                break;
        }
        return last;
    }
    if (ending.what != Do::DeadLetter)
        return {};
    const bool isSomewhere =
        std::any_of(all.cbegin(), all.cend(), [](const RuntimePtr &runtime) { return hasWay(runtime->planBasis()); });
    return all.isEmpty() || isSomewhere ? Result<>() : noWay(all.constFirst()->planBasis());
}

} // namespace engine
