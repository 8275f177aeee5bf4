#pragma once

#include "backend/retry/context/sharedstate.h"
#include "backend/retry/forwarding/intentlog.h"
#include "backend/retry/forwarding/outcomerecorder.h"

namespace retry {

// The steps of the forwarding lane: lets the broker forward the batch that the connection's pointer names, or has it
// sent from the intent log, and records its outcomes. One object per Processor. Engine thread.
class Forwarding final
{
public:
    explicit Forwarding(SharedState &shared);

    // Forwards the current batch to its end. False: there is none. After any error the same batch continues from the
    // state of the broker and of the store.
    [[nodiscard]] Task<Result<bool>> forwardNext();
    // Sends from the intent log are without an answer.
    [[nodiscard]] bool isSending() const { return m_intentLog.isSending(); }
    // The outcomes of a batch are stored, and its staging queue is still there.
    [[nodiscard]] bool endsBatch() const { return m_endsBatch; }

private:
    [[nodiscard]] Task<Result<>> forwardBatch(const records::RetryBatch &batch);
    [[nodiscard]] Task<Result<>> forwardOnBroker(records::RetryBatch batch);
    // Ends a batch of a cancelled operation of which nothing was forwarded yet. False: it is not one.
    [[nodiscard]] Task<Result<bool>> endCancelled(records::RetryBatch batch, broker::ForwardRequest request);
    [[nodiscard]] broker::ForwardHooks hooksFor(const records::RetryBatch &batch, bool &hasMark);
    [[nodiscard]] Result<QList<store::RetryMember>> membersOf(core::BatchId batch);
    [[nodiscard]] Result<BatchEnd> endOf(const records::RetryBatch &batch, const broker::ForwardReport &report);
    void addRefusal(BatchEnd &end, const store::RetryMember &member, const QString &reason, bool isKept = false) const;
    [[nodiscard]] Result<BatchEnd> allAgain(const records::RetryBatch &batch);
    [[nodiscard]] Result<BatchEnd> endOfVanished(const records::RetryBatch &batch);

    ProcessorContext &m_context;
    RestingBatches &m_resting;
    VoidStagingQueues &m_voidQueues;
    Lane &m_lane;
    OutcomeRecorder m_outcomes;
    IntentLog m_intentLog;
    bool m_endsBatch = false;
};

} // namespace retry
