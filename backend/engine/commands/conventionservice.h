#pragma once

#include "backend/api/requests/conventions.h"
#include "backend/core/time/timers.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/dispatch/commandcall.h"
#include "backend/engine/planning/selectionresolver.h"

#include <functional>

namespace engine {

class CommandTable;

// Carries out the requests of api/conventions.h. Engine thread. Its coroutines run in the engine's command scope, which
// ends before this object.
class ConventionService final
{
public:
    explicit ConventionService(ConnectionContext context);

    static void addHandlers(CommandTable &table);

    void cancelAll();

private:
    // A message of the store, with all that is needed to read it again.
    struct Stored
    {
        records::FailedMessage record;
        store::Original original;
        store::MessagePast past;
    };
    // What one slice of messages is processed with.
    struct Basis
    {
        records::Conventions conventions;
        QStringList counters; // of all policies
        QHash<core::ConnectionId, records::Connection> connections;
    };
    using Visit = std::function<core::Result<>(store::Session &session, const Basis &basis, const Stored &message)>;
    using Unread = std::function<void(core::MessageId message, const core::Error &error)>;
    enum class Access { Read, Write };

    [[nodiscard]] core::Result<QString> set(const api::SetConvention &command, CommandCall &call);
    [[nodiscard]] core::Result<> remove(const api::RemoveConvention &command, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<api::Reread>> apply(api::ApplyConventions command, CommandCall &call);
    [[nodiscard]] core::Task<core::Result<QList<api::ConventionTrial>>> tryOut(api::TryConvention request);
    [[nodiscard]] core::Task<core::Result<api::EmptyHeaders>> findEmpty(api::FindEmptyHeaders request);

    [[nodiscard]] core::Result<> checkRightsToSet(store::Session &session, const records::Convention &convention) const;
    [[nodiscard]] core::Result<> reread(store::Session &session, const Basis &basis, const Stored &message,
                                        api::Reread *counts) const;
    // Calls `visit` with each message of the filter until it says `*enough`. In slices, so that other work gets its turn.
    // Messages that cannot be read go to `unread` instead.
    // With Access::Write each slice is a transaction, in which messages that an operation sends are only counted in
    // `*underWay`.
    [[nodiscard]] core::Task<core::Result<>> each(records::MessageFilter filter, Access access, const Visit &visit,
                                                  const Unread &unread, qint64 *underWay, const bool *enough);
    [[nodiscard]] core::Result<> visitSlice(store::Session &session, const QList<core::MessageId> &ids, qsizetype *next,
                                            const Visit &visit, const Unread &unread, const bool *enough) const;
    [[nodiscard]] static core::Result<Basis> basis(store::Session &session);

    ConnectionContext m_context;
    core::Timers m_timers;
    SelectionResolver m_selectionResolver;
};

} // namespace engine
