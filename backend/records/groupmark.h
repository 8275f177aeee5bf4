// What people say about a failure group: it belongs to the group's identity, whatever becomes of its messages.
#pragma once

#include "backend/core/clock.h"

#include <QString>

#include <optional>

namespace records {

struct GroupNote
{
    static constexpr int longest = 2000; // characters

    QString text; // plain
    QString who;
    core::TimePoint at{};

    friend bool operator==(const GroupNote &, const GroupNote &) = default;
};

// Known, and of no interest until then: the group is counted and listed without asking for attention.
struct GroupMute
{
    static constexpr core::Milliseconds longest = std::chrono::hours(24 * 366);
    // It has grown so much since it was muted that it is another matter, and asks for attention all the same.
    static constexpr int loudTimes = 10; // as many unresolved messages as then,
    static constexpr int loudMore = 100; // and at least so many more: ten of what was one is no explosion

    core::TimePoint until{};
    QString who;
    core::TimePoint at{};
    qint64 count = 0; // unresolved when it was muted
    bool loud = false;

    friend bool operator==(const GroupMute &, const GroupMute &) = default;
};

struct GroupMarks
{
    std::optional<GroupNote> note;
    std::optional<GroupMute> mute; // in force

    [[nodiscard]] bool isQuiet() const { return mute && !mute->loud; }

    friend bool operator==(const GroupMarks &, const GroupMarks &) = default;
};

} // namespace records
