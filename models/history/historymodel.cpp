#include "models/history/historymodel.h"

#include "models/common/roles.h"
#include "models/common/terms.h"
#include "models/common/visibletext.h"
#include "models/retries/operationname.h"
#include "models/retries/operationstate.h"

namespace models {

namespace {

bool isNumber(int column)
{
    switch (HistoryModel::Column(column)) {
    case HistoryModel::Sent:
    case HistoryModel::Ejected:
    case HistoryModel::InDoubt:
    case HistoryModel::CameBack:
    case HistoryModel::Duration:
        return true;
    case HistoryModel::What:
    case HistoryModel::End:
    case HistoryModel::Connection:
    case HistoryModel::Who:
    case HistoryModel::Why:
    case HistoryModel::Requested:
        return false;
    }
    Q_UNREACHABLE();
}

Tone toneOf(const records::RetryOperation &operation, HistoryModel::Column column)
{
    const records::OutcomeCounts &counts = operation.counts;
    const auto alarming = [](qint64 count, Tone otherwise) { return count > 0 ? otherwise : Tone::Muted; };
    switch (column) {
    case HistoryModel::Ejected:
        return alarming(counts.ejected, Tone::Bad);
    case HistoryModel::InDoubt:
        return alarming(counts.inDoubt, Tone::Warn);
    case HistoryModel::CameBack:
        return alarming(counts.cameBack, Tone::Bad);
    case HistoryModel::End:
        return operation.stoppedBecause.isEmpty() ? Tone::Normal : Tone::Bad;
    case HistoryModel::What:
    case HistoryModel::Sent:
        return Tone::Normal;
    case HistoryModel::Connection:
    case HistoryModel::Duration:
    case HistoryModel::Who:
    case HistoryModel::Why:
    case HistoryModel::Requested:
        return Tone::Muted;
    }
    Q_UNREACHABLE();
}

QVariant historyHeaderTip(HistoryModel::Column column)
{
    switch (column) {
    case HistoryModel::Ejected:
        return explained(Term::Ejected);
    case HistoryModel::InDoubt:
        return explained(Term::InDoubt);
    case HistoryModel::CameBack:
        return explained(Term::CameBack);
    default:
        return {};
    }
}

} // namespace

void HistoryModel::setNow(core::TimePoint now)
{
    m_now = now;
}

void HistoryModel::setZone(TimeZone zone)
{
    m_zone = zone;
    touchAll();
}

void HistoryModel::fetchMore(const QModelIndex &parent)
{
    if (canFetchMore(parent))
        Q_EMIT moreWanted();
}

bool HistoryModel::same(const api::OperationRow &a, const api::OperationRow &b) const
{
    const records::RetryOperation &one = a.operation;
    const records::RetryOperation &other = b.operation;
    return a.connection == b.connection && one.state == other.state && one.counts == other.counts
           && one.total == other.total && one.started == other.started && one.finished == other.finished
           && one.waitingReason == other.waitingReason && one.stoppedBecause == other.stoppedBecause;
}

QVariant HistoryModel::cell(const api::OperationRow &row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(row, Column(column));
    case Qt::ToolTipRole:
        return tip(row, Column(column));
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    case ToneRole:
        return int(toneOf(row.operation, Column(column)));
    case IdRole:
        return row.operation.id.value;
    default:
        return {};
    }
}

QString HistoryModel::text(const api::OperationRow &row, Column column) const
{
    const records::RetryOperation &operation = row.operation;
    switch (column) {
    case What:
        return tr("%1 · %2").arg(formatNumber(operation.id.value), operationName(operation));
    case End:
        return operationState(operation, m_now, m_zone);
    case Connection:
        return visibleLine(row.connection);
    case Sent:
        return tr("%1 of %2").arg(formatNumber(operation.counts.sent), formatNumber(operation.total));
    case Ejected:
        return formatNumber(operation.counts.ejected);
    case InDoubt:
        return formatNumber(operation.counts.inDoubt);
    case CameBack:
        return formatNumber(operation.counts.cameBack);
    case Duration:
        return durationText(operation);
    case Who:
        return visibleLine(operation.who);
    case Why:
        return visibleLine(operation.plan.reason);
    case Requested:
        return formatListTime(operation.requested, m_now, m_zone);
    }
    Q_UNREACHABLE();
}

// Empty while the operation runs: the value would be out of date a second later.
QString HistoryModel::durationText(const records::RetryOperation &operation) const
{
    if (!operation.started || !operation.finished)
        return {};
    return formatDuration(*operation.finished - *operation.started);
}

QString HistoryModel::tip(const api::OperationRow &row, Column column) const
{
    const records::RetryOperation &operation = row.operation;
    if (column == What)
        return operationTip(operation);
    if (column == Requested)
        return timeTip(operation.requested, m_now, m_zone);
    if (column == Duration && operation.started && operation.finished)
        return tr("%1 to %2")
            .arg(formatFullTime(*operation.started, m_zone), formatFullTime(*operation.finished, m_zone));
    return text(row, column);
}

QVariant HistoryModel::headerCell(int column, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole)
        return historyHeaderTip(Column(column));
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(column)) {
    case What:
        return tr("Operation");
    case End:
        return tr("State");
    case Connection:
        return tr("Connection");
    case Sent:
        return tr("Sent");
    case Ejected:
        return tr("Ejected");
    case InDoubt:
        return tr("In doubt");
    case CameBack:
        return tr("Came back");
    case Duration:
        return tr("Duration");
    case Who:
        return tr("Who");
    case Why:
        return tr("Reason");
    case Requested:
        return tr("Requested");
    }
    Q_UNREACHABLE();
}

} // namespace models
