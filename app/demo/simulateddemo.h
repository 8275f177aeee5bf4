#pragma once

#include "app/commandline/launch.h"
#include "backend/core/result.h"

#include <QJsonObject>

#include <functional>

namespace sandbox {
class ScenarioScript;
class Simulation;
struct PostgresPlace;
} // namespace sandbox

namespace commandline {
class Printer;
}

namespace app {

// Runs a scenario of the sandbox to its end on a simulated clock: its services and an embedded broker, without a store, a
// window and sockets. The same seed gives the same counts, times and log. Main thread; needs no event loop.
class SimulatedDemo final
{
public:
    using Log = std::function<void(const QString &line)>;

    // `log` gets what the endpoints log; may be null.
    SimulatedDemo(commandline::DemoOptions options, Log log);

    // The counts of the scenario. NotFound or Rejected: there is no such scenario, or its file is invalid. Refused: the
    // folder to keep has another run, and this scenario cannot continue one. Transient: it did not come to an end.
    [[nodiscard]] core::Result<QJsonObject> run() const;
    // Prints the counts for people.
    static void print(commandline::Printer &printer, const QJsonObject &counts);

private:
    [[nodiscard]] core::Result<QJsonObject> runIn(sandbox::Simulation &simulation,
                                                  const sandbox::ScenarioScript &script,
                                                  const std::optional<sandbox::PostgresPlace> &database) const;

    commandline::DemoOptions m_options;
    Log m_log;
};

} // namespace app
