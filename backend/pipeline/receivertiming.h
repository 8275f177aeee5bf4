#pragma once

#include "backend/core/time/clock.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace pipeline {

// When a receiver gets its batches.
struct ReceiverTiming
{
    core::Milliseconds every{0}; // the time between two of them
    std::optional<int> numberPerDay; // where that is what was said
    QString initialTime; // of day, of the first one; empty: not said
    QString timeZone; // of the initial time, as it was written; empty: not said

    friend bool operator==(const ReceiverTiming &, const ReceiverTiming &) = default;
};

// So often a day. Source: ReportStream, Receiver.Timing, which counts the seconds of a day; 1 to 1440 is valid there.
inline constexpr int mostBatchesPerDay = 24 * 60;
[[nodiscard]] ReceiverTiming timesPerDay(int number);

// The timing in the JSON of a receiver in ReportStream's table `setting`, with the defaults of Receiver.Timing; texts are cut
// and cleaned. Nothing: the receiver has none, and Process sends each report to it alone; or it cannot be read. Pure: any thread.
[[nodiscard]] std::optional<ReceiverTiming> timingOfSetting(const QByteArray &values);

} // namespace pipeline
