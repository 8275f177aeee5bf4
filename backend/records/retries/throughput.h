// What the chart of an operation shows.
#pragma once

#include "backend/core/time/clock.h"

#include <QtGlobal>

#include <optional>

namespace records {

// What one operation did in one second.
struct RunSample
{
    core::TimePoint at{};
    int staged = 0;
    int sent = 0;
    int cameBack = 0;
    std::optional<qint64> depth; // message count of its destinations; nothing: not read in this second
    core::Milliseconds span{1000}; // the time it covers, from `at` on; old samples cover a minute
};

// A moment that the chart marks.
struct RunMark
{
    enum class Kind { Step, Stopped, GoesOn }; // stored as numbers: never change their order
    core::TimePoint at{};
    Kind kind = Kind::Step;
    int step = 0; // of the ramp, from 1; 0: not a step

    friend bool operator==(const RunMark &, const RunMark &) = default;
};

} // namespace records
