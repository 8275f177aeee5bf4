#include "backend/engine/localclient.h"

#include "backend/engine/engine.h"
#include "backend/engine/reply.h"

#include <QMetaObject>
#include <QObject>

#include <mutex>

namespace engine {

namespace {

template<typename T>
using Command = std::function<core::Task<core::Result<T>>(Engine &)>;

// The reply lives in the coroutine: if that is never resumed, the reply answers Cancelled. The snapshot is published
// before the answer, so that the next query, perhaps of another process, sees the result.
template<typename T>
core::Task<> serve(Engine &engine, Command<T> command, Reply<T> reply)
{
    core::Result<T> result = co_await command(engine);
    engine.publisher().flush();
    reply.answer(std::move(result));
}

template<typename T>
api::Answer<T> ask(EngineMailbox &mailbox, Command<T> command)
{
    const Reply<T> reply;
    mailbox.post([reply, command = std::move(command)](Engine &engine) {
        engine.run([&engine, reply, command] { return serve<T>(engine, command, reply); });
    });
    return reply.future();
}

// For commands without a wait.
template<typename T>
api::Answer<T> tell(EngineMailbox &mailbox, std::function<core::Result<T>(Engine &)> command)
{
    const Reply<T> reply;
    mailbox.post([reply, command = std::move(command)](Engine &engine) {
        core::Result<T> result = command(engine);
        engine.publisher().flush();
        reply.answer(std::move(result));
    });
    return reply.future();
}

} // namespace

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

// Overwrites `who`: the client knows the user better than the caller who filled in the request.
template<typename Request>
Request LocalClient::signedBy(Request request) const
{
    if (!m_who.isEmpty())
        request.who = m_who;
    return request;
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

api::Answer<core::ConnectionId> LocalClient::saveConnection(const api::ConnectionDraft &draft)
{
    return ask<core::ConnectionId>(
        *m_mailbox, [draft, who = m_who](Engine &engine) { return engine.connections().save(draft, who); });
}

api::Answer<> LocalClient::removeConnection(core::ConnectionId id)
{
    return ask<void>(*m_mailbox, [id, who = m_who](Engine &engine) { return engine.connections().remove(id, who); });
}

api::Answer<api::ConnectionTest> LocalClient::testConnection(const api::ConnectionDraft &draft)
{
    return ask<api::ConnectionTest>(*m_mailbox, [draft](Engine &engine) { return engine.connections().test(draft); });
}

api::Answer<> LocalClient::refreshQueues()
{
    return ask<void>(*m_mailbox, [](Engine &engine) { return engine.connections().refresh(); });
}

api::Answer<records::IntakeCounts> LocalClient::intake(const api::IntakeRequest &request)
{
    return ask<records::IntakeCounts>(
        *m_mailbox, [request, who = m_who](Engine &engine) { return engine.connections().intake(request, who); });
}

api::Answer<records::BrowseCounts> LocalClient::browse(const api::BrowseRequest &request)
{
    return ask<records::BrowseCounts>(
        *m_mailbox, [request, who = m_who](Engine &engine) { return engine.connections().browse(request, who); });
}

api::Answer<> LocalClient::subscribe(const api::SubscribeRequest &request)
{
    return tell<void>(*m_mailbox,
                      [request, who = m_who](Engine &engine) { return engine.connections().subscribe(request, who); });
}

api::Answer<api::PlanPreview> LocalClient::preview(const api::RetryRequest &request)
{
    return ask<api::PlanPreview>(
        *m_mailbox, [request = signedBy(request)](Engine &engine) { return engine.retries().preview(request); });
}

api::Answer<core::OperationId> LocalClient::retry(const api::RetryCommand &command)
{
    api::RetryCommand sent = command;
    sent.request = signedBy(command.request);
    return ask<core::OperationId>(*m_mailbox, [sent](Engine &engine) { return engine.retries().retry(sent); });
}

api::Answer<> LocalClient::act(core::OperationId id, api::OperationAction action)
{
    return tell<void>(*m_mailbox,
                      [id, action, who = m_who](Engine &engine) { return engine.retries().act(id, action, who); });
}

api::Answer<> LocalClient::setRate(const api::RateCommand &command)
{
    return tell<void>(*m_mailbox,
                      [command = signedBy(command)](Engine &engine) { return engine.retries().setRate(command); });
}

api::Answer<api::PauseAllAnswer> LocalClient::pauseAll(bool pause)
{
    return tell<api::PauseAllAnswer>(
        *m_mailbox, [pause, who = m_who](Engine &engine) { return engine.retries().pauseAll(pause, who); });
}

api::Answer<qint64> LocalClient::settle(const api::SettleCommand &command)
{
    return tell<qint64>(*m_mailbox,
                        [command = signedBy(command)](Engine &engine) { return engine.retries().settle(command); });
}

api::Answer<api::DecisionCounts> LocalClient::decide(const api::DecisionCommand &command)
{
    return ask<api::DecisionCounts>(
        *m_mailbox, [command = signedBy(command)](Engine &engine) { return engine.messages().decide(command); });
}

api::Answer<api::EditSample> LocalClient::editSample(const api::EditQuestion &question)
{
    return ask<api::EditSample>(*m_mailbox,
                                [question](Engine &engine) { return engine.retries().editSample(question); });
}

api::Answer<api::RedirectAnswer> LocalClient::redirect(const api::RedirectCommand &command)
{
    return ask<api::RedirectAnswer>(
        *m_mailbox, [command = signedBy(command)](Engine &engine) { return engine.redirects().change(command); });
}

api::Answer<api::Settings> LocalClient::settings(const api::SettingsCommand &command)
{
    return tell<api::Settings>(
        *m_mailbox, [command = signedBy(command)](Engine &engine) { return engine.housekeeper().settings(command); });
}

api::Answer<> LocalClient::setGroupNote(const api::GroupNoteCommand &command)
{
    return tell<void>(*m_mailbox,
                      [command = signedBy(command)](Engine &engine) { return engine.groups().setNote(command); });
}

api::Answer<> LocalClient::muteGroups(const api::GroupMuteCommand &command)
{
    return tell<void>(*m_mailbox,
                      [command = signedBy(command)](Engine &engine) { return engine.groups().mute(command); });
}

api::Answer<api::MoveAnswer> LocalClient::moveQueue(const api::MoveCommand &command)
{
    return ask<api::MoveAnswer>(*m_mailbox,
                                [command = signedBy(command)](Engine &engine) { return engine.moves().act(command); });
}

} // namespace engine
