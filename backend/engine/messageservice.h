#pragma once

#include "backend/api/commands.h"
#include "backend/core/timers.h"
#include "backend/engine/connectionservice.h"
#include "backend/engine/selectionresolver.h"

namespace engine {

// What people decide about stored messages without sending any: archive, restore, take back, resolve, and with a filter of the
// unknown state what became of those that a restored backup does not know. Rights are checked
// here, whoever asks. Coroutines of this class run in the engine's command scope, which ends before the desk does.
class MessageService final
{
public:
    MessageService(ConnectionContext surroundings, ConnectionService &connections);

    // In slices of one transaction each: a crash leaves whole slices done, and the same command does the rest.
    [[nodiscard]] core::Task<core::Result<api::DecisionCounts>> decide(api::DecisionCommand command);

    void cancelAll();

private:
    // Those that the filter may reach, as the store has them: their rights count also while they are not at work.
    [[nodiscard]] core::Result<QList<records::Connection>> reached(const records::MessageFilter &filter) const;
    // The choice in words, for the audit trail.
    [[nodiscard]] QString sentenceOf(const records::MessageFilter &filter,
                                     const QList<records::Connection> &connections) const;
    [[nodiscard]] core::Task<core::Result<>> decideAll(api::DecisionCommand command, records::MessageFilter filter,
                                                       api::DecisionCounts *counts);
    [[nodiscard]] core::Result<int> change(store::Session &session, const api::DecisionCommand &command,
                                           const QList<core::MessageId> &messages);
    // Why what was only looked at cannot be touched.
    [[nodiscard]] core::Result<QString> whyBrowsedOnly(const records::MessageFilter &filter);

    ConnectionContext m_around;
    ConnectionService &m_connections;
    core::Timers m_timers;
    SelectionResolver m_chooser;
};

} // namespace engine
