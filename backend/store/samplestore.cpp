#include "backend/store/samplestore.h"

#include "backend/core/limits.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"

namespace store {

static constexpr qint64 second = 1000;
static constexpr qint64 minute = 60 * second;

SampleStore::SampleStore(Database &database)
    : m_database(database)
{
}

Result<> SampleStore::add(core::OperationId operation, const records::RunSample &sample)
{
    const qint64 at = core::toMs(sample.at);
    return m_database
        .sql(QStringLiteral("INSERT INTO run_sample (operation, at, span, staged, sent, came_back, depth)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (operation, at) DO UPDATE SET"
                            " staged = run_sample.staged + excluded.staged, sent = run_sample.sent + excluded.sent,"
                            " came_back = run_sample.came_back + excluded.came_back, depth = coalesce(excluded.depth, "
                            "run_sample.depth)"))
        .bind(operation, at - at % second, second, sample.staged, sample.sent, sample.cameBack, sample.depth)
        .run()
        .map([](int) {});
}

Result<> SampleStore::rollUp(core::TimePoint now)
{
    const qint64 nowMs = core::toMs(now);
    const qint64 fineFrom = (nowMs - core::Milliseconds(core::limits::samplesBySecond).count()) / minute * minute;
    const qint64 keptFrom = nowMs - core::Milliseconds(core::limits::samplesKept).count();
    // A late second of a minute that is already merged is merged into the same minute.
    const QString old =
        QStringLiteral(" FROM run_sample " SQL_USING_INDEX("sample_fine") " WHERE span = 1000 AND at < ?");
    TRY(m_database
            .sql(QStringLiteral(
                     "INSERT INTO run_sample (operation, at, span, staged, sent, came_back, depth)"
                     " SELECT operation, at / 60000 * 60000 + 1, 60000, sum(staged), sum(sent), sum(came_back),"
                     " max(depth)")
                 + old
                 + QStringLiteral(
                     " GROUP BY operation, at / 60000 ON CONFLICT (operation, at) DO UPDATE SET"
                     " staged = run_sample.staged + excluded.staged, sent = run_sample.sent + excluded.sent,"
                     " came_back = run_sample.came_back + excluded.came_back, depth = coalesce(excluded.depth, "
                     "run_sample.depth)"))
            .bind(fineFrom)
            .run());
    for (const auto &[text, limit] :
         {std::pair(QStringLiteral("DELETE") + old, fineFrom),
          std::pair(QStringLiteral("DELETE FROM run_sample " SQL_USING_INDEX("sample_age") " WHERE at < ?"), keptFrom)})
        TRY(m_database.sql(text).bind(limit).run());
    return {};
}

} // namespace store
