// The one interface of the engine, used by the window and the command line alike. There are two implementations:
// engine::LocalClient for the engine of this process, and control::RemoteClient, which sends commands through the
// control socket to the process that holds the store.
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

// Thread: the thread that created the client. No call blocks. Every future finishes with a value or an error; when the
// engine ends first, the error is Cancelled. Continue with api::whenDone (whendone.h).
// Rights are checked in the engine, whoever asks: a missing one is Refused, and the message names it. An id that is not
// in the store is NotFound. When the process that holds the store dies before it answers a command, the answer is
// Transient and the command may or may not be done.
// What a successful answer reports is committed to the store and survives a crash.
class EngineClient
{
public:
    using Listener = std::function<void(SnapshotPtr)>;

    EngineClient() = default;
    EngineClient(const EngineClient &) = delete;
    EngineClient &operator=(const EngineClient &) = delete;
    virtual ~EngineClient() = default;

    // Calls `listener` on the client's thread with each snapshot that is published from now on. There is one listener,
    // the last one given. A slow listener skips snapshots and gets the newest.
    virtual void listen(Listener listener) = 0;

    // ---- commands: carried out by the process that holds the store ----
    // Where a person waits for a broker (testConnection, refreshQueues, browse), the first call that stays unanswered
    // ends the wait with its error. refreshQueues and browse continue all the same; snapshots show the result.

    // Adds the connection, or changes it when its id is set, and connects. Rejected: invalid name or address. Conflict:
    // the name is taken, or too similar to another one for its secret. Refused: a new address while Redrive's own
    // queues on the broker are in use. A secret that cannot be stored is no error: see ConnectionView::secretNotKept.
    virtual Answer<core::ConnectionId> saveConnection(const ConnectionDraft &draft) = 0;
    // Removes the connection, its secret and all that the store knows about it. Conflict: open work is left; the
    // message says how many messages and what to do with them.
    virtual Answer<> removeConnection(core::ConnectionId id) = 0;
    // Logs in to the broker and reports what is possible there. Changes nothing, in the store or on the broker.
    virtual Answer<ConnectionTest> testConnection(const ConnectionDraft &draft) = 0;
    // Lists the queues of every connection now. One that fails does not stop the others; the answer is the first error.
    virtual Answer<> refreshQueues() = 0;
    // Takes failed messages into the store; finishes when all are taken. A message leaves the broker only after it is
    // stored. A crash keeps what was stored, and the next start continues from there. Several queues: a queue that
    // fails is reported in IntakeCounts::queues; the answer is an error only when every queue failed or the intake was
    // stopped. Conflict: a release or a move uses the queue.
    virtual Answer<records::IntakeCounts> intake(const IntakeRequest &request) = 0;
    // Stores copies of the messages as "browsed only"; the originals stay in their queues. Refused: the queue is
    // subscribed. Several queues: as for intake.
    virtual Answer<records::BrowseCounts> browse(const BrowseRequest &request) = 0;
    // Starts or stops taking every new message of error queues. Lasts over restarts. Stopping needs no right.
    // Refused: not an error queue. NotFound: it was not subscribed.
    virtual Answer<> subscribe(const SubscribeRequest &request) = 0;
    // Counts what a retry or release would send and leave out, and why. Writes nothing.
    virtual Answer<PlanPreview> preview(const RetryRequest &request) = 0;
    // Shows how one message would be sent, with and without an edit. Writes nothing.
    virtual Answer<EditSample> editSample(const EditQuestion &question) = 0;
    // Confirms a plan; finishes when its messages are frozen, before any is sent. Conflict: the count or the standing
    // redirects differ from those shown; nothing is kept. Rejected: an invalid plan. Refused: the confirmation is
    // missing, or the plan is not possible here. Transient: the broker does not answer. A crash before the answer
    // leaves no operation or a complete one; a complete one continues at the next start.
    virtual Answer<core::OperationId> retry(const RetryCommand &command) = 0;
    // Conflict: the state of the operation does not allow the action. Pausing and cancelling need no right.
    virtual Answer<> act(core::OperationId id, OperationAction action) = 0;
    // Applies from the next batch on. Rejected: less than 1 per minute or too many. Conflict: the operation has ended.
    virtual Answer<> setRate(const RateCommand &command) = 0;
    // Pauses all operations, and keeps new ones from starting until they are resumed, over restarts. Resuming affects
    // only what this command paused. Refused: resuming, where no connection allows "retry".
    virtual Answer<PauseAllAnswer> pauseAll(bool pause) = 0;
    // Decides messages in doubt; answers how many were settled.
    virtual Answer<qint64> settle(const SettleCommand &command) = 0;
    // Archives, restores, takes back, resolves or deletes stored messages, in transactions of limits::batchMembers:
    // after a crash the same command does the rest. Refused: every message is browsed only.
    virtual Answer<DecisionCounts> decide(const DecisionCommand &command) = 0;
    // Adds or removes a standing redirect. Rejected: an unsuitable queue. NotFound: no such queue or redirect.
    // Conflict: another standing redirect is in the way; the message names it.
    virtual Answer<RedirectAnswer> redirect(const RedirectCommand &command) = 0;
    // Changes what the command contains and answers the settings that now apply. Rejected: a time out of range.
    virtual Answer<Settings> settings(const SettingsCommand &command) = 0;
    // Conflict: the note is no longer the one in GroupNoteCommand::shown. NotFound: there is no note to remove.
    // Rejected: too long, or not plain text.
    virtual Answer<> setGroupNote(const GroupNoteCommand &command) = 0;
    // Mutes or unmutes all of the groups, or on an error none. Rejected: a time that has passed or is too far ahead.
    virtual Answer<> muteGroups(const GroupMuteCommand &command) = 0;

    // ---- queries: answered from the store by this process, read-only ----

    virtual Answer<GroupPage> groups(const GroupQuery &query) = 0;
    virtual Answer<ExpiryPage> expiring(const ExpiryQuery &query) = 0; // first to expire first
    virtual Answer<MessagePage> messages(const MessageQuery &query) = 0;
    virtual Answer<MessageIds> messageIds(const MessageQuery &query) = 0; // ignores limit and after
    // For a query with a search and a status: what the search finds in other statuses. Empty for any other query.
    virtual Answer<OtherMatches> otherMatches(const MessageQuery &query) = 0;
    virtual Answer<QList<records::FailedMessage>> messageRows(const QList<core::MessageId> &ids) = 0; // in that order
    virtual Answer<MessageDetail> message(core::MessageId id) = 0;
    virtual Answer<QByteArray> body(core::MessageId id) = 0; // the whole body
    virtual Answer<OperationPage> operations(const OperationQuery &query) = 0;
    virtual Answer<OperationDetail> operation(core::OperationId id) = 0;
    virtual Answer<QList<MemberRow>> members(const MemberQuery &query) = 0;
    virtual Answer<QList<records::Event>> events(const EventQuery &query) = 0;
    // Checks the activity log against its seals. `seal`: one noted earlier that must be found; empty: none.
    virtual Answer<records::TrailCheck> checkTrail(const QByteArray &seal) = 0;
    // Seconds in which nothing happened have no sample.
    virtual Answer<QList<RunSample>> series(const SeriesQuery &query) = 0;
    virtual Answer<QList<RunMark>> marks(core::OperationId id) = 0; // oldest first
};

} // namespace api
