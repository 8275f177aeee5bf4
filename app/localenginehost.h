#pragma once

#include "app/commandline/launch.h"
#include "app/enginethread.h"

#include "backend/api/starter.h"
#include "backend/core/random.h"
#include "backend/core/secrets.h"
#include "backend/core/systemclock.h"
#include "backend/store/sqlite/storeprovenance.h"

#include <optional>

namespace control {
class Server;
}

namespace engine {
class Engine;
class LocalClient;
} // namespace engine

namespace store {
class Store;
}

namespace app {

struct EngineHostSettings
{
    QString storePath;
    QString secretFile;
    store::Provenance provenance = store::Provenance::Unknown;
    bool keychain = true; // the desktop's, where there is one
    QHash<QString, QString> secrets; // known beforehand, by connection (demo)
    bool servesOthers = true; // listens on the control socket
    api::Starter starter = api::Starter::Program;
    bool makesStore = true; // where there is none
    std::optional<core::Milliseconds> longestCall; // of brokers, whatever time a call asks for
};

// What the options of the command line ask for.
[[nodiscard]] EngineHostSettings hostSettingsFor(const commandline::Settings &settings);

// The engine of this process over the real store, clock, brokers and secrets.
class LocalEngineHost final : public EngineHost
{
public:
    explicit LocalEngineHost(EngineHostSettings settings);
    ~LocalEngineHost() override;

    // Conflict: another process holds the store; the message says who.
    [[nodiscard]] core::Result<> open(const std::shared_ptr<engine::EngineMailbox> &mailbox) override;
    void close(std::function<void()> done) override;

private:
    EngineHostSettings m_settings;
    core::SystemClock m_clock;
    core::SystemRandom m_random;
    std::unique_ptr<core::Secrets> m_secrets;
    std::unique_ptr<store::Store> m_store;
    std::unique_ptr<engine::Engine> m_engine;
    std::unique_ptr<engine::LocalClient> m_serverClient;
    std::unique_ptr<control::Server> m_server;
};

} // namespace app
