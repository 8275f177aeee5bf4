// Helpers for operations that several commands share: find one, wait for its end, print it.
#pragma once

#include "app/commandline/context.h"
#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"

namespace commandline {

// The operation as the snapshot shows it, with its live rate; from its record when the snapshot does not contain it.
[[nodiscard]] api::OperationView viewOf(const api::Snapshot &snapshot, const records::RetryOperation &operation);

// The operation as the store has it now, with its live rate from the snapshot, which may be older than the answer to a
// command. NotFound: there is none with this id.
[[nodiscard]] core::Task<core::Result<api::OperationView>> storedOperation(Context &context, core::OperationId id);
// The operation from the snapshot, with its live rate, or from the store when it ended long ago. NotFound: there is
// none with this id.
[[nodiscard]] core::Task<core::Result<api::OperationView>> findOperation(Context &context, core::OperationId id);

// Waits until the operation has ended, or its stop rule paused it; shows a progress bar on a terminal. StoreFailed: the
// store refuses writes. Cancelled: the program was interrupted.
[[nodiscard]] core::Task<core::Result<api::OperationView>> waitForEnd(Context &context, core::OperationId id);

// Waits until `span` has passed since the end of the operation, and prints how many messages came back. Transient: the
// broker cannot be reached at the end, so the number is not certain.
[[nodiscard]] core::Task<core::Result<api::OperationView>> watchBack(Context &context, api::OperationView ended,
                                                                     core::Milliseconds span);

// Prints the current state of the operation.
void printOperation(Context &context, const api::OperationView &view);
// Prints also its edit, the proofs, and the causes of the messages that came back (JSON: its destinations too).
void printOperation(Context &context, const api::OperationView &view, const api::OperationDetail &detail);

// Prints the rate, limits, start time, ramp and stop rule that the plan has; nothing when it has none.
void printPace(Context &context, const records::Plan &plan);

// The exit code after the end: DoneWithRest when messages were ejected, are in doubt or came back.
[[nodiscard]] ExitCode exitCodeOf(const records::OutcomeCounts &counts);

// Messages per second over the whole run of an operation that has ended. Nothing: it never started, or took less than 1
// ms.
[[nodiscard]] std::optional<double> meanRate(const records::RetryOperation &operation);

// True when it is completed, or cancelled with no send in progress.
[[nodiscard]] bool hasEnded(const records::RetryOperation &operation);

} // namespace commandline
