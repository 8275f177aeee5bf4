#include "backend/records/retry.h"

namespace records {

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
