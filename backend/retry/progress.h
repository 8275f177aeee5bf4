#pragma once

#include "backend/core/ids.h"

#include <QString>
#include <QStringList>

namespace retry {

// A live batch as one sees it move. What counts in the end are the stored outcomes.
struct BatchProgress
{
    core::BatchId batch;
    core::OperationId operation;
    qint64 staged = 0; // copies in the staging place, or ledger rows
    qint64 forwarded = 0; // of them, gone to their destinations
};

// Who shows progress. Called on the engine's thread, between transactions; must not call back.
class Progress
{
public:
    Progress() = default;
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;
    virtual ~Progress() = default;

    virtual void batchMoved(const BatchProgress &progress) = 0;
    // Something stored about the operation has changed: state, counts, waiting reason, batches.
    virtual void operationChanged(core::OperationId operation) = 0;
    // Samples for rates: that many copies were staged, or confirmed at their destinations, just now.
    virtual void staged(core::OperationId operation, qint64 copies) = 0;
    virtual void sent(core::OperationId operation, qint64 copies) = 0;
    // Copies of the operation are about to go to these queues; said for each batch.
    virtual void aimed(core::OperationId operation, const QStringList &destinations) = 0;
};

} // namespace retry
