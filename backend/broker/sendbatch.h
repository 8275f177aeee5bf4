#pragma once

#include "backend/broker/broker.h"

#include <vector>

namespace broker {

// A message that is to be packed into a send call.
struct BatchItem
{
    QString queue;
    qint64 bytes = 0;
    bool isAlone = false; // must be sent in a call of its own
    bool isOut = false; // is not sent: it has its outcome already
};

// The messages of one send call, by their positions in the list.
struct SendBatch
{
    QString queue;
    QList<qsizetype> members;
    qint64 bytes = 0;
};

struct SendBatchBounds
{
    int members = 1;
    qint64 bytes = 0;
};

// Packs messages into calls, in order: each into the open call of its queue that still has room. A message larger than
// the limit gets a call of its own.
[[nodiscard]] std::vector<SendBatch> packed(const QList<BatchItem> &pieces, SendBatchBounds bounds);

// Sends all batches, at most `inFlight` at a time; `deliver` returns one outcome for each member. If a call rejects all
// its members, the broker took none, so each member is sent again alone: only the message at fault is rejected then.
[[nodiscard]] Task<> deliverAll(std::vector<SendBatch> batches, int inFlight,
                                std::function<Task<QList<SendOutcome>>(SendBatch)> deliver,
                                QList<SendOutcome> &outcomes);

} // namespace broker
