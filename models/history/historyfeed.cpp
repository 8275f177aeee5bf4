#include "models/history/historyfeed.h"

#include "models/common/visibletext.h"

namespace models {

namespace {

constexpr int pageRows = 200;
constexpr std::chrono::seconds refreshPause{1};

} // namespace

HistoryFeed::HistoryFeed(ConsoleSession &session, const ConsoleFilter &filter, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_filter(filter)
{
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(refreshPause);
    connect(&m_refresh, &QTimer::timeout, this, &HistoryFeed::ask);
    connect(&session, &ConsoleSession::operationsChanged, this, [this] {
        m_stale = true;
        if (m_active && !m_refresh.isActive())
            m_refresh.start();
    });
    connect(&filter, &ConsoleFilter::rangeChanged, this, &HistoryFeed::startOver);
    connect(&filter, &ConsoleFilter::placeChanged, this, &HistoryFeed::startOver);
    connect(&filter, &ConsoleFilter::zoneChanged, this, [this] { m_model.setZone(m_filter.zone()); });
    connect(&m_model, &HistoryModel::moreWanted, this, &HistoryFeed::askForMore);
    m_model.setZone(filter.zone());
}

bool HistoryFeed::isNarrowed() const
{
    return !m_text.isEmpty() || m_wanted != api::OperationsWanted::All || m_filter.connection().isValid()
           || m_filter.range() != TimeRange::All;
}

void HistoryFeed::setActive(bool active)
{
    m_active = active;
    ask();
}

void HistoryFeed::setText(const QString &text)
{
    if (m_text == text)
        return;
    m_text = text;
    startOver();
}

void HistoryFeed::setWanted(api::OperationsWanted wanted)
{
    m_wanted = wanted;
    startOver();
}

void HistoryFeed::reload()
{
    m_stale = true;
    ask();
}

void HistoryFeed::startOver()
{
    m_fromTop = true;
    reload();
}

api::OperationQuery HistoryFeed::query() const
{
    api::OperationQuery query;
    query.connection = m_filter.connection();
    query.wanted = m_wanted;
    query.text = m_text;
    query.since = m_filter.since(m_session.snapshot().at);
    query.limit = pageRows;
    return query;
}

void HistoryFeed::ask()
{
    if (!m_active || m_asking || !m_stale || !m_session.hasSnapshot())
        return;
    api::OperationQuery query = this->query();
    if (!m_fromTop) // rows that were scrolled to stay
        query.limit = std::max(pageRows, m_model.rowCount());
    m_asking = true;
    m_stale = false;
    m_fromTop = false;
    m_session.ask(this, query, [this](const core::Result<api::OperationPage> &page) { take(page, false); });
}

void HistoryFeed::askForMore()
{
    if (m_asking || m_stale || m_model.rows().isEmpty())
        return;
    api::OperationQuery query = this->query();
    query.before = m_model.rows().last().operation.id;
    m_asking = true;
    m_session.ask(this, query, [this](const core::Result<api::OperationPage> &page) { take(page, true); });
}

void HistoryFeed::take(const core::Result<api::OperationPage> &page, bool more)
{
    m_asking = false;
    m_answered = true;
    m_error = page ? QString() : visibleLine(page.error().message);
    // After a change of the query these rows do not belong under the shown ones. ask() below reads the new ones.
    if (page && !(more && m_fromTop)) {
        m_sums = *page;
        m_sums.rows.clear();
        m_model.setNow(m_session.snapshot().at);
        m_model.setRows(more ? m_model.rows() + page->rows : page->rows);
        m_model.setMore(page->next.isValid());
    }
    Q_EMIT changed();
    ask();
}

} // namespace models
