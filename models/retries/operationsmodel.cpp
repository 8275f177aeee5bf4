#include "models/retries/operationsmodel.h"

#include "models/common/glossary.h"
#include "models/common/roles.h"
#include "models/common/visibletext.h"
#include "models/retries/batchboard.h"
#include "models/retries/operationname.h"
#include "models/retries/operationstate.h"
#include "models/session/snapshotdiff.h"

#include <algorithm>

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
    case OperationsModel::Time:
        return true;
    case OperationsModel::What:
    case OperationsModel::State:
    case OperationsModel::Progress:
    case OperationsModel::Who:
    case OperationsModel::Why:
    case OperationsModel::Requested:
    case OperationsModel::Connection:
        return false;
    }
    Q_UNREACHABLE();
}

int alignment(int column)
{
    return int(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
}

Tone toneOf(const records::RetryOperation &operation, OperationsModel::Column column)
{
    const records::OutcomeCounts &counts = operation.counts;
    const auto alarming = [](qint64 count, Tone otherwise) { return count > 0 ? otherwise : Tone::Muted; };
    switch (column) {
    case OperationsModel::Ejected:
        return alarming(counts.ejected, Tone::Bad);
    case OperationsModel::InDoubt:
        return alarming(counts.inDoubt, Tone::Warn);
    case OperationsModel::CameBack:
        return alarming(counts.cameBack, Tone::Bad);
    case OperationsModel::State:
        if (!operation.stoppedBecause.isEmpty())
            return Tone::Bad;
        return operation.waitingReason.isEmpty() ? Tone::Normal : Tone::Warn;
    case OperationsModel::What:
    case OperationsModel::Progress:
    case OperationsModel::Sent:
        return Tone::Normal;
    case OperationsModel::Rate:
    case OperationsModel::Time:
    case OperationsModel::Who:
    case OperationsModel::Why:
    case OperationsModel::Requested:
    case OperationsModel::Connection:
        return Tone::Muted;
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
    case OperationsModel::Time:
        return OperationsModel::tr("While a retry runs, the time left; afterwards, how long it took");
    default:
        return {};
    }
}

// Without "left" a value would be out of date a second later, so a running operation without an estimate shows nothing.
QString timeText(const api::OperationView &view)
{
    if (records::isLive(view.operation.state))
        return view.timeLeft ? OperationsModel::tr("%1 left").arg(formatDuration(*view.timeLeft)) : QString();
    if (!view.operation.started || !view.operation.finished)
        return {};
    return formatDuration(*view.operation.finished - *view.operation.started);
}

} // namespace

void OperationsModel::show(QList<OperationItem> items, core::TimePoint now)
{
    m_now = now;
    std::sort(items.begin(), items.end(),
              [](const OperationItem &a, const OperationItem &b) { return b.view.operation.id < a.view.operation.id; });
    setRows(items);
}

void OperationsModel::setZone(TimeZone zone)
{
    m_zone = zone;
    touchAll();
}

void OperationsModel::fetchMore(const QModelIndex &parent)
{
    if (canFetchMore(parent))
        Q_EMIT moreWanted();
}

bool OperationsModel::same(const OperationItem &a, const OperationItem &b) const
{
    return models::same(a.view, b.view) && a.connection == b.connection
           && a.view.operation.stoppedBecause == b.view.operation.stoppedBecause;
}

QVariant OperationsModel::cell(const OperationItem &row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(row, Column(column));
    case Qt::ToolTipRole:
        return tip(row, Column(column));
    case Qt::TextAlignmentRole:
        return alignment(column);
    case FractionRole:
        return column == Progress ? QVariant(fraction(row.view.operation)) : QVariant();
    case FileRole:
        return column == Requested ? QVariant(formatFullTime(row.view.operation.requested, m_zone)) : QVariant();
    case ToneRole:
        return int(toneOf(row.view.operation, Column(column)));
    case IdRole:
        return row.view.operation.id.value;
    default:
        return {};
    }
}

QString OperationsModel::text(const OperationItem &row, Column column) const
{
    const records::RetryOperation &operation = row.view.operation;
    switch (column) {
    case What:
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
        return row.view.messagesPerSecond > 0 ? formatRate(row.view.messagesPerSecond) : QString();
    case Time:
        return timeText(row.view);
    case Who:
        return visibleLine(operation.who);
    case Why:
        return visibleLine(operation.plan.reason);
    case Requested:
        return formatListTime(operation.requested, m_now, m_zone);
    case Connection:
        return visibleLine(row.connection);
    }
    Q_UNREACHABLE();
}

QString OperationsModel::tip(const OperationItem &row, Column column) const
{
    const records::RetryOperation &operation = row.view.operation;
    if (column == What)
        return operationTip(operation);
    if (column == Progress) {
        QStringList lines{text(row, column), BatchBoard::batchesLeft(row.view)};
        lines.removeAll(QString());
        return lines.join(QLatin1Char('\n'));
    }
    if (column == Requested)
        return timeTip(operation.requested, m_now, m_zone);
    if (column == Time && operation.started && operation.finished)
        return tr("%1 to %2")
            .arg(formatFullTime(*operation.started, m_zone), formatFullTime(*operation.finished, m_zone));
    return text(row, column);
}

QVariant OperationsModel::headerCell(int column, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return alignment(column);
    if (role == Qt::ToolTipRole)
        return headerTip(Column(column));
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(column)) {
    case What:
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
    case Time:
        return tr("Duration");
    case Who:
        return tr("Who");
    case Why:
        return tr("Reason");
    case Requested:
        return tr("Requested");
    case Connection:
        return tr("Connection");
    }
    Q_UNREACHABLE();
}

} // namespace models

#include "moc_operationsmodel.cpp"
