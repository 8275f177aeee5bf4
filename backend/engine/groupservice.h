#pragma once

#include "backend/api/groupmarks.h"
#include "backend/engine/connectionservice.h"
#include "backend/store/groupmarkstore.h"

namespace engine {

// What people say about failure groups: a note, and that a group needs no attention until a time. A note needs the right to
// see, as it changes nothing for others but what they can read; a mute takes the group out of everybody's attention as
// archiving does, and needs that right.
class GroupService final
{
public:
    GroupService(ConnectionContext surroundings, ConnectionService &connections);

    [[nodiscard]] core::Result<> setNote(const api::GroupNoteCommand &command);
    // All of them or none.
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
