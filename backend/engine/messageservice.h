#pragma once

#include "backend/api/commands.h"
#include "backend/core/timers.h"
#include "backend/engine/connectionservice.h"
#include "backend/engine/selectionresolver.h"

namespace engine {

// What people decide about stored messages, without sending any: archive, restore, take back, resolve and delete, also
// for messages of unknown state after a backup was restored. Checks the rights. Engine thread. Its coroutines run in
// the engine's command scope, which ends before this object.
class MessageService final
{
public:
    MessageService(ConnectionContext surroundings, ConnectionService &connections);

    // Works in slices of one transaction each: after a crash the same command does the rest. Rejected: the decision
    // does not fit the status. Refused: a missing right, or every message is browsed only.
    [[nodiscard]] core::Task<core::Result<api::DecisionCounts>> decide(api::DecisionCommand command);

    void cancelAll();

private:
    // The stored connections that the filter can reach. Their rights count even when they are not open.
    [[nodiscard]] core::Result<QList<records::Connection>> reached(const records::MessageFilter &filter) const;
    // The selection in words, for the activity log.
    [[nodiscard]] QString sentenceOf(const records::MessageFilter &filter,
                                     const QList<records::Connection> &connections) const;
    [[nodiscard]] core::Task<core::Result<>> decideAll(api::DecisionCommand command, records::MessageFilter filter,
                                                       api::DecisionCounts *counts);
    [[nodiscard]] core::Result<int> change(store::Session &session, const api::DecisionCommand &command,
                                           const QList<core::MessageId> &messages);
    // Why browsed-only messages cannot be changed.
    [[nodiscard]] core::Result<QString> whyBrowsedOnly(const records::MessageFilter &filter);

    ConnectionContext m_around;
    ConnectionService &m_connections;
    core::Timers m_timers;
    SelectionResolver m_selectionResolver;
};

} // namespace engine
