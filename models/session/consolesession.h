// The link between the window and the engine: it holds the latest snapshot, signals which parts of it changed, sends
// commands and reports their results. It stores nothing: the undo of an archive is lost when the window closes. GUI
// thread.
#pragma once

#include "backend/api/requests/connections.h"
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/retries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/api/whendone.h"
#include "models/common/actionscope.h"
#include "models/session/permissions.h"

#include <QObject>

namespace models {

class LongWork;

class ConsoleSession final : public QObject
{
    Q_OBJECT

public:
    // The client must outlive the session, and only the session may listen to it.
    explicit ConsoleSession(api::EngineClient &client, QObject *parent = nullptr);

    // Never null; empty (EngineState::Starting) before the first one arrives.
    [[nodiscard]] const api::Snapshot &snapshot() const { return *m_snapshot; }
    [[nodiscard]] bool hasSnapshot() const { return m_snapshot->sequence != 0; }
    // Asks the engine. `use(answer)` is called once from the event loop, unless `context` is gone by then. What is asked
    // repeatedly, or must not be sent twice, is an EngineCall.
    template<api::Request R, typename Use>
    void ask(QObject *context, R request, Use use)
    {
        api::whenDone(context, m_client.ask(std::move(request)), std::move(use));
    }
    template<api::Request R>
    void send(R request) // a command whose answer nobody needs
    {
        static_cast<void>(m_client.ask(std::move(request)));
    }
    // Only for backend/report and backend/transfer, which work over a client of their own.
    [[nodiscard]] api::EngineClient &client() { return m_client; }

    [[nodiscard]] const api::ConnectionView *connection(core::ConnectionId id) const; // null when unknown
    [[nodiscard]] const api::OperationView *operation(core::OperationId id) const; // null when not in the snapshot
    [[nodiscard]] const api::PolicyView *policy(const QString &name) const; // null when there is none
    // Why this cannot be done now, as one sentence; empty: it can. See permissions.h.
    [[nodiscard]] QString refusal(Verb verb, core::ConnectionId connection = {}) const;

    // True when this connection is a Production environment; with an invalid id, when any connection is one.
    [[nodiscard]] bool isProduction(core::ConnectionId connection) const;

    // ---- commands: each reports its result with `succeeded` or `failed`, in addition to its own signals ----
    // Undo needs the id of every message: it is not offered for more than 50,000.
    [[nodiscard]] static bool archiveCanBeUndone(const ActionScope &scope);
    // True when a person must confirm first: in Production, and elsewhere from limits::confirmFromCount messages on.
    [[nodiscard]] bool archiveIsAsked(const ActionScope &scope) const;
    // Archives the unresolved messages of the scope. Does nothing when the list behind the scope shows another status.
    void archive(const ActionScope &scope);
    void undoArchive(); // restores the messages archived last, while canUndoArchive()
    // Finds the messages of the scope that have this status and signals decisionListed, so that decide() acts on
    // exactly these. An archive that is too large to undo is passed on as a filter, without ids.
    void listForDecision(const ActionScope &scope, records::MessageStatus status, api::Decision decision);
    void decide(const api::DecideMessages &command);
    // The first decision or intake of this window that takes longer than half a second; null: there is none.
    [[nodiscard]] LongWork *longWork() const;
    // `shown`: the note as it was when writing began. An empty text removes the note.
    void setGroupNote(core::GroupId group, const QString &text, const QString &shown);
    void muteGroups(const QList<core::GroupId> &groups, std::optional<core::TimePoint> until); // nothing: unmutes them
    [[nodiscard]] bool canUndoArchive() const { return !m_archived.isEmpty(); }
    void setRate(core::OperationId id, std::optional<qint64> perMinute); // nothing: no limit
    // `ordinals`: of the messages in doubt; empty: all of the operation. `concerned`: how many these are, for the
    // report.
    void settle(core::OperationId id, const QList<qint64> &ordinals, qint64 concerned, api::Settlement settlement);
    void pauseAll(bool pause); // policies, too; resuming reports which retries stay paused, and why
    void act(core::OperationId id, api::OperationAction action);
    void refreshQueues();
    void takeNow(core::ConnectionId connection, const QString &queue,
                 std::optional<qint64> limit); // no limit: all messages
    // Whether this window takes messages from this queue alone now; of an empty name: from all error queues at once.
    [[nodiscard]] bool isTaking(core::ConnectionId connection, const QString &queue) const;
    void stopTaking(core::ConnectionId connection, const QString &queue); // after the messages that are held
    // Reads messages without taking them. acceptsDelivery: a person has seen what the look costs.
    void browse(core::ConnectionId connection, const QString &queue, bool acceptsDelivery = false);
    void subscribe(core::ConnectionId connection, const QString &queue, bool subscribe);
    // `then` runs when the choice is made; null: nothing.
    void chooseErrorQueues(core::ConnectionId connection, const QStringList &take, const QStringList &leave,
                           std::function<void()> then = {});
    // Whether messages are taken in small steps where RabbitMQ's shovel cannot move them. A person has read what that
    // guarantees.
    void takeInSteps(core::ConnectionId connection, bool steps);
    void removeConnection(core::ConnectionId id);
    void pausePolicy(const QString &name, bool pause); // false: resume
    void removePolicy(const QString &name);
    void unassignPolicy(core::AssignmentId assignment);
    void excludeFromPolicy(const QList<core::MessageId> &messages, bool exclude); // false: return
    // For one message outside Production: previews the retry and starts it at once. Signals planNeeded when the plan
    // leaves something for a person to decide.
    void retryDirectly(const ActionScope &scope);

Q_SIGNALS:
    void snapshotTaken(); // for every snapshot, after the signals for its parts
    void engineChanged();
    void connectionsChanged();
    void queuesChanged();
    void operationsChanged(); // of the snapshot, or one that was dismissed
    void batchesChanged();
    void policiesChanged();
    void countersChanged();
    void messagesRevised(); // failed messages or groups changed: read them again
    void operationsRevised();
    void eventsRevised();

