// "Pause all" and "Resume all", each in one transaction.
#include "backend/api/requests/retries.h"
#include "backend/api/rights.h"
#include "backend/engine/commands/retryservice.h"
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

// After "Pause all" and a crash: pauses operations that were not paused yet.
core::Result<> RetryService::recover()
{
    return m_around.dependencies.store.transact([this](store::Session &session) -> core::Result<> {
        TRY(m_allPaused, session.retryOperations().allPaused());
        if (!m_allPaused)
            return {};
        return pauseLive(session, {}).map([](const api::PauseAllAnswer &) {});
    });
}

core::Result<api::PauseAllAnswer> RetryService::pauseLive(store::Session &session, const QString &who)
{
    TRY(const QList<records::RetryOperation> live, session.retryOperations().unfinished({}));
    api::PauseAllAnswer answer;
    for (const records::RetryOperation &operation : live) {
        if (!records::mayGoOn(operation.state))
            continue;
        TRY(retry::changeState(session, operation.id, retry::StateChange::PauseAll, m_around.dependencies.clock.now(),
                               who));
        answer.changed.append(operation.id);
    }
    return answer;
}

core::Result<api::PauseAllAnswer> RetryService::resumePaused(store::Session &session, const QString &who)
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
        TRY(retry::changeState(session, operation.id, retry::StateChange::ResumeAll, m_around.dependencies.clock.now(),
                               who));
        answer.changed.append(operation.id);
    }
    return answer;
}

core::Result<api::PauseAllAnswer> RetryService::pauseAll(const api::PauseAll &command, CommandCall &call)
{
    TRY(const api::PauseAllAnswer answer,
        m_around.dependencies.store.transact<api::PauseAllAnswer>(
            [&](store::Session &session) -> core::Result<api::PauseAllAnswer> {
                TRY(api::PauseAllAnswer changed,
                    command.pause ? pauseLive(session, call.who()) : resumePaused(session, call.who()));
                TRY(session.retryOperations().setAllPaused(command.pause));
                return changed;
            }));
    call.log(operationsText(answer.changed.size()), heldText(answer.held));
    m_allPaused = command.pause;
    for (const core::OperationId id : answer.changed) {
        records::RetryOperation operation;
        const core::Result<std::shared_ptr<ConnectionRuntime>> runtime = runtimeOf(id, &operation);
        if (runtime)
            (*runtime)->processor().stateChanged(id);
    }
    m_around.changed();
    return answer;
}

} // namespace engine
