#pragma once

#include "backend/api/queuemove.h"
#include "backend/engine/enginemailbox.h"
#include "backend/engine/queryingclient.h"

#include <memory>

namespace engine {

// The client of the engine in this process. Create and use it on one thread, any thread; snapshots arrive on that
// thread. Every call is posted through the mailbox. It may outlive the engine: calls then end with Cancelled.
class LocalClient final : public QueryingClient, public api::QueueMoves
{
public:
    // `who`: the person in the activity log for every command of this client; empty: the one named in the command.
    LocalClient(std::shared_ptr<EngineMailbox> mailbox, QueriesPtr queries, QString who = {});
    ~LocalClient() override;

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

private:
    struct Ear; // the listener and the object that receives its snapshots
    template<typename Request>
    [[nodiscard]] Request signedBy(Request request) const;

    std::shared_ptr<EngineMailbox> m_mailbox;
    QString m_who;
    std::shared_ptr<Ear> m_ear;
};

} // namespace engine
