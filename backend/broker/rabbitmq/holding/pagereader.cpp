#include "backend/broker/rabbitmq/holding/pagereader.h"

#include "backend/broker/rabbitmq/http/messagecodec.h"
#include "backend/broker/rabbitmq/text.h"
#include "backend/core/limits.h"
#include "backend/core/text/losslessjson.h"

#include <QCborArray>

#include <algorithm>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

// base64 makes 4 bytes of 3, and headers come on top: a quarter of the largest answer leaves enough room.
constexpr qint64 wholeAnswerBytes = core::limits::responseBytes / 4;
// JSON text makes six bytes of one at worst: see ManagementApi::peek.
constexpr qint64 firstReadBytes = core::limits::responseBytes / 8;
constexpr qint64 mostBehind = 1'000'000'000'000; // a larger number is no count, and sums could overflow

// How many of the items fit into `bytes`; at least one.
int fitting(const QCborArray &sizes, qint64 bytes)
{
    qint64 sum = 0;
    int count = 0;
    for (const QCborValue &item : sizes) {
        const qint64 size = core::integerOf(item.toMap().value(QLatin1String("payload_bytes")));
        if (count > 0 && size > bytes - sum)
            break;
        sum += std::max<qint64>(size, 0);
        ++count;
    }
    return count;
}

// The total size of the first `count` bodies.
qint64 bytesOf(const QCborArray &items, int count)
{
    qint64 bytes = 0;
    for (qsizetype i = 0; i < std::min<qsizetype>(count, items.size()); ++i) {
        const qint64 size = core::integerOf(items.at(i).toMap().value(QLatin1String("payload_bytes")));
        bytes = std::min(bytes + std::clamp(size, qint64{0}, core::limits::responseBytes), core::limits::responseBytes);
    }
    return bytes;
}

bool isCut(const QCborArray &items, int count, qint64 bodyBytes)
{
    for (qsizetype i = 0; i < std::min<qsizetype>(count, items.size()); ++i) {
        if (core::integerOf(items.at(i).toMap().value(QLatin1String("payload_bytes"))) > bodyBytes)
            return true;
    }
    return false;
}

// Each item says how many messages are behind it and by which exchange it came. So an answer about another queue (other
// exchange) or another time (other count) is recognised.
bool isAbout(const QCborArray &items, qint64 count, const std::optional<QString> &exchange, const QString &orUnder = {})
{
    qint64 behind = count;
    return std::all_of(items.constBegin(), items.constEnd(), [&](const QCborValue &value) {
        const QCborMap item = value.toMap();
        const QString way = item.value(QLatin1String("exchange")).toString();
        return core::integerOf(item.value(QLatin1String("message_count")), -1) == --behind
               && (!exchange || way == *exchange || (!orUnder.isEmpty() && way.startsWith(orUnder)));
    });
}

core::Error changed(const QString &queue)
{
    const QString text = Text::tr("The queue %1 changed while it was read.");
    return core::Error{ErrorKind::Transient, text.arg(queue), {}, {}};
}

Task<Result<QCborArray>> peekAtRisk(ManagementApi &api, PageOrder order, PeekOptions options)
{
    if (order.risk)
        CO_TRY(order.risk());
    options.once = options.once || order.risk;
    Result<QCborArray> items = co_await api.peek(order.queue, options);
    co_return items;
}

// An answer that is no JSON hides all messages in it, and so does one message that RabbitMQ cannot show: half as many are
// read, down to one. Where a read is at a risk there is only one: its price was told, and each further one would cost it again.
Task<Result<QCborArray>> peekReadable(ManagementApi &api, PageOrder order, int wanted)
{
    for (int count = wanted;; count /= 2) {
        // Cuts the bodies so short that the answer for a page is never too large. If no body was cut, this read was enough.
        PeekOptions cut{count, false, int(firstReadBytes / wanted)};
        cut.once = count < wanted; // the client has tried often enough
        Result<QCborArray> items = co_await peekAtRisk(api, order, cut);
        if (items || items.error().kind != ErrorKind::Corrupt || count == 1 || order.risk)
            co_return items;
    }
}

} // namespace

Task<Result<QList<ReceivedMessage>>> readPage(ManagementApi &api, PageOrder order)
{
    QList<ReceivedMessage> page;
    const int wanted = int(std::min<qint64>(order.count, order.limit));
    if (wanted <= 0)
        co_return page;
    Result<QCborArray> items = co_await peekReadable(api, order, wanted);
    if (!items)
        co_return fail(items.error());
    if (items->isEmpty())
        co_return page;
    // A whole page is better than a part, so the byte limit may be exceeded by half.
    const qint64 wantedBytes = order.byteLimit > 0 ? order.byteLimit + order.byteLimit / 2 : wholeAnswerBytes;
    const int count = fitting(*items, std::min(wantedBytes, wholeAnswerBytes));
    if (isCut(*items, count, firstReadBytes / wanted)) {
        const PeekOptions whole{count, false, 0, bytesOf(*items, count)};
        items = co_await peekAtRisk(api, order, whole);
        if (!items)
            co_return fail(items.error());
    }
    while (items->size() > count)
        items->removeLast();

    page.reserve(items->size());
    for (qsizetype i = 0; i < items->size(); ++i) {
        const QCborMap item = items->at(i).toMap();
        ReceivedMessage held = heldFrom(item);
        const qint64 behind =
            std::clamp(core::integerOf(item.value(QLatin1String("message_count")), -1), qint64{-1}, mostBehind);
        held.settleToken = QString::number(behind);
        held.nativeId =
            digestOf(held.envelope) + QLatin1Char('.') + held.settleToken + QLatin1Char('.') + order.incarnation;
        page.append(std::move(held));
    }
    if (items->size() != count || (order.isOurs && !isAbout(*items, order.count, order.exchange)))
        co_return fail(changed(order.queue));
    co_return page;
}

Task<Result<QCborArray>> readWhole(ManagementApi &api, WholeOrder order)
{
    const PeekOptions all{int(order.count), false, 1};
    const Result<QCborArray> items = co_await api.peek(order.queue, all);
    if (!items)
        co_return fail(items.error());
    if (items->size() != order.count || !isAbout(*items, order.count, order.exchange, order.orUnder))
        co_return fail(changed(order.queue));
    co_return items;
}

Task<Result<QCborArray>> headOf(ManagementApi &api, QString queue)
{
    const PeekOptions one{1, false, 1};
    Result<QCborArray> head = co_await api.peek(queue, one);
    if (!head && head.error().kind == ErrorKind::Corrupt)
        co_return fail(ErrorKind::Refused, head.error().message);
    co_return head;
}

Task<Result<>> checkHead(ManagementApi &api, WholeOrder order)
{
    const PeekOptions one{1, false, 1};
    CO_TRY(const QCborArray head, co_await api.peek(order.queue, one));
    if (head.size() != 1 || !isAbout(head, order.count, order.exchange))
        co_return fail(changed(order.queue));
    co_return Result<>();
}

} // namespace broker::rabbitmq
