// What a broker is given to send, and the optional part of a broker that stages copies on the broker itself. The rules
// of broker.h hold here as well.
#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"
#include "backend/core/time/clock.h"
#include "backend/records/messages/headers.h"

#include <QStringList>

#include <functional>
#include <optional>

namespace broker {

using core::Result;
using core::Task;

// ---- sending -----------------------------------------------------------------------------------------------------

struct Outgoing
{
    qint64 ordinal = 0; // number of the message in its retry
    QString uniqueId; // of the failed message in the store; also in the stamp
    QString destination; // queue, or topic on Service Bus
    records::Envelope envelope; // ready to send: failure headers removed, stamp added
    QString dedupId; // use it instead of the native message id if the destination detects duplicates; empty: no need
    // The broker delivers it not before this time, which is absolute so that a copy that is sent again is not delayed
    // again. Only within Broker::longestDelay(), and only for send(). In the past, or nothing: at once.
    std::optional<core::TimePoint> deliverAt{};
};

enum class Verdict {
    Accepted, // the broker confirmed it
    Rejected, // the broker will never accept this message as it is (400, 406, 413): it is ejected
    TooLarge, // likewise, because of its size: it is ejected at once, and is not tried again
    NoSuchDestination, // the destination does not exist: the message is ejected
    NotSent, // certainly not taken, and not because of the message: it is sent again later; the error says why
    Full, // certainly not taken; only this destination refuses messages now: others go on
    Unknown, // no usable answer: it may have been taken; the message is in doubt
};

struct SendOutcome
{
    Verdict verdict = Verdict::NotSent;
    core::Error error; // not set for Accepted
};

// ---- staging on the broker itself ------------------------------------------------------------------------------------

// One attempt to stage one batch. Queue, exchange, routes and the queues for ejected copies are all named after it.
struct StagingPlace
{
    QString name; // "redrive.<store>.<fence>.<staging id>"
    QStringList destinations; // every destination of its copies
    int entrance = 0; // number of the current entrance; reconcile() closes it and opens the next one
};

// A destination to which the broker lets no copies go now.
struct Unreachable
{
    QString destination;
    core::Error error; // Unauthorized: not before somebody changes the rights; Rejected: never; else: perhaps later
};

struct ForwardRequest
{
    StagingPlace place;
    QString mark; // the newest text that keepMark stored; empty: none
    qint64 staged = 0; // copies that the place held when it was complete
};

struct ForwardHooks
{
    // Stores the mark durably. forward() calls it before each step that a later call must know of, and stops with its
    // error if it fails.
    std::function<Result<>(const QString &mark)> keepMark;
    std::function<void(qint64 remaining)> progress; // copies still in the staging queue
    std::function<void(const QString &reason)> waiting; // why nothing moves, for people; empty when it moves again
};

// A staged copy that is not known to be at its destination.
struct Returned
{
    QString uniqueId; // from the stamp
    QString stagingId;
    QString reason; // for people: "queue billing does not exist"
};

// The outcome of the staged copies. A copy that is in no list reached its destination.
struct ForwardReport
{
    QList<Returned> ejected; // certainly not at the destination
    QList<Returned>
        kept; // certainly not there, because there was no way to it when they were forwarded: try them later
    QList<Returned> inDoubt; // may be at the destination, or may still get there until the place is discarded
    bool interrupted = false; // the broker or its shovel restarted meanwhile: any copy may have arrived twice
    QString
        lost{}; // for people: why copies that are in no list may have been lost before they arrived; empty: none was
};

// Optional part of a broker: copies are staged in a queue on the broker, and the broker forwards them. Calls for one
// place do not overlap; one place may be staged while another is forwarded. Everything of a place survives a crash of
// the program; the caller finds it again by its name or in leftovers().
class StagingQueue
{
public:
    StagingQueue() = default;
    StagingQueue(const StagingQueue &) = delete;
    StagingQueue &operator=(const StagingQueue &) = delete;
    virtual ~StagingQueue() = default;

    // Creates everything that the place needs. May be repeated. Refused: a policy could lose messages of the place.
    [[nodiscard]] virtual Task<Result<>> open(StagingPlace place) = 0;
    // Sends copies into the staging queue: one outcome for each, in the same order, up to Capabilities::sendsInFlight
    // at a time. Unknown: the copy may be in the place, or arrive there while its entrance is open.
    [[nodiscard]] virtual Task<QList<SendOutcome>> stage(StagingPlace place, QList<Outgoing> copies) = 0;
    // Closes the entrance for good and returns the unique ids of all copies in the place: after that no late copy can
    // arrive by that entrance. Stage further copies by the next entrance (number + 1). No stage() may be open. May be
    // repeated with the same entrance.
    // NotFound: the place is gone. Conflict: a copy was dead-lettered, or a message is there that is not ours.
    [[nodiscard]] virtual Task<Result<QStringList>> reconcile(StagingPlace place) = 0;
    // The exact current number of copies in the place. NotFound: the place is gone.
    [[nodiscard]] virtual Task<Result<qint64>> depth(StagingPlace place) = 0;
    // Opens the ways to the destinations of the place, so that a destination without one is known before any copy counts as
    // staged. Returns those without a way. A destination that does not exist is not one of them: forward() reports its
    // copies. May be repeated.
    [[nodiscard]] virtual Task<Result<QList<Unreachable>>> openWays(StagingPlace) { co_return QList<Unreachable>(); }
    // True: nothing of the place was forwarded, nothing will be, and the place is removed. False: some of its copies may
    // have been forwarded, and only forward() tells which; nothing was changed. After an error: one of the two.
    [[nodiscard]] virtual Task<Result<bool>> withdraw(ForwardRequest) { co_return false; }
    // Lets the broker move all copies to their destinations, waits for the end and reports what did not arrive. Deletes
    // nothing that the report needs: the caller makes the report durable, then calls discard(). May be called again
    // after any error or crash, with the newest mark. NotFound: the place is gone, or some of its copies are, and with them
    // the knowledge of what was forwarded: nothing if no mark was kept.
    [[nodiscard]] virtual Task<Result<ForwardReport>> forward(ForwardRequest request, ForwardHooks hooks) = 0;
    // Removes everything of the place, in an order in which no copy can be sent twice. May be repeated; a place that is
    // gone is no error.
    [[nodiscard]] virtual Task<Result<>> discard(StagingPlace place) = 0;
};

} // namespace broker
