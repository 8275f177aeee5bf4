// The filter that all pages of the window share: queue, time range and search text. It also holds the time zone in
// which the window shows times. GUI thread.
#pragma once

#include "backend/core/ids.h"
#include "backend/core/time/clock.h"
#include "models/common/formatters.h"

#include <QObject>

#include <optional>

namespace models {

enum class TimeRange { LastHour, LastDay, LastWeek, All };

class ConsoleFilter final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] core::ConnectionId connection() const { return m_connection; }
    [[nodiscard]] QString queue() const { return m_queue; }
    [[nodiscard]] TimeRange range() const { return m_range; }
    [[nodiscard]] QString search() const { return m_search; }
    [[nodiscard]] TimeZone zone() const { return m_zone; }

    // The start of the time range, counted back from `now`; nothing for TimeRange::All.
    [[nodiscard]] std::optional<core::TimePoint> since(core::TimePoint now) const;

    void setPlace(core::ConnectionId connection, const QString &queue); // invalid and empty: all queues
    void setRange(TimeRange range);
    void setSearch(const QString &text);
    void setZone(TimeZone zone);

Q_SIGNALS:
    void placeChanged();
    void rangeChanged();
    void searchChanged();
    void zoneChanged();

private:
    core::ConnectionId m_connection;
    QString m_queue;
    TimeRange m_range = TimeRange::All;
    QString m_search;
    TimeZone m_zone = TimeZone::Utc;
};

} // namespace models
