#include "models/retries/operationstate.h"

#include "models/common/text.h"
#include "models/common/visibletext.h"

namespace models {

QString operationState(const records::RetryOperation &operation, core::TimePoint now, TimeZone zone)
{
    if (!operation.stoppedBecause.isEmpty())
        return Text::tr("Paused by the stop rule: %1").arg(visibleLine(operation.stoppedBecause));
    if (!operation.waitingReason.isEmpty())
        return Text::tr("%1: %2").arg(textOf(operation.state), visibleLine(operation.waitingReason));
    const bool waits = operation.state == records::OperationState::Waiting;
    if (waits && operation.plan.notBefore && *operation.plan.notBefore > now)
        return Text::tr("Starts at %1").arg(formatListTime(*operation.plan.notBefore, now, zone));
    if (operation.state != records::OperationState::Running)
        return textOf(operation.state);
    if (operation.plan.perMinute && operation.plan.brokerShare)
        return Text::tr("Running, at most %1 and %2 % of the broker")
            .arg(records::rateText(*operation.plan.perMinute), QString::number(*operation.plan.brokerShare));
    if (operation.plan.perMinute)
        return Text::tr("Running, at most %1").arg(records::rateText(*operation.plan.perMinute));
    if (operation.plan.brokerShare)
        return Text::tr("Running, at most %1 % of the broker").arg(*operation.plan.brokerShare);
    return textOf(operation.state);
}

} // namespace models
