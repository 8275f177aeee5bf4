#include "backend/engine/dispatch/localclient.h"

#include "backend/api/snapshot.h"
#include "backend/engine/engine.h"
#include "backend/engine/snapshot/snapshotpublisher.h"

#include <QMetaObject>
#include <QObject>

#include <mutex>

namespace engine {

// Receives snapshots. The target is created and destroyed on the client's thread; the engine uses it only under the
// lock.
struct LocalClient::Ear
{
    std::mutex mutex;
    std::unique_ptr<QObject> target = std::make_unique<QObject>();
    Listener listener; // used on the client's thread
    SnapshotPublisher::Subscriber subscriber = 0; // used on the engine thread

    static void deliver(const std::shared_ptr<Ear> &ear, const std::shared_ptr<EngineMailbox> &mailbox,
                        api::SnapshotPtr snapshot);
};

void LocalClient::Ear::deliver(const std::shared_ptr<Ear> &ear, const std::shared_ptr<EngineMailbox> &mailbox,
                               api::SnapshotPtr snapshot)
{
    const std::scoped_lock lock(ear->mutex);
    if (!ear->target)
        return;
    const std::weak_ptr<Ear> weak = ear;
    const SnapshotPublisher::Subscriber subscriber = ear->subscriber;
    const auto arrive = [weak, mailbox, subscriber, snapshot = std::move(snapshot)] {
        const std::shared_ptr<Ear> here = weak.lock();
        if (!here || !here->target)
            return;
        here->listener(snapshot);
        mailbox->post([subscriber](Engine &engine) { engine.publisher().acknowledge(subscriber); });
    };
    QMetaObject::invokeMethod(ear->target.get(), arrive, Qt::QueuedConnection);
}

LocalClient::LocalClient(std::shared_ptr<EngineMailbox> mailbox, QueriesPtr queries, QString who)
    : QueryingClient(std::move(queries))
    , m_mailbox(std::move(mailbox))
    , m_who(std::move(who))
{
}

LocalClient::~LocalClient()
{
    if (!m_ear)
        return;
    std::unique_ptr<QObject> target;
    {
        const std::scoped_lock lock(m_ear->mutex);
        target = std::move(m_ear->target);
    }
    const std::shared_ptr<Ear> ear = m_ear;
    m_mailbox->post([ear](Engine &engine) { engine.publisher().unsubscribe(ear->subscriber); });
}

void LocalClient::listen(Listener listener)
{
    if (m_ear) {
        m_ear->listener = std::move(listener);
        return;
    }
    m_ear = std::make_shared<Ear>();
    m_ear->listener = std::move(listener);
    const std::shared_ptr<EngineMailbox> mailbox = m_mailbox;
    const std::shared_ptr<Ear> ear = m_ear;
    m_mailbox->post([mailbox, ear](Engine &engine) {
        ear->subscriber = engine.publisher().subscribe(
            [mailbox, ear](api::SnapshotPtr snapshot) { Ear::deliver(ear, mailbox, std::move(snapshot)); });
    });
}

void LocalClient::sendCommand(api::RequestPtr command)
{
    m_mailbox->post([command = std::move(command), who = m_who](Engine &engine) { engine.carryOut(command, who); });
}

} // namespace engine
