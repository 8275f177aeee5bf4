#pragma once

#include "models/common/csvtable.h"
#include "models/messages/messagecells.h"
#include "models/session/consolesession.h"

#include <QObject>

namespace models {

// Reads the messages of a list page by page and writes their cells as CSV. It keeps the texts, not the messages. Deletes itself
// when it has answered. GUI thread.
class MessageCsv final : public QObject
{
    Q_OBJECT

public:
    MessageCsv(ConsoleSession &session, const QList<core::MessageId> &ids, const QList<int> &columns,
               const MessageCells &cells, CsvTable begun, QObject *parent);

    [[nodiscard]] api::Answer<CsvTable> answer() const { return m_reply.future(); }

private:
    void askNext();
    void take(const core::Result<QList<records::FailedMessage>> &rows);
    void end(const core::Result<CsvTable> &table);

    ConsoleSession &m_session;
    const QList<core::MessageId> m_ids;
    const QList<int> m_columns;
    const MessageCells m_cells;
    CsvTable m_table;
    qsizetype m_next = 0;
    api::Reply<CsvTable> m_reply;
};

} // namespace models
