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
};

// Reads messages from the head in one `get` and leaves them there. Bodies are cut at some 64 KB for a page of a thousand, which
// of 1 MB each would be one answer of 1 GB; where one was cut, as many as fit are read again. Transient when the queue
// changed while it was read.
//
// nativeId is "<digest>.<messages behind it>.<incarnation>": the count behind a message of a queue that only we read and
// nobody fills does not change when its head is removed, so it tells identical messages apart.
[[nodiscard]] Task<Result<QList<Held>>> readPage(ManagementApi &api, PageOrder order);

} // namespace broker::rabbitmq
