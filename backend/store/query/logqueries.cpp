#include "backend/store/query/logqueries.h"

#include "backend/store/sqlite/database.h"

#include <algorithm>

namespace store {

using core::Result;

static constexpr int eventsMost = 10'000;

Result<QList<records::Event>> readEvents(Database &database, const api::EventQuery &query)
{
    Statement rows =
        database.sql(QStringLiteral("SELECT sequence, at, severity, who, what, on_what, result FROM event_log"
                                    " WHERE sequence > ? AND at >= ? ORDER BY sequence %1 LIMIT ?")
                         .arg(query.newestFirst ? QStringLiteral("DESC") : QStringLiteral("ASC")));
    rows.bind(query.afterSequence, query.since.value_or(core::fromMs(std::numeric_limits<qint64>::min())),
              std::clamp(query.limit, 0, eventsMost));
    QList<records::Event> events;
    const Result<> read = rows.each([&] {
        events.append({rows.integer(0), rows.time(1), rows.as<records::Severity>(2), rows.text(3), rows.text(4),
                       rows.text(5), rows.text(6)});
    });
    if (!read)
        return core::fail(read.error());
    return events;
}

Result<QList<api::RunSample>> readSeries(Database &database, const api::SeriesQuery &query)
{
    Statement rows = database.sql(QStringLiteral("SELECT at - at % 1000, staged, sent, came_back, depth FROM run_sample"
                                                 " WHERE operation = ? AND at >= ? AND at < ? ORDER BY at"));
    const qint64 until =
        query.until == core::TimePoint{} ? std::numeric_limits<qint64>::max() : core::toMs(query.until);
    rows.bind(query.operation, query.since, until);
    QList<api::RunSample> samples;
    const Result<> read = rows.each([&] {
        samples.append({rows.time(0), static_cast<int>(rows.integer(1)), static_cast<int>(rows.integer(2)),
                        static_cast<int>(rows.integer(3)), rows.optionalInteger(4)});
    });
    if (!read)
        return core::fail(read.error());
    return samples;
}

} // namespace store