    void succeeded(const QString &sentence);
    void failed(const QString &sentence);
    // `stayed`: how many were not archived, and why; empty: none.
    void archived(qint64 count, bool canUndo, const QString &stayed);
    void undoChanged(); // canUndoArchive
    void longWorkChanged(); // longWork, or how far it is
    void decisionListed(const api::DecideMessages &command,
                        qint64 count); // count is at least 1; the filter has their status
    void ownChange(); // a decision of this window was carried out: read the lists again
    void retryStarted(core::OperationId id);
    void planNeeded(const models::ActionScope &scope,
                    const QString &why); // retryDirectly() needs a decision of a person

private:
    void take(api::SnapshotPtr snapshot);
    // `ids`: what an undo would restore.
    void archiveExactly(const api::DecideMessages &command, const QList<core::MessageId> &ids);
    void setUndo(const QList<core::MessageId> &archived, qint64 change = 0);
    LongWork *beginWork(const QString &doing); // longWork() shows it until endWork()
    void endWork(LongWork *work);
    // Asks for a decision, which longWork() shows while it goes on.
    void askToDecide(api::DecideMessages command, std::function<void(const core::Result<api::DecisionCounts> &)> use);
    void tellDecided(const api::DecideMessages &command, const core::Result<api::DecisionCounts> &counts);
    void sendPlanned(const ActionScope &scope, const api::RetryDraft &draft, const api::PlanPreview &plan);
    // Signals a failure as "what: message". True when the command succeeded.
    template<typename T>
    bool report(const QString &what, const core::Result<T> &result)
    {
        if (!result)
            reportError(what, result.error());
        return result.has_value();
    }
    void reportError(const QString &what, const core::Error &error);
    [[nodiscard]] static QString resumedText(const api::PauseAllAnswer &answer);
    void tellRefused(const QList<records::QueueResult> &queues);
    [[nodiscard]] static QString eachOf(const QList<records::QueueResult> &queues);

    api::EngineClient &m_client;
    api::SnapshotPtr m_snapshot;
    QList<core::MessageId> m_archived; // what undoArchive() would restore
    struct Taking
    {
        core::ConnectionId connection;
        QString queue; // empty: all
        LongWork *work;
    };
    [[nodiscard]] QString takingFrom(core::ConnectionId id, const QString &queue) const;
    [[nodiscard]] QList<Taking> takingsOf(core::ConnectionId connection, const QString &queue) const;
    QList<LongWork *> m_works; // under way, oldest first
    QList<Taking> m_takings; // that are among them
    qint64 m_archivedChange = 0; // the store's change number after that
};

} // namespace models
