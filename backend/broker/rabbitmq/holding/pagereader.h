#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/http/managementapi.h"

#include <functional>

namespace broker::rabbitmq {

struct PageOrder
{
    QString queue;
    qint64 count = 0; // message count of the queue
    int limit = 0;
    qint64 byteLimit = 0; // 0: none
    QString incarnation; // random part of this holding queue; part of every native id
    bool isOurs = false; // only we read this queue, and nothing is added to it any more
    std::optional<QString> exchange; // the only exchange that fills a queue of ours; nothing: unknown
    std::function<Result<>()> risk{}; // called before each read, which is then sent once; an error ends it; may be null
};

// Reads messages from the head with one `get` and leaves them in the queue. The first read cuts bodies (to some 32 KB
// for a page of 1000), so that the answer stays small; if a body was cut, a second one reads as many whole messages as
// fit. Transient: the queue changed meanwhile, or the answer is about another queue or another time.
//
// nativeId is "<digest>.<messages behind it>.<incarnation>". In a queue that only we read and nobody fills, the number
// of messages behind one does not change when the head is removed, so it tells identical messages apart.
[[nodiscard]] Task<Result<QList<ReceivedMessage>>> readPage(ManagementApi &api, PageOrder order);

// Reads all messages as the API gives them, bodies cut off, with the same checks.
struct WholeOrder
{
    QString queue;
    qint64 count = 0;
    std::optional<QString> exchange; // the exchange that fills it; the default exchange has the empty name
    QString orUnder = {}; // or any exchange whose name starts with this; empty: none
};
[[nodiscard]] Task<Result<QCborArray>> readWhole(ManagementApi &api, WholeOrder order);

// The first message, without its body; empty: none is ready. Refused: RabbitMQ cannot show it.
[[nodiscard]] Task<Result<QCborArray>> headOf(ManagementApi &api, QString queue);

// Success: the message at the head confirms the message count and the exchange of the order. Transient: it does not.
[[nodiscard]] Task<Result<>> checkHead(ManagementApi &api, WholeOrder order);

} // namespace broker::rabbitmq
