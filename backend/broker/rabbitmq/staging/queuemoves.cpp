#include "backend/broker/rabbitmq/staging/queuemoves.h"

#include "backend/broker/rabbitmq/holding/holding.h"
#include "backend/broker/rabbitmq/policies.h"
#include "backend/broker/rabbitmq/text.h"
#include "backend/core/digest.h"

#include <QCborArray>
#include <QScopeGuard>

#include <algorithm>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;
using records::QueueMove;

namespace {

const QString noteKey = QStringLiteral("x-redrive");

// The name of the shovel and of the exchange. It depends only on the queue, so there is one move of a queue at a time,
// whoever starts it.
QString moveName(const QString &queue)
{
    const QByteArray digest = core::sha256({queue.toUtf8()}).toHex().left(24);
    return ourPrefix + QStringLiteral("move.") + QString::fromLatin1(digest);
}

QString backOf(const QString &name)
{
    return name + QStringLiteral(".back");
}

qint64 readyIn(const LiveQueue &queue)
{
    return std::max(qint64{0}, queue.messages.value_or(0) - queue.unacknowledged);
}

// Messages that are still in the source are not moved; messages that arrived since then count as such.
qint64 movedOf(const QueueMove &move, const LiveQueue &source)
{
    return std::max(qint64{0}, move.total.value_or(0) - source.messages.value_or(0));
}

} // namespace

QueueMoves::QueueMoves(ManagementApi &api, core::Clock &clock, core::Timers &timers)
    : m_api(api)
    , m_clock(clock)
    , m_queues(api)
    , m_shovels(api, timers)
{
}

Task<Result<MoveOffer>> QueueMoves::offer(QString queue, bool mayShovel)
{
    CO_TRY(const LiveQueue source, co_await m_queues.live(queue));
    MoveOffer offer;
    offer.needsTarget = true;
    offer.waiting = source.messages;
    offer.guarantee =
        Text::tr("A RabbitMQ shovel moves the messages unchanged: Redrive neither edits nor counts them and keeps no "
                 "copy in the store. The shovel moves the messages that are in the queue when it starts. A message "
                 "leaves its queue only after the target queue confirms it: if a node restarts or the move is "
                 "cancelled, up to 1000 messages may arrive twice. Messages that the target queue refuses stay.");
    offer.refusal = refusalOf(source);
    if (offer.refusal.isEmpty() && !mayShovel)
        offer.refusal = Text::tr("RabbitMQ moves whole queues with its shovel plugin. The plugin is missing, or this "
                                 "account may not use it.");
    CO_TRY(const std::optional<QueueMove> move, co_await known(source));
    if (move)
        offer.moves.append(*move);
    co_return offer;
}

Task<Result<std::optional<QueueMove>>> QueueMoves::known(LiveQueue source)
{
    const QString name = moveName(source.name);
    CO_TRY(std::optional<QueueMove> noted, co_await noteOf(name));
    if (!noted || m_beginning.contains(name)) {
        const auto ended = m_ended.constFind(name);
        co_return ended == m_ended.constEnd() ? std::nullopt : std::optional(*ended);
    }
    QueueMove move = *noted;
    move.moved = movedOf(move, source);
    CO_TRY(const ShovelState shovel, co_await m_shovels.readState(name));
    if (shovel.defined) {
        move.handle = name;
        move.reason = shovel.reason;
        co_return move;
    }
    // Messages may have moved since they were counted
    CO_TRY(const LiveQueue after, co_await m_queues.live(source.name));
    move.moved = movedOf(move, after);
    move.state = QueueMove::State::Completed;
    if (move.moved == 0 && move.total.value_or(0) > 0) {
        move.state = QueueMove::State::Failed;
        move.reason = Text::tr("The move did not start, or the target queue took no message.");
    }
    m_ended.insert(name, move);
    const Result<> cleared = co_await clearAway(name); // what remains is removed by the next call or the next move
    if (!cleared)
        m_ended[name].reason = cleared.error().message;
    co_return move;
}

// The note is "<message count>|<start in ms>|<target>".
Task<Result<std::optional<QueueMove>>> QueueMoves::noteOf(QString name)
{
    const Result<QCborValue> exchange =
        co_await m_api.get(m_api.exchangePath(name), Text::tr("exchange %1").arg(name), Absence::Fact);
    if (!exchange && exchange.error().kind == ErrorKind::NotFound)
        co_return std::optional<QueueMove>();
    if (!exchange)
        co_return fail(exchange.error());
    const QString note = exchange->toMap().value(QLatin1String("arguments")).toMap().value(noteKey).toString();
    QueueMove move;
    move.total = std::max(qint64{0}, qint64{note.section(QLatin1Char('|'), 0, 0).toLongLong()});
    move.began = core::fromMs(note.section(QLatin1Char('|'), 1, 1).toLongLong());
    move.to = note.section(QLatin1Char('|'), 2);
    co_return std::optional(move);
}

