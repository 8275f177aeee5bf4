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

// Each move has a name of its own, "<this>.<random part>", for its shovel and its exchange: a request to remove those of
// an earlier move may arrive late. The start depends only on the queue, so that there is one move of a queue at a time,
// whoever starts it. Redrive 0.1.0 named its moves so.
QString moveName(const QString &queue)
{
    const QByteArray digest = core::sha256({queue.toUtf8()}).toHex().left(24);
    return ourPrefix + QStringLiteral("move.") + QString::fromLatin1(digest);
}

qint64 readyIn(const LiveQueue &queue)
{
    return std::max(qint64{0}, queue.ready());
}

// Messages that are still in the source are not moved; messages that arrived since then count as such.
qint64 movedOf(const QueueMove &move, const LiveQueue &source)
{
    return std::max(qint64{0}, move.total.value_or(0) - source.messages.value_or(0));
}

} // namespace

QueueMoves::QueueMoves(ManagementApi &api, Shovels &shovels, core::Clock &clock, core::Random &random)
    : m_api(api)
    , m_clock(clock)
    , m_random(random)
    , m_queues(api)
    , m_shovels(shovels)
{
}

Task<Result<MoveOffer>> QueueMoves::offer(QString queue, bool mayShovel)
{
    CO_TRY(const LiveQueue source, co_await m_queues.live(queue));
    MoveOffer offer;
    offer.needsTarget = true;
    offer.waiting = source.messages;
    offer.guarantee = Text::tr(
        "A RabbitMQ shovel moves the messages unchanged: Redrive neither edits nor counts them and keeps no "
        "copy in the store. The shovel moves the messages that are in the queue when it starts. A message "
        "leaves its queue only after the target queue confirms it: if a node restarts or the move is "
        "cancelled, up to 1000 messages may arrive twice. Messages that the target queue refuses stay. Messages of "
        "AMQP 1.0 clients arrive as AMQP 0.9.1 has them: without subject, \"to\", footer and the like.");
    offer.refusal = Text::tr("RabbitMQ moves whole queues with its shovel plugin. The plugin is missing, or this "
                             "account may not use it.");
    if (mayShovel) {
        CO_TRY(offer.refusal, co_await refusalToMove(source));
    }
    CO_TRY(const std::optional<QueueMove> move, co_await known(source));
    if (move)
        offer.moves.append(*move);
    co_return offer;
}

// A move goes on without us, so nobody would count the deliveries that its interruptions use up.
Task<Result<QString>> QueueMoves::refusalToMove(LiveQueue source)
{
    const QString refusal = refusalOf(source);
    if (!refusal.isEmpty())
        co_return refusal;
    CO_TRY(const ReturnRules rules, co_await returnRulesNow(m_api, source));
    const std::optional<records::DeliveryLimit> &limit = rules.limit;
    if (!limit)
        co_return QString();
    const QString text =
        Text::tr("The queue %1 has a delivery limit (%2): each interruption of a move counts as a delivery of up to "
                 "1000 messages, and those that exceed the limit leave the queue. Take the messages instead and "
                 "retry them.");
    co_return text.arg(source.name, QString::number(limit->most));
}

Task<Result<std::optional<QueueMove>>> QueueMoves::known(LiveQueue source)
{
    const QString start = moveName(source.name);
    CO_TRY(const QStringList exchanges, co_await m_queues.exchangesUnder(start));
    CO_TRY(const auto notes, co_await notesOf(exchanges));
    if (notes.isEmpty() || m_beginning.contains(start)) {
        const auto found = m_ended.constFind(start);
        const auto ended = found == m_ended.constEnd() ? std::nullopt : std::optional(*found);
        if (ended && !exchanges.isEmpty() && !m_beginning.contains(start))
            static_cast<void>(co_await clearAway(start)); // else the next call or move does it
        co_return ended;
    }
    CO_TRY(const QStringList shovels, co_await m_shovels.under(start));
    for (const auto &[name, note] : notes) {
        if (!shovels.contains(name))
            continue;
        QueueMove move = note;
        move.moved = movedOf(move, source);
        const Result<QueueMove> now = co_await running(name, move);
        if (!now)
            co_return fail(now.error());
        co_return std::optional(*now);
    }
    // Messages may have moved since they were counted
    CO_TRY(const LiveQueue after, co_await m_queues.live(source.name));
    QueueMove move = notes.constLast().second;
    move.moved = movedOf(move, after);
    move.state = QueueMove::State::Completed;
    if (move.moved == 0 && move.total.value_or(0) > 0) {
        move.state = QueueMove::State::Failed;
        move.reason = Text::tr("The move did not start, or the target queue took no message.");
    }
    m_ended.insert(start, move);
    for (const auto &[name, note] : notes) {
        const Result<> cleared = co_await clearAway(name); // what remains is removed by the next call or the next move
        if (!cleared)
            m_ended[start].reason = cleared.error().message;
    }
    co_return move;
}

Task<Result<QueueMove>> QueueMoves::running(QString name, QueueMove move)
{
    CO_TRY(const ShovelState shovel, co_await m_shovels.state(name));
    move.handle = name;
    move.reason = shovel.reason;
    co_return move;
}

