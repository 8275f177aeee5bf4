#include "backend/records/rules/storecopies.h"

#include "backend/records/ledger/operationlife.h"
#include "backend/records/text.h"

namespace records {

std::optional<RetryOperation> pausedInCopy(RetryOperation operation, core::TimePoint now)
{
    if (!isLive(operation.state) || operation.state == OperationState::Freezing)
        return std::nullopt;
    operation = paused(operation, PausedBy::StoreCopy, now);
    operation.waitingReason =
        Text::tr("This store is a copy. The original store may be sending these messages; resume only if it is not.");
    return operation;
}

RetryOperation endedByRestore(RetryOperation operation, core::TimePoint now)
{
    return abandoned(operation, now);
}

QString storeWasCopied(const QString &original)
{
    return Text::tr("This store is a copy of %1 and independent of it from now on. Its retries stay paused until you "
                    "resume them, no queue is subscribed, and messages that the original was sending are in doubt "
                    "here. The original continues unchanged.")
        .arg(original);
}

QString sentByOriginal()
{
    return Text::tr("This store is a copy. The original store was sending this message.");
}

QString sentSinceBackup()
{
    return Text::tr("A backup was restored. The message may have been sent since that backup.");
}

QString policyRestsInCopy()
{
    return Text::tr("This store is a copy. The original may be retrying the same messages.");
}

QString policyRestsAfterRestore()
{
    return Text::tr("A backup was restored. Check which messages are still to be retried.");
}

} // namespace records
