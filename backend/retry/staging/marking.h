#pragma once

#include "backend/retry/gates/gates.h"
#include "backend/retry/gates/restingbatches.h"
#include "backend/store/retry/retrybatchstore.h"

namespace retry {

// Marking Documents: step claim for the next batch that the gates let go, and the choice of the marked batch that is
// staged next. Works on the store alone. Engine thread.
class Marking final
{
public:
    Marking(ProcessorContext &context, Gates &gates, const RestingBatches &resting);

    // Claims the next batch of the first operation that may have one. False: there was none.
    [[nodiscard]] Result<bool> markNext();
    // Finishes step claim for the batches that another session left in the middle of it: its process has ended. At start.
    [[nodiscard]] Result<> adoptOrphans() { return finishClaims(store::MarkedBy::OtherSession); }
    // The same for those of this session, where a transaction failed.
    [[nodiscard]] Result<> finishOwnClaims() { return finishClaims(store::MarkedBy::ThisSession); }
    // The batch to be staged next: operations take turns, and the one served last was `last`; within an operation the
    // oldest batch comes first. Nothing: none may be staged now.
    [[nodiscard]] Result<std::optional<records::RetryBatch>> nextToStage(core::OperationId last);

private:
    [[nodiscard]] Result<std::optional<records::RetryBatch>> addBatch(store::Session &session,
                                                                      const records::RetryOperation &operation,
                                                                      const QList<core::BatchId> &resting);
    [[nodiscard]] Result<> begin(store::Session &session, records::RetryOperation operation);
    [[nodiscard]] Result<> claimMembers(core::BatchId batch);
    [[nodiscard]] Result<> finishClaims(store::MarkedBy who);
    [[nodiscard]] Result<std::optional<records::RetryBatch>> stageable(store::Session &session,
                                                                       const records::RetryOperation &operation,
                                                                       const QList<core::BatchId> &resting);
    [[nodiscard]] int batchSize(const records::Plan &plan) const;

    ProcessorContext &m_context;
    Gates &m_gates;
    const RestingBatches &m_resting;
};

} // namespace retry
