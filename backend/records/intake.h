#pragma once

#include "backend/core/fields.h"
#include "backend/core/ids.h"
#include "backend/core/result.h"
#include "backend/core/time/clock.h"

#include <QStringList>

#include <algorithm>
#include <optional>

namespace records {

// The state of one intake run.
//  - Holding: messages are held on the broker, and none of them is in the store.
//  - Committed: all messages of `page` are in the store. They may or may not still be on the broker.
//  - Done: none of its messages is on the broker any more.
//  - Interrupted: a crash or a lost lock ended the run, and copies of `page` may still be in the source queue. The run
//    keeps this state until that queue was seen empty.
enum class IntakeState { Holding, Committed, Done, Interrupted };

// One run that takes failed messages from a queue, page by page. The store has this record before Redrive touches the
// broker, so that after a crash everything that was left on the broker can be found.
struct IntakeRun
{
    core::IntakeRunId id;
    core::ConnectionId connection;
    QString sourceQueue;
    QString
        holdingName; // the holding queue and shovel on the broker; empty for brokers with locks, and for small steps
    std::optional<qint64> asked; // messages that are still to be taken; nothing: all
    IntakeState state = IntakeState::Holding;
    core::TimePoint started{};
    QStringList page; // the messages committed last: for each, 32 hex digits of its content, a blank, its native id

    friend bool operator==(const IntakeRun &, const IntakeRun &) = default;
};

// What a run that takes in small steps keeps beside its page (backend/intake/steps/).
struct IntakeStep
{
    QString nodes; // the runs of the broker's nodes while the messages of the page were taken
    qint64 wanted = 0; // how many of `messages` the request removes that was sent, or is about to be
    qint64 waiting = 0; // messages in the queue before that
    QByteArray messages; // copies of the first messages of the queue before that; empty: no such request

    friend bool operator==(const IntakeStep &, const IntakeStep &) = default;
};

// The result for one of several queues.
struct QueueResult
{
    QString queue;
    qint64 messages = 0; // taken or browsed
    qint64 fresh = 0; // messages among them that were new to the store
    std::optional<core::ErrorKind> refused; // the queue was not taken or browsed, or not completely
    QString reason; // why, for people; only with `refused`

    REDRIVE_FIELDS(queue, messages, fresh, refused, reason)
    friend bool operator==(const QueueResult &, const QueueResult &) = default;
};

[[nodiscard]] inline bool anyRefused(const QList<QueueResult> &queues)
{
    return std::any_of(queues.cbegin(), queues.cend(), [](const QueueResult &one) { return one.refused.has_value(); });
}

// The result of one intake. `redrive intake --once --json` prints it.
struct IntakeCounts
{
    qint64 taken = 0;
    qint64 fresh = 0; // new to the store
    qint64 cameBack = 0; // failed again after a retry
    qint64 confirmed = 0; // confirmations that a retried message was processed
    qint64 undecodable = 0; // stored as they are, dialect unknown
    QList<QueueResult> queues{}; // with several queues only, in the order of the request
    bool isCancelled = false; // on request, after the messages that were held: others stay in their queues

    IntakeCounts &operator+=(const IntakeCounts &other)
    {
        taken += other.taken;
        fresh += other.fresh;
        cameBack += other.cameBack;
        confirmed += other.confirmed;
        undecodable += other.undecodable;
        queues += other.queues;
        isCancelled = isCancelled || other.isCancelled;
        return *this;
    }
    REDRIVE_FIELDS(taken, fresh, cameBack, confirmed, undecodable, queues, isCancelled)
    friend bool operator==(const IntakeCounts &, const IntakeCounts &) = default;
};

// The result of browsing queues. No message left its queue.
struct BrowseCounts
{
    qint64 seen = 0;
    qint64 fresh = 0; // new to the store
    qint64 again = 0; // browsed before
    qint64 known = 0; // already taken into the store, or confirmations: nothing was changed
    qint64 undecodable = 0; // stored as they are, dialect unknown
    bool more = false; // the queue has messages beyond those that were browsed
    qint64 gone = 0; // browsed before and no longer in the queue: their records were removed
    QList<QueueResult> queues{}; // with several queues only, in the order of the request

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
    REDRIVE_FIELDS(seen, fresh, again, known, undecodable, more, gone, queues)
    friend bool operator==(const BrowseCounts &, const BrowseCounts &) = default;
};

} // namespace records
