#pragma once

#include "models/common/csvtable.h"

#include <QObject>

namespace models {

// Reads a list page by page and writes its rows as CSV: what is common to all lists. It keeps the texts, not the rows. Deletes
// itself when it has answered. GUI thread.
class PagedCsv : public QObject
{
    Q_OBJECT

public:
    // Cancelled: the parent is gone.
    [[nodiscard]] api::Answer<CsvTable> answer() const { return m_reply.future(); }

protected:
    // `begun`: with the line of titles.
    PagedCsv(CsvTable begun, QObject *parent);

    void add(const QStringList &cells); // one row
    void end();
    void fail(const core::Error &error);

private:
    CsvTable m_table;
    api::Reply<CsvTable> m_reply;
};

} // namespace models
