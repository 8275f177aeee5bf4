#include "models/policies/policiesmodel.h"

#include "models/common/roles.h"
#include "models/common/visibletext.h"
#include "models/policies/policywords.h"
#include "models/session/snapshotdiff.h"

namespace models {

namespace {

bool isPolicyCount(int column)
{
    return column == PoliciesModel::Held || column == PoliciesModel::Exhausted;
}

Tone cellTone(const api::PolicyView &row, PoliciesModel::Column column)
{
    switch (column) {
    case PoliciesModel::State:
        return toneOf(row);
    case PoliciesModel::Exhausted:
        return row.exhausted() > 0 ? Tone::Bad : Tone::Muted;
    case PoliciesModel::Held:
        return row.held() > 0 ? Tone::Normal : Tone::Muted;
    case PoliciesModel::For:
        return row.assignments.isEmpty() ? Tone::Muted : Tone::Normal;
    case PoliciesModel::What:
        return Tone::Muted;
    case PoliciesModel::Name:
    case PoliciesModel::Next:
        return Tone::Normal;
    }
    Q_UNREACHABLE();
}

} // namespace

void PoliciesModel::show(const api::Snapshot &snapshot, TimeZone zone)
{
    const bool redraw = zone != m_zone || snapshot.engine != m_around.engine;
    m_around.at = snapshot.at;
    m_around.engine = snapshot.engine;
    m_zone = zone;
    setRows(snapshot.policies);
    if (redraw)
        touchAll();
}

bool PoliciesModel::same(const api::PolicyView &a, const api::PolicyView &b) const
{
    return models::same(a, b);
}

QVariant PoliciesModel::cell(const api::PolicyView &row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        return text(row, Column(column));
    case Qt::AccessibleTextRole:
        return accessible(row, Column(column));
    case Qt::ToolTipRole:
        return tip(row, Column(column));
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isPolicyCount(column) ? Qt::AlignRight : Qt::AlignLeft));
    case ToneRole:
        return int(cellTone(row, Column(column)));
    default:
        return {};
    }
}

QString PoliciesModel::text(const api::PolicyView &row, Column column) const
{
    switch (column) {
    case Name:
        return visibleLine(row.name);
    case For:
        return row.assignments.isEmpty() ? tr("nothing yet") : policyPurpose(row);
    case What:
        return visibleLine(row.sentence);
    case State:
        return policyState(row, m_around, m_zone);
    case Held:
        return formatNumber(row.held());
    case Next:
        return nextRetry(row, m_around, m_zone);
    case Exhausted:
        return formatNumber(row.exhausted());
    }
    Q_UNREACHABLE();
}

QString PoliciesModel::accessible(const api::PolicyView &row, Column column) const
{
    const QString shown = text(row, column);
    return shown == QStringLiteral("–") ? tr("no next retry") : shown;
}

QString PoliciesModel::tip(const api::PolicyView &row, Column column) const
{
    switch (column) {
    case State:
        return policySituation(row, m_around, m_zone);
    case What:
        return visibleLine(row.sentence) + QLatin1Char('\n') + visibleLine(row.ending);
    case For:
        return text(row, For).replace(QStringLiteral("; "), QStringLiteral("\n"));
    case Held:
        return row.atBroker() == 0
                   ? tr("%1 held, %2 of them due now").arg(formatNumber(row.held()), formatNumber(row.due()))
                   : tr("%1 held, %2 of them due now, %3 at the broker")
                         .arg(formatNumber(row.held()), formatNumber(row.due()), formatNumber(row.atBroker()));
    case Next: {
        const std::optional<core::TimePoint> next = row.nextDue();
        if (next)
            return timeTip(*next, m_around.at, m_zone);
        return row.held() > 0 ? policySituation(row, m_around, m_zone) : tr("No message waits for a retry.");
    }
    case Exhausted:
        return tr("Messages that the policy has given up");
    case Name:
        return text(row, column);
    }
    Q_UNREACHABLE();
}

QVariant PoliciesModel::headerCell(int column, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isPolicyCount(column) ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(column)) {
    case Name:
        return tr("Policy");
    case For:
        return tr("For");
    case What:
        return tr("What it does");
    case State:
        return tr("State");
    case Held:
        return tr("Held");
    case Next:
        return tr("Next retry");
    case Exhausted:
        return tr("Exhausted");
    }
    Q_UNREACHABLE();
}

} // namespace models

#include "moc_policiesmodel.cpp"
