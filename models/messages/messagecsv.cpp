#include "models/messages/messagecsv.h"

#include "backend/api/requests/queries.h"
#include "models/common/csv.h"

namespace models {

namespace {

constexpr qsizetype rowsOfPage = 1000;

} // namespace

MessageCsv::MessageCsv(ConsoleSession &session, const QList<core::MessageId> &ids, const QList<int> &columns,
                       const MessageCells &cells, CsvTable begun, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_ids(ids)
    , m_columns(columns)
    , m_cells(cells)
    , m_table(std::move(begun))
{
    askNext();
}

void MessageCsv::askNext()
{
    if (m_next >= m_ids.size())
        return end(m_table);
    const api::MessageRowQuery page{m_ids.mid(m_next, rowsOfPage)};
    m_next += rowsOfPage;
    m_session.ask(this, page, [this](const core::Result<QList<records::FailedMessage>> &rows) { take(rows); });
}

void MessageCsv::take(const core::Result<QList<records::FailedMessage>> &rows)
{
    if (!rows)
        return end(core::fail(rows.error()));
    for (const records::FailedMessage &message : *rows) {
        QStringList line;
        for (const int column : m_columns)
            line.append(m_cells.cell(message, column, Qt::DisplayRole).toString());
        m_table.content += csvLine(line);
        ++m_table.rows;
    }
    askNext();
}

void MessageCsv::end(const core::Result<CsvTable> &table)
{
    m_reply.answer(table);
    deleteLater();
}

} // namespace models
