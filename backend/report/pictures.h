// The charts of a report, as SVG markup for the page, in the colours of its style sheet. Any thread.
#pragma once

#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"

namespace report {

// One bar with a legend that shows how many messages have each outcome. Empty when there are no messages.
[[nodiscard]] QString outcomeBar(const records::OutcomeCounts &counts);
// Running totals of staged, sent and came-back messages over the whole run. It draws totals, not rates, because old
// samples cover a minute and new ones a second. Empty when there are no samples.
[[nodiscard]] QString course(const QList<records::RunSample> &samples);

} // namespace report
