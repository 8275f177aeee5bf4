// What several commands do with retry operations: find one, wait for its end, print it.
#pragma once

#include "app/commandline/context.h"

namespace commandline {

// As the snapshot has it, with its live rate; one that is not among those of the snapshot as its record tells.
[[nodiscard]] api::OperationView viewOf(const api::Snapshot &snapshot, const records::RetryOperation &operation);

// From the snapshot when it is there, with its live rates; from the store when it ended long ago.
[[nodiscard]] core::Task<core::Result<api::OperationView>> findOperation(Context &context, core::OperationId id);

// Waits until it is Completed or Cancelled, with a progress bar on a terminal.
[[nodiscard]] core::Task<core::Result<api::OperationView>> waitForEnd(Context &context, core::OperationId id);

// Waits until so much time has passed since its end, and tells what comes back meanwhile. An error: nobody would have seen it.
[[nodiscard]] core::Task<core::Result<api::OperationView>> watchBack(Context &context, api::OperationView ended,
                                                                     core::Milliseconds span);

// Prints the operation as it stands.
void printOperation(Context &context, const api::OperationView &view);
// And where it sent, why not, and what came back with which cause.
void printOperation(Context &context, const api::OperationView &view, const api::OperationDetail &detail);

// How fast and from when on; nothing where neither was chosen.
void printPace(Context &context, const records::Plan &plan);

// After the end: DoneWithRest when messages were ejected, are in doubt or came back.
[[nodiscard]] ExitCode exitCodeOf(const records::OutcomeCounts &counts);

// Of one that has ended, over its whole run. Nothing: it never began, or nobody can tell how long it took.
[[nodiscard]] std::optional<double> meanRate(const records::RetryOperation &operation);

// Completed, or cancelled with nothing left on its way.
[[nodiscard]] bool hasEnded(const records::RetryOperation &operation);

} // namespace commandline
