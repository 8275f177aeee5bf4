#pragma once

#include "backend/core/ids.h"
#include "backend/core/result.h"
#include "backend/records/groupmark.h"

namespace store {

using core::Result;

// A failure group with its note and its mute.
struct MarkedGroup
{
    core::ConnectionId connection;
    QString title;
    qint64 unresolved = 0;
    records::GroupMarks marks; // an expired mute is left out
};

// Notes and mutes of failure groups. They are stored under the group's id and apart from the group: a group that is
// removed with its last message and appears again still has them. Every write increases the change number, so that
// lists of groups are read again. Each call is part of the caller's transaction (store.h). Engine thread.
class GroupMarkStore
{
public:
    GroupMarkStore() = default;
    GroupMarkStore(const GroupMarkStore &) = delete;
    GroupMarkStore &operator=(const GroupMarkStore &) = delete;
    virtual ~GroupMarkStore() = default;

    // NotFound: there is no such group now. `now` decides which mutes have expired.
    [[nodiscard]] virtual Result<MarkedGroup> load(core::GroupId group, core::TimePoint now) = 0;
    // Sets the note of a group that the caller has loaded in this transaction; nothing removes it.
    [[nodiscard]] virtual Result<> setNote(core::GroupId group, const std::optional<records::GroupNote> &note) = 0;
    // Likewise for the mute.
    [[nodiscard]] virtual Result<> setMute(core::GroupId group, const std::optional<records::GroupMute> &mute) = 0;
};

} // namespace store
