#pragma once

#include "backend/api/requests/queries.h"
#include "models/common/pagedcsv.h"
#include "models/session/consolesession.h"

#include <QSet>

namespace models {

// All failure groups of a query, also those beyond the page that the list shows. A group that moves to another page between two
// requests is written once; one that was missed by that is looked for again. GUI thread.
class GroupCsv final : public PagedCsv
{
    Q_OBJECT

public:
    // The cells of each line, in the order of the lines.
    using Lines = std::function<QList<QStringList>(QList<api::GroupRow> rows)>;

    GroupCsv(ConsoleSession &session, api::GroupQuery query, Lines lines, CsvTable begun, QObject *parent);

private:
    void askNext();
    void take(const core::Result<api::GroupPage> &page);

    ConsoleSession &m_session;
    api::GroupQuery m_query;
    const Lines m_lines;
    QList<api::GroupRow> m_rows;
    QSet<core::GroupId> m_known;
    int m_rounds = 1;
};

} // namespace models
