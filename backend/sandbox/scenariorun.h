// What a scenario is for whoever runs it: in a simulation or in real time.
#pragma once

#include "backend/broker/broker.h"
#include "backend/core/random.h"
#include "backend/localbroker/queuesettings.h"
#include "backend/recovery/policy.h"

#include <QJsonObject>

#include <functional>
#include <memory>
#include <optional>

namespace sandbox {

// A PostgreSQL database for the tables of a run.
struct PostgresPlace
{
    QString host;
    int port = 5432;
    QString user;
    QString password;
    QString database;
    QString options; // of Qt's driver: "sslmode=require"
    bool startsAnew = true; // tables of an earlier run are dropped; else the run goes on with them
};
// Where the tables of a run are.
struct TablePlace
{
    QString file; // of SQLite, or its URI
    std::optional<PostgresPlace> postgres;
};

// What a run gets from outside. The references outlive the run.
struct ScenarioContext
{
    core::Clock &clock;
    core::Random &random;
    quint64 seed = 1;
    std::function<std::shared_ptr<broker::Broker>()> makeBroker = {}; // a client of the embedded broker with the queues
    std::function<void(const QString &)> log = {}; // gets each line of the endpoints; may be null
    std::optional<int> messages = {}; // nothing: as many as the file says
    // Nobody else returns messages from the error queue: the scenario does, by the policy of its file.
    bool returnsFailures = false;
    QString folder = {}; // for databases; empty: in memory
    std::optional<PostgresPlace> database = {}; // for task tables, instead of a file
    // The longest pause between two looks into an empty queue. In a simulation it is long, for the sake of its speed.
    core::Milliseconds longestPause{5000};
};

// One run of a scenario: services that send and receive. Used on the thread of the clock.
class ScenarioRun
{
public:
    ScenarioRun() = default;
    ScenarioRun(const ScenarioRun &) = delete;
    ScenarioRun &operator=(const ScenarioRun &) = delete;
    virtual ~ScenarioRun() = default;

    // Call once. For errors of a database see the scenario.
    [[nodiscard]] virtual core::Result<> start() = 0;
    // Everything was sent and has an end.
    [[nodiscard]] virtual bool isOver() const = 0;
    // What happened so far. It asks the broker for its message counts, and has their errors.
    [[nodiscard]] virtual core::Task<core::Result<QJsonObject>> report() = 0;
    // Ends the services. Calls `done` from the event loop of the clock; the run may be destroyed then, not before.
    virtual void stop(std::function<void()> done) = 0;
};

// The most messages of a run.
inline constexpr int messageLimit = 100000;

// A scenario as its file describes it. Immutable: any thread.
class ScenarioScript
{
public:
    ScenarioScript() = default;
    ScenarioScript(const ScenarioScript &) = delete;
    ScenarioScript &operator=(const ScenarioScript &) = delete;
    virtual ~ScenarioScript() = default;

    [[nodiscard]] virtual QString name() const = 0; // "orders"
    [[nodiscard]] virtual QList<localbroker::QueueSettings> queues() const = 0;
    [[nodiscard]] virtual QStringList errorQueues() const = 0;
    // By which failed messages return from the error queues; nothing: the scenario has none.
    [[nodiscard]] virtual std::optional<recovery::Policy> returnPolicy() const { return {}; }
    // The SQLite database with its task tables, in the folder of the run; empty: it has none.
    [[nodiscard]] virtual QString pipelineFile() const { return {}; }
    // When a simulation of it in this folder, or with tables in this database, starts, and after how much simulated time it
    // gives up.
    [[nodiscard]] virtual core::TimePoint start(const QString &folder,
                                                const std::optional<PostgresPlace> &database) const
    {
        Q_UNUSED(folder)
        Q_UNUSED(database)
        return core::fromMs(1767225600000); // 2026-01-01 UTC
    }
    [[nodiscard]] virtual core::Milliseconds longest() const = 0;
    // How many are sent well within that time, and no more than messageLimit.
    [[nodiscard]] virtual int mostMessages() const = 0;
    // A run in a folder with the data of an earlier one, which may have been killed, goes on with it.
    [[nodiscard]] virtual bool continues() const { return false; }
    [[nodiscard]] virtual std::unique_ptr<ScenarioRun> makeRun(ScenarioContext context) const = 0;
};

// For mostMessages(): as many as are sent with this pause in half of the time.
[[nodiscard]] int messagesWithin(core::Milliseconds longest, core::Milliseconds pause);
// Queues of services whose policies count the deliveries, so that the broker does not.
[[nodiscard]] QList<localbroker::QueueSettings> queuesOfEndpoints(const QStringList &names);

} // namespace sandbox
