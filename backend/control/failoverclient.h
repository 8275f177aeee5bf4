#pragma once

#include "backend/api/client.h"
#include "backend/api/queuemove.h"

#include <memory>

namespace control {

// One client for the whole life of a window or command, while the client behind it changes: from this process's engine
// to that of another process and back. It passes every call to the current client and keeps the listener. One thread.
class FailoverClient final : public api::EngineClient, public api::QueueMoves
{
public:
    explicit FailoverClient(std::unique_ptr<api::EngineClient> first);
    ~FailoverClient() override;

    // Replaces the current client and destroys it: calls without an answer end with Cancelled. Do not call this from
    // inside a call of the old client.
    void switchTo(std::unique_ptr<api::EngineClient> next);

    void listen(Listener listener) override;
    api::Answer<core::ConnectionId> saveConnection(const api::ConnectionDraft &draft) override;
    api::Answer<> removeConnection(core::ConnectionId id) override;
    api::Answer<api::ConnectionTest> testConnection(const api::ConnectionDraft &draft) override;
    api::Answer<> refreshQueues() override;
    api::Answer<records::IntakeCounts> intake(const api::IntakeRequest &request) override;
    api::Answer<records::BrowseCounts> browse(const api::BrowseRequest &request) override;
    api::Answer<> subscribe(const api::SubscribeRequest &request) override;
    api::Answer<api::PlanPreview> preview(const api::RetryRequest &request) override;
    api::Answer<core::OperationId> retry(const api::RetryCommand &command) override;
    api::Answer<> act(core::OperationId id, api::OperationAction action) override;
    api::Answer<> setRate(const api::RateCommand &command) override;
    api::Answer<api::PauseAllAnswer> pauseAll(bool pause) override;
    api::Answer<qint64> settle(const api::SettleCommand &command) override;
    api::Answer<api::DecisionCounts> decide(const api::DecisionCommand &command) override;
    api::Answer<api::EditSample> editSample(const api::EditQuestion &question) override;
    api::Answer<api::RedirectAnswer> redirect(const api::RedirectCommand &command) override;
    api::Answer<api::Settings> settings(const api::SettingsCommand &command) override;
    api::Answer<> setGroupNote(const api::GroupNoteCommand &command) override;
    api::Answer<> muteGroups(const api::GroupMuteCommand &command) override;
    api::Answer<api::MoveAnswer> moveQueue(const api::MoveCommand &command) override;
    api::Answer<api::GroupPage> groups(const api::GroupQuery &query) override;
    api::Answer<api::ExpiryPage> expiring(const api::ExpiryQuery &query) override;
    api::Answer<api::MessagePage> messages(const api::MessageQuery &query) override;
    api::Answer<api::MessageIds> messageIds(const api::MessageQuery &query) override;
    api::Answer<api::OtherMatches> otherMatches(const api::MessageQuery &query) override;
    api::Answer<QList<records::FailedMessage>> messageRows(const QList<core::MessageId> &ids) override;
    api::Answer<api::MessageDetail> message(core::MessageId id) override;
    api::Answer<QByteArray> body(core::MessageId id) override;
    api::Answer<api::OperationPage> operations(const api::OperationQuery &query) override;
    api::Answer<api::OperationDetail> operation(core::OperationId id) override;
    api::Answer<QList<api::MemberRow>> members(const api::MemberQuery &query) override;
    api::Answer<QList<records::Event>> events(const api::EventQuery &query) override;
    api::Answer<records::TrailCheck> checkTrail(const QByteArray &seal) override;
    api::Answer<QList<api::RunSample>> series(const api::SeriesQuery &query) override;
    api::Answer<QList<api::RunMark>> marks(core::OperationId id) override;

private:
    void hear(api::EngineClient &client);

    std::unique_ptr<api::EngineClient> m_current;
    std::shared_ptr<Listener> m_listener; // shared with the function that the clients hold
};

} // namespace control
