#include "models/conventions/conventionsmodel.h"

#include "backend/records/conventions/conventionfile.h"
#include "models/common/roles.h"
#include "models/common/visibletext.h"
#include "models/conventions/conventionlines.h"

namespace models {

namespace {

QString isForText(const api::ConventionView &row)
{
    const core::Result<records::Convention> convention = records::conventionFrom(row.file);
    return convention ? ConventionLines::forText(*convention) : visibleLine(convention.error().message);
}

} // namespace

ConventionsModel::ConventionsModel(TimeZone zone, QObject *parent)
    : RowModel(parent)
    , m_zone(zone)
{
}

bool ConventionsModel::same(const api::ConventionView &a, const api::ConventionView &b) const
{
    return a.file == b.file && a.setBy == b.setBy && a.setAt == b.setAt && a.messages == b.messages;
}

QVariant ConventionsModel::cell(const api::ConventionView &row, int column, int role) const
{
    if (role == Qt::TextAlignmentRole && column == Messages)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && column == Name) {
        const core::Result<records::Convention> convention = records::conventionFrom(row.file);
        return convention && !convention->note.isEmpty() ? visibleLines(convention->note) : visibleLine(row.name);
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::ToolTipRole)
        return {};
    switch (column) {
    case Name:
        return visibleLine(row.name);
    case For:
        return isForText(row);
    case Messages:
        return formatNumber(row.messages);
    default:
        return tr("%1, %2").arg(visibleLine(row.setBy), formatFullTime(row.setAt, m_zone));
    }
}

QVariant ConventionsModel::headerCell(int column, int role) const
{
    if (role == Qt::TextAlignmentRole && column == Messages)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Name:
        return tr("Convention");
    case For:
        return tr("For");
    case Messages:
        return tr("Messages");
    default:
        return tr("Set by");
    }
}

} // namespace models

#include "moc_conventionsmodel.cpp"
