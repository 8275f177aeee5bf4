#pragma once

#include "backend/core/clock.h"
#include "backend/core/ids.h"
#include "backend/core/result.h"

#include <QStringList>

#include <algorithm>
#include <optional>

namespace records {

// Where a run stands. Holding: nothing of what is held is in the store. Committed: all of `page` is in the store, and may
// or may not have left the broker yet. Done: nothing of it is on the broker. Interrupted: a crash or a lost lock cut it
// short and copies of `page` may still lie in the source queue; it stays so until that queue was seen empty.
enum class IntakeState { Holding, Committed, Done, Interrupted };

// One request to take failed messages, page by page. Committed before the broker is touched, so that whatever a crash
// leaves on the broker has a name here.
struct IntakeRun
{
    core::IntakeRunId id;
    core::ConnectionId connection;
    QString sourceQueue;
    QString holdingName; // holding queue and shovel on the broker; empty for lock-capable brokers
    std::optional<qint64> asked; // messages still to be taken; nothing: all there are
    IntakeState state = IntakeState::Holding;
    core::TimePoint started{};
    QStringList page; // of each message committed last: 32 hex digits of its content, a blank, its native id

    friend bool operator==(const IntakeRun &, const IntakeRun &) = default;
};

// What became of one queue of several that were asked.
struct QueueResult
{
    QString queue;
    qint64 messages = 0; // taken or seen
    qint64 fresh = 0; // of them, not in the store before
    std::optional<core::ErrorKind> refused; // it was not, or not to its end
    QString reason; // why

    friend bool operator==(const QueueResult &, const QueueResult &) = default;
};

[[nodiscard]] inline bool anyRefused(const QList<QueueResult> &queues)
{
    return std::any_of(queues.cbegin(), queues.cend(), [](const QueueResult &one) { return one.refused.has_value(); });
}

// What one intake brought; also the JSON of `redrive intake --once`.
struct IntakeCounts
{
    qint64 taken = 0;
    qint64 fresh = 0;
    qint64 cameBack = 0;
    qint64 confirmed = 0;
    qint64 undecodable = 0;
    QList<QueueResult> queues{}; // where several were asked, in that order

    IntakeCounts &operator+=(const IntakeCounts &other)
    {
        taken += other.taken;
        fresh += other.fresh;
        cameBack += other.cameBack;
        confirmed += other.confirmed;
        undecodable += other.undecodable;
        queues += other.queues;
        return *this;
    }
    friend bool operator==(const IntakeCounts &, const IntakeCounts &) = default;
};

// What one look into queues brought. Nothing left its queue.
struct BrowseCounts
{
    qint64 seen = 0;
    qint64 fresh = 0; // not in the store before
    qint64 again = 0; // looked at before
    qint64 known = 0; // of messages that the store has taken already, and confirmations: nothing was changed
    qint64 undecodable = 0;
    bool more = false; // others lie behind what was seen
    qint64 gone = 0; // looked at before and no longer in the queue: their records were removed
    QList<QueueResult> queues{}; // where several were asked, in that order

    BrowseCounts &operator+=(const BrowseCounts &other)
    {
        seen += other.seen;
        fresh += other.fresh;
        again += other.again;
        known += other.known;
        undecodable += other.undecodable;
        more = more || other.more;
        gone += other.gone;
        queues += other.queues;
        return *this;
    }
    friend bool operator==(const BrowseCounts &, const BrowseCounts &) = default;
};

} // namespace records
