#include "backend/records/retries/retry.h"

#include "backend/core/limits.h"

#include <algorithm>

namespace records {

void RetryOperation::endPause(core::TimePoint at)
{
    if (pausedAt && started)
        rested += std::max(core::Milliseconds{0}, at - std::max(*pausedAt, *started));
    pausedAt.reset();
    pausedBy = PausedBy::Nobody;
    pausedWho.clear();
}

bool isLive(OperationState state)
{
    switch (state) {
    case OperationState::Freezing:
    case OperationState::Waiting:
    case OperationState::Preparing:
    case OperationState::Running:
    case OperationState::Paused:
        return true;
    case OperationState::Completed:
    case OperationState::Cancelled:
        return false;
    }
    Q_UNREACHABLE();
}

bool mayGoOn(OperationState state)
{
    return isLive(state) && state != OperationState::Freezing && state != OperationState::Paused;
}

bool hasEnded(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Pending:
    case Outcome::Claimed:
    case Outcome::Staged:
        return false;
    case Outcome::Sent:
    case Outcome::Skipped:
    case Outcome::Ejected:
    case Outcome::InDoubt:
    case Outcome::Cancelled:
        return true;
    }
    return true; // the number comes from a damaged file
}

bool mayHaveArrived(Outcome outcome)
{
    return outcome == Outcome::Sent || outcome == Outcome::InDoubt;
}

bool RetryOperation::hasEnded() const
{
    return state == OperationState::Completed || (state == OperationState::Cancelled && counts.ended() == total);
}

int largestBatch(const Plan &plan)
{
    constexpr qint64 secondsOfMinute = 60;
    constexpr qint64 most = core::limits::batchMembers;
    constexpr qint64 gentleBatch = 200; // a batch costs some fifty requests besides its copies
    const qint64 ofSecond = plan.perMinute ? *plan.perMinute / secondsOfMinute : most;
    const qint64 ofShare = plan.brokerShare ? gentleBatch : most;
    return int(std::clamp<qint64>(std::min({ofSecond, ofShare, plan.mostWaiting.value_or(most)}), 1, most));
}

QString toString(OperationState state)
{
    switch (state) {
    case OperationState::Freezing:
        return QStringLiteral("Freezing");
    case OperationState::Waiting:
        return QStringLiteral("Waiting");
    case OperationState::Preparing:
        return QStringLiteral("Preparing");
    case OperationState::Running:
        return QStringLiteral("Running");
    case OperationState::Paused:
        return QStringLiteral("Paused");
    case OperationState::Completed:
        return QStringLiteral("Completed");
    case OperationState::Cancelled:
        return QStringLiteral("Cancelled");
    }
    Q_UNREACHABLE();
}

QString toString(PausedBy by)
{
    switch (by) {
    case PausedBy::Nobody:
        return {};
    case PausedBy::Person:
        return QStringLiteral("person");
    case PausedBy::PauseAll:
        return QStringLiteral("pause all");
    case PausedBy::StopRule:
        return QStringLiteral("stop rule");
    case PausedBy::StoreCopy:
        return QStringLiteral("store copy");
    }
    Q_UNREACHABLE();
}

QString toString(BatchStage stage)
{
    switch (stage) {
    case BatchStage::MarkingDocuments:
        return QStringLiteral("Marking Documents");
    case BatchStage::Staging:
        return QStringLiteral("Staging");
    case BatchStage::Forwarding:
        return QStringLiteral("Forwarding");
    case BatchStage::Done:
        return QStringLiteral("Done");
    }
    Q_UNREACHABLE();
}

QString toString(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Pending:
        return QStringLiteral("Pending");
    case Outcome::Claimed:
        return QStringLiteral("Claimed");
    case Outcome::Staged:
        return QStringLiteral("Staged");
    case Outcome::Sent:
        return QStringLiteral("Sent");
    case Outcome::Skipped:
        return QStringLiteral("Skipped");
    case Outcome::Ejected:
        return QStringLiteral("Ejected");
    case Outcome::InDoubt:
        return QStringLiteral("InDoubt");
    case Outcome::Cancelled:
        return QStringLiteral("Cancelled");
    }
    Q_UNREACHABLE();
}

QString rateText(qint64 perMinute)
{
    constexpr qint64 secondsOfMinute = 60;
    const bool whole = perMinute % secondsOfMinute == 0;
    return whole ? QStringLiteral("%1/s").arg(perMinute / secondsOfMinute) : QStringLiteral("%1/min").arg(perMinute);
}

} // namespace records
