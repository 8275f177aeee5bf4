#pragma once

#include "backend/broker/broker.h"

#include <vector>

namespace broker {

// A message on its way into a call.
struct Piece
{
    QString queue;
    qint64 bytes = 0;
    bool isAlone = false; // no other can travel with it
    bool isOut = false; // it has its outcome already
};

// The messages of one call, by their places in the list.
struct Parcel
{
    QString queue;
    QList<qsizetype> members;
    qint64 bytes = 0;
};

struct ParcelBounds
{
    int members = 1;
    qint64 bytes = 0;
};

// Each into the parcel of its queue that still has room, in order. What is too large for any travels alone.
[[nodiscard]] std::vector<Parcel> packed(const QList<Piece> &pieces, ParcelBounds bounds);

// Delivers them all, so many at a time; `deliver` gives one outcome for each member. A call that refused all it had took nothing:
// each of it goes alone then, so that only what is refused for itself is.
[[nodiscard]] Task<> deliverAll(std::vector<Parcel> parcels, int inFlight,
                                std::function<Task<QList<SendOutcome>>(Parcel)> deliver, QList<SendOutcome> &outcomes);

} // namespace broker