Task<Result<QList<QPair<QString, QueueMove>>>> QueueMoves::notesOf(QStringList exchanges)
{
    QList<QPair<QString, QueueMove>> notes;
    for (const QString &exchange : std::as_const(exchanges)) {
        if (isBack(exchange))
            continue;
        CO_TRY(const std::optional<QueueMove> note, co_await noteOf(exchange));
        if (note)
            notes.append({exchange, *note});
    }
    std::stable_sort(notes.begin(), notes.end(),
                     [](const auto &a, const auto &b) { return a.second.began < b.second.began; });
    co_return notes;
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
    CO_TRY(const LiveQueue target, co_await m_queues.live(order.to));
    CO_TRY(const QString refusal, co_await refusalToMove(source));
    for (const QString &one : {refusal, sendRefusalOf(target), bindingRefusalOf(target)}) {
        if (!one.isEmpty())
            co_return fail(ErrorKind::Refused, one);
    }
    CO_TRY(co_await m_queues.noAlarm());
    m_beginning.insert(name);
    const auto begun = qScopeGuard([this, name] { m_beginning.remove(name); });
    CO_TRY(const QStringList exchanges, co_await m_queues.exchangesUnder(name));
    CO_TRY(const auto notes, co_await notesOf(exchanges));
    CO_TRY(const QStringList shovels, co_await m_shovels.under(name));
    const bool moving = std::any_of(notes.cbegin(), notes.cend(),
                                    [&shovels](const auto &note) { return shovels.contains(note.first); });
    if (moving)
        co_return fail(ErrorKind::Conflict, Text::tr("A move of %1 is already running.").arg(order.queue));
    const Result<> put = co_await this->put(order, readyIn(source));
    co_return put;
}

// Moves through an exchange of its own, as holding queues are filled: routing keys stay, and queues of a CC header get
// nothing.
Task<Result<>> QueueMoves::put(MoveOrder order, qint64 total)
{
    const QString start = moveName(order.queue);
    const Result<> cleared = co_await clearAway(start); // of earlier moves
    if (!cleared)
        co_return cleared;
    const QString name = start + QLatin1Char('.') + m_random.hexId().left(12);
    CO_TRY(co_await openWay(name, order, total));
    // Another program that begins at the same moment has declared its exchange, too, before it looks: one of the two sees the other.
    CO_TRY(const QStringList exchanges, co_await m_queues.exchangesUnder(start));
    const QStringList mine{name, backOf(name)};
    if (QSet<QString>(exchanges.cbegin(), exchanges.cend()) != QSet<QString>(mine.cbegin(), mine.cend())) {
        CO_TRY(co_await clearAway(name));
        co_return fail(ErrorKind::Conflict, Text::tr("A move of %1 is already running.").arg(order.queue));
    }
    m_ended.remove(start);
    const ShovelOrder shovel{name, order.queue, name, std::nullopt};
    const Creation started = co_await m_shovels.start(shovel);
    if (!started.result && started.result.error().kind == ErrorKind::Transient) // it may have started
        co_return fail(ErrorKind::UnknownOutcome, started.result.error().message, started.result.error().detail);
    co_return started.result;
}

// If the target queue is deleted meanwhile, messages go back to the end of the source queue.
Task<Result<>> QueueMoves::openWay(QString name, MoveOrder order, qint64 total)
{
    const QString fanout = QStringLiteral("fanout");
    CO_TRY(co_await m_queues.declareExchange(backOf(name), fanout, {}));
    CO_TRY(co_await m_queues.bind(backOf(name), order.queue, {}));
    const QString note = QString::number(total) + QLatin1Char('|') + QString::number(core::toMs(m_clock.now()))
                         + QLatin1Char('|') + order.to;
    const QCborMap arguments{{QStringLiteral("alternate-exchange"), backOf(name)}, {noteKey, note}};
    CO_TRY(co_await m_queues.declareExchange(name, fanout, arguments));
    const Result<> bound = co_await m_queues.bind(name, order.to, {});
    co_return bound;
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
    if (!isUnder(handle, moveName(queue)))
        co_return fail(ErrorKind::Refused, Text::tr("%1 is not a move that Redrive started.").arg(handle));
    CO_TRY(const std::optional<QueueMove> noted, co_await noteOf(handle));
    CO_TRY(co_await m_shovels.takeDown(handle));
    QueueMove move = noted.value_or(QueueMove());
    move.state = QueueMove::State::Cancelled;
    const Result<LiveQueue> source = co_await m_queues.live(queue);
    if (source)
        move.moved = movedOf(move, *source);
    m_ended.insert(moveName(queue), move);
    CO_TRY(co_await clearAway(handle));
    co_return move.moved;
}

// A shovel whose exchange is gone moves nothing; one that is still there was started by a late request.
Task<Result<>> QueueMoves::clearAway(QString name)
{
    CO_TRY(const QStringList exchanges, co_await m_queues.exchangesUnder(name));
    CO_TRY(co_await m_queues.removeExchanges(exchanges));
    CO_TRY(co_await m_shovels.takeDownUnder(name));
    co_return Result<>();
}

} // namespace broker::rabbitmq
