#include "models/retries/batchboard.h"

#include "models/common/formatters.h"

#include <algorithm>

namespace models {

namespace {

constexpr int shortIdLength = 4;

const api::OperationView *find(const api::Snapshot &snapshot, core::OperationId id)
{
    const auto found = std::find_if(snapshot.operations.cbegin(), snapshot.operations.cend(),
                                    [id](const api::OperationView &view) { return view.operation.id == id; });
    return found == snapshot.operations.cend() ? nullptr : &*found;
}

// A card is narrow, so it shows no zeros.
QString doneText(const records::OutcomeCounts &counts)
{
    QStringList parts;
    const auto add = [&parts](qint64 count, const QString &words) {
        if (count > 0)
            parts.append(words.arg(formatNumber(count)));
    };
    add(counts.skipped, BatchBoard::tr("%1 skipped"));
    add(counts.ejected, BatchBoard::tr("%1 ejected"));
    add(counts.inDoubt, BatchBoard::tr("%1 in doubt"));
    add(counts.cancelled, BatchBoard::tr("%1 cancelled"));
    return parts.isEmpty() && counts.sent > 0 ? BatchBoard::tr("all sent") : parts.join(QStringLiteral(" · "));
}

} // namespace

std::array<BoardColumn, BatchBoard::stages> BatchBoard::columns(const api::Snapshot &snapshot,
                                                                core::OperationId operation)
{
    std::array<BoardColumn, stages> columns;
    for (int i = 0; i < stages; ++i)
        columns[size_t(i)].stage = records::BatchStage(i);
    const api::OperationView *view = find(snapshot, operation);
    if (view == nullptr)
        return columns;
    for (const api::BatchView &batch : snapshot.batches) {
        if (batch.batch.operation != operation)
            continue;
        BoardColumn &column = columns[size_t(batch.batch.stage)];
        ++column.count;
        if (column.cards.size() < cardsShown)
            column.cards.append(card(batch, view->batchesTotal));
    }
    // The snapshot holds only some of the done batches, but it knows how many there are.
    BoardColumn &done = columns[size_t(records::BatchStage::Done)];
    done.count = std::max(done.count, view->batchesDone);
    for (BoardColumn &column : columns)
        column.more = column.count - int(column.cards.size());
    return columns;
}

BatchCard BatchBoard::card(const api::BatchView &view, int batchesTotal)
{
    const records::RetryBatch &batch = view.batch;
    const qint64 size = batch.size();
    BatchCard card;
    card.batch = batch.id;
    card.stagingId = batch.stagingId.left(shortIdLength);
    card.title =
        batchesTotal > 0
            ? tr("Batch %1 of %2 · %3").arg(formatNumber(batch.number), formatNumber(batchesTotal), formatNumber(size))
            : tr("Batch %1 · %2").arg(formatNumber(batch.number), formatNumber(size));
    card.waiting = !view.waitingReason.isEmpty();
    card.line = view.waitingReason;
    card.troubled = batch.counts.ejected > 0 || batch.counts.inDoubt > 0;
    const auto bar = [&card](qint64 done, qint64 of) {
        card.progress = of <= 0 ? 0.0 : std::clamp(double(done) / double(of), 0.0, 1.0);
        card.progressText = tr("%1 / %2").arg(formatNumber(done), formatNumber(of));
    };
    switch (batch.stage) {
    case records::BatchStage::MarkingDocuments:
        break;
    case records::BatchStage::Staging:
        if (!card.waiting || view.staged < size)
            bar(view.staged, size);
        break;
    case records::BatchStage::Forwarding:
        bar(view.forwarded, batch.stagedCount);
        break;
    case records::BatchStage::Done:
        card.title = tr("Batch %1 · %2 sent").arg(formatNumber(batch.number), formatNumber(batch.counts.sent));
        card.line = doneText(batch.counts);
        card.sentNothing = batch.counts.sent == 0;
        break;
    }
    return card;
}

QString BatchBoard::pace(const api::OperationView &view)
{
    QStringList parts;
    if (view.operation.state == records::OperationState::Paused)
        parts.append(tr("paused"));
    else if (records::isLive(view.operation.state) && view.messagesPerSecond > 0)
        parts.append(tr("%1 messages/s").arg(formatNumber(qRound64(view.messagesPerSecond))));
    if (view.timeLeft && records::isLive(view.operation.state))
        parts.append(tr("%1 left").arg(formatDuration(*view.timeLeft)));
    return parts.join(QStringLiteral(" · "));
}

QString BatchBoard::batchesLeft(const api::OperationView &view)
{
    if (!records::isLive(view.operation.state) || view.batchesTotal < 2) // the only one shows its progress
        return {};
    return tr("%1 of %2 batches left").arg(formatNumber(view.batchesLeft()), formatNumber(view.batchesTotal));
}

qint64 BatchBoard::withTheBroker(const api::Snapshot &snapshot, core::OperationId operation)
{
    qint64 there = 0;
    for (const api::BatchView &view : snapshot.batches) {
        const bool forwards = view.batch.stage == records::BatchStage::Forwarding && !view.batch.place.isEmpty();
        if (view.batch.operation == operation && forwards)
            there += std::max<qint64>(0, view.batch.stagedCount - view.forwarded);
    }
    return there;
}

core::OperationId BatchBoard::newest(const api::Snapshot &snapshot)
{
    core::OperationId live;
    core::OperationId any;
    for (const api::OperationView &view : snapshot.operations) {
        const core::OperationId id = view.operation.id;
        any = std::max(any, id);
        if (records::isLive(view.operation.state))
            live = std::max(live, id);
    }
    return live.isValid() ? live : any;
}

} // namespace models
