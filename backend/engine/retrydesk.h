#pragma once

#include "backend/api/commands.h"
#include "backend/core/timers.h"
#include "backend/engine/connectiondesk.h"
#include "backend/engine/finder.h"
#include "backend/engine/planrules.h"
#include "backend/retry/freezer.h"
#include "backend/store/messagestore.h"

namespace engine {

// What people ask to be done with failed messages: preview, retry and release, the actions on operations, settling what is
// in doubt, archiving. Rights, confirmation and the expected count are checked here, whoever asks.
// Coroutines of this class run in the engine's command scope, which ends before the desk does.
class RetryDesk final
{
public:
    RetryDesk(Surroundings surroundings, ConnectionDesk &connections);

    // Writes nothing.
    [[nodiscard]] core::Task<core::Result<api::PlanPreview>> preview(api::RetryRequest request);
    // Ends when the set is frozen.
    [[nodiscard]] core::Task<core::Result<core::OperationId>> retry(api::RetryCommand command);

    // Pause and cancel are allowed to everyone, always.
    [[nodiscard]] core::Result<> act(core::OperationId id, api::OperationAction action, const QString &who);
    // In force over restarts, until it is taken back: nothing starts or goes on by itself.
    [[nodiscard]] core::Result<> pauseAll(bool pause, const QString &who);
    // At start, before any connection is at work.
    [[nodiscard]] core::Result<> recover();
    [[nodiscard]] bool isAllPaused() const { return m_allPaused; }
    [[nodiscard]] core::Result<qint64> settle(const api::SettleCommand &command);
    [[nodiscard]] core::Task<core::Result<api::ArchiveCounts>> archive(api::ArchiveCommand command);

    void cancelAll();

private:
    struct Scope // what a request comes down to
    {
        std::shared_ptr<ConnectionRuntime> runtime;
        retry::FreezeOrder order;
    };
    [[nodiscard]] core::Result<Scope> resolve(const api::RetryRequest &request, const Choice &choice);
    [[nodiscard]] core::Task<core::Result<Scope>> resolveKnown(api::RetryRequest request);
    [[nodiscard]] core::Task<core::Result<core::OperationId>> freeze(Scope scope);
    // What a set is worked through by. Before a search is asked, the text index has to have every message.
    [[nodiscard]] core::Task<core::Result<Choice>> chosenBy(records::MessageFilter filter);
    [[nodiscard]] core::Task<core::Result<>> untilSearchable(records::MessageFilter filter);
    [[nodiscard]] core::Result<store::TextProgress> textProgress();
    [[nodiscard]] core::Result<core::ConnectionId> connectionOf(store::Session &session,
                                                                const records::MessageFilter &filter);
    [[nodiscard]] core::Result<std::shared_ptr<ConnectionRuntime>> runtimeOf(core::OperationId id,
                                                                             records::RetryOperation *operation);
    // Why what was only looked at cannot be touched.
    [[nodiscard]] core::Result<QString> whyOnlyLookedAt(const records::MessageFilter &filter);
    [[nodiscard]] core::Result<> mayArchive(const records::MessageFilter &filter) const;
    [[nodiscard]] core::Result<> dismiss(core::OperationId id);
    [[nodiscard]] QString operationName(core::OperationId id) const;

    Surroundings m_around;
    ConnectionDesk &m_connections;
    core::Timers m_timers;
    Finder m_finder;
    retry::Freezer m_freezer;
    bool m_allPaused = false;
};

} // namespace engine
