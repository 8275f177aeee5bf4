#pragma once

#include "backend/api/decisions.h"
#include "backend/core/timers.h"
#include "backend/engine/commandcall.h"
#include "backend/engine/connectionservice.h"
#include "backend/engine/selectionresolver.h"

namespace engine {

class CommandTable;

// What people decide about stored messages, without sending any: archive, restore, take back, resolve and delete, also
// for messages of unknown state after a backup was restored. Engine thread. Its coroutines run in
// the engine's command scope, which ends before this object.
class MessageService final
{
public:
    MessageService(ConnectionContext surroundings, ConnectionService &connections);

    static void addHandlers(CommandTable &table);

    void cancelAll();

private:
    // Works in slices of one transaction each: after a crash the same command does the rest. Rejected: the decision
    // does not fit the status. Refused: every message is browsed only.
    [[nodiscard]] core::Task<core::Result<api::DecisionCounts>> decide(api::DecideMessages command, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<>> decideAll(api::DecideMessages command, QString who,
                                                       records::MessageFilter filter, api::DecisionCounts *counts);
    [[nodiscard]] core::Result<int> change(store::Session &session, const api::DecideMessages &command,
                                           const QString &who, const QList<core::MessageId> &messages);
    // Why browsed-only messages cannot be changed.
    [[nodiscard]] core::Result<QString> whyBrowsedOnly(const records::MessageFilter &filter);

    ConnectionContext m_around;
    ConnectionService &m_connections;
    core::Timers m_timers;
    SelectionResolver m_selectionResolver;
};

} // namespace engine
