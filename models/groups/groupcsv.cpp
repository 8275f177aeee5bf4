#include "models/groups/groupcsv.h"

namespace models {

namespace {

constexpr int roundsAtMost = 3; // a list that changes all the time ends, too

} // namespace

GroupCsv::GroupCsv(ConsoleSession &session, api::GroupQuery query, Lines lines, CsvTable begun, QObject *parent)
    : PagedCsv(std::move(begun), parent)
    , m_session(session)
    , m_query(std::move(query))
    , m_lines(std::move(lines))
{
    m_query.offset = 0;
    askNext();
}

void GroupCsv::askNext()
{
    m_session.ask(this, m_query, [this](const core::Result<api::GroupPage> &page) { take(page); });
}

void GroupCsv::take(const core::Result<api::GroupPage> &page)
{
    if (!page)
        return fail(page.error());
    for (const api::GroupRow &row : page->rows) {
        if (!m_known.contains(row.id))
            m_rows.append(row);
        m_known.insert(row.id);
    }
    m_query.offset += int(page->rows.size());
    if (!page->rows.isEmpty() && m_query.offset < page->total)
        return askNext();
    if (m_rows.size() < page->total && m_rounds < roundsAtMost) {
        ++m_rounds;
        m_query.offset = 0;
        return askNext();
    }
    const QList<QStringList> lines = m_lines(m_rows);
    for (const QStringList &cells : lines)
        add(cells);
    end();
}

} // namespace models

#include "moc_groupcsv.cpp"
