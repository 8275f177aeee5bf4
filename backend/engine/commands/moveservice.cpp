#include "backend/engine/commands/moveservice.h"

#include "backend/broker/brokertraits.h"
#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/planning/planrules.h"
#include "backend/engine/planning/redirectrules.h"
#include "backend/engine/text.h"
#include "backend/store/connectionstore.h"

#include <QScopeGuard>

#include <algorithm>

namespace engine {

namespace {

using core::ErrorKind;
using Action = api::MoveQueue::Action;

const records::QueueMove *goingOn(const QList<records::QueueMove> &moves)
{
    const auto found =
        std::find_if(moves.begin(), moves.end(), [](const records::QueueMove &one) { return one.goesOn(); });
    return found == moves.end() ? nullptr : &*found;
}

bool isCancelled(const records::QueueMove &move)
{
    return move.state == records::QueueMove::State::Cancelling || move.state == records::QueueMove::State::Cancelled;
}

// "shop / orders-dlq: 5000 messages, to orders", for the activity log.
QString onWhat(const records::Connection &connection, const api::MoveQueue &command, std::optional<qint64> waiting)
{
    const QString count = waiting ? messagesText(*waiting) : Text::tr("all messages");
    const QString to =
        command.to.isEmpty() ? Text::tr("each to the queue it came from") : Text::tr("to %1").arg(command.to);
    return Text::tr("%1 / %2: %3, %4").arg(connection.name, command.queue, count, to);
}

core::Result<> checkOrder(const records::Connection &connection, const api::MoveQueue &command,
                          const broker::MoveOffer &offer)
{
    if (goingOn(offer.moves) != nullptr)
        return core::fail(ErrorKind::Conflict, Text::tr("%1 is already being moved.").arg(command.queue));
    if (!offer.refusal.isEmpty())
        return core::fail(ErrorKind::Refused, offer.refusal);
    if (offer.needsTarget && command.to.isEmpty())
        return core::fail(ErrorKind::Rejected, Text::tr("Name the queue that the messages are moved to."));
    const int rate = command.perSecond.value_or(1);
    if (command.perSecond && offer.mostPerSecond == 0)
        return core::fail(ErrorKind::Refused, Text::tr("The broker cannot limit the rate of a move."));
    if (rate < 1 || (command.perSecond && rate > offer.mostPerSecond))
        return core::fail(ErrorKind::Rejected,
                          Text::tr("The rate must be between 1 and %1 messages per second.").arg(offer.mostPerSecond));
    const bool production = connection.environment == records::Environment::Production;
    if (production && !offer.waiting) {
        const QString text = Text::tr(
            "The message count of %1 is unknown. On a production connection, only a queue with a known message "
            "count can be moved.");
        return core::fail(ErrorKind::Refused, text.arg(command.queue));
    }
    if (offer.waiting && asksForCount(connection.environment, *offer.waiting)
        && command.confirmedCount != offer.waiting) {
        const QString text =
            Text::tr("This is a production connection. Confirm the message count, %1, to start the move.");
        return core::fail(ErrorKind::Refused, text.arg(*offer.waiting));
    }
    return {};
}

} // namespace

MoveService::MoveService(ConnectionContext context, ConnectionService &connections)
    : m_context(std::move(context))
    , m_connections(connections)
{
}

void MoveService::addHandlers(CommandTable &table)
{
    table.on(&Engine::moves, &MoveService::act);
}

core::Task<core::Result<api::MoveAnswer>> MoveService::act(api::MoveQueue command, CommandCall &call)
{
    CO_TRY(const RuntimePtr runtime, m_connections.find(command.connection)); // keeps the runtime alive
    if (command.action == Action::Begin) {
        CO_TRY(co_await begin(runtime, command, call));
    } else if (command.action == Action::Cancel) {
        const QString what = Text::tr("%1 / %2").arg(runtime->connection().name, command.queue);
        call.about(what);
        CO_TRY(const qint64 moved, co_await cancel(runtime, command.queue));
        call.log(Text::tr("%1: about %2 moved").arg(what, messagesText(moved)));
    }
    const core::Result<api::MoveAnswer> answer = co_await offer(runtime, command.queue);
    co_return answer;
}

core::Task<core::Result<api::MoveAnswer>> MoveService::offer(RuntimePtr runtime, QString queue)
{
    CO_TRY(const broker::MoveOffer offer, co_await runtime->moveOffer(queue));
    api::MoveAnswer answer{offer};
    answer.confirmCount = offer.waiting && asksForCount(runtime->connection().environment, offer.waiting.value_or(0));
    answer.targets = redirectTargets(runtime->planBasis());
    if (answer.refusal.isEmpty()) {
        CO_TRY(answer.refusal, inTheWay(*runtime, queue));
    }
    co_return answer;
}

core::Task<core::Result<>> MoveService::begin(RuntimePtr runtime, api::MoveQueue command, CommandCall &call)
{
    call.about(onWhat(runtime->connection(), command, {}));
    if (!runtime->isKnown())
        CO_TRY(co_await runtime->refresh());
    if (!command.to.isEmpty())
        CO_TRY(checkRedirectTarget(runtime->planBasis(), command.to));
    // A message must not be taken into the store and moved at the same time.
    const QStringList queues(command.queue);
    co_await runtime->holdIntake(queues);
    const auto free = qScopeGuard([runtime, queues] { runtime->letGoIntake(queues); });
    CO_TRY(const broker::MoveOffer offer, co_await runtime->moveOffer(command.queue));
    CO_TRY(checkOrder(runtime->connection(), command, offer));
    CO_TRY(const QString way, inTheWay(*runtime, command.queue));
    if (!way.isEmpty())
        co_return core::fail(ErrorKind::Refused, way);
    CO_TRY(co_await order(runtime, command));
    call.log(onWhat(runtime->connection(), command, offer.waiting));
    co_return {};
}

// If the answer is lost, ask the broker for its moves: none was in progress just before.
core::Task<core::Result<>> MoveService::order(RuntimePtr runtime, api::MoveQueue command)
{
    broker::MoveOrder wanted{command.queue, command.to, command.perSecond};
    const core::Result<> begun = co_await runtime->mover()->beginMove(std::move(wanted));
    if (begun || begun.error().kind != ErrorKind::UnknownOutcome)
        co_return begun;
    const core::Result<broker::MoveOffer> after = co_await runtime->moveOffer(command.queue);
    const records::QueueMove *now = after ? goingOn(after->moves) : nullptr;
    if (now != nullptr && now->to == command.to)
        co_return core::Result<>();
    co_return begun;
}

core::Task<core::Result<qint64>> MoveService::cancel(RuntimePtr runtime, QString queue)
{
    CO_TRY(const broker::MoveOffer offer, co_await runtime->moveOffer(queue));
    const records::QueueMove *now = goingOn(offer.moves);
    if (now == nullptr)
        co_return core::fail(ErrorKind::NotFound, Text::tr("%1 is not being moved.").arg(queue));
    if (now->handle.isEmpty()) // it is ending already
        co_return now->moved;
    const core::Result<qint64> moved = co_await runtime->mover()->cancelMove(now->handle);
    if (moved || moved.error().kind != ErrorKind::Conflict)
        co_return moved;
    // Conflict: the call may have been repeated after a lost answer, and the first one cancelled the move.
    const core::Result<broker::MoveOffer> after = co_await runtime->moveOffer(queue);
    if (after && !after->moves.isEmpty() && isCancelled(after->moves.constFirst()))
        co_return after->moves.constFirst().moved;
    co_return moved;
}

core::Result<QString> MoveService::inTheWay(ConnectionRuntime &runtime, const QString &queue)
{
    const records::Connection &connection = runtime.connection();
    if (!runtime.failureQueues().contains(queue, broker::traitsOf(connection.kind).nameCase)) {
        return Text::tr("%1 is not an error queue of %2. Only error queues can be moved.").arg(queue, connection.name);
    }
    TRY(const QStringList subscribed, runtime.subscribed());
    if (subscribed.contains(queue, broker::traitsOf(connection.kind).nameCase))
        return Text::tr("%1 is subscribed: Redrive takes its messages. Unsubscribe it first.").arg(queue);
    TRY(const qint64 inRetry, m_context.dependencies.store.read<qint64>([&](store::Session &session) {
        return session.connections().inRetryFrom(connection.id, queue);
    }));
    if (inRetry == 0)
        return QString();
    const QString text =
        Text::tr("%2 has %1 in retry. A move would also move those that come back. Wait until they are resolved, mark "
                 "them as resolved, or take them back.");
    return text.arg(messagesText(inRetry), queue);
}

} // namespace engine
