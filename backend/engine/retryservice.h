#pragma once

#include "backend/api/commands.h"
#include "backend/api/edits.h"
#include "backend/core/timers.h"
#include "backend/engine/connectionservice.h"
#include "backend/engine/planrules.h"
#include "backend/engine/selectionresolver.h"
#include "backend/retry/selectionfreezer.h"

namespace engine {

// Previews, retries and releases, and what people do to operations: pause, resume, cancel, change the rate, settle
// messages in doubt. Checks the rights, the confirmation and the expected count. Errors: see api/client.h. Engine
// thread. Its coroutines run in the engine's command scope, which ends before this object.
class RetryService final
{
public:
    RetryService(ConnectionContext surroundings, ConnectionService &connections);

    // Writes nothing.
    [[nodiscard]] core::Task<core::Result<api::PlanPreview>> preview(api::RetryRequest request);
    // How one message would be sent with an edit. Writes nothing.
    [[nodiscard]] core::Task<core::Result<api::EditSample>> editSample(api::EditQuestion question);
    // Finishes when the set is frozen.
    [[nodiscard]] core::Task<core::Result<core::OperationId>> retry(api::RetryCommand command);

    // Pausing, cancelling and dismissing need no right.
    [[nodiscard]] core::Result<> act(core::OperationId id, api::OperationAction action, const QString &who);
    // Conflict: the operation has ended.
    [[nodiscard]] core::Result<> setRate(const api::RateCommand &command);
    // Pauses everything, new operations included, over restarts and until it is resumed. Resuming continues only what
    // this paused and only on connections with the right to retry. Refused: no connection has that right.
    [[nodiscard]] core::Result<api::PauseAllAnswer> pauseAll(bool pause, const QString &who);
    // Call at start, before any connection opens: if all is paused, pauses operations that a crash left running.
    [[nodiscard]] core::Result<> recover();
    [[nodiscard]] bool isAllPaused() const { return m_allPaused; }
    [[nodiscard]] core::Result<qint64> settle(const api::SettleCommand &command);

    void cancelAll();

private:
    struct Scope // a resolved request
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
    SelectionResolver m_selectionResolver;
    retry::SelectionFreezer m_freezer;
    bool m_allPaused = false;
};

} // namespace engine
