#pragma once

#include "backend/api/requests/decisions.h"
#include "backend/core/time/slicesize.h"
#include "backend/core/time/timers.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/dispatch/commandcall.h"
#include "backend/engine/dispatch/lastchange.h"
#include "backend/engine/planning/selectionresolver.h"

#include <functional>

namespace engine {

class CommandTable;

// What people decide about stored messages, without sending any: archive, restore, take back, resolve and delete, also
// for messages of unknown state after a backup was restored. Engine thread. Its coroutines run in
// the engine's command scope, which ends before this object.
class MessageService final
{
public:
    MessageService(ConnectionContext context, ConnectionService &connections);

    static void addHandlers(CommandTable &table);

    void cancelAll();

private:
    // One decision while it is carried out.
    struct Work
    {
        const api::DecideMessages &command;
        QString who;
        records::MessageFilter filter; // with the status before
        core::LongWorkPtr progress; // never null
        api::DecisionCounts counts{};
        QList<core::MessageId> conflicting{};
    };
    // Some of its messages, as they must be for the next attempt.
    struct Listed
    {
        QList<core::MessageId> open;
        qint64 seen = 0; // not written to since this change number
    };

    // Works in slices of one transaction each: after a crash or a cancel the same command does the rest. Rejected: the
    // decision does not fit the status, or its change number is newer than the store. Refused: every message is browsed
    // only. Conflict: all that could be changed were changed by others since the person saw them.
    [[nodiscard]] core::Task<core::Result<api::DecisionCounts>> decide(api::DecideMessages command, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<>> decideEach(Work *work);
    [[nodiscard]] core::Task<core::Result<>> decideAll(Work *work);
    // Those that the filter names, as the person saw them.
    [[nodiscard]] core::Task<core::Result<>> decideListed(Work *work);
    // True: there is no next slice, because somebody cancelled.
    [[nodiscard]] static bool isCancelled(Work *work);
    [[nodiscard]] core::Result<> transact(Work *work, const std::function<core::Result<>(store::Session &)> &slice);
    // For the activity log.
    [[nodiscard]] static QString resultOf(const api::DecisionCounts &counts);
    // What was written to since stays open, with its newer version.
    [[nodiscard]] core::Result<> attempt(Work *work, Listed *listed);
    [[nodiscard]] core::Result<> change(store::Session &session, Work *work, const QList<core::MessageId> &messages);
    [[nodiscard]] core::Result<qint64> newestChange();
    [[nodiscard]] core::Result<int> changeStatus(store::Session &session, const Work &work,
                                                 const QList<core::MessageId> &messages);
    // Fills in what the person is told about messages that were not changed. Refused, Conflict: none was.
    [[nodiscard]] core::Task<core::Result<>> explainRest(Work *work);
    // Why browsed-only messages cannot be changed.
    [[nodiscard]] core::Result<QString> whyBrowsedOnly(const records::MessageFilter &filter);

    ConnectionContext m_context;
    ConnectionService &m_connections;
    core::Timers m_timers;
    core::SliceSize m_size;
    SelectionResolver m_selectionResolver;
    LastChange m_lastChange;
};

} // namespace engine
