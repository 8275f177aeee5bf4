#pragma once

#include "backend/api/groupmarks.h"
#include "backend/engine/connectionservice.h"
#include "backend/store/groupmarkstore.h"

namespace engine {

// The notes and mutes of failure groups. A note needs the right "see", because it only adds something to read; a mute
// needs the right "archive", because it hides the group from everybody's attention. Each command is one transaction and
// has entries in the activity log. Errors: see api/client.h. Engine thread.
class GroupService final
{
public:
    GroupService(ConnectionContext surroundings, ConnectionService &connections);

    [[nodiscard]] core::Result<> setNote(const api::GroupNoteCommand &command);
    // Mutes or unmutes all groups, or none.
    [[nodiscard]] core::Result<> mute(const api::GroupMuteCommand &command);

private:
    [[nodiscard]] core::Result<store::MarkedGroup> load(store::Session &session, core::GroupId group,
                                                        records::Right right) const;
    [[nodiscard]] core::Result<> write(store::Session &session, const api::GroupNoteCommand &command, bool *removed,
                                       QString *onWhat) const;
    [[nodiscard]] core::Result<> write(store::Session &session, const api::GroupMuteCommand &command,
                                       QStringList *onWhat) const;
    [[nodiscard]] QString nameOf(const store::MarkedGroup &group) const;

    ConnectionContext m_around;
    ConnectionService &m_connections;
};

} // namespace engine
