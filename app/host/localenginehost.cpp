#include "app/host/localenginehost.h"

#include "app/brokers.h"
#include "app/commandline/commandline.h"
#include "app/commandline/printer.h"
#include "app/host/rehearsaldependencies.h"
#include "app/host/storepassword.h"
#include "app/keychain.h"
#include "app/text.h"
#include "backend/control/server.h"
#include "backend/control/shared/sharedserver.h"
#include "backend/control/socketname.h"
#include "backend/engine/connection/localsecrets.h"
#include "backend/engine/dispatch/currentuser.h"
#include "backend/engine/dispatch/localclient.h"
#include "backend/engine/engine.h"
#include "backend/records/rules/storecopies.h"
#include "backend/rehearsal/runner.h"
#include "backend/store/database/opendatabase.h"
#include "backend/store/shared/sharedstore.h"
#include "backend/store/sqlite/sqlitestore.h"

#include <QFileInfo>
#include <QLoggingCategory>
#include <QStorageInfo>

namespace app {

namespace {

Q_LOGGING_CATEGORY(logRoom, "redrive.app.engine")

std::unique_ptr<core::Secrets> secretsFor(const EngineHostSettings &settings, core::Clock &clock)
{
    auto secrets = std::make_unique<engine::LocalSecrets>(settings.secretFile,
                                                          settings.keychain ? keychainSecrets(clock) : nullptr);
    if (settings.store.isShared())
        secrets->reserve(QString::fromLatin1(storeSecret));
    for (auto known = settings.secrets.cbegin(); known != settings.secrets.cend(); ++known)
        secrets->give(known.key(), known.value());
    return secrets;
}

// Writes to standard error, also when a window is open.
void tell(const QString &text)
{
    const commandline::Terminal terminal = commandline::CommandLine::standardTerminal();
    commandline::Printer(terminal, false).error(text);
}

std::optional<engine::DiskSpace> diskOf(const QString &folder)
{
    const QStorageInfo storage(folder);
    if (!storage.isValid() || !storage.isReady())
        return std::nullopt;
    return engine::DiskSpace{storage.bytesTotal(), storage.bytesAvailable()};
}

} // namespace

EngineHostSettings hostSettingsFor(const commandline::Settings &settings)
{
    EngineHostSettings host;
    host.store = settings.store;
    host.secretFile = settings.secretFile;
    switch (settings.storeWas) {
    case commandline::StoreWas::Unsaid:
        break;
    case commandline::StoreWas::Moved:
        host.provenance = store::Provenance::Moved;
        break;
    case commandline::StoreWas::Copied:
        host.provenance = store::Provenance::Copied;
        break;
    }
    return host;
}

LocalEngineHost::LocalEngineHost(EngineHostSettings settings)
    : m_settings(std::move(settings))
    , m_secrets(secretsFor(m_settings, m_clock))
{
}

LocalEngineHost::~LocalEngineHost() = default;

core::Result<> LocalEngineHost::checkExists() const
{
    const core::Error missing{core::ErrorKind::NotFound,
                              Text::tr("There is no store at %1. Check --store and --profile. redrive "
                                       "connection add NAME URL creates a store.")
                                  .arg(m_settings.store.text()),
                              {},
                              {}};
    if (!m_settings.store.isShared())
        return QFileInfo::exists(m_settings.store.file) ? core::Result<>() : core::fail(missing);
    const auto found = store::openDatabase(m_settings.store, store::Database::Mode::ReadOnly);
    if (found)
        return {};
    return core::fail(
        found.error().kind == core::ErrorKind::NotFound && found.error().detail.isEmpty() ? missing : found.error());
}

core::Result<LocalEngineHost::OpenStore> LocalEngineHost::openStore(Events events)
{
    if (!m_settings.makesStore)
        TRY(checkExists());
    if (m_settings.store.isShared())
        return openShared(std::move(events));
    TRY(std::unique_ptr<store::SqliteStore> opened,
        store::SqliteStore::open(m_settings.store.file, m_random, m_settings.provenance));
    const QString original = opened->copiedFrom();
    return OpenStore{std::move(opened), original, {}};
}

core::Result<LocalEngineHost::OpenStore> LocalEngineHost::openShared(Events events)
{
    const auto self = store::LeaseHolder::self(m_settings.kind, m_random.hexId(), engine::currentUser());
    TRY(std::unique_ptr<store::SharedStore> opened,
        store::SharedStore::open(m_settings.store, m_random, self,
                                 {std::move(events.superseded), std::move(events.wanted)}, m_settings.provenance));
    if (const QString note = opened->database().note(); !note.isEmpty())
        tell(note);
    const QString original = opened->copiedFrom();
    const store::EngineLease *const lease = &opened->lease(); // the brokers end before the store
    return OpenStore{std::move(opened), original, [lease] { return lease->isTrusted(); }};
}

core::Result<> LocalEngineHost::open(const std::shared_ptr<engine::EngineMailbox> &mailbox, Events events)
{
    TRY(OpenStore opened, openStore(std::move(events)));
    if (!opened.copiedFrom.isEmpty())
        tell(records::storeWasCopied(opened.copiedFrom));
    m_store = std::move(opened.store);
    m_rehearser = std::make_unique<rehearsal::Runner>(rehearsalDependencies());
    const bool isFile = !m_settings.store.isShared();
    const auto disk = [folder = QFileInfo(m_settings.store.file).absolutePath(), isFile] {
        return isFile ? diskOf(folder) : std::nullopt;
    };
    m_engine = std::make_unique<engine::Engine>(engine::EngineDependencies{
        *m_store, m_clock, m_random, *m_secrets,
        brokerFactory(m_clock, m_random, m_settings.longestCall, std::move(opened.mayCall)), disk,
        m_settings.store.text(), m_random.hexId(), store::QueryService::open(m_settings.store), m_settings.starter,
        m_rehearser.get(), &m_patience});
    m_engine->start();
    mailbox->attach(*m_engine);
    if (m_settings.servesOthers)
        serveOthers(mailbox);
    return {};
}

void LocalEngineHost::serveOthers(const std::shared_ptr<engine::EngineMailbox> &mailbox)
{
    m_serverClient = std::make_unique<engine::LocalClient>(mailbox, nullptr);
    const control::ClientFor clientFor = [mailbox](const QString &who) {
        return std::make_unique<engine::LocalClient>(mailbox, nullptr, who);
    };
    const bool isPassing = m_settings.starter == api::Starter::Command;
    if (m_settings.store.isShared())
        serveInDatabase(clientFor, isPassing);
    else
        serveAtSocket(clientFor, isPassing);
}

void LocalEngineHost::serveInDatabase(const control::ClientFor &clientFor, bool isPassing)
{
    m_sharedServer = std::make_unique<control::SharedServer>(
        *m_serverClient, [address = m_settings.store] { return store::ControlTables::open(address); }, m_store->fence(),
        clientFor);
    if (isPassing)
        m_sharedServer->setPassing();
    m_sharedServer->start();
}

// Where it fails, the engine works without it, and other programs report who holds the store.
void LocalEngineHost::serveAtSocket(const control::ClientFor &clientFor, bool isPassing)
{
    m_server = std::make_unique<control::Server>(*m_serverClient, clientFor);
    if (isPassing)
        m_server->setPassing();
    const core::Result<> listening = m_server->listen(control::socketPath(m_settings.store.file));
    if (!listening)
        qCWarning(logRoom).noquote() << listening.error().message;
}

void LocalEngineHost::close(std::function<void()> done)
{
    if (m_server)
        m_server->finish(); // answers open requests; it is destroyed with this host
    if (m_sharedServer)
        m_sharedServer->finish();
    const auto end = [](engine::Engine &engine, std::function<void()> then) -> core::Task<> {
        co_await engine.stop();
        then();
    };
    // Queued, so that requests already in the event queue of the engine start before it stops.
    engine::Engine *const engine = m_engine.get();
    QMetaObject::invokeMethod(
        engine, [engine, end, done = std::move(done)] { end(*engine, done); }, Qt::QueuedConnection);
}

} // namespace app
