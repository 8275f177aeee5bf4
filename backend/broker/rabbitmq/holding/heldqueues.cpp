#include "backend/broker/rabbitmq/holding/heldqueues.h"

#include "backend/broker/rabbitmq/holding/holdingnote.h"
#include "backend/broker/rabbitmq/staging/whenall.h"
#include "backend/broker/rabbitmq/text.h"
#include "backend/core/time/laterequests.h"

#include <algorithm>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr int randomDigits = 12;

} // namespace

const LiveQueue *HeldQueues::Found::next() const
{
    const auto isOpen = [this](const LiveQueue &queue) {
        return queue.messages.value_or(1) > 0 || shovels.contains(queue.name);
    };
    const auto found = std::find_if(queues.cbegin(), queues.cend(), isOpen);
    return found == queues.cend() ? nullptr : &*found;
}

HeldQueues::HeldQueues(ManagementApi &api, Shovels &shovels, core::Clock &clock, core::Random &random)
    : m_api(api)
    , m_clock(clock)
    , m_random(random)
    , m_queues(api)
    , m_shovels(shovels)
{
}

Task<Result<HeldQueues::Found>> HeldQueues::find(TakeRequest request)
{
    const QString name = request.holdingName;
    const bool isDoubtful = m_doubtful.contains(name);
    Found found;
    if (const auto now = m_now.constFind(name); now != m_now.constEnd() && !isDoubtful) {
        CO_TRY(found, co_await findKnown(*now));
    }
    if (found.queues.isEmpty() && (!request.isNew || isDoubtful)) {
        CO_TRY(found, co_await search(name));
    }
    if (found.queues.isEmpty())
        found.vanished = m_filled.take(name);
    if (const LiveQueue *next = found.next())
        m_now.insert(name, next->name);
    for (const LiveQueue &queue : std::as_const(found.queues)) {
        if (!OwnedQueues::isOurs(queue)) {
            const QString text =
                Text::tr("Redrive did not create the queue %1: another program uses this name.").arg(queue.name);
            co_return fail(ErrorKind::Conflict, text);
        }
    }
    co_return found;
}

Task<Result<HeldQueues::Found>> HeldQueues::findKnown(QString queue)
{
    Found found;
    CO_TRY(const bool moving, co_await m_shovels.isDefined(queue));
    if (moving)
        found.shovels.append(queue);
    const Result<LiveQueue> held = co_await m_queues.live(queue);
    if (!held && held.error().kind != ErrorKind::NotFound)
        co_return fail(held.error());
    if (held)
        found.queues.append(*held);
    co_return found;
}

Task<Result<HeldQueues::Found>> HeldQueues::search(QString holdingName)
{
    Found found;
    CO_TRY(found.shovels, co_await m_shovels.under(holdingName));
    CO_TRY(found.queues, co_await queuesUnder(holdingName));
    if (found.queues.isEmpty()) { // or a node had not recovered them
        const Result<> whole = co_await m_queues.everyQueueIsListed();
        if (!whole && whole.error().kind == ErrorKind::Unauthorized)
            co_return fail(
                ErrorKind::Transient,
                Text::tr("Messages may be held under the name %1, and this account may not see whether all nodes "
                         "are up: it needs the tag monitoring.")
                    .arg(holdingName));
        if (!whole)
            co_return fail(whole.error());
        CO_TRY(found.queues, co_await queuesUnder(holdingName));
    }
    for (const LiveQueue &queue : std::as_const(found.queues)) {
        if (!queue.isRunning())
            co_return fail(OwnedQueues::notRunning(queue));
    }
    co_return found;
}

Task<Result<QList<LiveQueue>>> HeldQueues::queuesUnder(QString holdingName)
{
    CO_TRY(QList<LiveQueue> queues, co_await m_api.liveQueues(holdingName));
    queues.removeIf([&](const LiveQueue &queue) { return !isUnder(queue.name, holdingName); });
    co_return queues;
}

// The end of a shovel returns as many as it has in hand beyond its count, so never more than the next page takes.
qint64 HeldQueues::inHandOf(const Filling &filling)
{
    if (filling.isOneByOne)
        return 1;
    return filling.isLimited ? std::clamp<qint64>(filling.count, 1, records::mostInHand) : ShovelOrder{}.inHand;
}

QString HeldQueues::exampleOf(const QString &holdingName)
{
    return queueOf(holdingName, QLatin1Char('h') + QString(randomDigits, QLatin1Char('0')));
}

