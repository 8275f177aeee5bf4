#include "models/activity/eventcsv.h"

#include "backend/api/requests/queries.h"
#include "models/common/csv.h"
#include "models/common/formatters.h"
#include "models/common/text.h"

namespace models {

namespace {

constexpr int entriesOfPage = 1000;

} // namespace

bool EventFilter::accepts(const records::Event &event) const
{
    const auto has = [this](const QString &column) { return column.contains(text, Qt::CaseInsensitive); };
    return event.severity >= least
           && (text.isEmpty() || has(event.who) || has(event.what) || has(event.onWhat) || has(event.result));
}

EventCsv::EventCsv(ConsoleSession &session, EventFilter filter, QObject *parent)
    : PagedCsv(titles(), parent)
    , m_session(session)
    , m_filter(std::move(filter))
{
    askNext();
}

CsvTable EventCsv::titles()
{
    return {csvLine({tr("Time"), tr("Severity"), tr("Who"), tr("Action"), tr("Target"), tr("Result")}), 0};
}

void EventCsv::askNext()
{
    api::EventQuery query;
    query.afterSequence = m_last;
    query.newestFirst = false;
    query.limit = entriesOfPage;
    m_session.ask(this, query, [this](const core::Result<QList<records::Event>> &page) { take(page); });
}

void EventCsv::take(const core::Result<QList<records::Event>> &page)
{
    if (!page)
        return fail(page.error());
    for (const records::Event &event : *page) {
        if (m_filter.accepts(event))
            add({formatFullTime(event.at, TimeZone::Utc), textOf(event.severity), event.who, event.what, event.onWhat,
                 event.result});
    }
    if (page->size() < entriesOfPage)
        return end();
    m_last = page->last().sequence;
    askNext();
}

} // namespace models

#include "moc_eventcsv.cpp"
