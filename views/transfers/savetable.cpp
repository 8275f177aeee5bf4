#include "views/transfers/savetable.h"

#include "models/common/csvtable.h"
#include "views/common/filewriter.h"
#include "views/common/lists/datatable.h"
#include "views/common/text.h"

#include <QApplication>
#include <QHeaderView>
#include <QPointer>

#include <algorithm>

namespace views {

namespace {

// In their order on the screen. A column without a title has no text either: it holds the check boxes.
QList<int> shownColumns(const DataTable &table)
{
    QList<int> columns;
    const QHeaderView *header = table.horizontalHeader();
    for (int place = 0; place < header->count(); ++place) {
        const int column = header->logicalIndex(place);
        const QString title = table.model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        if (table.isWanted(column) && !title.isEmpty())
            columns.append(column);
    }
    return columns;
}

} // namespace

DataTable *tableOnScreen(const QWidget *window, const QWidget *page)
{
    for (QWidget *widget = QApplication::focusWidget(); widget != nullptr; widget = widget->parentWidget()) {
        auto *table = qobject_cast<DataTable *>(widget);
        if (table != nullptr && window->isAncestorOf(table))
            return table;
    }
    if (page == nullptr)
        return nullptr;
    const QList<DataTable *> all = page->findChildren<DataTable *>();
    const auto found = std::find_if(all.begin(), all.end(), [](const DataTable *one) { return one->isVisible(); });
    return found == all.end() ? nullptr : *found;
}

void saveTable(models::ConsoleSession &session, DataTable *table)
{
    FileWriter::askForPath(table->window(), Text::tr("Save table"), QStringLiteral("redrive-table.csv"),
                           Text::tr("Comma-separated values (*.csv)"),
                           [&session, table = QPointer(table)](const QString &path) {
                               if (table)
                                   saveTable(session, table, path);
                           });
}

void saveTable(models::ConsoleSession &session, DataTable *table, const QString &path)
{
    FileWriter::save(session, path, models::csvOf(*table->model(), shownColumns(*table)));
}

} // namespace views
