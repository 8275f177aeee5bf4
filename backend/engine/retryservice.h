#pragma once

#include "backend/api/commands.h"
#include "backend/api/edits.h"
#include "backend/core/timers.h"
#include "backend/engine/connectionservice.h"
#include "backend/engine/planrules.h"
#include "backend/engine/selectionresolver.h"
#include "backend/retry/selectionfreezer.h"

namespace engine {

// What people ask to be sent: preview, retry and release, the actions on operations, their rate, settling what is in doubt.
// Rights, confirmation and the expected count are checked here, whoever asks.
// Coroutines of this class run in the engine's command scope, which ends before the desk does.
class RetryService final
{
public:
    RetryService(ConnectionContext surroundings, ConnectionService &connections);

    // Writes nothing.
    [[nodiscard]] core::Task<core::Result<api::PlanPreview>> preview(api::RetryRequest request);
    // How one message would go with an edit. Writes nothing.
    [[nodiscard]] core::Task<core::Result<api::EditSample>> editSample(api::EditQuestion question);
    // Ends when the set is frozen.
    [[nodiscard]] core::Task<core::Result<core::OperationId>> retry(api::RetryCommand command);

    // Pause and cancel are allowed to everyone, always.
    [[nodiscard]] core::Result<> act(core::OperationId id, api::OperationAction action, const QString &who);
    // For an operation that goes on. Nothing: no limit.
    [[nodiscard]] core::Result<> setRate(const api::RateCommand &command);
    // In force over restarts, until it is taken back: nothing starts or goes on by itself. Taken back, only what it paused goes
    // on, and of that only what this console may retry; Refused where it may retry nothing at all.
    [[nodiscard]] core::Result<api::PauseAllAnswer> pauseAll(bool pause, const QString &who);
    // At start, before any connection is at work.
    [[nodiscard]] core::Result<> recover();
    [[nodiscard]] bool isAllPaused() const { return m_allPaused; }
    [[nodiscard]] core::Result<qint64> settle(const api::SettleCommand &command);

    void cancelAll();

private:
    struct Scope // what a request comes down to
    {
        std::shared_ptr<ConnectionRuntime> runtime;
        retry::FreezeOrder order;
    };
    [[nodiscard]] core::Result<Scope> resolve(const api::RetryRequest &request, const Choice &choice);
    [[nodiscard]] core::Task<core::Result<Scope>> resolveKnown(api::RetryRequest request);
    [[nodiscard]] core::Task<core::Result<api::EditSample>> findSample(retry::FreezeOrder order,
                                                                       api::EditQuestion question);
    [[nodiscard]] static core::Result<> checkStandingShown(const Scope &scope, const api::RetryCommand &command);
    [[nodiscard]] core::Task<core::Result<retry::FrozenSet>> freeze(Scope scope);
    [[nodiscard]] core::Result<std::shared_ptr<ConnectionRuntime>> runtimeOf(core::OperationId id,
                                                                             records::RetryOperation *operation);
    [[nodiscard]] core::Result<> dismiss(core::OperationId id);
    [[nodiscard]] core::Result<api::PauseAllAnswer> pauseLive(store::Session &session, const QString &who);
    [[nodiscard]] core::Result<api::PauseAllAnswer> resumePaused(store::Session &session, const QString &who);
    [[nodiscard]] QString operationName(core::OperationId id) const;

    ConnectionContext m_around;
    ConnectionService &m_connections;
    core::Timers m_timers;
    SelectionResolver m_chooser;
    retry::SelectionFreezer m_freezer;
    bool m_allPaused = false;
};

} // namespace engine
