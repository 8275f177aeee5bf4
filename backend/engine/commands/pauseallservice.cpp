#include "backend/engine/commands/pauseallservice.h"

#include "backend/api/rights.h"
#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/text.h"
#include "backend/retry/statechange.h"
#include "backend/store/connectionstore.h"
#include "backend/store/retry/retryoperationstore.h"

#include <algorithm>

namespace engine {

using records::PausedBy;

namespace {

// Why "Resume all" leaves this operation paused.
QString whyHeld(const records::RetryOperation &operation)
{
    switch (operation.pausedBy) {
    case PausedBy::StopRule:
        return operation.stoppedBecause;
    case PausedBy::StoreCopy:
        return Text::tr("This store is a copy. The original may be sending these messages.");
    case PausedBy::Person:
    case PausedBy::Nobody:
    case PausedBy::PauseAll:
        break;
    }
    return operation.pausedWho.isEmpty() ? Text::tr("A person paused it.")
                                         : Text::tr("%1 paused it.").arg(operation.pausedWho);
}

QString operationsText(qsizetype count)
{
    return count == 1 ? Text::tr("1 operation") : Text::tr("%1 operations").arg(count);
}

QString heldText(const QList<api::PauseAllAnswer::Held> &held)
{
    QStringList parts;
    for (const api::PauseAllAnswer::Held &one : held)
        parts.append(Text::tr("Operation %1 stays paused: %2").arg(QString::number(one.operation.value), one.why));
    return parts.join(QLatin1Char(' '));
}

} // namespace

PauseAllService::PauseAllService(ConnectionContext context, ConnectionService &connections)
    : m_context(std::move(context))
    , m_connections(connections)
{
}

void PauseAllService::addHandlers(CommandTable &table)
{
    table.on(&Engine::pausing, &PauseAllService::pauseAll);
}

core::Result<> PauseAllService::recover()
{
    return m_context.dependencies.store.transact([this](store::Session &session) -> core::Result<> {
        TRY(m_allPaused, session.retryOperations().allPaused());
        if (!m_allPaused)
            return {};
        return pauseLive(session, {}).map([](const api::PauseAllAnswer &) {});
    });
}

core::Result<api::PauseAllAnswer> PauseAllService::pauseLive(store::Session &session, const QString &who)
{
    TRY(const QList<records::RetryOperation> live, session.retryOperations().unfinished({}));
    api::PauseAllAnswer answer;
    for (const records::RetryOperation &operation : live) {
        if (!records::mayGoOn(operation.state))
            continue;
        TRY(retry::changeState(session, operation.id, retry::StateChange::PauseAll, m_context.dependencies.clock.now(),
                               who));
        answer.changed.append(operation.id);
    }
    return answer;
}

core::Result<api::PauseAllAnswer> PauseAllService::resumePaused(store::Session &session, const QString &who)
{
    TRY(const QList<records::Connection> connections, session.connections().all());
    TRY(const QList<records::RetryOperation> live, session.retryOperations().unfinished({}));
    api::PauseAllAnswer answer;
    for (const records::RetryOperation &operation : live) {
        if (operation.state != records::OperationState::Paused)
            continue;
        const auto connection = std::find_if(connections.begin(), connections.end(),
                                             [&](const auto &one) { return one.id == operation.connection; });
        const core::Result<> right =
            connection == connections.end() ? core::Result<>() : api::checkRights(*connection, records::Right::Retry);
        if (operation.pausedBy != PausedBy::PauseAll || !right) {
            const QString why = operation.pausedBy != PausedBy::PauseAll ? whyHeld(operation) : right.error().message;
            answer.held.append({operation.id, operation.pausedBy, why});
            continue;
        }
        TRY(retry::changeState(session, operation.id, retry::StateChange::ResumeAll, m_context.dependencies.clock.now(),
                               who));
        answer.changed.append(operation.id);
    }
    return answer;
}

core::Result<api::PauseAllAnswer> PauseAllService::pauseAll(const api::PauseAll &command, CommandCall &call)
{
    TRY(const api::PauseAllAnswer answer,
        m_context.dependencies.store.transact<api::PauseAllAnswer>(
            [&](store::Session &session) -> core::Result<api::PauseAllAnswer> {
                TRY(api::PauseAllAnswer changed,
                    command.pause ? pauseLive(session, call.who()) : resumePaused(session, call.who()));
                TRY(session.retryOperations().setAllPaused(command.pause));
                return changed;
            }));
    call.log(operationsText(answer.changed.size()), heldText(answer.held));
    m_allPaused = command.pause;
    for (const core::OperationId id : answer.changed) {
        if (const std::shared_ptr<ConnectionRuntime> runtime = runtimeOf(id))
            runtime->processor().stateChanged(id);
    }
    m_context.changed();
    return answer;
}

// Null: its connection is gone, or the store cannot be read.
std::shared_ptr<ConnectionRuntime> PauseAllService::runtimeOf(core::OperationId id)
{
    const core::Result<records::RetryOperation> operation = m_context.dependencies.store.read<records::RetryOperation>(
        [id](store::Session &session) { return session.retryOperations().load(id); });
    if (!operation)
        return nullptr;
    return m_connections.find(operation->connection).value_or(nullptr);
}

} // namespace engine
