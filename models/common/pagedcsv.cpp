#include "models/common/pagedcsv.h"

#include "models/common/csv.h"

namespace models {

PagedCsv::PagedCsv(CsvTable begun, QObject *parent)
    : QObject(parent)
    , m_table(std::move(begun))
{
}

void PagedCsv::add(const QStringList &cells)
{
    m_table.content += csvLine(cells);
    ++m_table.rows;
}

void PagedCsv::end()
{
    m_reply.answer(m_table);
    deleteLater();
}

void PagedCsv::fail(const core::Error &error)
{
    m_reply.answer(core::fail(error));
    deleteLater();
}

} // namespace models

#include "moc_pagedcsv.cpp"
