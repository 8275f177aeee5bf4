#pragma once

#include "app/commandline/launch.h"
#include "app/demo/democonsumerthread.h"
#include "app/demo/demofolder.h"
#include "app/host/storeaccess.h"
#include "backend/localbroker/brokerthread.h"
#include "backend/sandbox/shop/scenario.h"

#include <QObject>

#include <memory>
#include <optional>

namespace app {

// The demo: a store, an embedded broker, the services of a scenario and a connection named DEMO, all in a separate
// folder. The broker of the demo shop already has failed messages; the other scenarios begin with an empty one. It never
// opens the store of the user. GUI or main thread.
class DemoEnvironment final
{
public:
    enum class Pace { ToWatch, AsFastAsPossible };

    DemoEnvironment(const commandline::DemoOptions &options, Pace pace);
    ~DemoEnvironment();
    DemoEnvironment(const DemoEnvironment &) = delete;
    DemoEnvironment &operator=(const DemoEnvironment &) = delete;

    // Starts everything, and fills the broker with messages unless the folder has one already. Adding the connection
    // continues after it returns. Unauthorized: the folder cannot be created. Refused: a scenario
    // cannot run twice in one folder. For an invalid scenario see sandbox::loadScenario().
    [[nodiscard]] core::Result<> open();

    // For the window: takes all failed messages once the connection exists, then subscribes to the error queues, so that
    // messages that come back appear automatically. The policy of the scenario then retries them. If it has task tables,
    // they become a pipeline.
    void takeWhenConnected();

    [[nodiscard]] StoreAccess &access() { return *m_access; }
    [[nodiscard]] api::EngineClient &client() { return m_access->client(); }
    [[nodiscard]] const records::Connection &connection() const { return m_connection; }
    [[nodiscard]] qint64 processed() const { return *m_processed; } // of the demo shop

private:
    [[nodiscard]] core::Result<quint16> openBroker(const QString &file);
    [[nodiscard]] core::Result<> openStore(const QString &folder);
    void subscribe(core::ConnectionId connection);
    void assignPolicy(core::ConnectionId connection);
    void addPipeline(core::ConnectionId connection);
    [[nodiscard]] std::unique_ptr<sandbox::ScenarioRun> makeRun(sandbox::ScenarioContext context) const;

    commandline::DemoOptions m_options;
    Pace m_pace;
    std::optional<DemoFolder> m_temporary;
    QString m_folder;
    bool m_isNew = true; // the store
    std::optional<sandbox::Scenario> m_scenario; // of the demo shop
    std::shared_ptr<const sandbox::ScenarioScript> m_script; // null for the demo shop
    std::optional<sandbox::PostgresPlace> m_database; // of its task tables; nothing: a file
    std::shared_ptr<std::atomic<qint64>> m_processed = std::make_shared<std::atomic<qint64>>(0);
    records::Connection m_connection;
    localbroker::BrokerThread m_broker;
    std::unique_ptr<DemoConsumerThread> m_services;
    std::unique_ptr<StoreAccess> m_access;
    api::Answer<core::ConnectionId> m_saved;
    QObject m_context; // ends the continuations with this object
};

} // namespace app
