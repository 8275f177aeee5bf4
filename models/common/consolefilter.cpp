#include "models/common/consolefilter.h"

namespace models {

std::optional<core::TimePoint> ConsoleFilter::since(core::TimePoint now) const
{
    using namespace std::chrono_literals;
    switch (m_range) {
    case TimeRange::LastHour:
        return now - 1h;
    case TimeRange::LastDay:
        return now - 24h;
    case TimeRange::LastWeek:
        return now - 7 * 24h;
    case TimeRange::All:
        return std::nullopt;
    }
    Q_UNREACHABLE();
}

void ConsoleFilter::setPlace(core::ConnectionId connection, const QString &queue)
{
    if (m_connection == connection && m_queue == queue)
        return;
    m_connection = connection;
    m_queue = queue;
    Q_EMIT placeChanged();
}

void ConsoleFilter::setRange(TimeRange range)
{
    if (m_range == range)
        return;
    m_range = range;
    Q_EMIT rangeChanged();
}

void ConsoleFilter::setSearch(const QString &text)
{
    if (m_search == text)
        return;
    m_search = text;
    Q_EMIT searchChanged();
}

void ConsoleFilter::setZone(TimeZone zone)
{
    if (m_zone == zone)
        return;
    m_zone = zone;
    Q_EMIT zoneChanged();
}

} // namespace models

#include "moc_consolefilter.cpp"
