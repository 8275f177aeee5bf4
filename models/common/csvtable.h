// What a table shows, as comma-separated values (csv.h): its columns in their order on the screen, and all rows for which
// it stands. GUI thread.
#pragma once

#include "backend/api/client.h"

#include <QByteArray>
#include <QList>

class QAbstractItemModel;

namespace models {

struct CsvTable
{
    QByteArray content; // with a line of titles
    qint64 rows = 0; // without it
};

// A model that has not loaded all of its rows.
class PagedRows
{
public:
    PagedRows() = default;
    PagedRows(const PagedRows &) = delete;
    PagedRows &operator=(const PagedRows &) = delete;
    virtual ~PagedRows() = default;

    // Loads every row for which the table stands, and writes these columns of it. Rows that are gone meanwhile are left out.
    // Cancelled: the model is gone.
    [[nodiscard]] virtual api::Answer<CsvTable> readCsv(const QList<int> &columns) = 0;
};

// The line of titles.
[[nodiscard]] QByteArray csvTitles(const QAbstractItemModel &model, const QList<int> &columns);
// The rows of the model, or of its PagedRows if it has them.
[[nodiscard]] api::Answer<CsvTable> csvOf(QAbstractItemModel &model, const QList<int> &columns);

} // namespace models
