#pragma once

#include "backend/records/retry.h"
#include "backend/store/store.h"

namespace retry {

// What people do to an operation. ResumeAll is for what "Pause all" paused alone, and forgives nothing that came back: only a
// person who resumes this one has seen why.
enum class StateChange { Pause, PauseAll, Resume, ResumeAll, Cancel };

// Inside a transaction of the caller, who tells the connection's processor after the commit (Processor::stateChanged).
// Conflict when the operation is in a state that does not allow it. `who`: the person.
[[nodiscard]] core::Result<> changeState(store::Session &session, core::OperationId id, StateChange change,
                                         core::TimePoint now, const QString &who);

} // namespace retry
