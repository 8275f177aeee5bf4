#pragma once

#include "backend/retry/context/sharedstate.h"
#include "backend/retry/staging/marking.h"

namespace retry {

// What a start does before the lanes begin; there is no other way to start. README.md has the table of what a crash
// leaves. Everything else that a crash left is found by the lanes themselves: batches in Staging and Forwarding by their
// stage, open intents by IntentLog, void staging queues by VoidStagingQueues. Engine thread.
class Recovery final
{
public:
    Recovery(SharedState &shared, Marking &marking);

    // May be repeated after any error.
    [[nodiscard]] Task<Result<>> recover();

private:
    [[nodiscard]] Task<Result<>> discardFreezing();

    ProcessorContext &m_context;
    core::Timers &m_timers;
    Marking &m_marking;
};

} // namespace retry