Task<Result<>> QueueMoves::begin(MoveOrder order)
{
    const QString name = moveName(order.queue);
    if (order.to == order.queue)
        co_return fail(ErrorKind::Rejected,
                       Text::tr("%1 is the queue to be moved: choose another target queue.").arg(order.to));
    if (order.to.startsWith(ourPrefix))
        co_return fail(ErrorKind::Rejected,
                       Text::tr("The queue %1 belongs to Redrive: choose another target queue.").arg(order.to));
    CO_TRY(const LiveQueue source, co_await m_queues.live(order.queue));
    CO_TRY(co_await m_queues.live(order.to));
    CO_TRY(co_await m_queues.noAlarm());
    m_beginning.insert(name);
    const auto begun = qScopeGuard([this, name] { m_beginning.remove(name); });
    CO_TRY(const bool moving, co_await m_shovels.isDefined(name));
    if (moving)
        co_return fail(ErrorKind::Conflict, Text::tr("A move of %1 is already running.").arg(order.queue));
    const Result<> put = co_await this->put(order, readyIn(source));
    co_return put;
}

// Moves through an exchange of its own, as holding queues are filled: routing keys stay, and queues of a CC header get
// nothing. If the target queue is deleted meanwhile, messages go back to the end of the source queue.
Task<Result<>> QueueMoves::put(MoveOrder order, qint64 total)
{
    const QString name = moveName(order.queue);
    const Result<> cleared = co_await clearAway(name); // of an earlier move
    if (!cleared)
        co_return cleared;
    const QString fanout = QStringLiteral("fanout");
    CO_TRY(co_await m_queues.declareExchange(backOf(name), fanout, {}));
    CO_TRY(co_await m_queues.bind(backOf(name), order.queue, {}));
    const QString note = QString::number(total) + QLatin1Char('|') + QString::number(core::toMs(m_clock.now()))
                         + QLatin1Char('|') + order.to;
    const QCborMap arguments{{QStringLiteral("alternate-exchange"), backOf(name)}, {noteKey, note}};
    CO_TRY(co_await m_queues.declareExchange(name, fanout, arguments));
    CO_TRY(co_await m_queues.bind(name, order.to, {}));
    m_ended.remove(name);
    const ShovelOrder shovel{name, order.queue, name, std::nullopt};
    const Result<int> started = co_await m_shovels.start(shovel);
    if (!started && started.error().kind == ErrorKind::Transient) // it may have started
        co_return fail(ErrorKind::UnknownOutcome, started.error().message, started.error().detail);
    co_return started ? Result<>() : Result<>(fail(started.error()));
}

Task<Result<qint64>> QueueMoves::cancel(QString handle)
{
    const Result<QCborValue> parameter =
        co_await m_api.get(m_api.shovelPath(handle), Text::tr("shovel %1").arg(handle), Absence::Fact);
    if (!parameter && parameter.error().kind == ErrorKind::NotFound)
        co_return fail(ErrorKind::Conflict, Text::tr("The move had already finished and cannot be cancelled."));
    if (!parameter)
        co_return fail(parameter.error());
    const QString queue =
        parameter->toMap().value(QLatin1String("value")).toMap().value(QLatin1String("src-queue")).toString();
    if (handle != moveName(queue))
        co_return fail(ErrorKind::Refused, Text::tr("%1 is not a move that Redrive started.").arg(handle));
    CO_TRY(const std::optional<QueueMove> noted, co_await noteOf(handle));
    CO_TRY(co_await m_shovels.takeDown(handle));
    QueueMove move = noted.value_or(QueueMove());
    move.state = QueueMove::State::Cancelled;
    const Result<LiveQueue> source = co_await m_queues.live(queue);
    if (source)
        move.moved = movedOf(move, *source);
    m_ended.insert(handle, move);
    CO_TRY(co_await clearAway(handle));
    co_return move.moved;
}

Task<Result<>> QueueMoves::clearAway(QString name)
{
    CO_TRY(co_await m_queues.removeExchange(name));
    const Result<> back = co_await m_queues.removeExchange(backOf(name));
    co_return back;
}

} // namespace broker::rabbitmq
