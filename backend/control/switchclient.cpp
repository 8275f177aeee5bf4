#include "backend/control/switchclient.h"

namespace control {

SwitchClient::SwitchClient(std::unique_ptr<api::EngineClient> first)
    : m_current(std::move(first))
{
}

SwitchClient::~SwitchClient() = default;

void SwitchClient::switchTo(std::unique_ptr<api::EngineClient> next)
{
    const std::unique_ptr<api::EngineClient> old = std::exchange(m_current, std::move(next));
    if (m_listener)
        hear(*m_current);
}

void SwitchClient::listen(Listener listener)
{
    m_listener = std::make_shared<Listener>(std::move(listener));
    hear(*m_current);
}

void SwitchClient::hear(api::EngineClient &client)
{
    const std::weak_ptr<Listener> to = m_listener;
    client.listen([to](api::SnapshotPtr snapshot) {
        const std::shared_ptr<Listener> listener = to.lock();
        if (listener && *listener)
            (*listener)(std::move(snapshot));
    });
}

api::Answer<core::ConnectionId> SwitchClient::saveConnection(const api::ConnectionDraft &draft)
{
    return m_current->saveConnection(draft);
}

api::Answer<> SwitchClient::removeConnection(core::ConnectionId id)
{
    return m_current->removeConnection(id);
}

api::Answer<api::ConnectionTest> SwitchClient::testConnection(const api::ConnectionDraft &draft)
{
    return m_current->testConnection(draft);
}

api::Answer<> SwitchClient::refreshQueues()
{
    return m_current->refreshQueues();
}

api::Answer<records::IntakeCounts> SwitchClient::intake(const api::IntakeRequest &request)
{
    return m_current->intake(request);
}

api::Answer<records::LookCounts> SwitchClient::look(const api::LookRequest &request)
{
    return m_current->look(request);
}

api::Answer<> SwitchClient::follow(const api::FollowRequest &request)
{
    return m_current->follow(request);
}

api::Answer<api::PlanPreview> SwitchClient::preview(const api::RetryRequest &request)
{
    return m_current->preview(request);
}

api::Answer<core::OperationId> SwitchClient::retry(const api::RetryCommand &command)
{
    return m_current->retry(command);
}

api::Answer<> SwitchClient::act(core::OperationId id, api::OperationAction action)
{
    return m_current->act(id, action);
}

api::Answer<> SwitchClient::setRate(const api::RateCommand &command)
{
    return m_current->setRate(command);
}

api::Answer<api::PauseAllAnswer> SwitchClient::pauseAll(bool pause)
{
    return m_current->pauseAll(pause);
}

api::Answer<qint64> SwitchClient::settle(const api::SettleCommand &command)
{
    return m_current->settle(command);
}

api::Answer<api::DecisionCounts> SwitchClient::decide(const api::DecisionCommand &command)
{
    return m_current->decide(command);
}

api::Answer<api::EditSample> SwitchClient::editSample(const api::EditQuestion &question)
{
    return m_current->editSample(question);
}

api::Answer<api::RedirectAnswer> SwitchClient::redirect(const api::RedirectCommand &command)
{
    return m_current->redirect(command);
}

api::Answer<api::Settings> SwitchClient::settings(const api::SettingsCommand &command)
{
    return m_current->settings(command);
}

api::Answer<> SwitchClient::setGroupNote(const api::GroupNoteCommand &command)
{
    return m_current->setGroupNote(command);
}

api::Answer<> SwitchClient::muteGroups(const api::GroupMuteCommand &command)
{
    return m_current->muteGroups(command);
}

api::Answer<api::MoveAnswer> SwitchClient::moveQueue(const api::MoveCommand &command)
{
    return api::moveQueue(*m_current, command);
}

api::Answer<api::GroupPage> SwitchClient::groups(const api::GroupQuery &query)
{
    return m_current->groups(query);
}

api::Answer<api::ExpiryPage> SwitchClient::expiring(const api::ExpiryQuery &query)
{
    return m_current->expiring(query);
}

api::Answer<api::MessagePage> SwitchClient::messages(const api::MessageQuery &query)
{
    return m_current->messages(query);
}

api::Answer<api::MessageIds> SwitchClient::messageIds(const api::MessageQuery &query)
{
    return m_current->messageIds(query);
}

api::Answer<api::OtherMatches> SwitchClient::otherMatches(const api::MessageQuery &query)
{
    return m_current->otherMatches(query);
}

api::Answer<QList<records::FailedMessage>> SwitchClient::messageRows(const QList<core::MessageId> &ids)
{
    return m_current->messageRows(ids);
}

api::Answer<api::MessageDetail> SwitchClient::message(core::MessageId id)
{
    return m_current->message(id);
}

api::Answer<QByteArray> SwitchClient::body(core::MessageId id)
{
    return m_current->body(id);
}

api::Answer<api::OperationPage> SwitchClient::operations(const api::OperationQuery &query)
{
    return m_current->operations(query);
}

api::Answer<api::OperationDetail> SwitchClient::operation(core::OperationId id)
{
    return m_current->operation(id);
}

api::Answer<QList<api::MemberRow>> SwitchClient::members(const api::MemberQuery &query)
{
    return m_current->members(query);
}

api::Answer<QList<records::Event>> SwitchClient::events(const api::EventQuery &query)
{
    return m_current->events(query);
}

api::Answer<records::TrailCheck> SwitchClient::checkTrail(const QByteArray &seal)
{
    return m_current->checkTrail(seal);
}

api::Answer<QList<api::RunSample>> SwitchClient::series(const api::SeriesQuery &query)
{
    return m_current->series(query);
}

api::Answer<QList<api::RunMark>> SwitchClient::marks(core::OperationId id)
{
    return m_current->marks(id);
}

} // namespace control
