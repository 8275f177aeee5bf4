// The charts of a report, as SVG inside the page. Colours are the page's own.
#pragma once

#include "backend/api/queries.h"

namespace report {

// How the members ended, as one bar with its key. Empty when there are none.
[[nodiscard]] QString outcomeBar(const records::OutcomeCounts &counts);
// How many were staged, sent and back so far, over the whole run: sums, because old samples are of minutes and new ones of
// seconds. Empty when nothing was sampled.
[[nodiscard]] QString course(const QList<api::RunSample> &samples);

} // namespace report
