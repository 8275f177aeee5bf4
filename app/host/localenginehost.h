#pragma once

#include "app/commandline/launch.h"
#include "app/host/enginethread.h"

#include "backend/api/starter.h"
#include "backend/control/calls.h"
#include "backend/core/random.h"
#include "backend/core/secrets.h"
#include "backend/core/time/systemclock.h"
#include "backend/core/workthread.h"
#include "backend/store/identity/storeprovenance.h"
#include "backend/store/shared/enginelease.h"

#include <optional>

namespace control {
class Server;
class SharedServer;
} // namespace control

namespace engine {
class Engine;
class Rehearser;
class LocalClient;
} // namespace engine

namespace store {
class Store;
}

namespace app {

// How the engine of this process is set up.
struct EngineHostSettings
{
    records::StoreAddress store;
    store::LeaseHolder::Kind kind = store::LeaseHolder::Kind::Command; // who this is, for a shared store
    QString secretFile;
    store::Provenance provenance = store::Provenance::Unknown;
    bool keychain = true; // use the keychain of the desktop, if there is one
    QHash<QString, QString> secrets; // secrets given in advance, by connection name (demo)
    bool servesOthers = true; // listen on the control socket for other programs
    api::Starter starter = api::Starter::Program;
    bool makesStore = true; // create the store if it does not exist; false: NotFound then
    std::optional<core::Milliseconds> longestCall; // limit for every broker call; nothing: the limit of each call
};

// The settings that the options of the command line give.
[[nodiscard]] EngineHostSettings hostSettingsFor(const commandline::Settings &settings);

// The engine of this process with the real store, clock, brokers and secrets. Lives on the engine thread.
class LocalEngineHost final : public EngineHost
{
public:
    explicit LocalEngineHost(EngineHostSettings settings);
    ~LocalEngineHost() override;

    // Conflict: another process holds the store, and the message names it. NotFound: the store does not exist and
    // makesStore is false. Other errors come from opening the store.
    [[nodiscard]] core::Result<> open(const std::shared_ptr<engine::EngineMailbox> &mailbox, Events events) override;
    // Sends the answers to requests from other programs first. See EngineHost::close.
    void close(std::function<void()> done) override;

private:
    // A store and what it is besides: its original if it is a new copy, and whether this process may call brokers.
    struct OpenStore
    {
        std::unique_ptr<store::Store> store;
        QString copiedFrom;
        std::function<bool()> mayCall;
    };
    [[nodiscard]] core::Result<> checkExists() const;
    [[nodiscard]] core::Result<OpenStore> openStore(Events events);
    [[nodiscard]] core::Result<OpenStore> openShared(Events events);
    void serveOthers(const std::shared_ptr<engine::EngineMailbox> &mailbox);
    void serveInDatabase(const control::ClientFor &clientFor, bool isPassing);
    void serveAtSocket(const control::ClientFor &clientFor, bool isPassing);

    EngineHostSettings m_settings;
    core::SystemClock m_clock;
    core::SystemRandom m_random;
    std::unique_ptr<core::Secrets> m_secrets;
    std::unique_ptr<store::Store> m_store;
    std::unique_ptr<engine::Rehearser> m_rehearser;
    core::WorkThread m_patience;
    std::unique_ptr<engine::Engine> m_engine;
    std::unique_ptr<engine::LocalClient> m_serverClient;
    std::unique_ptr<control::Server> m_server; // of a store in a file
    std::unique_ptr<control::SharedServer> m_sharedServer;
};

} // namespace app
