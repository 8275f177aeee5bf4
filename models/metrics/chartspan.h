#pragma once

#include "backend/api/snapshot.h"

namespace models {

struct ChartSpan
{
    core::TimePoint from;
    core::TimePoint until;

    friend bool operator==(const ChartSpan &, const ChartSpan &) = default;
};

// The time span that the chart of this operation shows, at most `window` (at least a minute). A short run fills the
// width of the chart, and a run that has ended stays in view. Null: the last `window` before now.
[[nodiscard]] ChartSpan chartSpan(const api::OperationView *operation, core::TimePoint now, core::Milliseconds window);

} // namespace models
