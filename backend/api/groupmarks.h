// What is asked of the engine about notes and mutes of groups.
#pragma once

#include "backend/core/ids.h"
#include "backend/records/groupmark.h"

#include <QList>

namespace api {

struct GroupNoteCommand
{
    core::GroupId group;
    QString text; // empty: removes the note
    std::optional<QString> shown; // the note as it was when writing began; another one by now is refused
    QString who;
};

struct GroupMuteCommand
{
    QList<core::GroupId> groups;
    std::optional<core::TimePoint> until; // nothing: not muted any more
    QString who;
};

} // namespace api
