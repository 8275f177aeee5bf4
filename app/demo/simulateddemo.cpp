#include "app/demo/simulateddemo.h"

#include "app/brokers.h"
#include "app/commandline/printer.h"
#include "app/demo/demodatabase.h"
#include "app/demo/demofolder.h"
#include "app/text.h"
#include "backend/core/time/durationtext.h"
#include "backend/sandbox/scenariofile.h"

#include <utility>

namespace app {

namespace {

using core::Result;

// What people get to see, in this order.
QList<std::pair<QLatin1StringView, QString>> countTexts()
{
    return {{QLatin1StringView("sent"), Text::tr("messages sent")},
            {QLatin1StringView("processed"), Text::tr("processed")},
            {QLatin1StringView("processed_twice"), Text::tr("processed twice")},
            {QLatin1StringView("discarded"), Text::tr("discarded")},
            {QLatin1StringView("immediate_retries"), Text::tr("immediate retries")},
            {QLatin1StringView("delayed_retries"), Text::tr("delayed retries")},
            {QLatin1StringView("to_error_queue"), Text::tr("moved to an error queue")},
            {QLatin1StringView("returned_by_policy"), Text::tr("returned by the policy")},
            {QLatin1StringView("came_back"), Text::tr("failed again after a return")},
            {QLatin1StringView("locks_lost"), Text::tr("locks lost")},
            {QLatin1StringView("left_for_a_person"), Text::tr("left for a person")},
            {QLatin1StringView("unaccounted"), Text::tr("unaccounted")}};
}

// Lets the simulation run until the task has ended.
core::Task<> keep(core::Task<Result<QJsonObject>> task, std::optional<Result<QJsonObject>> &outcome)
{
    Result<QJsonObject> value = co_await task;
    outcome.emplace(std::move(value));
}

} // namespace

SimulatedDemo::SimulatedDemo(commandline::DemoOptions options, Log log)
    : m_options(std::move(options))
    , m_log(std::move(log))
{
}

Result<QJsonObject> SimulatedDemo::run() const
{
    TRY(const std::shared_ptr<const sandbox::ScenarioScript> script,
        sandbox::loadScenario(m_options.scenario, m_options.messages));
    QString file; // empty: in memory
    if (const QString &folder = m_options.keepFolder; !folder.isEmpty()) {
        TRY(file, demoBrokerFile(folder, script->continues()));
    }
    TRY(const std::optional<sandbox::PostgresPlace> database, demoDatabase(m_options, *script));
    sandbox::Simulation simulation(script->start(m_options.keepFolder, database), m_options.seed);
    TRY(simulation.open(file, script->queues()));
    return runIn(simulation, *script, database);
}

Result<QJsonObject> SimulatedDemo::runIn(sandbox::Simulation &simulation, const sandbox::ScenarioScript &script,
                                         const std::optional<sandbox::PostgresPlace> &database) const
{
    sandbox::ScenarioContext context{simulation.clock(), simulation.random(), m_options.seed};
    context.makeBroker = [&simulation] { return simulatedBroker(simulation); };
    context.log = m_log;
    context.messages = m_options.messages;
    context.returnsFailures = true;
    context.folder = m_options.keepFolder;
    context.database = database;
    context.longestPause = sandbox::Simulation::longestPause;
    const core::TimePoint begin = simulation.clock().now();
    const std::unique_ptr<sandbox::ScenarioRun> run = script.makeRun(std::move(context));
    TRY(run->start());
    const bool isOver = simulation.runUntil([&run] { return run->isOver(); }, script.longest());
    const core::Milliseconds took = simulation.clock().now() - begin;

    std::optional<Result<QJsonObject>> counts;
    const core::Task<> counting = keep(run->report(), counts);
    simulation.runUntil([&counts] { return counts.has_value(); }, std::chrono::hours(1));
    bool hasStopped = false;
    run->stop([&hasStopped] { hasStopped = true; });
    simulation.runUntil([&hasStopped] { return hasStopped; }, std::chrono::hours(1));
    if (!counts || !hasStopped)
        return core::fail(core::ErrorKind::Transient, Text::tr("The scenario did not stop."));
    if (!*counts)
        return *counts;
    QJsonObject outcome = **counts;
    outcome.insert(QStringLiteral("scenario"), script.name());
    outcome.insert(QStringLiteral("seed"), qint64(m_options.seed));
    outcome.insert(QStringLiteral("simulated_ms"), qint64{took.count()});
    outcome.insert(QStringLiteral("is_over"), isOver);
    return outcome;
}

void SimulatedDemo::print(commandline::Printer &printer, const QJsonObject &counts)
{
    const auto number = [&counts](QLatin1StringView field) { return counts.value(field).toInteger(); };
    printer.line(Text::tr("Scenario %1 with seed %2, %3 of simulated time:")
                     .arg(counts.value(QLatin1StringView("scenario")).toString(),
                          QString::number(number(QLatin1StringView("seed"))),
                          core::durationText(core::Milliseconds{number(QLatin1StringView("simulated_ms"))})));
    commandline::Table table{{Text::tr("count"), Text::tr("what")}, {true, false}, {}};
    for (const auto &[field, text] : countTexts()) {
        if (counts.contains(field))
            table.rows << QStringList{QString::number(number(field)), text};
    }
    printer.table(table);
}

} // namespace app
