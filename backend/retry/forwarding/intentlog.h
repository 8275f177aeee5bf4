#pragma once

#include "backend/retry/context/sharedstate.h"
#include "backend/retry/forwarding/intentlogrun.h"
#include "backend/retry/forwarding/outcomerecorder.h"

#include <memory>

namespace retry {

// Sends batches where the broker offers no staging queue: recordIntents, send, recordOutcomes, repeatedly (one
// IntentLogRun per batch). Outcomes and new intents share a commit, and each answer makes room for the next message.
// One object per Processor, for its forwarding lane. Engine thread.
// After a crash each open intent was sent or not. An intake runs first, and a message that it finds by its stamp was
// sent; for the others the plan decides: in doubt, or sent again and flagged possible duplicate.
class IntentLog final
{
public:
    IntentLog(SharedState &shared, OutcomeRecorder &outcomes);

    // Sends the batch to its end, or until an error ends it: then the same batch continues with the next call. Returns
    // when no send is in progress any more and every answer is stored.
    [[nodiscard]] Task<Result<>> send(records::RetryBatch batch);
    // Calls to the broker are without an answer. Cancelling them leaves their messages in doubt.
    [[nodiscard]] bool isSending() const { return m_calls > 0; }

private:
    [[nodiscard]] Task<Result<>> settleOpenIntents(records::RetryBatch batch);
    Task<> keepSending(std::shared_ptr<IntentLogRun> run);
    [[nodiscard]] Task<Result<>> recordLastOutcomes(std::shared_ptr<IntentLogRun> run);
    [[nodiscard]] Task<Result<>> end(std::shared_ptr<IntentLogRun> run);
    [[nodiscard]] Result<> closeBatch(const records::RetryBatch &batch);

    SharedState &m_shared;
    ProcessorContext &m_context;
    OperationFinisher &m_finisher;
    Lane &m_lane;
    OutcomeRecorder &m_outcomes;
    int m_calls = 0; // to the broker, without an answer
};

} // namespace retry
