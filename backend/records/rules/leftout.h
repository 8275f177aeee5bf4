// Why a selected message is not in the set of a retry or release. The store counts by it. Window, command line, rehearsal and
// policies each have one text for each reason, because each speaks of something else.
#pragma once

#include "backend/core/fields.h"

#include <QList>

#include <algorithm>
#include <array>
#include <optional>

namespace records {

// A message counts under the first reason that applies, so the order is a rule. Never stored.
enum class LeftOut {
    Arrived, // first stored after the list was read
    Changed, // written to since, or no longer unresolved
    BrowsedOnly, // the original is still in its queue
    PossibleDuplicate, // a person has to decide first
    HeldElsewhere, // another operation has claimed it, or has it in its set
    NotFaithful, // the broker's HTTP interface cannot send it back unchanged
    Looped, // came back limits::loopGuardCameBack times or more, and the plan does not include such messages
    NoDestination, // its destination is unknown, or only the tool of its framework can return it
    NoSuchQueue, // the destination does not exist on the broker
    TooLarge, // the broker's HTTP interface takes no body of this size
    EditMisfit, // the edit of the plan does not fit it
    BeyondLimit, // the plan has a limit, and enough messages come before it
};
constexpr LeftOut lastOf(LeftOut)
{
    return LeftOut::BeyondLimit;
}
inline constexpr std::array leftOutReasons{
    LeftOut::Arrived,       LeftOut::Changed,     LeftOut::BrowsedOnly, LeftOut::PossibleDuplicate,
    LeftOut::HeldElsewhere, LeftOut::NotFaithful, LeftOut::Looped,      LeftOut::NoDestination,
    LeftOut::NoSuchQueue,   LeftOut::TooLarge,    LeftOut::EditMisfit,  LeftOut::BeyondLimit};

// How many messages were left out for each reason.
struct LeftOutCounts
{
    [[nodiscard]] qint64 operator[](LeftOut why) const { return byReason.value(int(why)); }
    [[nodiscard]] qint64 &operator[](LeftOut why)
    {
        byReason.resize(std::max(byReason.size(), qsizetype(leftOutReasons.size())));
        return byReason[int(why)];
    }
    [[nodiscard]] qint64 sum() const;
    // The first reason that was counted; nothing: none was.
    [[nodiscard]] std::optional<LeftOut> first() const;
    LeftOutCounts &operator+=(const LeftOutCounts &other);

    QList<qint64> byReason; // in the order of LeftOut; what is missing is 0

    REDRIVE_FIELDS(byReason)
    friend bool operator==(const LeftOutCounts &one, const LeftOutCounts &other)
    {
        return std::all_of(leftOutReasons.begin(), leftOutReasons.end(),
                           [&](LeftOut why) { return one[why] == other[why]; });
    }
};

} // namespace records
