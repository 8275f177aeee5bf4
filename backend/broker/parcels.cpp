#include "backend/broker/parcels.h"

#include <QHash>

#include <algorithm>

namespace broker {

namespace {

void keep(const Parcel &parcel, const QList<SendOutcome> &some, QList<SendOutcome> &outcomes)
{
    for (qsizetype i = 0; i < parcel.members.size() && i < some.size(); ++i)
        outcomes[parcel.members.at(i)] = some.at(i);
}

} // namespace

std::vector<Parcel> packed(const QList<Piece> &pieces, ParcelBounds bounds)
{
    std::vector<Parcel> parcels;
    QHash<QString, size_t> open; // queue to the parcel that still has room
    for (qsizetype i = 0; i < pieces.size(); ++i) {
        const Piece &piece = pieces.at(i);
        if (piece.isOut)
            continue;
        const auto found = open.constFind(piece.queue);
        if (!piece.isAlone && found != open.cend()) {
            Parcel &parcel = parcels[*found];
            if (parcel.members.size() < bounds.members && parcel.bytes + piece.bytes <= bounds.bytes) {
                parcel.members.append(i);
                parcel.bytes += piece.bytes;
                continue;
            }
        }
        if (!piece.isAlone)
            open.insert(piece.queue, parcels.size());
        parcels.push_back({piece.queue, {i}, piece.bytes});
    }
    return parcels;
}

Task<> deliverAll(std::vector<Parcel> parcels, int inFlight, std::function<Task<QList<SendOutcome>>(Parcel)> deliver,
                  QList<SendOutcome> &outcomes)
{
    const std::function<Task<>(size_t)> step = [&](size_t i) -> Task<> {
        const Parcel parcel = parcels.at(i);
        const QList<SendOutcome> some = co_await deliver(parcel);
        keep(parcel, some, outcomes);
        const bool refused = std::all_of(some.cbegin(), some.cend(),
                                         [](const SendOutcome &one) { return one.verdict == Verdict::Rejected; });
        if (!refused || parcel.members.size() == 1)
            co_return;
        for (const qsizetype member : parcel.members) {
            const Parcel alone{parcel.queue, {member}, 0};
            const QList<SendOutcome> one = co_await deliver(alone);
            keep(alone, one, outcomes);
        }
    };
    co_await core::forEachLimited(parcels.size(), size_t(inFlight), step);
}

} // namespace broker
