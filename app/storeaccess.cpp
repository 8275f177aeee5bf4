#include "app/storeaccess.h"

#include "backend/api/whendone.h"
#include "backend/control/remoteclient.h"
#include "backend/control/socketname.h"
#include "backend/engine/asker.h"
#include "backend/engine/localclient.h"

#include <QCoreApplication>
#include <QLoggingCategory>
#include <QTimer>

namespace app {

namespace {

Q_LOGGING_CATEGORY(logAccess, "redrive.app.store", QtWarningMsg) // who holds the store is no news to a command

constexpr core::Milliseconds takeOverPause{500};

} // namespace

StoreAccess::StoreAccess(RoomSettings settings, TakeOver takeOver)
    : m_settings(std::move(settings))
    , m_takeOver(takeOver)
{
}

StoreAccess::~StoreAccess() = default;

core::Result<> StoreAccess::open()
{
    auto thread = std::make_unique<EngineThread>();
    const core::Result<> held = start(*thread, m_settings).result();
    if (!held && held.error().kind != core::ErrorKind::Conflict)
        return held;
    m_queries = store::QueryService::open(m_settings.storePath);
    if (held) {
        m_thread = std::move(thread);
        m_holds = true;
        m_client = std::make_unique<control::SwitchClient>(
            std::make_unique<engine::LocalClient>(m_thread->port(), m_queries, engine::askerName()));
        return {};
    }
    qCInfo(logAccess).noquote() << held.error().message;
    m_client = std::make_unique<control::SwitchClient>(remote());
    return {};
}

QFuture<core::Result<>> StoreAccess::start(EngineThread &thread, const RoomSettings &settings)
{
    return thread.start([settings] { return std::make_unique<LocalRoom>(settings); });
}

std::unique_ptr<api::EngineClient> StoreAccess::remote()
{
    auto client = std::make_unique<control::RemoteClient>(control::socketPath(m_settings.storePath), m_queries,
                                                          engine::askerName());
    // From the event loop: the client that calls may be replaced.
    client->onLost(
        [this](const QString &) { QMetaObject::invokeMethod(this, &StoreAccess::lost, Qt::QueuedConnection); });
    return client;
}

void StoreAccess::lost()
{
    if (m_takeOver == TakeOver::Yes)
        QTimer::singleShot(takeOverPause, this, &StoreAccess::tryAgain);
    else if (m_onLost)
        std::exchange(m_onLost, nullptr)();
}

// What the dead holder left is recovered first, which may take its time: the window goes on meanwhile.
void StoreAccess::tryAgain()
{
    m_trying = std::make_unique<EngineThread>();
    api::whenDone(this, start(*m_trying, m_settings), [this](const core::Result<> &held) { tried(held); });
}

void StoreAccess::tried(const core::Result<> &held)
{
    take(std::move(m_trying), held);
}

core::Result<> StoreAccess::reopen()
{
    if (!m_holds) {
        return core::fail(
            core::ErrorKind::Refused,
            QCoreApplication::translate("app::StoreAccess",
                                        "Another program holds the store: close that one, or reopen it there."));
    }
    m_thread.reset(); // gives the lock back
    auto thread = std::make_unique<EngineThread>();
    core::Result<> held = start(*thread, m_settings).result();
    take(std::move(thread), held);
    return held;
}

void StoreAccess::take(std::unique_ptr<EngineThread> thread, const core::Result<> &held)
{
    if (held) {
        m_thread = std::move(thread);
        m_holds = true;
        m_client->switchTo(std::make_unique<engine::LocalClient>(m_thread->port(), m_queries, engine::askerName()));
    } else if (held.error().kind == core::ErrorKind::Conflict) {
        m_holds = false;
        m_client->switchTo(remote()); // somebody else was first
    } else {
        qCWarning(logAccess).noquote() << held.error().message;
    }
}

} // namespace app
