#pragma once

#include "backend/broker/broker.h"

#include <vector>

namespace broker {

// A message on its way into a call.
struct BatchItem
{
    QString queue;
    qint64 bytes = 0;
    bool isAlone = false; // no other can travel with it
    bool isOut = false; // it has its outcome already
};

// The messages of one call, by their places in the list.
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

// Each into the parcel of its queue that still has room, in order. What is too large for any travels alone.
[[nodiscard]] std::vector<SendBatch> packed(const QList<BatchItem> &pieces, SendBatchBounds bounds);

// Delivers them all, so many at a time; `deliver` gives one outcome for each member. A call that refused all it had took nothing:
// each of it goes alone then, so that only what is refused for itself is.
[[nodiscard]] Task<> deliverAll(std::vector<SendBatch> batches, int inFlight,
                                std::function<Task<QList<SendOutcome>>(SendBatch)> deliver,
                                QList<SendOutcome> &outcomes);

} // namespace broker
