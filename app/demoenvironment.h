#pragma once

#include "app/commandline/launch.h"
#include "app/democonsumerthread.h"
#include "app/storeaccess.h"
#include "backend/localbroker/brokerthread.h"

#include <QObject>
#include <QTemporaryDir>

#include <memory>
#include <optional>

namespace app {

// The demo: a store, an embedded broker with failed messages in it, the shop's consumers and a connection named DEMO, all in
// a folder of their own. It never opens the user's store.
class DemoEnvironment final
{
public:
    enum class Pace { ToWatch, AsFastAsPossible };

    DemoEnvironment(const commandline::DemoOptions &options, Pace pace);
    ~DemoEnvironment();
    DemoEnvironment(const DemoEnvironment &) = delete;
    DemoEnvironment &operator=(const DemoEnvironment &) = delete;

    // Seeds the broker unless the folder was used before, starts everything, and leaves the connection being added.
    [[nodiscard]] core::Result<> open();

    // For the window: takes everything once, and follows the error queue, so that what comes back shows by itself.
    void takeWhenConnected();

    [[nodiscard]] StoreAccess &access() { return *m_access; }
    [[nodiscard]] api::EngineClient &client() { return m_access->client(); }
    [[nodiscard]] const records::Connection &connection() const { return m_connection; }
    [[nodiscard]] qint64 processed() const { return m_shop->processed(); }

private:
    [[nodiscard]] core::Result<quint16> openBroker(const QString &folder);
    [[nodiscard]] core::Result<> openStore(const QString &folder);

    commandline::DemoOptions m_options;
    Pace m_pace;
    std::optional<QTemporaryDir> m_temporary;
    std::optional<sandbox::Scenario> m_scenario;
    records::Connection m_connection;
    localbroker::BrokerThread m_broker;
    std::unique_ptr<DemoConsumerThread> m_shop;
    std::unique_ptr<StoreAccess> m_access;
    api::Answer<core::ConnectionId> m_saved;
    QObject m_context; // of the continuations
};

} // namespace app
