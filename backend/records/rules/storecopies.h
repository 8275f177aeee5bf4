// What a store does not continue by itself after it was copied or restored, because somebody else may have continued it, and
// what people read about that. Pure functions; the texts are stored with what they explain.
#pragma once

#include "backend/records/retries/retry.h"

#include <optional>

namespace records {

// The operation in a store that is a copy: paused until a person resumes it. Nothing: it sends nothing anyway.
[[nodiscard]] std::optional<RetryOperation> pausedInCopy(RetryOperation operation, core::TimePoint now);
// The operation in a restored store, after its open members were cancelled.
[[nodiscard]] RetryOperation endedByRestore(RetryOperation operation, core::TimePoint now);

[[nodiscard]] QString storeWasCopied(const QString &original); // what the copy does not continue
[[nodiscard]] QString sentByOriginal(); // why a message of a copy is in doubt
[[nodiscard]] QString sentSinceBackup(); // why a message of a restored store is in doubt
[[nodiscard]] QString policyRestsInCopy(); // why a policy is paused
[[nodiscard]] QString policyRestsAfterRestore();

} // namespace records
