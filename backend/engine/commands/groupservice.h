#pragma once

#include "backend/api/requests/groupmarks.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/engine/dispatch/commandcall.h"
#include "backend/store/messages/groupmarkstore.h"

namespace engine {

class CommandTable;

// The notes and mutes of failure groups. A note needs the right "see", because it only adds something to read; a mute
// needs the right "archive", because it hides the group from everybody's attention. Each command is one transaction.
// Engine thread.
class GroupService final
{
public:
    GroupService(ConnectionContext context, ConnectionService &connections);

    static void addHandlers(CommandTable &table);

private:
    [[nodiscard]] core::Result<> setNote(const api::SetGroupNote &command, CommandCall &call);
    // Mutes or unmutes all groups, or none.
    [[nodiscard]] core::Result<> mute(const api::MuteGroups &command, CommandCall &call);
    // Answers the name of the group.
    [[nodiscard]] core::Result<QString> write(store::Session &session, const api::SetGroupNote &command,
                                              CommandCall &call) const;
    [[nodiscard]] core::Result<> write(store::Session &session, const api::MuteGroups &command,
                                       CommandCall &call) const;
    [[nodiscard]] QString nameOf(const store::MarkedGroup &group) const;

    ConnectionContext m_context;
    ConnectionService &m_connections;
};

} // namespace engine
