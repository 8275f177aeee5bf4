// The one object of the window that faces the engine: holds the last snapshot, says which part of it changed, sends
// commands and tells how they ended. GUI thread.
#pragma once

#include "models/common/actionscope.h"
#include "models/session/permissions.h"
#include "models/session/whendone.h"

#include <QObject>

namespace models {

class ConsoleSession final : public QObject
{
    Q_OBJECT

public:
    // `who` goes into the audit trail with every command. The client must outlive the session and is listened to by it
    // alone.
    ConsoleSession(api::EngineClient &client, QString who, QObject *parent = nullptr);

    // Never null; empty (EngineState::Starting) before the first one arrives.
    [[nodiscard]] const api::Snapshot &snapshot() const { return *m_snapshot; }
    [[nodiscard]] bool hasSnapshot() const { return m_snapshot->sequence != 0; }
    [[nodiscard]] const QString &who() const { return m_who; }
    // For questions; commands go through the functions below. Continue with whenDone.
    [[nodiscard]] api::EngineClient &client() { return m_client; }

    [[nodiscard]] const api::ConnectionView *connection(core::ConnectionId id) const; // null when unknown
    [[nodiscard]] const api::OperationView *operation(core::OperationId id) const; // null when not in the snapshot
    [[nodiscard]] QString refusal(Verb verb, core::ConnectionId connection = {}) const;

    // What is of this connection may be of a Production environment; none: of any connection.
    [[nodiscard]] bool isProduction(core::ConnectionId connection) const;

    // ---- commands: the outcome comes as `succeeded` or `failed`, beside what the signal itself says ----
    // Undo names every message; beyond some 50,000 the list alone would be larger than what it undoes is worth.
    [[nodiscard]] static bool archiveCanBeUndone(const ActionScope &scope);
    // In Production, and from limits::confirmFromCount messages up anywhere, a person is asked first.
    [[nodiscard]] bool archiveIsAsked(const ActionScope &scope) const;
    // What is unresolved of it. Nothing where a list of another status is shown: an action acts on what is shown.
    void archive(const ActionScope &scope);
    void undoArchive(); // the last one, while canUndoArchive
    // Lists what is of this status in the scope, for a question; decide then acts on exactly these. Without a list, where
    // so many are archived that it cannot be undone.
    void listForDecision(const ActionScope &scope, records::MessageStatus status, api::Decision decision);
    void decide(const api::DecisionCommand &command); // in this person's name
    // shown: as it was when writing began. An empty text removes the note.
    void setGroupNote(core::GroupId group, const QString &text, const QString &shown);
    void muteGroups(const QList<core::GroupId> &groups, std::optional<core::TimePoint> until); // nothing: not any more
    [[nodiscard]] bool canUndoArchive() const { return !m_archived.isEmpty(); }
    void setRate(core::OperationId id, std::optional<qint64> perMinute); // nothing: no limit
    // ordinals: of the operation's messages in doubt; none: all. concerned: how many these are, for the sentence afterwards.
    void settle(core::OperationId id, const QList<qint64> &ordinals, qint64 concerned, api::Settlement settlement);
    void pauseAll(bool pause); // resuming says what stays paused, and why
    void act(core::OperationId id, api::OperationAction action);
    void refreshQueues();
    void takeNow(core::ConnectionId connection, const QString &queue, std::optional<qint64> limit); // no limit: all
    void browse(core::ConnectionId connection, const QString &queue); // without taking
    void subscribe(core::ConnectionId connection, const QString &queue, bool subscribe);
    void saveConnection(const api::ConnectionDraft &draft);
    void removeConnection(core::ConnectionId id);
    // One message outside Production needs no dialog: previews, and retries when the plan leaves nothing to ask.
    void retryDirectly(const ActionScope &scope);

Q_SIGNALS:
    void snapshotTaken(); // every one, after the finer signals
    void engineChanged();
    void connectionsChanged();
    void queuesChanged();
    void operationsChanged();
    void batchesChanged();
    void countersChanged();
    void messagesRevised(); // failed messages or groups changed: ask again
    void operationsRevised();
    void eventsRevised();

    void succeeded(const QString &sentence);
    void failed(const QString &sentence);
    // stayed: how many were left as they are, and why; empty: none.
    void archived(qint64 count, bool canUndo, const QString &stayed);
    void undoChanged(); // canUndoArchive
    void decisionListed(const api::DecisionCommand &command, qint64 count); // of at least one message; has their status
    void ownChange(); // a decision of this window was carried out: what it lists is to be read again
    void retryStarted(core::OperationId id);
    void planNeeded(const models::ActionScope &scope, const QString &why); // retryDirectly found something to ask

private:
    void take(api::SnapshotPtr snapshot);
    void archiveExactly(const records::MessageFilter &filter);
    void setUndo(const QList<core::MessageId> &archived);
    void tellDecided(const api::DecisionCommand &command, const core::Result<api::DecisionCounts> &counts);
    void sendPlanned(const ActionScope &scope, const api::RetryRequest &request, const api::PlanPreview &plan);
    // Reports a failure as "what: message"; true when it succeeded.
    template<typename T>
    bool report(const QString &what, const core::Result<T> &result);
    [[nodiscard]] static QString resumedText(const api::PauseAllAnswer &answer);
    void tellRefused(const QList<records::QueueResult> &queues);
    [[nodiscard]] static QString eachOf(const QList<records::QueueResult> &queues);

    api::EngineClient &m_client;
    QString m_who;
    api::SnapshotPtr m_snapshot;
    QList<core::MessageId> m_archived; // what undo would restore
};

} // namespace models
