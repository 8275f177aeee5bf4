// The fields of settings, each listed once (cborcodec.h). Add new fields at the end of a list.
#pragma once

#include "backend/api/settings.h"
#include "backend/control/recordfields.h"

namespace control {

template<typename Archive, Is<records::RetentionPolicy> T>
void fields(Archive &archive, T &value)
{
    archive.field("resolved", value.resolved);
    archive.field("archived", value.archived);
}

template<typename Archive, Is<records::QuietRule> T>
void fields(Archive &archive, T &value)
{
    archive.field("connection", value.connection);
    archive.field("after", value.after);
}

template<typename Archive, Is<api::SettingsCommand> T>
void fields(Archive &archive, T &value)
{
    archive.field("keeping", value.retention);
    archive.field("quiet", value.quiet);
    archive.field("wouldKeep", value.wouldKeep);
    archive.field("who", value.who);
}

template<typename Archive, Is<api::Settings> T>
void fields(Archive &archive, T &value)
{
    archive.field("keeping", value.retention);
    archive.field("quiet", value.quiet);
    archive.field("resolvedDue", value.resolvedDue);
    archive.field("archivedDue", value.archivedDue);
}

} // namespace control
