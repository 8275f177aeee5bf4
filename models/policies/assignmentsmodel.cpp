#include "models/policies/assignmentsmodel.h"

#include "models/common/roles.h"
#include "models/common/visibletext.h"
#include "models/policies/policywords.h"
#include "models/session/snapshotdiff.h"

namespace models {

namespace {

bool isAssignmentCount(int column)
{
    return column == AssignmentsModel::Held || column == AssignmentsModel::Due || column == AssignmentsModel::Exhausted;
}

Tone cellTone(const api::AssignmentView &row, AssignmentsModel::Column column)
{
    switch (column) {
    case AssignmentsModel::For:
    case AssignmentsModel::Next:
        return Tone::Normal;
    case AssignmentsModel::Held:
        return row.held > 0 ? Tone::Normal : Tone::Muted;
    case AssignmentsModel::Due:
        return row.due > 0 ? Tone::Normal : Tone::Muted;
    case AssignmentsModel::Exhausted:
        return row.exhausted > 0 ? Tone::Bad : Tone::Muted;
    case AssignmentsModel::Why:
        return row.probingSince || !row.waits.isEmpty() ? Tone::Warn : Tone::Muted;
    }
    Q_UNREACHABLE();
}

} // namespace

void AssignmentsModel::show(const QList<api::AssignmentView> &assignments, core::TimePoint now, TimeZone zone,
                            bool isPaused)
{
    const bool redraw = zone != m_zone || isPaused != m_isPaused;
    m_isPaused = isPaused;
    m_now = now;
    m_zone = zone;
    setRows(assignments);
    if (redraw)
        touchAll();
}

bool AssignmentsModel::same(const api::AssignmentView &a, const api::AssignmentView &b) const
{
    return models::same(a, b);
}

QVariant AssignmentsModel::cell(const api::AssignmentView &row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(row, Column(column));
    case Qt::ToolTipRole:
        return tip(row, Column(column));
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isAssignmentCount(column) ? Qt::AlignRight : Qt::AlignLeft));
    case ToneRole:
        return int(cellTone(row, Column(column)));
    case IdRole:
        return row.id.value;
    default:
        return {};
    }
}

QString AssignmentsModel::text(const api::AssignmentView &row, Column column) const
{
    switch (column) {
    case For:
        return visibleLine(row.words);
    case Held:
        return formatNumber(row.held);
    case Due:
        return formatNumber(row.due);
    case Next:
        if (m_isPaused && !row.nextDue)
            return tr("paused");
        return row.nextDue ? dueText(*row.nextDue, m_now, m_zone) : QString();
    case Exhausted:
        return formatNumber(row.exhausted);
    case Why:
        if (!row.waits.isEmpty())
            return visibleLine(row.waits);
        return row.probingSince ? tr("probing since %1").arg(formatListTime(*row.probingSince, m_now, m_zone))
                                : QString();
    }
    Q_UNREACHABLE();
}

QString AssignmentsModel::tip(const api::AssignmentView &row, Column column) const
{
    if (column == Next && row.nextDue)
        return timeTip(*row.nextDue, m_now, m_zone);
    return text(row, column);
}

QVariant AssignmentsModel::headerCell(int column, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isAssignmentCount(column) ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(column)) {
    case For:
        return tr("Assigned to");
    case Held:
        return tr("Held");
    case Due:
        return tr("Due");
    case Next:
        return tr("Next retry");
    case Exhausted:
        return tr("Exhausted");
    case Why:
        return tr("Why not now");
    }
    Q_UNREACHABLE();
}

} // namespace models

#include "moc_assignmentsmodel.cpp"
