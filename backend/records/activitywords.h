// Words of the activity log by which entries are found again. Any thread.
#pragma once

#include "backend/core/ids.h"
#include "backend/records/text.h"

namespace records {

// The target of an entry about an operation: "operation 12".
[[nodiscard]] inline QString operationTarget(core::OperationId id)
{
    return Text::tr("operation %1").arg(id.value);
}

[[nodiscard]] inline QString engineStarted()
{
    return Text::tr("Engine started");
}

[[nodiscard]] inline QString engineStopped()
{
    return Text::tr("Engine stopped");
}

[[nodiscard]] inline QString everythingPaused()
{
    return Text::tr("Everything paused");
}

[[nodiscard]] inline QString everythingResumed()
{
    return Text::tr("Everything resumed");
}

} // namespace records
