#include "backend/engine/moveservice.h"

#include "backend/engine/auditlog.h"
#include "backend/engine/planrules.h"
#include "backend/engine/redirectrules.h"
#include "backend/engine/rights.h"
#include "backend/engine/text.h"
#include "backend/store/connectionstore.h"

#include <QScopeGuard>

#include <algorithm>

namespace engine {

namespace {

using core::ErrorKind;
using Action = api::MoveCommand::Action;

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

// "shop / orders-dlq: about 5,000 messages to orders": for the trail.
QString onWhat(const records::Connection &connection, const api::MoveCommand &command, std::optional<qint64> waiting)
{
    const QString count = waiting ? Text::tr("%1 messages").arg(*waiting) : Text::tr("all messages");
    const QString to =
        command.to.isEmpty() ? Text::tr("each to the queue it came from") : Text::tr("to %1").arg(command.to);
    return Text::tr("%1 / %2: %3, %4").arg(connection.name, command.queue, count, to);
}

core::Result<> checkPerson(const PlanBasis &basis, const api::MoveCommand &command)
{
    const core::Result<> mayRetry = checkRight(basis.connection, records::Right::Retry);
    if (!mayRetry || command.to.isEmpty())
        return mayRetry;
    const core::Result<> mayRedirect = checkRight(basis.connection, records::Right::Redirect);
    return mayRedirect ? checkRedirectTarget(basis, command.to) : mayRedirect;
}

core::Result<> checkOrder(const records::Connection &connection, const api::MoveCommand &command,
                          const broker::MoveOffer &offer)
{
    if (goingOn(offer.moves) != nullptr)
        return core::fail(ErrorKind::Conflict, Text::tr("%1 is being moved already.").arg(command.queue));
    if (!offer.refusal.isEmpty())
        return core::fail(ErrorKind::Refused, offer.refusal);
    if (offer.needsTarget && command.to.isEmpty())
        return core::fail(ErrorKind::Rejected, Text::tr("The broker moves all of a queue to one other: name it."));
    const int rate = command.perSecond.value_or(1);
    if (command.perSecond && offer.mostPerSecond == 0)
        return core::fail(ErrorKind::Refused, Text::tr("The rate of such a move cannot be limited."));
    if (rate < 1 || (command.perSecond && rate > offer.mostPerSecond))
        return core::fail(ErrorKind::Rejected,
                          Text::tr("A move is limited to 1 to %1 messages a second.").arg(offer.mostPerSecond));
    const bool production = connection.environment == records::Environment::Production;
    if (production && !offer.waiting) {
        const QString text =
            Text::tr("Nobody can say how many messages wait in %1: on a production connection only a queue "
                     "whose messages are counted is moved.");
        return core::fail(ErrorKind::Refused, text.arg(command.queue));
    }
    if (offer.waiting && asksForCount(connection.environment, *offer.waiting)
        && command.confirmedCount != offer.waiting) {
        const QString text =
            Text::tr("This is a production connection: confirm the count, %1, to move that many messages.");
        return core::fail(ErrorKind::Refused, text.arg(*offer.waiting));
    }
    return {};
}

} // namespace

MoveService::MoveService(ConnectionContext surroundings, ConnectionService &connections)
    : m_around(std::move(surroundings))
    , m_connections(connections)
{
}

core::Task<core::Result<api::MoveAnswer>> MoveService::act(api::MoveCommand command)
{
    const core::Result<RuntimePtr> found = m_connections.find(command.connection);
    if (!found)
        co_return core::fail(found.error());
    const RuntimePtr &runtime = *found; // which stays as long as this does
    const records::Connection connection = runtime->connection();
    core::Result<> done;
    if (command.action == Action::Begin) {
        std::optional<qint64> waiting;
        done = co_await begin(runtime, command, waiting);
        m_around.auditLog.note(command.who, Text::tr("Whole queue moved by the broker"),
                               onWhat(connection, command, waiting), done);
    } else if (command.action == Action::Cancel) {
        const core::Result<qint64> moved = co_await cancel(runtime, command.queue);
        if (!moved)
            done = core::fail(moved.error());
        const QString what = Text::tr("%1 / %2").arg(connection.name, command.queue);
        m_around.auditLog.note(command.who, Text::tr("Move of a whole queue cancelled"),
                               moved ? Text::tr("%1: about %2 were moved").arg(what, QString::number(*moved)) : what,
                               done);
    }
    if (!done)
        co_return core::fail(done.error());
    const core::Result<api::MoveAnswer> answer = co_await browse(runtime, command.queue);
    co_return answer;
}

core::Task<core::Result<api::MoveAnswer>> MoveService::browse(RuntimePtr runtime, QString queue)
{
    const core::Result<broker::MoveOffer> offer = co_await runtime->moveOffer(queue);
    if (!offer)
        co_return core::fail(offer.error());
    api::MoveAnswer answer;
    answer.moves = offer->moves;
    answer.facts = offer->facts;
    answer.waiting = offer->waiting;
    answer.refusal = offer->refusal;
    answer.guarantee = offer->guarantee;
    answer.mostPerSecond = offer->mostPerSecond;
    answer.needsTarget = offer->needsTarget;
    answer.confirmCount = offer->waiting && asksForCount(runtime->connection().environment, offer->waiting.value_or(0));
    answer.targets = redirectTargets(runtime->planBasis());
    if (answer.refusal.isEmpty()) {
        const core::Result<QString> way = inTheWay(*runtime, queue);
        if (!way)
            co_return core::fail(way.error());
        answer.refusal = *way;
    }
    co_return answer;
}

core::Task<core::Result<>> MoveService::begin(RuntimePtr runtime, api::MoveCommand command,
                                              std::optional<qint64> &waiting)
{
    if (!runtime->isKnown()) {
        const core::Result<> asked = co_await runtime->refresh();
        if (!asked)
            co_return asked;
    }
    const core::Result<> allowed = checkPerson(runtime->planBasis(), command);
    if (!allowed)
        co_return allowed;
    // What is taken meanwhile would be in the store and on its way at once.
    const QStringList queues(command.queue);
    co_await runtime->holdIntake(queues);
    const auto free = qScopeGuard([runtime, queues] { runtime->letGoIntake(queues); });
    const core::Result<broker::MoveOffer> offer = co_await runtime->moveOffer(command.queue);
    if (!offer)
        co_return core::fail(offer.error());
    waiting = offer->waiting;
    const core::Result<> possible = checkOrder(runtime->connection(), command, *offer);
    if (!possible)
        co_return possible;
    const core::Result<QString> way = inTheWay(*runtime, command.queue);
    if (!way)
        co_return core::fail(way.error());
    if (!way->isEmpty())
        co_return core::fail(ErrorKind::Refused, *way);
    const core::Result<> begun = co_await order(runtime, command);
    co_return begun;
}

// Where the answer is lost, the broker tells whether it moves: it did not a moment ago.
core::Task<core::Result<>> MoveService::order(RuntimePtr runtime, api::MoveCommand command)
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

// To stop is always allowed.
core::Task<core::Result<qint64>> MoveService::cancel(RuntimePtr runtime, QString queue)
{
    const core::Result<broker::MoveOffer> offer = co_await runtime->moveOffer(queue);
    if (!offer)
        co_return core::fail(offer.error());
    const records::QueueMove *now = goingOn(offer->moves);
    if (now == nullptr)
        co_return core::fail(ErrorKind::NotFound, Text::tr("%1 is not being moved.").arg(queue));
    if (now->handle.isEmpty()) // it ends already
        co_return now->moved;
    const core::Result<qint64> moved = co_await runtime->mover()->cancelMove(now->handle);
    if (moved || moved.error().kind != ErrorKind::Conflict)
        co_return moved;
    // A call whose answer was lost was repeated: it may be this one that ended it.
    const core::Result<broker::MoveOffer> after = co_await runtime->moveOffer(queue);
    if (after && !after->moves.isEmpty() && isCancelled(after->moves.constFirst()))
        co_return after->moves.constFirst().moved;
    co_return moved;
}

core::Result<QString> MoveService::inTheWay(ConnectionRuntime &runtime, const QString &queue)
{
    const records::Connection &connection = runtime.connection();
    if (!runtime.failureQueues().contains(queue, caseOf(connection.kind))) {
        return Text::tr("%1 is no error queue of %2: only failed messages are moved.").arg(queue, connection.name);
    }
    const core::Result<QStringList> subscribed = runtime.subscribed();
    if (!subscribed)
        return core::fail(subscribed.error());
    if (subscribed->contains(queue, caseOf(connection.kind)))
        return Text::tr("%1 is followed: its messages are taken. Stop following it first.").arg(queue);
    core::Result<qint64> inRetry = 0;
    const core::Result<> read = m_around.dependencies.store.read([&](store::Session &session) -> core::Result<> {
        inRetry = session.connections().inRetryFrom(connection.id, queue);
        return inRetry ? core::Result<>() : core::fail(inRetry.error());
    });
    if (!read)
        return core::fail(read.error());
    if (*inRetry == 0)
        return QString();
    const QString text =
        Text::tr("%1 messages of %2 are in a retry: what comes back of them would be moved, too. Wait until it "
                 "has ended and they are resolved, or resolve them or take them back.");
    return text.arg(QString::number(*inRetry), queue);
}

} // namespace engine
