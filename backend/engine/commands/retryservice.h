#pragma once

#include "backend/api/requests/edits.h"
#include "backend/api/requests/retries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/core/time/timers.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/dispatch/commandcall.h"
#include "backend/engine/dispatch/lastchange.h"
#include "backend/engine/planning/editrules.h"
#include "backend/engine/planning/planroutes.h"
#include "backend/engine/planning/planrules.h"
#include "backend/engine/planning/selectionresolver.h"
#include "backend/recovery/assignment.h"
#include "backend/retry/selectionfreezer.h"

namespace engine {

class CommandTable;

// Carries out the requests of api/retries.h and api/edits.h. Checks the confirmation and the expected count. Engine
// thread. Its coroutines run in the engine's command scope, which ends before this object.
class RetryService final
{
public:
    RetryService(ConnectionContext context, ConnectionService &connections);

    static void addHandlers(CommandTable &table);

    // What a recovery policy wants sent: messages of one connection.
    struct PolicyOrder
    {
        recovery::Assignment assignment;
        int version = 0; // of the policy; another one at the end is a Conflict
        core::ConnectionId connection;
        QList<core::MessageId> messages;
        records::OperationKind kind = records::OperationKind::Retry;
        records::Plan plan;
        bool isEnding = false; // the policy has given these messages up: nobody watches whether they come back
        // When the broker is to deliver the last of these copies; nothing: all of them at once
        std::optional<core::TimePoint> deliversUntil{};
    };
    struct LeftOutMessage
    {
        core::MessageId message;
        QString reason; // for people
        bool isForGood = false; // no later try can send it
    };
    struct MissingQueue
    {
        QString named; // the queue that the messages name
        QString queue; // that does not exist: the same, or where a redirect leads
        QString why{}; // it exists, but loses what is sent to it: for people; empty: it does not exist
    };
    struct PolicyRetry
    {
        core::OperationId operation; // none: nothing could be sent
        qint64 count = 0;
        QList<MissingQueue> missing; // all messages that name one of these are left out
        QList<LeftOutMessage> leftOut; // the others
        bool mustWait = false; // the broker cannot hold the copies back: nothing is issued before their time
    };
    // Freezes and starts a retry of a policy by the same rules as a person's. Its `who` is "policy NAME". Errors are those
    // of ConfirmRetry.
    [[nodiscard]] core::Task<core::Result<PolicyRetry>> issue(PolicyOrder order);
    // Whether the queue of some of these messages does not exist. Errors are those of PreviewRetry.
    [[nodiscard]] core::Task<core::Result<bool>> isQueueMissing(PolicyOrder order);

    void cancelAll();

private:
    [[nodiscard]] core::Task<core::Result<api::PlanPreview>> preview(api::PreviewRetry request, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<api::EditSample>> previewEdit(api::PreviewEdit request, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<core::OperationId>> confirm(api::ConfirmRetry command, CommandCall &call);
    [[nodiscard]] core::Result<> change(const api::ChangeOperation &command, CommandCall &call);
    [[nodiscard]] core::Result<> setRate(const api::SetRate &command);
    [[nodiscard]] core::Task<core::Result<qint64>> settle(api::SettleInDoubt command, CommandCall &call);
    // Conflict: others have settled all members that the command names. The message says who.
    [[nodiscard]] core::Task<core::Result<>> checkSettled(api::SettleInDoubt command, QString onWhat);

    struct Scope // a resolved request
    {
        std::shared_ptr<ConnectionRuntime> runtime;
        retry::FreezeOrder order;
    };
    [[nodiscard]] core::Result<Scope> resolve(const api::RetryDraft &draft, const Choice &choice);
    [[nodiscard]] core::Task<core::Result<Scope>> resolveKnown(api::RetryDraft draft);
    [[nodiscard]] core::Task<core::Result<api::EditSample>> findSample(records::Connection connection,
                                                                       retry::FreezeOrder order,
                                                                       api::PreviewEdit request);
    struct SlowSample // a moment was not enough to edit this message
    {
        core::MessageId message;
        store::Original original;
        OwnRules rules;
        ConfirmationRequest confirmation;
    };
    [[nodiscard]] records::EditLimit sampleLimit() const;
    // Edits it on the other thread.
    [[nodiscard]] core::Task<core::Result<api::EditSample>> sampleSlowly(records::Connection connection,
                                                                         SlowSample slow, api::PreviewEdit request,
                                                                         core::LongWorkPtr wanted);
    // Everything that a confirmed plan must fulfil before it is frozen.
    [[nodiscard]] core::Result<> checkConfirmed(const Scope &scope, const api::ConfirmRetry &command) const;
    // Refused: destinations drop messages of the set for certain, and the plan does not accept it.
    [[nodiscard]] core::Task<core::Result<>> checkSetOf(Scope scope);
    [[nodiscard]] static core::Result<> checkStandingShown(const Scope &scope, const api::ConfirmRetry &command);
    // For FreezeOrder::atEnd: makes redirects of the plan standing ones.
    [[nodiscard]] static std::function<core::Result<>(store::Session &, core::OperationId)> remembering(
        const records::Connection &connection, const api::ConfirmRetry &command);
    [[nodiscard]] core::Task<core::Result<retry::FrozenSet>> freeze(Scope scope);
    [[nodiscard]] core::Task<core::Result<QList<LeftOutMessage>>> whyLeftOut(retry::FreezeOrder order,
                                                                             QList<core::MessageId> messages,
                                                                             QList<MissingQueue> missing);
    [[nodiscard]] core::Result<std::shared_ptr<ConnectionRuntime>> runtimeOf(core::OperationId id,
                                                                             records::RetryOperation *operation);
    [[nodiscard]] core::Result<> dismiss(core::OperationId id);

    ConnectionContext m_context;
    ConnectionService &m_connections;
    core::Timers m_timers;
    SelectionResolver m_selectionResolver;
    LastChange m_lastChange;
    PlanRoutes m_routes;
    retry::SelectionFreezer m_freezer;
};

} // namespace engine
