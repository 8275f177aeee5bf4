#include "backend/records/rules/pace.h"

#include "backend/records/rules/rampplan.h"

#include <algorithm>

namespace records {

double shownRate(const Plan &plan, double measured)
{
    constexpr double secondsOfMinute = 60;
    return plan.perMinute ? std::min(measured, double(*plan.perMinute) / secondsOfMinute) : measured;
}

std::optional<core::Milliseconds> timeLeft(const RetryOperation &operation, double perSecond)
{
    const qint64 left = operation.total - operation.counts.ended();
    const std::optional<Ramp> &ramp = operation.plan.ramp;
    const bool isInRamp = ramp && allowed(*ramp, operation.provedSteps) < operation.total;
    if (operation.state != OperationState::Running || isInRamp || left <= 0 || perSecond <= 0)
        return std::nullopt;
    return core::Milliseconds{qint64(double(left) / perSecond * 1000.0)};
}

bool isUnthrottled(const Plan &plan)
{
    return !plan.perMinute && !plan.ramp && !plan.mostWaiting && !plan.brokerShare;
}

} // namespace records
