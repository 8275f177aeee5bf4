#include "models/metrics/chartspan.h"

#include <algorithm>

namespace models {

namespace {

constexpr std::chrono::seconds shortest{60};
constexpr std::chrono::seconds beforeStart{5};
constexpr std::chrono::seconds afterEnd{30};

} // namespace

ChartSpan chartSpan(const api::OperationView *operation, core::TimePoint now, core::Milliseconds window)
{
    if (operation == nullptr)
        return {now - window, now};
    const records::RetryOperation &run = operation->operation;
    const core::TimePoint until = run.finished ? std::min(now, *run.finished + afterEnd) : now;
    if (!run.started)
        return {until - window, until};
    return {std::clamp(*run.started - beforeStart, until - window, until - shortest), until};
}

} // namespace models
