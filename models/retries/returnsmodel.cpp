#include "models/retries/returnsmodel.h"

#include "backend/core/limits.h"
#include "models/common/formatters.h"
#include "models/common/roles.h"
#include "models/common/visibletext.h"

#include <numeric>
#include <tuple>

namespace models {

ReturnsModel::ReturnsModel(ConsoleSession &session, core::OperationId operation, QObject *parent)
    : RowModel(parent)
    , m_call(session, [this] { ask(); })
{
    m_operation.id = operation;
    connect(&session, &ConsoleSession::messagesRevised, this, &ReturnsModel::load);
}

void ReturnsModel::ask()
{
    m_call.ask(api::OperationDetailQuery{m_operation.id},
               [this](const core::Result<api::OperationDetail> &detail) { take(detail); });
}

void ReturnsModel::take(const core::Result<api::OperationDetail> &detail)
{
    m_error = detail ? QString() : visibleLine(detail.error().message);
    if (detail) {
        m_loaded = true;
        m_operation = detail->operation;
        m_confirmed = 0;
        for (const api::ProofShare &share : detail->proofs)
            m_confirmed += share.proof == api::Proof::Acknowledged ? share.count : 0;
        setRows(detail->returns);
    }
    Q_EMIT changed();
}

QString ReturnsModel::summary() const
{
    return m_confirmed == 0 ? cameBackText()
                            : tr("%1; %2 confirmed by the endpoint").arg(cameBackText(), formatNumber(m_confirmed));
}

QString ReturnsModel::cameBackText() const
{
    const int listed = rowCount();
    if (listed >= core::limits::operationShares)
        return tr("%1 came back; the list shows the %2 most frequent causes")
            .arg(formatNumber(m_operation.counts.cameBack), formatNumber(listed));
    const qint64 fresh = std::accumulate(rows().begin(), rows().end(), qint64{0},
                                         [](qint64 sum, const api::ReturnShare &row) { return sum + row.newCause; });
    const QString all = tr("%1 came back").arg(formatNumber(m_operation.counts.cameBack));
    return fresh == 0 ? all : tr("%1, %2 of them with a new cause").arg(all, formatNumber(fresh));
}

bool ReturnsModel::same(const api::ReturnShare &a, const api::ReturnShare &b) const
{
    const auto key = [](const api::ReturnShare &one) { return std::tie(one.title, one.count, one.newCause, one.note); };
    return key(a) == key(b);
}

QString ReturnsModel::text(const api::ReturnShare &row, int column)
{
    switch (Column(column)) {
    case Cause:
        return visibleLine(row.title);
    case Messages:
        return formatNumber(row.count);
    case NewCause:
        return formatNumber(row.newCause);
    }
    Q_UNREACHABLE();
}

QVariant ReturnsModel::cell(const api::ReturnShare &row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return column != Cause || row.note.isEmpty() ? text(row, column)
                                                     : tr("%1\nNote: %2").arg(text(row, column), visibleLine(row.note));
    case Qt::TextAlignmentRole:
        return column == Cause ? QVariant() : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case IdRole:
        return row.group.value;
    case ToneRole:
        return int(column == NewCause && row.newCause > 0 ? Tone::Warn : Tone::Normal);
    default:
        return {};
    }
}

ActionScope retryOfReturns(const records::RetryOperation &operation)
{
    ActionScope scope;
    scope.filter.connection = operation.connection;
    scope.filter.cameBackFrom = operation.id;
    scope.filter.status = records::MessageStatus::Unresolved;
    scope.count = operation.counts.cameBack;
    scope.connection = operation.connection;
    return scope;
}

QVariant ReturnsModel::headerCell(int column, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return column == Cause ? QVariant() : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(column)) {
    case Cause:
        return tr("Current cause");
    case Messages:
        return tr("Came back");
    case NewCause:
        return tr("With a new cause");
    }
    Q_UNREACHABLE();
}

} // namespace models

#include "moc_returnsmodel.cpp"
