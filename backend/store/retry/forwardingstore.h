#pragma once

#include "backend/core/result.h"
#include "backend/store/retry/retryrecords.h"

#include <QList>

#include <optional>

namespace store {

using core::Result;

class BatchRows;
class RetryLedger;
class RetryOperationStore;

// The pointer of a connection to the batch that is being forwarded, and step recordOutcomes (session.h). Engine thread.
class ForwardingStore final
{
public:
    ForwardingStore(RetryLedger &ledger, RetryOperationStore &operations, BatchRows &rows);
    ForwardingStore(const ForwardingStore &) = delete;
    ForwardingStore &operator=(const ForwardingStore &) = delete;

    // The batch that the connection's pointer names: it has staged copies or intents on their way. Nothing: none.
    [[nodiscard]] Result<std::optional<records::RetryBatch>> nowForwarding(core::ConnectionId connection);
    // Stores what the broker needs to continue forwarding this batch after a crash. Conflict: the batch is not
    // Forwarding.
    [[nodiscard]] Result<> keepMark(core::BatchId batch, const QString &mark);
    // Step recordOutcomes of a staging queue, and the end of a batch in the intent log: the sends of Staged members ended
    // so, or were accepted. Interrupted: the broker or its shovel was, so each member is a possible duplicate, and a refused
    // one is in doubt, because it may be the second copy of one that arrived. Messages of a Release that are still RetryIssued
    // become Released. The batch is Done, the pointer is free. Conflict: an intent is still open, or a member that was not
    // sent is still in the batch (StagingStore::setAside).
    [[nodiscard]] Result<> finishForwarding(core::BatchId batch, const QList<SendResult> &ends,
                                            bool isInterrupted = false);

private:
    RetryLedger &m_ledger;
    RetryOperationStore &m_operations;
    BatchRows &m_rows;
};

} // namespace store
