#include "models/retries/operationstate.h"

#include "models/common/visibletext.h"
#include "models/common/text.h"

#include <QCoreApplication>

namespace models {

static QString tr(const char *text)
{
    return QCoreApplication::translate("models::OperationState", text);
}

QString operationState(const records::RetryOperation &operation, core::TimePoint now, TimeZone zone)
{
    if (!operation.stoppedBecause.isEmpty())
        return tr("Paused by itself: %1").arg(visibleLine(operation.stoppedBecause));
    if (!operation.waitingReason.isEmpty())
        return tr("%1: %2").arg(words(operation.state), visibleLine(operation.waitingReason));
    const bool waits = operation.state == records::OperationState::Waiting;
    if (waits && operation.plan.notBefore && *operation.plan.notBefore > now)
        return tr("From %1").arg(formatListTime(*operation.plan.notBefore, now, zone));
    if (operation.state == records::OperationState::Running && operation.plan.perMinute)
        return tr("At most %1").arg(records::rateText(*operation.plan.perMinute));
    return words(operation.state);
}

} // namespace models
