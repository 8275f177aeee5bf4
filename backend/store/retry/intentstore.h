#pragma once

#include "backend/core/result.h"
#include "backend/store/retry/retryrecords.h"

#include <QList>

namespace store {

using core::Result;

class BatchRows;
class ForwardingStore;
class RetryLedger;
class StagingStore;

// The intent log, for batches without a staging queue: steps recordIntents and recordOutcomes (session.h). Engine thread.
class IntentStore final
{
public:
    IntentStore(RetryLedger &ledger, StagingStore &staging, ForwardingStore &forwarding, BatchRows &rows);
    IntentStore(const IntentStore &) = delete;
    IntentStore &operator=(const IntentStore &) = delete;

    // Intent log: the Staged members without an intent, by ordinal.
    [[nodiscard]] Result<QList<RetryMember>> unsent(core::BatchId batch);
    // Step recordIntents. Only after it is on the disk may these messages be sent. Members that are no longer Staged, and
    // those of a staging queue, are left alone; returns the ordinals that now have an intent.
    [[nodiscard]] Result<QList<qint64>> writeIntents(core::BatchId batch, const QList<qint64> &ordinals);
    // Step recordOutcomes of the intent log. Intents that were closed meanwhile (the message came back) are left alone.
    [[nodiscard]] Result<> writeOutcomes(core::BatchId batch, const QList<SendResult> &ends);
    // Intents without an outcome. After a crash each of them may or may not have been sent.
    [[nodiscard]] Result<QList<RetryMember>> openIntents(core::BatchId batch);
    // For a pause or a lower rate: unsent members return to Claimed in a new batch (Staging), this batch is Done.
    // Conflict: an intent is still open, or the batch is forwarded from a staging queue.
    [[nodiscard]] Result<> closeIntentLogBatch(core::BatchId batch, const QString &session);

private:
    RetryLedger &m_ledger;
    StagingStore &m_staging;
    ForwardingStore &m_forwarding;
    BatchRows &m_rows;
};

} // namespace store
