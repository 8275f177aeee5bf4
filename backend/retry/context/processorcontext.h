#pragma once

#include "backend/records/connection.h"
#include "backend/retry/processordependencies.h"

namespace retry {

// What every part of a Processor gets by reference: its dependencies, its connection, and what is known about the
// broker. One object per Processor, which outlives the parts. Engine thread.
struct ProcessorContext final : ProcessorDependencies
{
    ProcessorContext(records::Connection ofConnection, ProcessorDependencies dependencies);

    // Probes the broker if it is not known what this account may do. Unauthorized: it may not send messages back.
    [[nodiscard]] Task<Result<>> ensureCapabilities();

    [[nodiscard]] const broker::Capabilities &capabilities() const { return brokerState.capabilities(); }

    const records::Connection connection;
    broker::Broker &broker;
    bool stopping = false; // no new step may begin
};

} // namespace retry
