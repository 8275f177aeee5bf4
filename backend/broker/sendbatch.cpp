#include "backend/broker/sendbatch.h"

#include <QHash>

#include <algorithm>

namespace broker {

namespace {

void keep(const SendBatch &batch, const QList<SendOutcome> &some, QList<SendOutcome> &outcomes)
{
    for (qsizetype i = 0; i < batch.members.size() && i < some.size(); ++i)
        outcomes[batch.members.at(i)] = some.at(i);
}

} // namespace

std::vector<SendBatch> packed(const QList<BatchItem> &pieces, SendBatchBounds bounds)
{
    std::vector<SendBatch> batches;
    QHash<QString, size_t> open; // queue to its batch that still has room
    for (qsizetype i = 0; i < pieces.size(); ++i) {
        const BatchItem &piece = pieces.at(i);
        if (piece.isOut)
            continue;
        const auto found = open.constFind(piece.queue);
        if (!piece.isAlone && found != open.cend()) {
            SendBatch &batch = batches[*found];
            if (batch.members.size() < bounds.members && batch.bytes + piece.bytes <= bounds.bytes) {
                batch.members.append(i);
                batch.bytes += piece.bytes;
                continue;
            }
        }
        if (!piece.isAlone)
            open.insert(piece.queue, batches.size());
        batches.push_back({piece.queue, {i}, piece.bytes});
    }
    return batches;
}

Task<> deliverAll(std::vector<SendBatch> batches, int inFlight,
                  std::function<Task<QList<SendOutcome>>(SendBatch)> deliver, QList<SendOutcome> &outcomes)
{
    const std::function<Task<>(size_t)> step = [&](size_t i) -> Task<> {
        const SendBatch batch = batches.at(i);
        const QList<SendOutcome> some = co_await deliver(batch);
        keep(batch, some, outcomes);
        const bool refused = std::all_of(some.cbegin(), some.cend(),
                                         [](const SendOutcome &one) { return one.verdict == Verdict::Rejected; });
        if (!refused || batch.members.size() == 1)
            co_return;
        for (const qsizetype member : batch.members) {
            const SendBatch alone{batch.queue, {member}, 0};
            const QList<SendOutcome> one = co_await deliver(alone);
            keep(alone, one, outcomes);
        }
    };
    co_await core::forEachLimited(batches.size(), size_t(inFlight), step);
}

} // namespace broker
