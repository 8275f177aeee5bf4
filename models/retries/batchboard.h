// The content of the stage board of one retry operation, as values: four columns of cards. It is computed from every
// snapshot and keeps no state. Pure functions.
#pragma once

#include "backend/api/snapshot.h"

#include <QCoreApplication>
#include <QList>

#include <array>

namespace models {

struct BatchCard
{
    core::BatchId batch;
    QString title; // "Batch 3 of 4 · 1,000"
    QString line; // "waits for batch 3", "1 ejected · 0 in doubt"
    QString stagingId; // short form, empty when none
    std::optional<double> progress; // 0 .. 1; nothing: no bar
    QString progressText; // "318 / 1,000"
    bool waiting = false; // the line says why it does not move
    bool troubled = false; // something was ejected or is in doubt
    bool sentNothing = false; // it ended without sending: all cancelled or skipped

    friend bool operator==(const BatchCard &, const BatchCard &) = default;
};

struct BoardColumn
{
    records::BatchStage stage = records::BatchStage::MarkingDocuments;
    int count = 0; // batches in this stage, shown or not
    QList<BatchCard> cards; // at most cardsShown
    int more = 0; // count - cards

    friend bool operator==(const BoardColumn &, const BoardColumn &) = default;
};

class BatchBoard final
{
    Q_DECLARE_TR_FUNCTIONS(BatchBoard)

public:
    static constexpr int cardsShown = 20;
    static constexpr int stages = 4;

    // The columns of this operation; four empty ones when it is not in the snapshot.
    [[nodiscard]] static std::array<BoardColumn, stages> columns(const api::Snapshot &snapshot,
                                                                 core::OperationId operation);
    // "812 messages/s · 1 min left"; empty when it does not run.
    [[nodiscard]] static QString pace(const api::OperationView &view);
    // "3 of 17 batches left"; empty when it has ended, or has only one.
    [[nodiscard]] static QString batchesLeft(const api::OperationView &view);
    // The operation to show when a person chose none: the newest live one, else the newest.
    [[nodiscard]] static core::OperationId newest(const api::Snapshot &snapshot);
    // The number of copies in staging queues of the broker, on their way to their destinations. A pause or a cancel
    // does not stop them.
    [[nodiscard]] static qint64 withTheBroker(const api::Snapshot &snapshot, core::OperationId operation);

private:
    static BatchCard card(const api::BatchView &view, int batchesTotal);
};

} // namespace models
