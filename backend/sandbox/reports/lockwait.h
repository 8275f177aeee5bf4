#pragma once

#include "backend/core/async.h"
#include "backend/core/time/timers.h"
#include "backend/sandbox/reports/tasktable.h"

namespace sandbox {

// A worker that waits until the other ones are ready, as one at a database of its own would. Cancelled: the timers were.
// Transient: the lock did not become free within 30 s. Both outlive the task.
[[nodiscard]] core::Task<core::Result<>> beginWhenFree(TaskTable *table, core::Timers *timers);
// Begins, and locks the task with this id; nothing: there is none.
[[nodiscard]] core::Task<core::Result<std::optional<PipelineTask>>> lockWhenFree(TaskTable *table, core::Timers *timers,
                                                                                 QString id);

} // namespace sandbox
