#include "models/session/consolesession.h"

#include "backend/api/requests/groupmarks.h"
#include "backend/api/requests/policies.h"
#include "backend/api/requests/queries.h"
#include "backend/core/limits.h"
#include "backend/records/address/connectionurl.h"
#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "models/session/decisiontext.h"
#include "models/session/longwork.h"
#include "models/session/snapshotdiff.h"

#include <QPointer>
#include <QSet>

#include <algorithm>

namespace models {

ConsoleSession::ConsoleSession(api::EngineClient &client, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_snapshot(std::make_shared<const api::Snapshot>())
{
    m_client.listen([self = QPointer(this)](api::SnapshotPtr snapshot) {
        if (self)
            self->take(std::move(snapshot));
    });
}

void ConsoleSession::take(api::SnapshotPtr snapshot)
{
    if (!snapshot)
        return;
    const bool first = !hasSnapshot();
    const SnapshotDiff diff = compare(*m_snapshot, *snapshot);
    m_snapshot = std::move(snapshot);
    if (first || diff.engine)
        Q_EMIT engineChanged();
    if (first || diff.connections)
        Q_EMIT connectionsChanged();
    if (first || diff.queues)
        Q_EMIT queuesChanged();
    if (first || diff.operations)
        Q_EMIT operationsChanged();
    if (first || diff.batches)
        Q_EMIT batchesChanged();
    if (first || diff.policies)
        Q_EMIT policiesChanged();
    if (first || diff.counters)
        Q_EMIT countersChanged();
    if (first || diff.messagesRevised)
        Q_EMIT messagesRevised();
    if (first || diff.operationsRevised)
        Q_EMIT operationsRevised();
    if (first || diff.eventsRevised)
        Q_EMIT eventsRevised();
    Q_EMIT snapshotTaken();
}

const api::ConnectionView *ConsoleSession::connection(core::ConnectionId id) const
{
    for (const api::ConnectionView &one : m_snapshot->connections) {
        if (one.connection.id == id)
            return &one;
    }
    return nullptr;
}

const api::OperationView *ConsoleSession::operation(core::OperationId id) const
{
    for (const api::OperationView &one : m_snapshot->operations) {
        if (one.operation.id == id)
            return &one;
    }
    return nullptr;
}

const api::PolicyView *ConsoleSession::policy(const QString &name) const
{
    for (const api::PolicyView &one : m_snapshot->policies) {
        if (one.name == name)
            return &one;
    }
    return nullptr;
}

bool ConsoleSession::isProduction(core::ConnectionId connection) const
{
    return std::any_of(m_snapshot->connections.cbegin(), m_snapshot->connections.cend(),
                       [connection](const api::ConnectionView &view) {
                           return (!connection.isValid() || view.connection.id == connection)
                                  && view.connection.environment == records::Environment::Production;
                       });
}

QString ConsoleSession::refusal(Verb verb, core::ConnectionId connection) const
{
    return models::refusal(*m_snapshot, verb, connection);
}

// ---- commands: each is sent to the engine and reports its result in a sentence ----

namespace {

constexpr qint64 undoAtMost = 50'000;
constexpr qsizetype queuesNamed = 5;

QString stayedText(api::Decision decision, qint64 count)
{
    const QString text =
        decision == api::Decision::Delete
            ? ConsoleSession::tr("%1 belong to an unfinished retry and were not deleted.", nullptr, int(count))
            : ConsoleSession::tr("%1 are still being retried and were not changed.", nullptr, int(count));
    return text.arg(formatNumber(count));
}

QString cancelledText()
{
    return ConsoleSession::tr("Then it was cancelled: the rest is unchanged.");
}

QString atBrokerText(qint64 count)
{
    return ConsoleSession::tr("Held by the broker, which delivers them later all the same: %1. A retry sends a second "
                              "copy of each.")
        .arg(formatNumber(count));
}

} // namespace

void ConsoleSession::reportError(const QString &what, const core::Error &error)
{
    Q_EMIT failed(tr("%1: %2").arg(what, visibleLine(error.message)));
}

bool ConsoleSession::archiveCanBeUndone(const ActionScope &scope)
{
    return scope.count <= undoAtMost;
}

bool ConsoleSession::archiveIsAsked(const ActionScope &scope) const
{
    return scope.count >= core::limits::confirmFromCount || isProduction(scope.connection);
}

void ConsoleSession::archive(const ActionScope &scope)
{
    using records::MessageStatus;
    if (!lists(scope, MessageStatus::Unresolved))
        return;
    api::MessageQuery query;
    query.filter = scope.filter;
    query.filter.status = MessageStatus::Unresolved;
    ask(this, api::MessageIdQuery{query}, [this, scope](const core::Result<api::MessageIds> &list) {
        if (!report(tr("Archiving failed"), list))
            return;
        api::DecideMessages command;
        command.filter.messages = scope.filter.messages;
        command.asOfChange = scope.asOfChange;
        if (command.filter.messages.isEmpty() || scope.asOfChange == 0) { // not seen one by one
            command.filter.messages = list->ids;
            command.asOfChange = list->change;
        }
        if (command.filter.messages.isEmpty())
            Q_EMIT archived(0, false, {});
        else
            archiveExactly(command, list->ids);
    });
}

void ConsoleSession::archiveExactly(const api::DecideMessages &command, const QList<core::MessageId> &ids)
{
    setUndo({});
    askToDecide(command, [this, ids](const core::Result<api::DecisionCounts> &counts) {
        if (!report(tr("Archiving failed"), counts))
            return;
        QString stayed;
        if (counts->browsedOnly > 0)
            stayed = tr("%1 were browsed only and not archived: %2.", nullptr, int(counts->browsedOnly))
                         .arg(formatNumber(counts->browsedOnly), visibleLine(counts->browsedOnlyReason));
        if (counts->conflicts > 0)
            stayed += (stayed.isEmpty() ? QString() : QStringLiteral(" ")) + visibleLine(counts->conflict);
        if (counts->isCancelled)
            stayed += (stayed.isEmpty() ? QString() : QStringLiteral(" ")) + cancelledText();
        if (counts->changed > 0)
            setUndo(ids, counts->change);
        Q_EMIT archived(counts->changed, canUndoArchive(), stayed);
        Q_EMIT ownChange();
    });
}

void ConsoleSession::setUndo(const QList<core::MessageId> &archived, qint64 change)
{
    m_archived = archived;
    m_archivedChange = change;
    Q_EMIT undoChanged();
}

void ConsoleSession::undoArchive()
{
    if (!canUndoArchive())
        return;
    api::DecideMessages command;
    command.filter.messages = m_archived;
    command.decision = api::Decision::Restore;
    command.asOfChange = m_archivedChange;
    setUndo({});
    decide(command);
}

// Messages that change after the question are not part of the decision.
void ConsoleSession::listForDecision(const ActionScope &scope, records::MessageStatus status, api::Decision decision)
{
    api::DecideMessages command;
    command.decision = decision;
    command.filter.connection = scope.connection;
    command.filter.status = status;
    api::MessageQuery query;
    query.filter = scope.filter;
    query.filter.status = status;
    if (!lists(scope, status)) {
        Q_EMIT succeeded(decisionText(command, 0).none);
        return;
    }
    if (decision == api::Decision::Archive && !archiveCanBeUndone(scope)) {
        command.filter = query.filter;
        Q_EMIT decisionListed(command, scope.count);
        return;
    }
    ask(this, api::MessageIdQuery{query}, [this, command](const core::Result<api::MessageIds> &list) {
        const DecisionText words = decisionText(command, 0);
        if (!report(words.failed, list))
            return;
        api::DecideMessages listed = command;
        listed.filter.messages = list->ids;
        listed.asOfChange = list->change;
        if (list->ids.isEmpty())
            Q_EMIT succeeded(words.none);
        else
            Q_EMIT decisionListed(listed, list->ids.size());
    });
}

void ConsoleSession::decide(const api::DecideMessages &command)
{
    if (command.decision == api::Decision::Archive && command.statusBefore() == records::MessageStatus::Unresolved) {
        archiveExactly(command, command.filter.messages); // with undo
        return;
    }
    askToDecide(command,
                [this, command](const core::Result<api::DecisionCounts> &counts) { tellDecided(command, counts); });
}

void ConsoleSession::askToDecide(api::DecideMessages command,
                                 std::function<void(const core::Result<api::DecisionCounts> &)> use)
{
    LongWork *work = beginWork(decisionUnderWay(command.decision));
    command.ticket = work->ticket();
    ask(work, std::move(command), [this, work, use = std::move(use)](const core::Result<api::DecisionCounts> &counts) {
        endWork(work);
        use(counts);
    });
}

LongWork *ConsoleSession::beginWork(const QString &doing)
{
    auto *work = new LongWork(*this, doing, this);
    connect(work, &LongWork::changed, this, &ConsoleSession::longWorkChanged);
    m_works.append(work);
    return work;
}

void ConsoleSession::endWork(LongWork *work)
{
    m_works.removeOne(work);
    work->deleteLater();
    Q_EMIT longWorkChanged();
}

LongWork *ConsoleSession::longWork() const
{
    const auto shown =
        std::find_if(m_works.cbegin(), m_works.cend(), [](const LongWork *work) { return work->isShown(); });
    return shown == m_works.cend() ? nullptr : *shown;
}

void ConsoleSession::tellDecided(const api::DecideMessages &command, const core::Result<api::DecisionCounts> &counts)
{
    const DecisionText words = decisionText(command, counts ? counts->changed : 0);
    if (!report(words.failed, counts))
        return;
    const QSet<core::MessageId> archived(m_archived.cbegin(), m_archived.cend());
    const bool undone = command.decision == api::Decision::Restore
                        && (command.filter.messages.isEmpty()
                            || std::any_of(command.filter.messages.cbegin(), command.filter.messages.cend(),
                                           [&archived](core::MessageId id) { return archived.contains(id); }));
    if (undone && counts->changed > 0)
        setUndo({}); // they are restored: what is left of the offer would be another set than it says
    QString sentence = counts->changed > 0 ? words.done : words.nothing;
    if (counts->underWay > 0)
        sentence += QLatin1Char(' ') + stayedText(command.decision, counts->underWay);
    if (counts->atBroker > 0)
        sentence += QLatin1Char(' ') + atBrokerText(counts->atBroker);
    if (counts->conflicts > 0)
        sentence += QLatin1Char(' ') + visibleLine(counts->conflict);
    if (counts->isCancelled)
        sentence += QLatin1Char(' ') + cancelledText();
    Q_EMIT succeeded(sentence);
    Q_EMIT ownChange();
}

void ConsoleSession::setRate(core::OperationId id, std::optional<qint64> perMinute)
{
    ask(this, api::SetRate{id, perMinute},
        [this](const core::Result<> &done) { report(tr("The rate was not changed"), done); });
}

void ConsoleSession::settle(core::OperationId id, const QList<qint64> &ordinals, qint64 concerned,
                            api::Settlement settlement)
{
    const bool again = settlement == api::Settlement::SendAgain;
    const api::SettleInDoubt command{id, ordinals, settlement};
    ask(this, command, [this, again, concerned](const core::Result<qint64> &settled) {
        if (!report(tr("The messages in doubt were not settled"), settled))
            return;
        const int count = int(*settled);
        QString sentence = again ? tr("%1 messages will be sent again.", nullptr, count)
                                 : tr("%1 messages now count as sent.", nullptr, count);
        sentence = sentence.arg(formatNumber(*settled));
        if (again && *settled < concerned)
            sentence +=
                QLatin1Char(' ')
                + tr("%1 will not: they are archived or no longer in doubt.", nullptr, int(concerned - *settled))
                      .arg(formatNumber(concerned - *settled));
        Q_EMIT succeeded(sentence);
    });
}

void ConsoleSession::pauseAll(bool pause)
{
    ask(this, api::PauseAll{pause}, [this, pause](const core::Result<api::PauseAllAnswer> &done) {
        if (report(pause ? tr("Pausing failed") : tr("Resuming failed"), done))
            Q_EMIT succeeded(pause ? tr("All retries and policies are paused.") : resumedText(*done));
    });
}

// A retry that stays paused waits for a person to read why.
QString ConsoleSession::resumedText(const api::PauseAllAnswer &answer)
{
    constexpr qsizetype mostNamed = 3;
    const int count = int(answer.changed.size());
    const int held = int(answer.held.size());
    QStringList parts;
    if (count > 0 || held == 0)
        parts.append(count == 0 ? tr("Retries continue.")
                                : tr("%1 retries continue.", nullptr, count).arg(formatNumber(count)));
    if (held > 0)
        parts.append(tr("%1 retries stay paused:", nullptr, held).arg(formatNumber(held)));
    for (const api::PauseAllAnswer::Held &one : answer.held.mid(0, mostNamed))
        parts.append(tr("retry %1: %2").arg(formatNumber(one.operation.value), visibleLine(one.why)));
    if (held > mostNamed)
        parts.append(QStringLiteral("\u2026"));
    return parts.join(QLatin1Char(' '));
}

void ConsoleSession::act(core::OperationId id, api::OperationAction action)
{
    ask(this, api::ChangeOperation{id, action}, [this, action](const core::Result<> &done) {
        // The snapshot may not have had it, so that it looks the same without it.
        if (report(tr("The operation was not changed"), done) && action == api::OperationAction::Dismiss)
            Q_EMIT operationsChanged();
    });
}

void ConsoleSession::refreshQueues()
{
    ask(this, api::RefreshQueues{},
        [this](const core::Result<> &done) { report(tr("The queues could not be read"), done); });
}

// Queues that refused are reported as a failure; the result of the other queues is reported beside it.
void ConsoleSession::tellRefused(const QList<records::QueueResult> &queues)
{
    QStringList reasons;
    for (const records::QueueResult &one : queues) {
        if (one.refused)
            reasons.append(tr("%1: %2").arg(visibleLine(one.queue), visibleLine(one.reason)));
    }
    if (reasons.isEmpty())
        return;
    const QString count = tr("%1 of %2 queues could not be read completely.")
                              .arg(formatNumber(reasons.size()), formatNumber(queues.size()));
    Q_EMIT failed(count + QLatin1Char(' ') + reasons.mid(0, queuesNamed).join(QLatin1Char(' ')));
}

// " (error 12, dead 3)": the result of each queue; empty when there is none.
QString ConsoleSession::eachOf(const QList<records::QueueResult> &queues)
{
    QStringList parts;
    for (const records::QueueResult &one : queues) {
        if (!one.refused)
            parts.append(tr("%1 %2").arg(visibleLine(one.queue), formatNumber(one.messages)));
    }
    if (parts.isEmpty())
        return {};
    if (parts.size() > queuesNamed)
        parts = parts.mid(0, queuesNamed) << tr("…");
    return tr(" (%1)").arg(parts.join(QStringLiteral(", ")));
}

void ConsoleSession::takeNow(core::ConnectionId connection, const QString &queue, std::optional<qint64> limit)
{
    LongWork *work = beginWork(takingFrom(connection, queue));
    m_takings.append({connection, queue, work});
    const api::TakeMessages request{connection, queue, limit, work->ticket()};
    ask(work, request, [this, work](const core::Result<records::IntakeCounts> &counts) {
        m_takings.removeIf([work](const Taking &one) { return one.work == work; });
        endWork(work);
        if (!report(tr("Taking messages failed"), counts))
            return;
        tellRefused(counts->queues);
        const QString stopped = tr("Stopped. What was not taken stays in its queue.") + QLatin1Char(' ');
        Q_EMIT succeeded(
            (counts->isCancelled ? stopped : QString())
            + tr("Took %1 messages: %2 new, %3 came back.", nullptr, int(counts->taken))
                  .arg(formatNumber(counts->taken), formatNumber(counts->fresh), formatNumber(counts->cameBack))
            + eachOf(counts->queues));
    });
}

// "Taking messages from error on shop": several may go on at once.
QString ConsoleSession::takingFrom(core::ConnectionId id, const QString &queue) const
{
    const api::ConnectionView *view = connection(id);
    const QString name = view != nullptr ? visibleLine(view->connection.name) : QString();
    return queue.isEmpty() ? tr("Taking messages from all error queues of %1").arg(name)
                           : tr("Taking messages from %1 on %2").arg(visibleLine(queue), name);
}

QList<ConsoleSession::Taking> ConsoleSession::takingsOf(core::ConnectionId connection, const QString &queue) const
{
    QList<Taking> found;
    for (const Taking &one : m_takings) {
        if (one.connection == connection && one.queue == queue)
            found.append(one);
    }
    return found;
}

bool ConsoleSession::isTaking(core::ConnectionId connection, const QString &queue) const
{
    return !takingsOf(connection, queue).isEmpty();
}

void ConsoleSession::stopTaking(core::ConnectionId connection, const QString &queue)
{
    const QList<Taking> found = takingsOf(connection, queue);
    for (const Taking &one : found)
        one.work->cancel();
}

void ConsoleSession::browse(core::ConnectionId connection, const QString &queue, bool acceptsDelivery)
{
    const api::BrowseMessages request{connection, queue, {}, acceptsDelivery};
    ask(this, request, [this](const core::Result<records::BrowseCounts> &counts) {
        if (!report(tr("Browsing failed"), counts))
            return;
        QString said = tr("Browsed %1 messages, %2 of them new. They stay in their queue.", nullptr, int(counts->seen))
                           .arg(formatNumber(counts->seen), formatNumber(counts->fresh));
        if (counts->gone > 0)
            said += QLatin1Char(' ')
                    + tr("%1 are no longer in the queue and were removed from the list.", nullptr, int(counts->gone))
                          .arg(formatNumber(counts->gone));
        if (counts->more)
            said += QLatin1Char(' ') + tr("The queue holds more messages, which browsing cannot reach.");
        tellRefused(counts->queues);
        Q_EMIT succeeded(said + eachOf(counts->queues));
    });
}

void ConsoleSession::subscribe(core::ConnectionId connection, const QString &queue, bool subscribe)
{
    const api::ChangeSubscription request{connection, queue, subscribe};
    ask(this, request, [this](const core::Result<> &done) { report(tr("The subscription was not changed"), done); });
}

void ConsoleSession::chooseErrorQueues(core::ConnectionId connection, const QStringList &take, const QStringList &leave,
                                       std::function<void()> then)
{
    const api::ChooseErrorQueues request{connection, take, leave};
    ask(this, request, [this, take, then = std::move(then)](const core::Result<> &done) {
        if (!report(tr("The error queues were not changed"), done))
            return;
        QStringList names;
        for (const QString &one : take)
            names.append(visibleLine(one));
        Q_EMIT succeeded(names.isEmpty() ? tr("Nothing is taken from these queues.")
                                         : tr("New error queues: %1.").arg(names.join(QStringLiteral(", "))));
        if (then)
            then();
    });
}

void ConsoleSession::takeInSteps(core::ConnectionId id, bool steps)
{
    const api::ConnectionView *view = connection(id);
    if (view == nullptr)
        return;
    api::SaveConnection request{{view->connection, {}}};
    request.draft.connection.url = records::withSteps(view->connection.url, steps);
    ask(this, request, [this, steps](const core::Result<core::ConnectionId> &done) {
        if (report(tr("The connection was not changed"), done))
            Q_EMIT succeeded(steps ? tr("Messages can be taken in small steps.")
                                   : tr("Nothing is taken in small steps any more."));
    });
}

void ConsoleSession::removeConnection(core::ConnectionId id)
{
    ask(this, api::RemoveConnection{id}, [this](const core::Result<> &done) {
        if (report(tr("The connection was not removed"), done))
            Q_EMIT succeeded(tr("Removed the connection."));
    });
}

void ConsoleSession::setGroupNote(core::GroupId group, const QString &text, const QString &shown)
{
    const bool removed = text.trimmed().isEmpty();
    ask(this, api::SetGroupNote{group, text, shown}, [this, removed](const core::Result<> &done) {
        if (report(removed ? tr("The note was not removed") : tr("The note was not saved"), done))
            Q_EMIT succeeded(removed ? tr("Removed the note.") : tr("Saved the note."));
    });
}

void ConsoleSession::muteGroups(const QList<core::GroupId> &groups, std::optional<core::TimePoint> until)
{
    const int count = int(groups.size());
    const bool muted = until.has_value();
    ask(this, api::MuteGroups{groups, until}, [this, count, muted](const core::Result<> &done) {
        if (report(muted ? tr("Muting failed") : tr("Unmuting failed"), done))
            Q_EMIT succeeded((muted ? tr("Muted %1 groups.", nullptr, count) : tr("Unmuted %1 groups.", nullptr, count))
                                 .arg(formatNumber(count)));
    });
}

void ConsoleSession::retryDirectly(const ActionScope &scope)
{
    api::RetryDraft draft;
    draft.filter = scope.filter;
    draft.asOfChange = scope.asOfChange;
    ask(this, api::PreviewRetry{draft}, [this, scope, draft](const core::Result<api::PlanPreview> &plan) {
        if (report(tr("The retry was not started"), plan))
            sendPlanned(scope, draft, *plan);
    });
}

void ConsoleSession::sendPlanned(const ActionScope &scope, const api::RetryDraft &draft, const api::PlanPreview &plan)
{
    const bool mayArriveTwice = std::any_of(plan.warnings.cbegin(), plan.warnings.cend(),
                                            [](const api::PlanWarning &one) { return one.isOfSecondCopies(); });
    const bool nothingToAsk =
        plan.refusal.isEmpty() && plan.frozenCount == 1 && plan.environment != records::Environment::Production
        && plan.leftOut[records::LeftOut::Looped] == 0 && plan.leftOut[records::LeftOut::PossibleDuplicate] == 0
        && plan.redirected == 0 && !mayArriveTwice;
    if (!nothingToAsk) {
        Q_EMIT planNeeded(scope, plan.refusal);
        return;
    }
    api::ConfirmRetry command;
    command.draft = draft;
    command.draft.asOfChange = plan.asOfChange;
    command.standingShown = plan.standing;
    command.draft.plan.onUnknown = plan.onUnknownDefault;
    command.expectedCount = plan.frozenCount;
    ask(this, command, [this](const core::Result<core::OperationId> &id) {
        if (!report(tr("The retry was not started"), id))
            return;
        Q_EMIT retryStarted(*id);
        Q_EMIT succeeded(tr("Retry %1 started.").arg(id->value));
    });
}

// ---- commands about recovery policies ----

void ConsoleSession::pausePolicy(const QString &name, bool pause)
{
    const QString shown = visibleLine(name);
    const api::PausePolicy command{name, pause};
    ask(this, command, [this, shown, pause](const core::Result<> &done) {
        if (report(pause ? tr("The policy was not paused") : tr("The policy was not resumed"), done))
            Q_EMIT succeeded(pause ? tr("Paused the policy %1. Retries that it has started continue.").arg(shown)
                                   : tr("Resumed the policy %1.").arg(shown));
    });
}

void ConsoleSession::removePolicy(const QString &name)
{
    const QString shown = visibleLine(name);
    const api::RemovePolicy command{name};
    ask(this, command, [this, shown](const core::Result<> &done) {
        if (report(tr("The policy was not removed"), done))
            Q_EMIT succeeded(tr("Removed the policy %1. Its messages stay unresolved.").arg(shown));
    });
}

void ConsoleSession::unassignPolicy(core::AssignmentId assignment)
{
    const api::UnassignPolicy command{assignment};
    ask(this, command, [this](const core::Result<> &done) {
        if (report(tr("The policy was not unassigned"), done))
            Q_EMIT succeeded(tr("Unassigned the policy. Its messages stay unresolved."));
    });
}

void ConsoleSession::excludeFromPolicy(const QList<core::MessageId> &messages, bool exclude)
{
    const api::ExcludeFromPolicy command{messages, exclude};
    ask(this, command, [this, exclude](const core::Result<qint64> &changed) {
        if (!report(exclude ? tr("Taking out of the policy failed") : tr("Returning to the policy failed"), changed))
            return;
        const int count = int(*changed);
        const QString sentence =
            *changed == 0 ? tr("Nothing was changed: no policy holds these messages.")
            : exclude     ? tr("Took %1 messages out of their policy. Only a person retries them now.", nullptr, count)
                          : tr("Returned %1 messages to their policy.", nullptr, count);
        Q_EMIT succeeded(*changed == 0 ? sentence : sentence.arg(formatNumber(*changed)));
        Q_EMIT ownChange();
    });
}

} // namespace models

#include "moc_consolesession.cpp"
