#pragma once

#include "backend/records/retries/retry.h"
#include "backend/store/store.h"

namespace retry {

// How a person changes the state of an operation. ResumeAll only resumes what "Pause all" paused, and does not forgive
// messages that came back: only a person who resumes this very operation has seen why they did.
enum class StateChange { Pause, PauseAll, Resume, ResumeAll, Cancel };

// Changes the state inside a transaction of the caller, who calls Processor::stateChanged after the commit. `who`: the
// person. Conflict: the state does not allow the change. NotFound: there is no such operation.
[[nodiscard]] core::Result<> changeState(store::Session &session, core::OperationId id, StateChange change,
                                         core::TimePoint now, const QString &who);

} // namespace retry
