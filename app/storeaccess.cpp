#include "app/storeaccess.h"

#include "backend/control/remoteclient.h"
#include "backend/control/socketname.h"
#include "backend/engine/asker.h"
#include "backend/engine/localclient.h"

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
    const core::Result<> held = hold();
    if (!held && held.error().kind != core::ErrorKind::Conflict)
        return held;
    m_queries = store::QueryService::open(m_settings.storePath);
    if (held) {
        m_client = std::make_unique<control::SwitchClient>(
            std::make_unique<engine::LocalClient>(m_thread->port(), m_queries, engine::askerName()));
        return {};
    }
    qCInfo(logAccess).noquote() << held.error().message;
    m_client = std::make_unique<control::SwitchClient>(remote());
    return {};
}

core::Result<> StoreAccess::hold()
{
    auto thread = std::make_unique<EngineThread>();
    const RoomSettings settings = m_settings;
    QFuture<core::Result<>> opened = thread->start([settings] { return std::make_unique<LocalRoom>(settings); });
    const core::Result<> result = opened.result();
    if (result)
        m_thread = std::move(thread);
    return result;
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
}

void StoreAccess::tryAgain()
{
    const core::Result<> held = hold();
    if (held)
        m_client->switchTo(std::make_unique<engine::LocalClient>(m_thread->port(), m_queries, engine::askerName()));
    else if (held.error().kind == core::ErrorKind::Conflict)
        m_client->switchTo(remote()); // somebody else was first
    else
        qCWarning(logAccess).noquote() << held.error().message;
}

} // namespace app
