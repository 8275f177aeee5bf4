#include "models/retries/operationsfeed.h"

#include "models/common/visibletext.h"

#include <algorithm>
#include <utility>

namespace models {

namespace {

constexpr int pageRows = 200;
constexpr std::chrono::seconds refreshPause{1};

api::OperationsWanted wantedOf(OperationsShown shown)
{
    switch (shown) {
    case OperationsShown::Running:
        return api::OperationsWanted::NotEnded;
    case OperationsShown::Ended:
        return api::OperationsWanted::Ended;
    case OperationsShown::CameBack:
        return api::OperationsWanted::CameBack;
    case OperationsShown::Trouble:
        return api::OperationsWanted::Trouble;
    case OperationsShown::Cancelled:
        return api::OperationsWanted::Cancelled;
    case OperationsShown::Current:
    case OperationsShown::All:
        return api::OperationsWanted::All;
    }
    Q_UNREACHABLE();
}

} // namespace

OperationsFeed::OperationsFeed(ConsoleSession &session, const ConsoleFilter &filter, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_filter(filter)
    , m_call(session, [this] { ask(); })
{
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(refreshPause);
    m_call.setActive(false);
    m_call.refresh();
    connect(&m_refresh, &QTimer::timeout, &m_call, &EngineCall::refresh);
    connect(&session, &ConsoleSession::snapshotTaken, this, &OperationsFeed::update);
    connect(&session, &ConsoleSession::operationsChanged, this, [this] {
        if (!m_refresh.isActive())
            m_refresh.start();
    });
    connect(&filter, &ConsoleFilter::rangeChanged, this, &OperationsFeed::startOver);
    connect(&filter, &ConsoleFilter::placeChanged, this, &OperationsFeed::startOver);
    connect(&filter, &ConsoleFilter::zoneChanged, this, [this] { m_model.setZone(m_filter.zone()); });
    connect(&m_model, &OperationsModel::moreWanted, this, &OperationsFeed::askForMore);
    m_model.setZone(filter.zone());
    update();
}

bool OperationsFeed::isNarrowed() const
{
    return !m_text.isEmpty() || (m_shown != OperationsShown::Current && m_shown != OperationsShown::All)
           || m_filter.connection().isValid() || m_filter.range() != TimeRange::All;
}

void OperationsFeed::setText(const QString &text)
{
    if (m_text == text)
        return;
    m_text = text;
    startOver();
}

void OperationsFeed::setShown(OperationsShown shown)
{
    if (m_shown == shown)
        return;
    m_shown = shown;
    startOver();
}

void OperationsFeed::reload()
{
    m_call.refresh();
}

void OperationsFeed::startOver()
{
    m_fromTop = true;
    m_call.restart();
    update();
    Q_EMIT replaced();
}

api::OperationQuery OperationsFeed::query() const
{
    api::OperationQuery query;
    query.connection = m_filter.connection();
    query.wanted = wantedOf(m_shown);
    query.dismissed = m_shown != OperationsShown::Current;
    query.text = m_text;
    query.since = m_filter.since(m_session.snapshot().at);
    query.limit = pageRows;
    return query;
}

void OperationsFeed::ask()
{
    api::OperationQuery query = this->query();
    if (!m_fromTop) // rows that were scrolled to stay
        query.limit = std::max(pageRows, int(m_rows.size()));
    const bool anew = std::exchange(m_fromTop, false);
    m_call.ask(query, [this, anew](const core::Result<api::OperationPage> &page) {
        take(page, false);
        if (anew)
            Q_EMIT replaced();
    });
}

void OperationsFeed::askForMore()
{
    if (m_call.isPending() || m_rows.isEmpty())
        return;
    api::OperationQuery query = this->query();
    query.before = m_rows.last().operation.id;
    m_call.ask(query, [this](const core::Result<api::OperationPage> &page) { take(page, true); });
}

void OperationsFeed::take(const core::Result<api::OperationPage> &page, bool more)
{
    m_answered = true;
    m_error = page ? QString() : visibleLine(page.error().message);
    if (page) {
        m_sums = *page;
        m_sums.rows.clear();
        m_rows = more ? m_rows + page->rows : page->rows;
        m_model.setMore(page->next.isValid());
    }
    update();
}

// Whether an operation of the snapshot is listed before the store says so. What the store alone can tell, such as a
// search, waits for its answer.
bool OperationsFeed::isListed(const records::RetryOperation &operation) const
{
    const bool isLive = records::isLive(operation.state);
    const std::optional<core::TimePoint> since = m_filter.since(m_session.snapshot().at);
    if (!m_text.isEmpty() || (m_filter.connection().isValid() && operation.connection != m_filter.connection())
        || (!isLive && since && operation.requested < *since))
        return false;
    switch (m_shown) {
    case OperationsShown::Current:
    case OperationsShown::All:
        return true;
    case OperationsShown::Running:
        return isLive;
    case OperationsShown::Ended:
        return !isLive;
    case OperationsShown::CameBack:
    case OperationsShown::Trouble:
    case OperationsShown::Cancelled:
        return false;
    }
    Q_UNREACHABLE();
}

// The rows of the store with what the snapshot knows better, and what only the snapshot knows.
void OperationsFeed::update()
{
    const api::Snapshot &now = m_session.snapshot();
    QHash<core::OperationId, OperationItem> items;
    for (const api::OperationRow &row : std::as_const(m_rows))
        items.insert(row.operation.id, {{row.operation, 0, {}, 0, 0}, row.connection});
    m_running = 0;
    m_runningHidden = 0;
    for (const api::OperationView &view : now.operations) {
        const bool isLive = records::isLive(view.operation.state);
        const api::ConnectionView *connection = m_session.connection(view.operation.connection);
        const bool isOutdated = isLive ? m_shown == OperationsShown::Ended : m_shown == OperationsShown::Running;
        const bool isFound = items.contains(view.operation.id) && !isOutdated;
        const bool isShown = isFound || isListed(view.operation);
        m_running += isLive ? 1 : 0;
        m_runningHidden += isLive && !isShown ? 1 : 0;
        if (isShown)
            items.insert(view.operation.id, {view, connection == nullptr ? QString() : connection->connection.name});
        else
            items.remove(view.operation.id);
    }
    Q_EMIT aboutToChange();
    m_model.show(items.values(), now.at);
    Q_EMIT changed();
}

} // namespace models

#include "moc_operationsfeed.cpp"
