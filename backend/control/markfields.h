// The fields of what is asked about groups, each listed once. A new field is added at the end of its list.
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
