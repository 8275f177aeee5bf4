#pragma once

#include "backend/core/ids.h"

#include <QString>
#include <QStringList>

namespace retry {

// The progress of a live batch, for display. Only the stored outcomes count in the end.
struct BatchProgress
{
    core::BatchId batch;
    core::OperationId operation;
    qint64 staged = 0; // copies in the staging queue, or members in the intent log
    qint64 forwarded = 0; // of these, forwarded to their destinations
};

// Receives progress for display. Called on the engine thread, between transactions; it must not call the processor
// back.
class Progress
{
public:
    Progress() = default;
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;
    virtual ~Progress() = default;

    virtual void batchMoved(const BatchProgress &progress) = 0;
    // Something stored about the operation changed: state, counts, waiting reason or batches.
    virtual void operationChanged(core::OperationId operation) = 0;
    // Samples for the rate: this many copies were staged just now, or accepted at their destinations.
    virtual void staged(core::OperationId operation, qint64 copies) = 0;
    virtual void sent(core::OperationId operation, qint64 copies) = 0;
    // Copies of the operation are about to be sent to these queues. Called once for each batch.
    virtual void aimed(core::OperationId operation, const QStringList &destinations) = 0;
};

} // namespace retry
