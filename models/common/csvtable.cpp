#include "models/common/csvtable.h"

#include "models/common/csv.h"
#include "models/common/roles.h"

#include <QAbstractItemModel>

namespace models {

QByteArray csvTitles(const QAbstractItemModel &model, const QList<int> &columns)
{
    QStringList titles;
    for (const int column : columns)
        titles.append(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    return csvLine(titles);
}

api::Answer<CsvTable> csvOf(QAbstractItemModel &model, const QList<int> &columns)
{
    if (auto *paged = dynamic_cast<PagedRows *>(&model))
        return paged->readCsv(columns);
    CsvTable table{csvTitles(model, columns), model.rowCount()};
    for (int row = 0; row < table.rows; ++row) {
        QStringList cells;
        for (const int column : columns) {
            const QModelIndex cell = model.index(row, column);
            const QVariant own = cell.data(FileRole);
            cells.append((own.isValid() ? own : cell.data(Qt::DisplayRole)).toString());
        }
        table.content += csvLine(cells);
    }
    const api::Reply<CsvTable> reply;
    reply.answer(table);
    return reply.future();
}

} // namespace models
