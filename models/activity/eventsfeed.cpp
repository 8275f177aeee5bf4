#include "models/activity/eventsfeed.h"

#include "backend/api/requests/queries.h"
#include "models/common/csv.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"

namespace models {

namespace {

constexpr qsizetype eventsKept = 5000;
constexpr int eventsAtOnce = 1000;

bool contains(const records::Event &event, const QString &text)
{
    return event.who.contains(text, Qt::CaseInsensitive) || event.what.contains(text, Qt::CaseInsensitive)
           || event.onWhat.contains(text, Qt::CaseInsensitive) || event.result.contains(text, Qt::CaseInsensitive);
}

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
    m_text = text.trimmed();
    update();
}

void EventsFeed::setLeastSeverity(records::Severity severity)
{
    m_least = severity;
    update();
}

void EventsFeed::ask()
{
    api::EventQuery query;
    query.afterSequence = m_events.isEmpty() ? 0 : m_events.first().sequence;
    query.limit = eventsAtOnce;
    m_call.ask(query, [this](const core::Result<QList<records::Event>> &events) {
        m_error = events ? QString() : visibleLine(events.error().message);
        if (events) {
            m_events = *events + m_events;
            m_events.resize(std::min(m_events.size(), eventsKept));
        }
        update();
    });
}

void EventsFeed::update()
{
    QList<records::Event> shown;
    for (const records::Event &event : std::as_const(m_events)) {
        if (event.severity >= m_least && (m_text.isEmpty() || contains(event, m_text)))
            shown.append(event);
    }
    m_model.setNow(m_session.snapshot().at);
    m_model.setRows(shown);
    Q_EMIT changed();
}

QByteArray EventsFeed::asCsv() const
{
    QByteArray csv = csvLine({tr("Time"), tr("Severity"), tr("Who"), tr("Action"), tr("Target"), tr("Result")});
    for (const records::Event &event : m_model.rows())
        csv += csvLine({formatFullTime(event.at, TimeZone::Utc), textOf(event.severity), event.who, event.what,
                        event.onWhat, event.result});
    return csv;
}

} // namespace models
