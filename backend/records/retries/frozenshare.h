#pragma once

#include "backend/core/ids.h"
#include "backend/core/time/clock.h"
#include "backend/records/messages/message.h"

#include <QList>

#include <optional>

namespace records {

// The messages of a set that go to one destination.
struct FrozenShare
{
    Destination destination; // where they go; where the sources differ, the least certain one
    qint64 count = 0;
    core::TimePoint firstFailed{};
    core::TimePoint lastFailed{};
    qint64 straightBack = 0; // of these, back to the queue they were taken from
    // If redirected: the destination that the messages name themselves, which may be empty.
    std::optional<Destination> insteadOf{};
    core::MessageId example{}; // one of these messages
    bool mixed = false; // the messages know their destination from different places
    qint64 bytes = 0; // of their bodies
    qint64 largest = 0; // body

    // The queue that the messages name.
    [[nodiscard]] QString origin() const { return (insteadOf ? *insteadOf : destination).queue; }
    friend bool operator==(const FrozenShare &, const FrozenShare &) = default;
};

// Adds a share to the one with the same destination and origin, or appends it.
void addShare(QList<FrozenShare> &shares, const FrozenShare &share);

} // namespace records
