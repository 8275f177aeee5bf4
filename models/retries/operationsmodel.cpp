#include "models/retries/operationsmodel.h"

#include "models/common/roles.h"
#include "models/common/terms.h"
#include "models/common/visibletext.h"
#include "models/retries/operationname.h"
#include "models/retries/operationstate.h"
#include "models/session/snapshotdiff.h"

namespace models {

namespace {

// Cancelled messages were not sent, so they are not progress.
qint64 done(const records::RetryOperation &operation)
{
    return operation.counts.ended() - operation.counts.cancelled;
}

double fraction(const records::RetryOperation &operation)
{
    if (operation.total <= 0)
        return operation.state == records::OperationState::Cancelled ? 0.0 : 1.0;
    return double(done(operation)) / double(operation.total);
}

bool isNumber(int column)
{
    switch (OperationsModel::Column(column)) {
    case OperationsModel::Sent:
    case OperationsModel::Ejected:
    case OperationsModel::InDoubt:
    case OperationsModel::CameBack:
    case OperationsModel::Rate:
    case OperationsModel::TimeLeft:
        return true;
    case OperationsModel::Scope:
    case OperationsModel::State:
    case OperationsModel::Progress:
    case OperationsModel::Who:
    case OperationsModel::Requested:
        return false;
    }
    Q_UNREACHABLE();
}

QVariant headerTip(OperationsModel::Column column)
{
    switch (column) {
    case OperationsModel::Ejected:
        return explained(Term::Ejected);
    case OperationsModel::InDoubt:
        return explained(Term::InDoubt);
    case OperationsModel::CameBack:
        return explained(Term::CameBack);
    default:
        return {};
    }
}

} // namespace

void OperationsModel::show(const api::Snapshot &snapshot)
{
    m_now = snapshot.at;
    QList<api::OperationView> newestFirst = snapshot.operations;
    std::sort(newestFirst.begin(), newestFirst.end(),
              [](const api::OperationView &a, const api::OperationView &b) { return b.operation.id < a.operation.id; });
    setRows(newestFirst);
}

void OperationsModel::setZone(TimeZone zone)
{
    m_zone = zone;
    touchAll();
}

bool OperationsModel::same(const api::OperationView &a, const api::OperationView &b) const
{
    return models::same(a, b);
}

QVariant OperationsModel::cell(const api::OperationView &row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(row, Column(column));
    case Qt::ToolTipRole:
        if (column == Requested)
            return timeTip(row.operation.requested, m_now, m_zone);
        return column == Scope ? operationTip(row.operation) : text(row, Column(column));
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    case FractionRole:
        return column == Progress ? QVariant(fraction(row.operation)) : QVariant();
    case ToneRole:
        return tone(row, Column(column));
    case IdRole:
        return row.operation.id.value;
    default:
        return {};
    }
}

QString OperationsModel::text(const api::OperationView &row, Column column) const
{
    const records::RetryOperation &operation = row.operation;
    switch (column) {
    case Scope:
        return tr("%1 · %2").arg(formatNumber(operation.id.value), operationName(operation));
    case State:
        return operationState(operation, m_now, m_zone);
    case Progress:
        return tr("%1 of %2").arg(formatNumber(done(operation)), formatNumber(operation.total));
    case Sent:
        return formatNumber(operation.counts.sent);
    case Ejected:
        return formatNumber(operation.counts.ejected);
    case InDoubt:
        return formatNumber(operation.counts.inDoubt);
    case CameBack:
        return formatNumber(operation.counts.cameBack);
    case Rate:
        return row.messagesPerSecond > 0 ? formatRate(row.messagesPerSecond) : QString();
    case TimeLeft:
        return row.timeLeft ? formatDuration(*row.timeLeft) : QString();
    case Who:
        return visibleLine(operation.who);
    case Requested:
        return formatListTime(operation.requested, m_now, m_zone);
    }
    Q_UNREACHABLE();
}

QVariant OperationsModel::tone(const api::OperationView &row, Column column) const
{
    const records::OutcomeCounts &counts = row.operation.counts;
    const auto alarming = [](qint64 count, Tone otherwise) { return int(count > 0 ? otherwise : Tone::Muted); };
    switch (column) {
    case Ejected:
        return alarming(counts.ejected, Tone::Bad);
    case InDoubt:
        return alarming(counts.inDoubt, Tone::Warn);
    case CameBack:
        return alarming(counts.cameBack, Tone::Bad);
    case State:
        if (!row.operation.stoppedBecause.isEmpty())
            return int(Tone::Bad);
        return int(row.operation.waitingReason.isEmpty() ? Tone::Normal : Tone::Warn);
    case Scope:
    case Progress:
    case Sent:
        return int(Tone::Normal);
    case Rate:
    case TimeLeft:
    case Who:
    case Requested:
        return int(Tone::Muted);
    }
    Q_UNREACHABLE();
}

QVariant OperationsModel::headerCell(int column, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole)
        return headerTip(Column(column));
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(column)) {
    case Scope:
        return tr("Operation");
    case State:
        return tr("State");
    case Progress:
        return tr("Progress");
    case Sent:
        return tr("Sent");
    case Ejected:
        return tr("Ejected");
    case InDoubt:
        return tr("In doubt");
    case CameBack:
        return tr("Came back");
    case Rate:
        return tr("Rate");
    case TimeLeft:
        return tr("Time left");
    case Who:
        return tr("Who");
    case Requested:
        return tr("Requested");
    }
    Q_UNREACHABLE();
}

} // namespace models
