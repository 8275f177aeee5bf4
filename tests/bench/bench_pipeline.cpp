// Prints how long the overdue queries take on a PostgreSQL with a million tasks and the indexes of ReportStream (the primary
// key and next_action), from asking to the last row in memory. Release build; the figure that is asked for stands beside
// each line.
//   bench_pipeline [tasks]
#include "backend/pipeline/tasktables.h"
#include "tests/bench/figures.h"
#include "tests/support/must.h"
#include "tests/support/pipeline/postgresserver.h"
#include "tests/support/pipeline/sampletasks.h"

#include <QCoreApplication>

namespace {

constexpr int skipped = 77;
constexpr int rowsOfAList = 1000;
constexpr const char *goal = "goal 200";

QString text(const char *words)
{
    return QString::fromLatin1(words);
}

// As in a system that runs: most tasks are done, a few thousand wait, one in a hundred of these is stuck. Each step has a
// thousand tasks that are overdue and too old to be listed.
void fill(support::SampleTasks &tasks, int count)
{
    tasks.createTables();
    tasks.exec(
        text("insert into task select gen_random_uuid(), (case when i % 100 <> 0 then 'none' when i % 300 = 0 then"
             " 'process' when i % 300 = 100 then 'batch' else 'send' end)::task_action,"
             " now() + interval '1 minute' * (case when i % 10000 < 300 then -20 else 30 end), 'upload-covid-19',"
             " 'hospital-' || i % 400, i % 500, now() - interval '1 second' * (i % 300000), null"
             " from generate_series(1, %1) as i")
            .arg(count));
    tasks.exec(
        text("insert into task select gen_random_uuid(), step::task_action, now() - interval '5 days', 's', 'r', 1,"
             " now() - interval '6 days', null from generate_series(1, 1000), unnest(array['batch', 'send']) as step"));
    tasks.exec(text("analyze task"));
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const int count = app.arguments().value(1, text("1000000")).toInt();
    support::PostgresServer server;
    if (!support::PostgresServer::isInstalled() || !server.start()) {
        std::printf("skipped: postgresql-15 or libqt6sql6-psql is not installed %s\n", qPrintable(server.error()));
        return skipped;
    }
    support::SampleTasks tasks(server.connect());
    bench::print("filling the table", bench::milliseconds([&] { fill(tasks, count); }) / 1000, "s", "");
    const auto open = [&server] {
        return test::must(pipeline::TaskDatabase::open(
            test::must(pipeline::databaseUrlFrom(server.url())), support::PostgresServer::password(),
            pipeline::TaskDatabase::Access::Read, std::make_shared<pipeline::Interrupter>()));
    };
    std::unique_ptr<pipeline::TaskDatabase> database;
    bench::print("opening the database", bench::milliseconds([&] { database = open(); }), "ms", "");
    pipeline::TaskTables tables = test::must(pipeline::TaskTables::open(*database, {}));
    for (const records::PipelineStep step : records::taskSteps) {
        for (const char *time : {"first time", "again"}) {
            qsizetype found = 0;
            const double took =
                bench::milliseconds([&] { found = test::must(tables.overdue(step, rowsOfAList)).tasks.size(); });
            const QString what = text("overdue tasks of %1, %2 found, %3")
                                     .arg(records::toString(step), QString::number(found), text(time));
            bench::print(qPrintable(what), took, "ms", goal);
        }
    }
    const core::TimePoint now = core::fromMs(QDateTime::currentMSecsSinceEpoch());
    bench::print("receivers", bench::milliseconds([&] { test::must(tables.receivers(rowsOfAList, now)); }), "ms", "");
    return 0;
}
