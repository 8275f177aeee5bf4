#include "backend/store/query/questions/logqueries.h"

#include "backend/api/requests/operations.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/eventstore.h"
#include "backend/store/query/querytable.h"

#include <algorithm>

namespace store {

using core::Result;

static constexpr int eventsMost = 10'000;
static constexpr auto eventColumns =
    QLatin1String("SELECT sequence, at, severity, who, what, on_what, result%1 FROM event_log");

static records::Event eventIn(const Statement &row)
{
    return {row.integer(0), row.time(1), row.as<records::Severity>(2), row.text(3), row.text(4),
            row.text(5),    row.text(6)};
}

Result<QList<records::Event>> readEvents(Database &database, const api::EventQuery &query)
{
    Statement rows = database.sql(QString(eventColumns).arg(QString())
                                  + QStringLiteral(" WHERE sequence > ? AND at >= ? ORDER BY sequence %1 LIMIT ?")
                                        .arg(query.newestFirst ? QStringLiteral("DESC") : QStringLiteral("ASC")));
    rows.bind(query.afterSequence, query.since.value_or(core::fromMs(std::numeric_limits<qint64>::min())),
              std::clamp(query.limit, 0, eventsMost));
    QList<records::Event> events;
    TRY(rows.each([&] { events.append(eventIn(rows)); }));
    return events;
}

// How many entries were ever written: SQLite keeps the highest AUTOINCREMENT number, so entries cut off at the end are
// noticed.
static Result<qint64> lastNumber(Database &database)
{
    Statement row = database.sql(QStringLiteral(SQL_LAST_GIVEN_NUMBER("event_log")));
    return row.step().map([&](bool any) { return any ? row.integer(0) : 0; });
}

// What is wrong with this entry, given the entries that `check` has seen.
static records::TrailCheck::Fault faultOf(const records::Event &event, const QByteArray &seal,
                                          const records::TrailCheck &check)
{
    if (event.sequence != check.entries + 1)
        return records::TrailCheck::Fault::Missing;
    return seal == eventHash(check.seal, event) ? records::TrailCheck::Fault::None
                                                : records::TrailCheck::Fault::Changed;
}

Result<records::TrailCheck> checkTrail(Database &database, const QByteArray &seal)
{
    using Fault = records::TrailCheck::Fault;
    records::TrailCheck check;
    bool found = seal.isEmpty();
    Statement rows =
        database.sql(QString(eventColumns).arg(QStringLiteral(", hash")) + QStringLiteral(" ORDER BY sequence"));
    TRY(rows.each([&] {
        const records::Event event = eventIn(rows);
        const QByteArray written = rows.blob(7);
        if (check.fault == Fault::None)
            check.fault = faultOf(event, written, check);
        if (check.fault != Fault::None)
            return;
        check.entries = event.sequence;
        check.seal = written;
        found = found || written == seal;
    }));
    TRY(const qint64 last, lastNumber(database));
    if (check.fault == Fault::None && check.entries < last)
        check.fault = Fault::Missing;
    if (check.fault == Fault::None && !found)
        check.fault = Fault::NoSuchSeal;
    return check;
}

// Oldest first; seconds, and minutes where seconds were merged. A minute is at its start, with its sums.
static Result<QList<records::RunSample>> readSeries(Database &database, const api::SeriesQuery &query)
{
    Statement rows =
        database.sql(QStringLiteral("SELECT at - at % 1000, staged, sent, came_back, depth, span FROM run_sample"
                                    " WHERE operation = ? AND at >= ? AND at < ? ORDER BY at"));
    const qint64 until =
        query.until == core::TimePoint{} ? std::numeric_limits<qint64>::max() : core::toMs(query.until);
    rows.bind(query.operation, query.since, until);
    QList<records::RunSample> samples;
    TRY(rows.each([&] {
        samples.append({rows.time(0), static_cast<int>(rows.integer(1)), static_cast<int>(rows.integer(2)),
                        static_cast<int>(rows.integer(3)), rows.optionalInteger(4),
                        core::Milliseconds{rows.integer(5)}});
    }));
    return samples;
}

static Result<QList<records::RunMark>> readMarks(Database &database, core::OperationId id)
{
    Statement rows = database.sql(
        QStringLiteral("SELECT at, kind, step FROM operation_mark WHERE operation = ? ORDER BY at, kind, step"));
    QList<records::RunMark> marks;
    TRY(rows.bind(id).each([&] {
        const auto kind = rows.as<records::RunMark::Kind>(1);
        if (kind >= records::RunMark::Kind::Step && kind <= records::RunMark::Kind::GoesOn) // a damaged file may have others
            marks.append({rows.time(0), kind, int(rows.integer(2))});
    }));
    return marks;
}

void addLogQueries(QueryTable &table)
{
    table.on<api::EventQuery>(QueryLane::Visible, [](QueryContext &context, const api::EventQuery &query) {
        return readEvents(context.database, query);
    });
    table.on<api::TrailCheckQuery>(QueryLane::Searching, [](QueryContext &context, const api::TrailCheckQuery &query) {
        return checkTrail(context.database, query.seal);
    });
    table.on<api::SeriesQuery>(QueryLane::Visible, [](QueryContext &context, const api::SeriesQuery &query) {
        return readSeries(context.database, query);
    });
    table.on<api::MarkQuery>(QueryLane::Visible, [](QueryContext &context, const api::MarkQuery &query) {
        return readMarks(context.database, query.operation);
    });
}

} // namespace store
