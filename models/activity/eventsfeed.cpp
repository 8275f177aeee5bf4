#include "models/activity/eventsfeed.h"

#include "backend/api/requests/queries.h"
#include "models/common/visibletext.h"

namespace models {

namespace {

constexpr int eventsKept = 5000;

} // namespace

EventsFeed::EventsFeed(ConsoleSession &session, const ConsoleFilter &filter, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_model(filter)
    , m_call(session, [this] { ask(); })
{
    m_call.setActive(false);
    m_call.refresh();
    connect(&session, &ConsoleSession::eventsRevised, &m_call, &EngineCall::refresh);
}

void EventsFeed::setText(const QString &text)
{
    m_filter.text = text.trimmed();
    update();
}

void EventsFeed::setLeastSeverity(records::Severity severity)
{
    m_filter.least = severity;
    update();
}

void EventsFeed::ask()
{
    api::EventQuery query;
    query.afterSequence = m_events.isEmpty() ? 0 : m_events.first().sequence;
    query.limit = eventsKept;
    m_call.ask(query, [this](const core::Result<QList<records::Event>> &events) {
        m_error = events ? QString() : visibleLine(events.error().message);
        if (events)
            take(*events);
        update();
    });
}

// As many as were asked for may not reach back to what is known: then there would be a gap between the two.
void EventsFeed::take(const QList<records::Event> &fresh)
{
    m_events = fresh.size() < eventsKept ? fresh + m_events : fresh;
    m_events.resize(std::min<qsizetype>(m_events.size(), eventsKept));
}

void EventsFeed::update()
{
    QList<records::Event> shown;
    for (const records::Event &event : std::as_const(m_events)) {
        if (m_filter.accepts(event))
            shown.append(event);
    }
    m_model.setNow(m_session.snapshot().at);
    m_model.setRows(shown);
    Q_EMIT changed();
}

// Entries have the numbers 1, 2, 3 ..., and none is ever removed.
std::optional<qint64> EventsFeed::newestOnly() const
{
    if (m_events.isEmpty() || m_events.last().sequence <= 1)
        return {};
    return m_events.size();
}

api::Answer<CsvTable> EventsFeed::readCsv()
{
    return (new EventCsv(m_session, m_filter, this))->answer();
}

} // namespace models

#include "moc_eventsfeed.cpp"
