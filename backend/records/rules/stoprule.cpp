#include "backend/records/rules/stoprule.h"

#include "backend/records/ledger/operationlife.h"
#include "backend/records/text.h"

#include <algorithm>

namespace records {

namespace {

constexpr qint64 enoughForShare = 100;

// The reason is stored with the operation, so it is whole: no later change of a plan or a text alters it.
QString whyStopped(const RetryOperation &operation)
{
    const ReturnCounts counts = returnsOf(operation);
    const QString text = counts.back == 1 ? Text::tr("1 of %2 sent messages came back; the limit is %3.")
                                          : Text::tr("%1 of %2 sent messages came back; the limit is %3.");
    return QString(text)
        .replace(QStringLiteral("%1"), QString::number(counts.back))
        .replace(QStringLiteral("%2"), QString::number(std::max(counts.sent, counts.back)))
        .replace(QStringLiteral("%3"), toString(*operation.plan.stopWhen));
}

} // namespace

ReturnCounts returnsOf(const RetryOperation &operation)
{
    const OutcomeCounts &counts = operation.counts;
    return {counts.cameBack - operation.forgiven, counts.sent + counts.inDoubt - operation.sentBefore};
}

bool isEnoughForShare(qint64 messages)
{
    return messages >= enoughForShare;
}

bool hasTooManyBack(const RetryOperation &operation)
{
    constexpr qint64 wholePercent = 100;
    const std::optional<StopWhen> &stop = operation.plan.stopWhen;
    const ReturnCounts counts = returnsOf(operation);
    if (!stop || counts.back <= 0)
        return false;
    if (!stop->percent)
        return counts.back >= stop->amount;
    const std::optional<Ramp> &ramp = operation.plan.ramp;
    const qint64 open = ramp ? std::min(operation.total, allowed(*ramp, operation.provedSteps)) : operation.total;
    const qint64 of = std::max({counts.sent, std::min(enoughForShare, open - operation.sentBefore), qint64(1)});
    return counts.back * wholePercent >= stop->amount * of;
}

std::optional<RetryOperation> stopped(RetryOperation operation, core::TimePoint now)
{
    const bool isHeld = operation.pausedBy == PausedBy::Person || operation.pausedBy == PausedBy::PauseAll;
    if (!(mayGoOn(operation.state) || isHeld) || !hasTooManyBack(operation))
        return std::nullopt;
    operation = paused(operation, PausedBy::StopRule, now);
    operation.stoppedBecause = whyStopped(operation);
    return operation;
}

} // namespace records
