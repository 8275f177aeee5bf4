// Every bound of the program in one place. Each is asserted where it is used.
#pragma once

#include <QtGlobal>

#include <chrono>

namespace core::limits {

inline constexpr int batchMembers = 1000; // members of one retry batch (seed: ServiceControl)
inline constexpr int stageAttempts = 5; // clear refusals of one message before it is ejected
inline constexpr int intakePage = 1000; // messages held at a time
inline constexpr qint64 intakePageBytes = 32LL * 1024 * 1024;
inline constexpr int lookMost = 1000; // messages of one queue that are only looked at
inline constexpr int lookedAtOnce = 100; // of them, in one transaction
inline constexpr int attemptsKept = 10; // newest processing attempts kept in full; the count is exact
inline constexpr int liveBatchesInSnapshot = 50;
inline constexpr int groupsInSnapshot = 500;
inline constexpr int queuesInSnapshot = 1000;
inline constexpr qint64 bodyPreviewBytes = 256 * 1024;
inline constexpr qint64 responseBytes = 256LL * 1024 * 1024; // the largest answer any HTTP call may bring
inline constexpr int listTextChars = 1000; // of an exception message, in lists and in searches
inline constexpr int groupTitleChars = 2000;
inline constexpr int searchMinChars = 3;
inline constexpr int confirmFromCount = 100; // Production: type the count from here up
inline constexpr int loopGuardCameBack = 2; // came back this often: left out unless asked for

inline constexpr std::chrono::milliseconds snapshotInterval{250};
inline constexpr std::chrono::milliseconds transactionSlice{50};
inline constexpr int operationShares = 100; // rows of each list in the story of one operation
inline constexpr std::chrono::hours samplesBySecond{1}; // then by minute
inline constexpr std::chrono::hours samplesKept{30 * 24};
inline constexpr std::chrono::seconds idleTick{30};
inline constexpr std::chrono::seconds forwardStall{30};
inline constexpr std::chrono::seconds shovelStart{20};
inline constexpr std::chrono::seconds backoffCap{60};

} // namespace core::limits
