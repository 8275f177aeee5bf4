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

// The demo: a store, an embedded broker with failed messages, the consumers of the shop and a connection named DEMO,
// all in a separate folder. It never opens the store of the user. GUI or main thread.
class DemoEnvironment final
{
public:
    enum class Pace { ToWatch, AsFastAsPossible };

    DemoEnvironment(const commandline::DemoOptions &options, Pace pace);
    ~DemoEnvironment();
    DemoEnvironment(const DemoEnvironment &) = delete;
    DemoEnvironment &operator=(const DemoEnvironment &) = delete;

    // Starts everything, and fills the broker with messages unless the folder has one already. Adding the connection
    // continues after it returns. Unauthorized: the folder cannot be created.
    [[nodiscard]] core::Result<> open();

    // For the window: takes all failed messages once the connection exists, then subscribes to the error queue, so that
    // messages that come back appear automatically.
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
    QObject m_context; // ends the continuations with this object
};

} // namespace app
