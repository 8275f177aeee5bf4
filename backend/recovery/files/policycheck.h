#pragma once

#include "backend/core/result.h"
#include "backend/recovery/policy.h"

namespace recovery {

// What a stored policy can have at most, so that no file makes the program slow.
namespace limits {

inline constexpr qsizetype nameChars = 100;
inline constexpr qsizetype rules = 100;
inline constexpr qsizetype patternChars = 300; // of a type, a glob or a queue, too
inline constexpr qsizetype baseTypes = 200; // with subtypes
inline constexpr qsizetype subtypes = 200; // of one type
inline constexpr qsizetype delays = 100; // in a list
inline constexpr int immediate = 100;
inline constexpr int attempts = 10000; // in total
inline constexpr double factor = 100;
inline constexpr int rateLimitAfter = 1000000;

} // namespace limits

// Checks whether the policy can be stored and can work. Rejected if not: the message begins with the path of the field in
// the file, for example "schedule.cap: ", then it says what is wrong and what to do. Pure: any thread.
[[nodiscard]] core::Result<> checkPolicy(const Policy &policy);

} // namespace recovery
