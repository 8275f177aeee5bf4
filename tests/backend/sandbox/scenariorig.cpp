#include "tests/backend/sandbox/scenariorig.h"

#include "app/brokers.h"
#include "backend/sandbox/scenariofile.h"

namespace support {

ScenarioOutcome runScenario(const ScenarioOrder &order)
{
    const auto script = sandbox::loadScenario(order.nameOrFile);
    if (!script)
        qFatal("%s", qPrintable(script.error().message));
    sandbox::Simulation simulation(order.start.value_or((*script)->start(order.folder, order.database)), order.seed);
    if (!simulation.open({}, (*script)->queues()))
        qFatal("The broker of the simulation does not start.");
    ScenarioOutcome outcome;
    sandbox::ScenarioContext context{simulation.clock(), simulation.random(), order.seed,
                                     [&simulation] { return app::simulatedBroker(simulation); }};
    context.log = [&outcome](const QString &line) { outcome.log += line.split(QLatin1Char('\n')); };
    context.messages = order.messages;
    context.returnsFailures = true;
    context.folder = order.folder;
    context.database = order.database;
    context.longestPause = sandbox::Simulation::longestPause;
    const std::unique_ptr<sandbox::ScenarioRun> run = (*script)->makeRun(context);
    if (!run->start())
        qFatal("The scenario does not start.");
    outcome.isOver = simulation.runUntil([&run] { return run->isOver(); }, (*script)->longest());
    const core::Result<QJsonObject> report = outcomeOf(simulation, run->report());
    if (!report)
        qFatal("%s", qPrintable(report.error().message));
    outcome.report = *report;
    const std::shared_ptr<broker::Broker> broker = app::simulatedBroker(simulation);
    if (!outcomeOf(simulation, broker->probe()))
        qFatal("The broker of the simulation does not answer.");
    for (const QString &queue : (*script)->errorQueues()) {
        const core::Result<broker::ReceivedPage> page = outcomeOf(simulation, broker->browse(queue, 100));
        for (qsizetype i = 0; page && i < page->messages.size(); ++i)
            outcome.failedBodies.append(page->messages.at(i).envelope.body);
    }
    bool stopped = false;
    run->stop([&stopped] { stopped = true; });
    if (!simulation.runUntil([&stopped] { return stopped; }, std::chrono::minutes(1)))
        qFatal("The scenario does not stop.");
    return outcome;
}

} // namespace support
