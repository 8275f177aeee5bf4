// What people write about a failure group. It stays with the group, whatever happens to its messages.
#pragma once

#include "backend/core/time/clock.h"

#include <QString>

#include <optional>

namespace records {

struct GroupNote
{
    static constexpr int longest = 2000; // characters

    QString text; // plain text
    QString who;
    core::TimePoint at{};

    friend bool operator==(const GroupNote &, const GroupNote &) = default;
};

// Mutes a failure group until a time: it is still counted and listed, but it does not ask for attention.
struct GroupMute
{
    static constexpr core::Milliseconds longest = std::chrono::hours(24 * 366);
    // A muted group that grows this much asks for attention again. Both limits must be reached: from 1 to 10 messages
    // is no explosion.
    static constexpr int loudTimes = 10; // times the unresolved messages that it had when it was muted
    static constexpr int loudMore = 100; // more unresolved messages than it had

    core::TimePoint until{};
    QString who;
    core::TimePoint at{};
    qint64 count = 0; // unresolved messages when it was muted
    bool loud = false; // it has grown beyond both limits

    friend bool operator==(const GroupMute &, const GroupMute &) = default;
};

struct GroupMarks
{
    std::optional<GroupNote> note;
    std::optional<GroupMute> mute; // only while it is in force

    [[nodiscard]] bool isQuiet() const { return mute && !mute->loud; }

    friend bool operator==(const GroupMarks &, const GroupMarks &) = default;
};

} // namespace records
