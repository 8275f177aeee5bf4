#include "models/messages/messagecsv.h"

#include "backend/api/requests/queries.h"
#include "models/common/formatters.h"

namespace models {

namespace {

constexpr qsizetype rowsOfPage = 1000;

} // namespace

MessageCsv::MessageCsv(ConsoleSession &session, const QList<core::MessageId> &ids, const QList<int> &columns,
                       const MessageCells &cells, CsvTable begun, QObject *parent)
    : PagedCsv(std::move(begun), parent)
    , m_session(session)
    , m_ids(ids)
    , m_columns(columns)
    , m_cells(cells)
{
    askNext();
}

void MessageCsv::askNext()
{
    if (m_next >= m_ids.size())
        return end();
    const api::MessageRowQuery page{m_ids.mid(m_next, rowsOfPage)};
    m_next += rowsOfPage;
    m_session.ask(this, page, [this](const core::Result<QList<records::FailedMessage>> &rows) { take(rows); });
}

void MessageCsv::take(const core::Result<QList<records::FailedMessage>> &rows)
{
    if (!rows)
        return fail(rows.error());
    for (const records::FailedMessage &message : *rows) {
        QStringList line;
        for (const int column : m_columns)
            line.append(column == MessageCells::FailedAt ? formatFullTime(message.lastFailed, m_cells.zone)
                                                         : m_cells.cell(message, column, Qt::DisplayRole).toString());
        add(line);
    }
    askNext();
}

} // namespace models

#include "moc_messagecsv.cpp"
