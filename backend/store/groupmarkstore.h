#pragma once

#include "backend/core/ids.h"
#include "backend/core/result.h"
#include "backend/records/groupmark.h"

namespace store {

using core::Result;

// A group and what people say about it.
struct MarkedGroup
{
    core::ConnectionId connection;
    QString title;
    qint64 unresolved = 0;
    records::GroupMarks marks; // a mute that has ended is none
};

// Notes and mutes lie beside the groups, under the same ids: a group that is removed with its last message and made again
// has them as before. Each write bumps the change number, so that whoever lists groups reads them again.
class GroupMarkStore
{
public:
    GroupMarkStore() = default;
    GroupMarkStore(const GroupMarkStore &) = delete;
    GroupMarkStore &operator=(const GroupMarkStore &) = delete;
    virtual ~GroupMarkStore() = default;

    // NotFound for a group that was never there.
    [[nodiscard]] virtual Result<MarkedGroup> load(core::GroupId group, core::TimePoint now) = 0;
    // Of a group that was loaded in this transaction. Nothing: there is none any more.
    [[nodiscard]] virtual Result<> setNote(core::GroupId group, const std::optional<records::GroupNote> &note) = 0;
    [[nodiscard]] virtual Result<> setMute(core::GroupId group, const std::optional<records::GroupMute> &mute) = 0;
};

} // namespace store
