#pragma once

#include "backend/api/snapshot.h"

namespace models {

struct ChartSpan
{
    core::TimePoint from;
    core::TimePoint until;

    friend bool operator==(const ChartSpan &, const ChartSpan &) = default;
};

// What a chart of this operation shows when it may show no more than `window` (at least a minute). A run that is shorter
// fills the width instead of a corner of it; one that has ended keeps its last minutes in view instead of sliding out.
[[nodiscard]] ChartSpan chartSpan(const api::OperationView *operation, core::TimePoint now, core::Milliseconds window);

} // namespace models
