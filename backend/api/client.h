// The one face of the engine, for the console and the command line alike. Two implementations: in this process
// (backend/engine), and through the control socket of the process that holds the store (backend/control).
// Callable from the thread that made it. Futures always finish; continue with .then(context, ...). Nothing here blocks.
#pragma once

#include "backend/api/commands.h"
#include "backend/api/edits.h"
#include "backend/api/expiry.h"
#include "backend/api/groupmarks.h"
#include "backend/api/history.h"
#include "backend/api/queries.h"
#include "backend/api/settings.h"
#include "backend/api/snapshot.h"
#include "backend/core/result.h"
#include "backend/records/trail.h"

#include <QFuture>

#include <functional>

namespace api {

template<typename T = void>
using Answer = QFuture<core::Result<T>>;

class EngineClient
{
public:
    using Listener = std::function<void(SnapshotPtr)>;

    EngineClient() = default;
    EngineClient(const EngineClient &) = delete;
    EngineClient &operator=(const EngineClient &) = delete;
    virtual ~EngineClient() = default;

    // Every published snapshot, from now on, on this thread. One listener; the newest always wins.
    virtual void listen(Listener listener) = 0;

    // ---- commands: refused with a reason when rights are missing or this process only views ----
    virtual Answer<core::ConnectionId> saveConnection(const ConnectionDraft &draft) = 0;
    virtual Answer<> removeConnection(core::ConnectionId id) = 0;
    virtual Answer<ConnectionTest> testConnection(const ConnectionDraft &draft) = 0; // touches nothing
    virtual Answer<> refreshQueues() = 0; // asks the brokers now
    virtual Answer<records::IntakeCounts> intake(const IntakeRequest &request) = 0; // ends when taken
    virtual Answer<records::BrowseCounts> browse(const BrowseRequest &request) = 0; // takes nothing from any queue
    virtual Answer<> subscribe(const SubscribeRequest &request) = 0;
    virtual Answer<PlanPreview> preview(const RetryRequest &request) = 0;
    virtual Answer<EditSample> editSample(const EditQuestion &question) = 0;
    virtual Answer<core::OperationId> retry(const RetryCommand &command) = 0; // ends when the set is frozen
    virtual Answer<> act(core::OperationId id, OperationAction action) = 0;
    virtual Answer<> setRate(const RateCommand &command) = 0;
    virtual Answer<PauseAllAnswer> pauseAll(bool pause) = 0;
    virtual Answer<qint64> settle(const SettleCommand &command) = 0; // how many were settled
    virtual Answer<DecisionCounts> decide(const DecisionCommand &command) = 0;
    virtual Answer<RedirectAnswer> redirect(const RedirectCommand &command) = 0;
    virtual Answer<Settings> settings(const SettingsCommand &command) = 0; // what holds afterwards
    virtual Answer<> setGroupNote(const GroupNoteCommand &command) = 0;
    virtual Answer<> muteGroups(const GroupMuteCommand &command) = 0;

    // ---- queries ----
    virtual Answer<GroupPage> groups(const GroupQuery &query) = 0;
    virtual Answer<ExpiryPage> expiring(const ExpiryQuery &query) = 0; // the first to be lost first
    virtual Answer<MessagePage> messages(const MessageQuery &query) = 0;
    virtual Answer<MessageIds> messageIds(const MessageQuery &query) = 0; // limit and after are ignored
    // Of a query with a search and a status; the rest of its filter holds. Nothing for any other query.
    virtual Answer<OtherMatches> otherMatches(const MessageQuery &query) = 0;
    virtual Answer<QList<records::FailedMessage>> messageRows(const QList<core::MessageId> &ids) = 0; // in that order
    virtual Answer<MessageDetail> message(core::MessageId id) = 0;
    virtual Answer<QByteArray> body(core::MessageId id) = 0; // whole
    virtual Answer<OperationPage> operations(const OperationQuery &query) = 0;
    virtual Answer<OperationDetail> operation(core::OperationId id) = 0;
    virtual Answer<QList<MemberRow>> members(const MemberQuery &query) = 0;
    virtual Answer<QList<records::Event>> events(const EventQuery &query) = 0;
    virtual Answer<records::TrailCheck> checkTrail(const QByteArray &seal) = 0; // empty: no seal is looked for
    // A second in which nothing happened has none.
    virtual Answer<QList<RunSample>> series(const SeriesQuery &query) = 0;
    virtual Answer<QList<RunMark>> marks(core::OperationId id) = 0; // oldest first
};

} // namespace api
