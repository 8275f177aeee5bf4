// Commands for the notes and mutes of failure groups.
#pragma once

#include "backend/core/ids.h"
#include "backend/records/groupmark.h"

#include <QList>

namespace api {

struct GroupNoteCommand
{
    core::GroupId group;
    QString text; // empty: removes the note
    std::optional<QString> shown; // the note when the person began to write; a different one now is a Conflict
    QString who;
};

struct GroupMuteCommand
{
    QList<core::GroupId> groups;
    std::optional<core::TimePoint> until; // nothing: unmute
    QString who;
};

} // namespace api
