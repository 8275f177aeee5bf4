#include "models/queues/redirectsmodel.h"

#include "models/common/visibletext.h"

namespace models {

QVariant RedirectsModel::cell(const records::Redirect &row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return visibleLine(column == From ? row.from : row.to);
    case Qt::AccessibleTextRole:
        return tr("from %1 to %2").arg(visibleLine(row.from), visibleLine(row.to));
    default:
        return {};
    }
}

QVariant RedirectsModel::headerCell(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return column == From ? tr("Original destination") : tr("New destination");
}

} // namespace models

#include "moc_redirectsmodel.cpp"
