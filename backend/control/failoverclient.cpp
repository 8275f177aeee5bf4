#include "backend/control/failoverclient.h"

namespace control {

FailoverClient::FailoverClient(std::unique_ptr<api::EngineClient> first)
    : m_current(std::move(first))
{
}

FailoverClient::~FailoverClient() = default;

void FailoverClient::switchTo(std::unique_ptr<api::EngineClient> next)
{
    const std::unique_ptr<api::EngineClient> old = std::exchange(m_current, std::move(next));
    if (m_listener)
        hear(*m_current);
}

void FailoverClient::listen(Listener listener)
{
    m_listener = std::make_shared<Listener>(std::move(listener));
    hear(*m_current);
}

void FailoverClient::hear(api::EngineClient &client)
{
    const std::weak_ptr<Listener> to = m_listener;
    client.listen([to](api::SnapshotPtr snapshot) {
        const std::shared_ptr<Listener> listener = to.lock();
        if (listener && *listener)
            (*listener)(std::move(snapshot));
    });
}

api::Answer<core::ConnectionId> FailoverClient::saveConnection(const api::ConnectionDraft &draft)
{
    return m_current->saveConnection(draft);
}

api::Answer<> FailoverClient::removeConnection(core::ConnectionId id)
{
    return m_current->removeConnection(id);
}

api::Answer<api::ConnectionTest> FailoverClient::testConnection(const api::ConnectionDraft &draft)
{
    return m_current->testConnection(draft);
}

api::Answer<> FailoverClient::refreshQueues()
{
    return m_current->refreshQueues();
}

api::Answer<records::IntakeCounts> FailoverClient::intake(const api::IntakeRequest &request)
{
    return m_current->intake(request);
}

api::Answer<records::BrowseCounts> FailoverClient::browse(const api::BrowseRequest &request)
{
    return m_current->browse(request);
}

api::Answer<> FailoverClient::subscribe(const api::SubscribeRequest &request)
{
    return m_current->subscribe(request);
}

api::Answer<api::PlanPreview> FailoverClient::preview(const api::RetryRequest &request)
{
    return m_current->preview(request);
}

api::Answer<core::OperationId> FailoverClient::retry(const api::RetryCommand &command)
{
    return m_current->retry(command);
}

api::Answer<> FailoverClient::act(core::OperationId id, api::OperationAction action)
{
    return m_current->act(id, action);
}

api::Answer<> FailoverClient::setRate(const api::RateCommand &command)
{
    return m_current->setRate(command);
}

api::Answer<api::PauseAllAnswer> FailoverClient::pauseAll(bool pause)
{
    return m_current->pauseAll(pause);
}

api::Answer<qint64> FailoverClient::settle(const api::SettleCommand &command)
{
    return m_current->settle(command);
}

api::Answer<api::DecisionCounts> FailoverClient::decide(const api::DecisionCommand &command)
{
    return m_current->decide(command);
}

api::Answer<api::EditSample> FailoverClient::editSample(const api::EditQuestion &question)
{
    return m_current->editSample(question);
}

api::Answer<api::RedirectAnswer> FailoverClient::redirect(const api::RedirectCommand &command)
{
    return m_current->redirect(command);
}

api::Answer<api::Settings> FailoverClient::settings(const api::SettingsCommand &command)
{
    return m_current->settings(command);
}

api::Answer<> FailoverClient::setGroupNote(const api::GroupNoteCommand &command)
{
    return m_current->setGroupNote(command);
}

api::Answer<> FailoverClient::muteGroups(const api::GroupMuteCommand &command)
{
    return m_current->muteGroups(command);
}

api::Answer<api::MoveAnswer> FailoverClient::moveQueue(const api::MoveCommand &command)
{
    return api::moveQueue(*m_current, command);
}

api::Answer<api::GroupPage> FailoverClient::groups(const api::GroupQuery &query)
{
    return m_current->groups(query);
}

api::Answer<api::ExpiryPage> FailoverClient::expiring(const api::ExpiryQuery &query)
{
    return m_current->expiring(query);
}

api::Answer<api::MessagePage> FailoverClient::messages(const api::MessageQuery &query)
{
    return m_current->messages(query);
}

api::Answer<api::MessageIds> FailoverClient::messageIds(const api::MessageQuery &query)
{
    return m_current->messageIds(query);
}

api::Answer<api::OtherMatches> FailoverClient::otherMatches(const api::MessageQuery &query)
{
    return m_current->otherMatches(query);
}

api::Answer<QList<records::FailedMessage>> FailoverClient::messageRows(const QList<core::MessageId> &ids)
{
    return m_current->messageRows(ids);
}

api::Answer<api::MessageDetail> FailoverClient::message(core::MessageId id)
{
    return m_current->message(id);
}

api::Answer<QByteArray> FailoverClient::body(core::MessageId id)
{
    return m_current->body(id);
}

api::Answer<api::OperationPage> FailoverClient::operations(const api::OperationQuery &query)
{
    return m_current->operations(query);
}

api::Answer<api::OperationDetail> FailoverClient::operation(core::OperationId id)
{
    return m_current->operation(id);
}

api::Answer<QList<api::MemberRow>> FailoverClient::members(const api::MemberQuery &query)
{
    return m_current->members(query);
}

api::Answer<QList<records::Event>> FailoverClient::events(const api::EventQuery &query)
{
    return m_current->events(query);
}

api::Answer<records::TrailCheck> FailoverClient::checkTrail(const QByteArray &seal)
{
    return m_current->checkTrail(seal);
}

api::Answer<QList<api::RunSample>> FailoverClient::series(const api::SeriesQuery &query)
{
    return m_current->series(query);
}

api::Answer<QList<api::RunMark>> FailoverClient::marks(core::OperationId id)
{
    return m_current->marks(id);
}

} // namespace control
