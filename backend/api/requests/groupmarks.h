// Requests for the notes and mutes of failure groups.
#pragma once

#include "backend/api/request.h"
#include "backend/records/messages/groupmark.h"

#include <optional>

namespace api {

// Conflict: the note is no longer the one in `shown`. NotFound: there is no note to remove. Rejected: too long, or not
// plain text.
struct SetGroupNote
{
    using Answer = void;
    static constexpr RequestRules rules{"SetGroupNote", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::See, QList<core::GroupId>{group}}; }
    [[nodiscard]] QString activity() const
    {
        return text.trimmed().isEmpty() ? Text::tr("Note removed") : Text::tr("Note written");
    }

    core::GroupId group;
    QString text; // empty: removes the note
    std::optional<QString> shown; // the note when the person began to write; a different one now is a Conflict

    REDRIVE_FIELDS(group, text, shown)
};

// Mutes or unmutes all of the groups, or on an error none. Rejected: a time that has passed or is too far ahead.
struct MuteGroups
{
    using Answer = void;
    static constexpr RequestRules rules{"MuteGroups", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Archive, groups}; }
    [[nodiscard]] QString activity() const
    {
        return until ? Text::tr("Muted until %1").arg(minuteText(*until)) : Text::tr("Unmuted");
    }

    QList<core::GroupId> groups;
    std::optional<core::TimePoint> until; // nothing: unmute

    // "2026-01-02 03:04 UTC"
    [[nodiscard]] static QString minuteText(core::TimePoint at);

    REDRIVE_FIELDS(groups, until)
};

} // namespace api
