#pragma once

#include "backend/retry/context/lane.h"
#include "backend/retry/staging/voidstagingqueues.h"

namespace retry {

// What the steps of both lanes work on. One object per Processor, which outlives the classes that refer to it; each of
// them names in its members what it uses. Engine thread.
struct SharedState final
{
    SharedState(records::Connection connection, ProcessorDependencies dependencies)
        : context(std::move(connection), std::move(dependencies))
    {
    }

    ProcessorContext context;
    Gates gates{context};
    RestingBatches resting{context};
    WaitingReasons reasons{context, resting, gates};
    OperationFinisher finisher{context, gates, resting};
    VoidStagingQueues voidQueues{context};
    Lane staging{context, reasons, finisher, WaitingReasons::LaneName::Staging};
    Lane forwarding{context, reasons, finisher, WaitingReasons::LaneName::Forwarding};
};

} // namespace retry
