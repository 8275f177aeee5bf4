#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/rabbitmq/managementapi.h"

namespace broker::rabbitmq {

struct PageOrder
{
    QString queue;
    qint64 count = 0; // messages there
    int limit = 0;
    qint64 byteLimit = 0; // 0: none
    QString incarnation; // of the queue; part of every native id
    bool isOurs = false; // only we read there, and nothing comes in any more
    std::optional<QString> exchange; // by which alone messages came into a queue of ours; nothing: it is not known
};

// Reads messages from the head in one `get` and leaves them there. Bodies are cut at some 64 KB for a page of a thousand, which
// of 1 MB each would be one answer of 1 GB; where one was cut, as many as fit are read again. Transient when the queue
// changed while it was read.
//
// nativeId is "<digest>.<messages behind it>.<incarnation>": the count behind a message of a queue that only we read and
// nobody fills does not change when its head is removed, so it tells identical messages apart.
//
// Of a queue of ours an answer about another queue, or of another time, is none: Transient.
[[nodiscard]] Task<Result<QList<ReceivedMessage>>> readPage(ManagementApi &api, PageOrder order);

// The items of all messages there, bodies cut off, as the API gives them; with the same checks.
struct WholeOrder
{
    QString queue;
    qint64 count = 0;
    std::optional<QString> exchange; // the default one has the empty name
    QString orUnder = {}; // or one whose name begins so; empty: none
};
[[nodiscard]] Task<Result<QCborArray>> readWhole(ManagementApi &api, WholeOrder order);

// What lies at the head says that so many messages are there, and that it came by that exchange. Transient: it does not.
[[nodiscard]] Task<Result<>> checkHead(ManagementApi &api, WholeOrder order);

} // namespace broker::rabbitmq
