#pragma once

#include "backend/core/result.h"
#include "backend/records/retry.h"

#include <QHash>
#include <QList>
#include <QSet>

#include <functional>

namespace engine {

// The batches of operations, for snapshots. Those of an operation that has ended are read once and kept until its counts
// say that something of it has changed after all: a message came back, or what was in doubt is sent again.
class BatchShelf final
{
public:
    struct Batches
    {
        int total = 0;
        int done = 0;
        QList<records::RetryBatch> newestDone; // at most doneShown, newest first
    };
    static constexpr int doneShown = 20;

    using Read = std::function<core::Result<QList<records::RetryBatch>>(core::OperationId)>;

    // `read` is only called where something can have changed.
    [[nodiscard]] core::Result<Batches> of(const records::RetryOperation &operation, const Read &read);
    // Keeps only what these need.
    void forgetOthers(const QSet<core::OperationId> &shown);

private:
    struct Kept
    {
        records::OutcomeCounts counts;
        Batches batches;
    };
    QHash<core::OperationId, Kept> m_ended;
};

} // namespace engine
