// The limits of the program in one place.
#pragma once

#include <QtGlobal>

#include <chrono>

namespace core::limits {

inline constexpr int batchMembers = 1000; // messages of one retry batch (as in ServiceControl)
inline constexpr int stageAttempts = 5; // explicit refusals of one message before it is ejected
inline constexpr int conflictRetries = 5; // of a person's decision on a message that keeps changing: six attempts
inline constexpr int intakePage = 1000; // messages held at a time
inline constexpr qint64 intakePageBytes = 32LL * 1024 * 1024;
inline constexpr int browseMost = 1000; // most messages that are browsed in one queue
inline constexpr int browsedAtOnce = 100; // browsed messages stored or removed in one transaction
inline constexpr int attemptsKept = 10; // newest processing attempts kept in full; the count of all is exact
inline constexpr int liveBatchesInSnapshot = 50;
inline constexpr int groupsInSnapshot = 500;
inline constexpr int queuesInSnapshot = 1000;
inline constexpr qint64 bodyPreviewBytes = 256 * 1024;
inline constexpr qint64 responseBytes = 256LL * 1024 * 1024; // the largest response that any HTTP call may have
inline constexpr int listTextChars = 1000; // of an exception message, in lists and searches
inline constexpr int groupTitleChars = 2000;
inline constexpr int searchMinChars = 3;
inline constexpr int confirmFromCount = 100; // in Production, from this count on a person must type the count
inline constexpr int loopGuardCameBack = 2; // a message that came back this often is left out of a retry by default

inline constexpr std::chrono::milliseconds snapshotInterval{250};
inline constexpr std::chrono::milliseconds transactionSlice{50};
inline constexpr int operationShares = 100; // rows of each list in the report of one operation
inline constexpr std::chrono::hours samplesBySecond{1}; // newer samples are kept per second, older ones per minute
inline constexpr std::chrono::hours samplesKept{30 * 24};
inline constexpr std::chrono::seconds idleTick{30}; // a loop that nobody wakes checks again after this time
inline constexpr std::chrono::seconds forwardStall{30};
inline constexpr std::chrono::seconds shovelStart{20};
inline constexpr std::chrono::seconds backoffCap{60};
inline constexpr std::chrono::minutes clocksApart{5}; // of this machine and of those where messages are handled

} // namespace core::limits
