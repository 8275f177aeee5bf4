// The fields of commands for failure groups, each listed once (cborcodec.h). Add new fields at the end of a list.
#pragma once

#include "backend/api/groupmarks.h"
#include "backend/control/recordfields.h"

namespace control {

template<typename Archive, Is<api::GroupNoteCommand> T>
void fields(Archive &archive, T &value)
{
    archive.field("group", value.group);
    archive.field("text", value.text);
    archive.field("shown", value.shown);
    archive.field("who", value.who);
}

template<typename Archive, Is<api::GroupMuteCommand> T>
void fields(Archive &archive, T &value)
{
    archive.field("groups", value.groups);
    archive.field("until", value.until);
    archive.field("who", value.who);
}

} // namespace control
