// The life of an operation: every change of its state, in the order in which they happen. Pure; the callers check that the change is
// due, and store the result in the transaction of its cause (RetryOperationStore::update). backend/retry/README.md has the table.
#pragma once

#include "backend/records/retries/retry.h"

namespace records {

// Its set is complete. Without members it has ended; while "Pause all" is in force it is paused, because whatever begins only
// checks the state.
[[nodiscard]] RetryOperation setComplete(RetryOperation operation, bool allPaused, core::TimePoint now);
// Its first batch claims its messages.
[[nodiscard]] RetryOperation preparing(RetryOperation operation, HandOver handOver, core::TimePoint now);
// The copies of a batch count.
[[nodiscard]] RetryOperation running(RetryOperation operation);
// Its pause began earlier if it is paused already. The person is empty unless one paused it.
[[nodiscard]] RetryOperation paused(RetryOperation operation, PausedBy by, core::TimePoint now,
                                    const QString &who = {});
// Perhaps it still waits for its start time.
[[nodiscard]] RetryOperation resumed(RetryOperation operation, core::TimePoint now);
// A person has seen what came back, or a policy goes on: the stop rule counts from here.
[[nodiscard]] RetryOperation forgiven(RetryOperation operation);
// Its open members are cancelled from now on; it ends with the last of them.
[[nodiscard]] RetryOperation cancelled(RetryOperation operation, core::TimePoint now);
// No member is open any more.
[[nodiscard]] RetryOperation ended(RetryOperation operation, core::TimePoint now);
// Its store was restored from a backup, and its open members are cancelled.
[[nodiscard]] RetryOperation abandoned(RetryOperation operation, core::TimePoint now);
// Doubts of it are sent again though it has ended.
[[nodiscard]] RetryOperation goesOn(RetryOperation operation, bool allPaused);

} // namespace records