Task<Result<QString>> HeldQueues::fill(TakeRequest request, Filling filling)
{
    const QString part = QLatin1Char('h') + m_random.hexId().left(randomDigits);
    const QString queue = queueOf(request.holdingName, part);
    m_now.insert(request.holdingName, queue);
    m_doubtful.insert(request.holdingName, m_clock.steady()); // until all is answered
    const QString whole = part + QLatin1Char('|') + QString::number(filling.count) + QLatin1Char('|') + filling.note;
    CO_TRY(co_await prepare(request, queue, whole));
    const ShovelOrder order{queue, request.queue, queue, filling.count, inHandOf(filling), filling.isLimited};
    const Creation started = co_await m_shovels.start(order);
    m_doubtful.insert(request.holdingName, m_clock.steady());
    if (!started.mayStillArrive)
        m_doubtful.remove(request.holdingName);
    if (!started.result)
        co_return fail(started.result.error());
    m_filled.insert(request.holdingName, filling.count);
    co_return queue;
}

// The queue comes first: it shows whatever a crash leaves half made.
Task<Result<>> HeldQueues::prepare(TakeRequest request, QString queue, QString note)
{
    const QCborMap about{{QStringLiteral("x-redrive"), note}};
    CO_TRY(co_await m_queues.declareQueue(queue, about));
    const QString fanout = QStringLiteral("fanout");
    const QCborMap alternate{{QStringLiteral("alternate-exchange"), backOf(queue)}};
    std::vector<Task<Result<>>> exchanges;
    exchanges.push_back(openBack(backOf(queue), request.queue));
    exchanges.push_back(m_queues.declareExchange(queue, fanout, alternate));
    CO_TRY(co_await whenAll(std::move(exchanges)));
    const Result<> bound = co_await m_queues.bind(queue, queue, {});
    co_return bound;
}

// If somebody deletes the holding queue, what its shovel has in hand goes back to the end of the source queue. To bind that queue,
// an account needs the right to write to it, which taking does not need otherwise: without it there is no way back.
Task<Result<>> HeldQueues::openBack(QString back, QString source)
{
    CO_TRY(co_await m_queues.declareExchange(back, QStringLiteral("fanout"), {}));
    const Result<> bound = co_await m_queues.bind(back, source, {});
    if (bound || bound.error().kind == ErrorKind::Unauthorized)
        co_return Result<>();
    if (bound.error().kind != ErrorKind::NotFound)
        co_return bound;
    CO_TRY(co_await m_queues.live(source)); // which of the two is missing
    co_return fail(ErrorKind::Transient, Text::tr("Somebody deleted the exchange %1.").arg(back));
}

Task<Result<QStringList>> HeldQueues::removeEmpty(QString holdingName, Found found,
                                                  std::function<void(const QString &)> broke)
{
    CO_TRY(const QStringList exchanges, co_await m_queues.exchangesUnder(holdingName));
    CO_TRY(co_await m_queues.removeExchanges(exchanges));
    CO_TRY(const QStringList shovels, co_await m_shovels.under(holdingName));
    for (const QString &shovel : shovels) {
        broke(shovel);
        CO_TRY(co_await m_shovels.takeDown(shovel));
    }
    QStringList left;
    for (const LiveQueue &queue : std::as_const(found.queues)) {
        const Result<> removed = co_await m_queues.removeQueueIfEmpty(queue.name);
        if (!removed && removed.error().kind != ErrorKind::Conflict)
            co_return fail(removed.error());
        if (!removed)
            left.append(queue.name);
    }
    m_filled.remove(holdingName);
    if (left.isEmpty())
        m_now.remove(holdingName);
    else
        m_now.insert(holdingName, left.constFirst());
    co_return left;
}

Task<Result<>> HeldQueues::removeOne(QString holdingName, QString queue)
{
    CO_TRY(co_await m_queues.removeQueueIfEmpty(queue));
    m_filled.remove(holdingName);
    m_now.remove(holdingName);
    co_return Result<>();
}

bool HeldQueues::mayStillStart(const QString &holdingName) const
{
    const auto sent = m_doubtful.constFind(holdingName);
    return sent != m_doubtful.constEnd() && m_clock.steady() - *sent < core::limits::lateRequests;
}

Task<Result<>> HeldQueues::closeWay(QString queue)
{
    if (isOfOnePage(queue.section(QLatin1Char('.'), -1))) {
        const QStringList both{queue, backOf(queue)};
        const Result<> closed = co_await m_queues.removeExchanges(both);
        co_return closed;
    }
    CO_TRY(const QStringList found, co_await m_queues.exchangesUnder(queue));
    const Result<> closed = co_await m_queues.removeExchanges(found);
    co_return closed;
}

} // namespace broker::rabbitmq
