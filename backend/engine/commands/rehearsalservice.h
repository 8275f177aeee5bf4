#pragma once

#include "backend/core/time/timers.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/commands/rehearser.h"
#include "backend/engine/dispatch/commandcall.h"
#include "backend/engine/planning/selectionresolver.h"

#include <QObject>

namespace engine {

class CommandTable;

// The rehearsal that is under way.
struct RunningRehearsal
{
    QString ticket;
    qint64 copied = 0;
    std::shared_ptr<RehearsalControl> control = std::make_shared<RehearsalControl>();
    std::function<void(const core::Error &)> giveUp; // null: its copies are still being collected
};

// Carries out the requests of api/rehearsals.h: copies the messages, and leaves everything else to the Rehearser. It
// reads from the store and from what is known of the connection, and asks no broker. Engine thread. Its coroutines run
// in the engine's command scope, which ends before this object.
class RehearsalService final
{
public:
    RehearsalService(ConnectionContext context, ConnectionService &connections);

    static void addHandlers(CommandTable &table);

    // Ends the rehearsal that runs, and every later one, with Cancelled.
    void cancelAll();

private:
    struct Collected; // what was copied so far
    [[nodiscard]] core::Task<core::Result<api::RehearsalReport>> rehearse(api::Rehearse request, CommandCall &call);
    [[nodiscard]] core::Result<api::RehearsalProgress> progress(const api::AskRehearsal &request);

    [[nodiscard]] core::Task<core::Result<RehearsalJob>> prepare(api::Rehearse request);
    [[nodiscard]] core::Result<std::optional<recovery::Policy>> policyOf(const api::Rehearse &request);
    [[nodiscard]] core::Task<core::Result<>> collect(records::MessageFilter filter, int atMost, Collected *into);
    [[nodiscard]] static core::Result<> copy(store::Session &session, const QList<core::MessageId> &ids, int atMost,
                                             Collected *into);
    [[nodiscard]] core::Pending<core::Result<api::RehearsalReport>> run(RehearsalJob job);

    ConnectionContext m_context;
    ConnectionService &m_connections;
    core::Timers m_timers;
    SelectionResolver m_selectionResolver;
    std::optional<RunningRehearsal> m_running;
    QObject m_guard; // ends the continuations with this object
};

} // namespace engine
