#pragma once

#include "backend/retry/context/processorcontext.h"
#include "backend/retry/gates/gates.h"
#include "backend/retry/gates/restingbatches.h"

namespace retry {

// Ends operations: those without unfinished members, and in slices the members of cancelled ones. Needs no broker.
// Engine thread.
class OperationFinisher final
{
public:
    OperationFinisher(ProcessorContext &context, Gates &gates, RestingBatches &resting);

    // Inside the transaction that may have ended the last member of the operation: Completed, or Cancelled as before.
    [[nodiscard]] Result<> finishIfEnded(store::Session &session, core::OperationId operation);
    // Cancels one slice of the members of one cancelled operation, in a transaction of its own. False: there was none.
    [[nodiscard]] Result<bool> cancelSlice();

private:
    ProcessorContext &m_context;
    Gates &m_gates;
    RestingBatches &m_resting;
};

} // namespace retry
