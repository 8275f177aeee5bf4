#pragma once

#include "models/common/pagedcsv.h"
#include "models/messages/messagecells.h"
#include "models/session/consolesession.h"

namespace models {

// The messages of a list, as its cells show them. GUI thread.
class MessageCsv final : public PagedCsv
{
    Q_OBJECT

public:
    MessageCsv(ConsoleSession &session, const QList<core::MessageId> &ids, const QList<int> &columns,
               const MessageCells &cells, CsvTable begun, QObject *parent);

private:
    void askNext();
    void take(const core::Result<QList<records::FailedMessage>> &rows);

    ConsoleSession &m_session;
    const QList<core::MessageId> m_ids;
    const QList<int> m_columns;
    const MessageCells m_cells;
    qsizetype m_next = 0;
};

} // namespace models
