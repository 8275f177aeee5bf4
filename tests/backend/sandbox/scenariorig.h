#pragma once

#include "backend/sandbox/scenariorun.h"
#include "backend/sandbox/simulation.h"

#include <QStringList>

namespace support {

// Lets the time run until the task has ended, and returns its value.
template<typename T>
[[nodiscard]] T outcomeOf(sandbox::Simulation &simulation, core::Task<T> task)
{
    std::optional<T> value;
    const auto wait = [](core::Task<T> running, std::optional<T> &into) -> core::Task<> {
        T result = co_await running;
        into.emplace(std::move(result));
    };
    const core::Task<> waiting = wait(std::move(task), value);
    simulation.runUntil([&value] { return value.has_value(); }, std::chrono::minutes(10));
    if (!value)
        qFatal("A task of the simulation does not end.");
    return std::move(*value);
}

// A scenario from its start to its end on a simulated clock.
struct ScenarioOutcome
{
    bool isOver = false;
    QJsonObject report;
    QStringList log;
    QList<QByteArray> failedBodies; // of the messages in the error queues in the end
};
struct ScenarioOrder
{
    QString nameOrFile;
    quint64 seed = 1;
    std::optional<int> messages = {};
    QString folder = {}; // for databases
    std::optional<sandbox::PostgresPlace> database = {}; // for task tables, instead of a file
    std::optional<core::TimePoint> start = {}; // nothing: when the scenario says
};
[[nodiscard]] ScenarioOutcome runScenario(const ScenarioOrder &order);

} // namespace support
