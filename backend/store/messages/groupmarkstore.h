#pragma once

#include "backend/core/ids.h"
#include "backend/core/result.h"
#include "backend/records/messages/groupmark.h"

#include <QVariantList>

namespace store {

using core::Result;

class Database;
class TransactionCounters;

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
class GroupMarkStore final
{
public:
    GroupMarkStore(Database &database, TransactionCounters &counters);
    GroupMarkStore(const GroupMarkStore &) = delete;
    GroupMarkStore &operator=(const GroupMarkStore &) = delete;

    // NotFound: there is no such group now. `now` decides which mutes have expired.
    [[nodiscard]] Result<MarkedGroup> load(core::GroupId group, core::TimePoint now);
    // Sets the note of a group that the caller has loaded in this transaction; nothing removes it.
    [[nodiscard]] Result<> setNote(core::GroupId group, const std::optional<records::GroupNote> &note);
    // Likewise for the mute.
    [[nodiscard]] Result<> setMute(core::GroupId group, const std::optional<records::GroupMute> &mute);

private:
    [[nodiscard]] Result<> write(core::GroupId group, const QString &assignments, const QVariantList &values);

    Database &m_database;
    TransactionCounters &m_counters;
};

} // namespace store
